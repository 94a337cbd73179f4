/**
 * Holds the remaining steps, and picks those that the limits let through next.
 */
import { batchLimits } from '../batches.ts'
import { type Kind, kinds, type Step } from './plan.ts'
import { fitsNoBatch, itemOf, needOf } from './requests.ts'
import { type Need, nothing, plus, type Room } from './room.ts'

/** Until when a kind of steps has to wait, for which limits, and what these allowed then. */
type Block = { until: number; limits: readonly string[]; maxima: number }

/** Bytes for the items of a batch: its limit, less a reserve for the envelope. */
const batchBytes = batchLimits.bytes - 1_000

export class Queues {
  readonly #queues = new Map<Kind, Step[]>(kinds.map((kind) => [kind, []]))
  readonly #blocks = new Map<Kind, Block>()
  /** Steps that are sent again once all others are done. */
  #held: Step[] = []
  readonly #room: Room
  readonly #now: () => number

  constructor(steps: readonly Step[], room: Room, now: () => number) {
    this.#room = room
    this.#now = now
    for (const step of steps) this.add(step)
  }

  left(): Step[] {
    return [...[...this.#queues.values()].flat(), ...this.#held]
  }

  add(step: Step): void {
    this.#queues.get(step.kind)?.push(step)
  }

  /** Puts steps of one kind back, to be sent before the others of their kind. */
  putBack(steps: readonly Step[]): void {
    const [first] = steps
    if (first !== undefined) this.#queues.get(first.kind)?.unshift(...steps)
  }

  hold(step: Step): void {
    this.#held.push(step)
  }

  /** @returns whether there were any */
  releaseHeld(): boolean {
    const held = this.#held
    this.#held = []
    for (const step of held) this.add(step)
    return held.length > 0
  }

  drop(unwanted: (step: Step) => boolean): void {
    for (const [kind, queue] of this.#queues)
      if (queue.some(unwanted))
        this.#queues.set(
          kind,
          queue.filter((step) => !unwanted(step)),
        )
  }

  block(kind: Kind, until: number, limits: readonly string[]): void {
    this.#blocks.set(kind, { until, limits, maxima: this.#room.maxima(limits) })
  }

  /** Unblocks the kinds whose limit was raised meanwhile. */
  unblockRaised(): void {
    for (const [kind, { limits, maxima }] of this.#blocks)
      if (this.#room.maxima(limits) > maxima) this.#blocks.delete(kind)
  }

  /** The first block to end that holds up any step, or null. */
  firstBlock(): Block | null {
    const holding = [...this.#blocks].filter(
      ([kind, { until }]) => until > this.#now() && (this.#queues.get(kind)?.length ?? 0) > 0,
    )
    const [first] = holding.map(([, block]) => block).toSorted((a, b) => a.until - b.until)
    return first ?? null
  }

  /**
   * The steps of the next request: of one kind, within a batch's bounds and what the limits leave. Null if nothing can be sent now.
   * @param onNever receives the steps that waiting cannot help, and the limits; they are dropped
   */
  next(onNever: (step: Step, limits: readonly string[]) => void): Step[] | null {
    for (const [kind, queue] of this.#queues) {
      const block = this.#blocks.get(kind)
      if (block !== undefined && block.until > this.#now()) continue
      this.#blocks.delete(kind)
      const steps = this.#nextOf(kind, queue, onNever)
      if (steps.length > 0) return steps
    }
    return null
  }

  #nextOf(
    kind: Kind,
    queue: readonly Step[],
    onNever: (step: Step, limits: readonly string[]) => void,
  ): Step[] {
    const underWay = kind === 'enable' ? this.#underWay() : null
    const hopeless = new Set<Step>()
    const steps: Step[] = []
    let need = nothing
    let bytes = 0
    for (const step of queue) {
      if (underWay?.has(step.externalId) === true) continue
      const own = gatedNeed(step)
      const never = this.#room.never(own)
      if (never.length > 0) {
        hopeless.add(step)
        onNever(step, never)
        continue
      }
      const sum = plus(need, own)
      const short = this.#room.short(sum)
      if (short.length > 0) {
        if (steps.length === 0) this.block(kind, this.#room.opensAt(short), short)
        break
      }
      const isAlone = step.kind === 'photos' || (step.kind === 'create' && fitsNoBatch(step))
      bytes += Buffer.byteLength(JSON.stringify(itemOf(step))) + 1
      const isFull =
        steps.length >= batchLimits.items || sum.photos > batchLimits.photos || bytes > batchBytes
      if (steps.length > 0 && (isAlone || isFull)) break
      steps.push(step)
      need = sum
      if (isAlone) break
    }
    if (hopeless.size > 0) this.drop((step) => hopeless.has(step))
    return steps
  }

  /** Listings with other steps than publishing. A listing is published once all its other steps are done. */
  #underWay(): Set<string> {
    return new Set(this.left().flatMap(({ kind, externalId }) => (kind === 'enable' ? [] : [externalId])))
  }
}

/** The need to check before sending. It leaves out photos that are set: only the service knows how many of them it will download. */
function gatedNeed(step: Step): Need {
  const need = needOf(step)
  return step.kind === 'photos' ? { ...need, photos: 0 } : need
}
