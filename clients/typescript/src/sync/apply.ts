/**
 * Carries a plan out: within the limits, in the order of the kinds of steps, and so that a kill at any moment loses nothing.
 */
import { batchLimits } from '../batches.ts'
import type { ListingsClient } from '../client.ts'
import { ListingsError } from '../errors.ts'
import type { Intent, Journal } from './journal.ts'
import type { Outcomes } from './outcomes.ts'
import { type Kind, kinds, type Plan, type Step } from './plan.ts'
import { fitsNoBatch, intentOf, itemOf, learn, needOf, sendIntent, type Verdict } from './requests.ts'
import { type Need, nothing, ofOneListing, plus, type Room } from './room.ts'

export type Applying = {
  client: ListingsClient
  journal: Journal
  room: Room
  outcomes: Outcomes
  refreshPhotos: boolean
  /** The longest wait for a limit. */
  maxWaitMs: number
  now: () => number
  /** Waits. It ends early when the run is to stop. */
  pause: (ms: number, limits: readonly string[]) => Promise<void>
  /** Aborts what is under way. */
  signal: AbortSignal
  /** Whether to stop after what is under way. */
  isStopping: () => boolean
  /** Called after each request with the steps that are left. */
  onProgress: (left: readonly Step[]) => void
}

/** How a run ended: all done that can be; or why not, and when to run again. */
export type Ending = { complete: true } | { complete: false; why: string }

/** A batch's body, with something to spare for its envelope. */
const batchBytes = batchLimits.bytes - 1_000
/** How often an item is sent again that met a passing trouble of its own. */
const secondChances = 3

export async function carryOut(plan: Plan, applying: Applying): Promise<Ending> {
  return new Run(plan, applying).run()
}

class Run {
  readonly #plan: Plan
  readonly #with: Applying
  readonly #queues = new Map<Kind, Step[]>(kinds.map((kind) => [kind, []]))
  /** Until when a kind has to wait, and for which limits. */
  readonly #blocked = new Map<Kind, { until: number; limits: readonly string[] }>()
  readonly #chances = new Map<string, number>()
  /** Duplicates of addresses that a later step may free. */
  #held: Step[] = []
  /** Listings whose fields are as the file says. */
  readonly #settled: Set<string>

  constructor(plan: Plan, applying: Applying) {
    this.#plan = plan
    this.#with = applying
    for (const step of plan.steps) this.#queues.get(step.kind)?.push(step)
    const open = new Set(
      plan.steps.flatMap(({ kind, externalId }) => (kind === 'update' ? [externalId] : [])),
    )
    this.#settled = new Set([...plan.present.keys()].filter((externalId) => !open.has(externalId)))
  }

  async run(): Promise<Ending> {
    const { isStopping, maxWaitMs, now, onProgress, outcomes, pause, room } = this.#with
    for (;;) {
      if (isStopping()) return { complete: false, why: 'it was interrupted' }
      const steps = this.#next()
      if (steps !== null) {
        const trouble = await this.#carryOut(steps)
        onProgress(this.#left())
        if (trouble !== null) return { complete: false, why: trouble }
        continue
      }
      if (this.#left().length === 0 && !this.#releaseHeld()) break
      const waits = [...this.#blocked.values()].filter(({ until }) => until > now())
      if (waits.length === 0) continue
      const { until, limits } = waits.reduce((first, wait) => (wait.until < first.until ? wait : first))
      const ms = until - now()
      if (ms > maxWaitMs) {
        for (const { externalId } of this.#left())
          outcomes.failed(
            externalId,
            { code: 'rate_limited', message: `${limits.join(', ')} is exhausted` },
            'limited',
          )
        return {
          complete: false,
          why: `${limits.join(', ')} opens again at ${new Date(until).toISOString()}`,
        }
      }
      await pause(ms, limits)
      if (!isStopping()) room.refresh((await this.#with.client.me({ signal: this.#with.signal })).data)
    }
    const isLimited = outcomes.count('limited') > 0
    return isLimited
      ? { complete: false, why: 'limits of single listings are exhausted' }
      : { complete: true }
  }

  #left(): Step[] {
    return [...this.#queues.values()].flat()
  }

  /** The steps of the next request, or null if nothing can be sent now. */
  #next(): Step[] | null {
    const { now, outcomes, room } = this.#with
    for (const [kind, queue] of this.#queues) {
      if ((this.#blocked.get(kind)?.until ?? 0) > now()) continue
      this.#blocked.delete(kind)
      const steps: Step[] = []
      let need = nothing
      let bytes = 0
      const notReady = kind === 'enable' ? this.#underWay() : null
      for (const step of queue.slice()) {
        if (notReady?.has(step.externalId) === true) continue
        const own = gatedNeed(step)
        const never = room.never(own)
        if (never.length > 0) {
          this.#drop(step)
          const message = `${never.join(', ')} has no room for it, ever`
          outcomes.failed(step.externalId, { code: 'rate_limited', message }, 'limited')
          continue
        }
        const short = room.short(plus(need, own))
        if (short.length > 0) {
          if (steps.length === 0) this.#blocked.set(kind, { until: room.opensAt(short), limits: short })
          break
        }
        const isAlone = step.kind === 'photos' || (step.kind === 'create' && fitsNoBatch(step))
        const size = Buffer.byteLength(JSON.stringify(itemOf(step))) + 1
        const isFull =
          steps.length >= batchLimits.items ||
          plus(need, own).photos > batchLimits.photos ||
          bytes + size > batchBytes
        if (steps.length > 0 && (isAlone || isFull)) break
        steps.push(step)
        need = plus(need, own)
        bytes += size
        if (isAlone) break
      }
      if (steps.length > 0) return steps
    }
    return null
  }

  /** A listing is published when everything else is done with it. */
  #underWay(): Set<string> {
    return new Set(this.#left().flatMap(({ kind, externalId }) => (kind === 'enable' ? [] : [externalId])))
  }

  /** @returns why the run has to end, or null */
  async #carryOut(steps: readonly Step[]): Promise<string | null> {
    const { client, journal, now, outcomes, refreshPhotos, room, signal } = this.#with
    const content = (externalId: string): string | undefined =>
      this.#settled.has(externalId) ? this.#plan.contents.get(externalId) : undefined
    const intent = intentOf(steps, content, refreshPhotos, now())
    journal.begin(intent)
    let verdicts: Verdict[]
    try {
      verdicts = await sendIntent(intent, { client, signal })
    } catch (error) {
      if (!(error instanceof ListingsError)) throw error
      return this.#refused(intent, steps, error)
    }
    journal.settle(intent.id, learn(intent, verdicts, journal.known))
    for (const step of steps) this.#drop(step)
    const again: Step[] = []
    for (const [index, step] of steps.entries()) {
      const verdict = verdicts[index]
      if (verdict === undefined) continue
      room.charge(chargeOf(step, verdict))
      if (verdict.error === null || (step.kind === 'delete' && verdict.error.code === 'not_found'))
        this.#succeeded(step, verdict)
      else if (!this.#holdsUp(step, verdict.error, again)) outcomes.failed(step.externalId, verdict.error)
      outcomes.photosFailed(step.externalId, photosFailedIn(verdict))
    }
    if (again.length > 0) {
      const [{ kind }] = again as [Step]
      this.#queues.get(kind)?.unshift(...again)
      room.refresh((await client.me({ signal })).data)
    }
    this.#skipEnabling()
    return null
  }

  #succeeded(step: Step, { property, status, warnings }: Verdict): void {
    const { outcomes } = this.#with
    const { externalId, title } = step
    outcomes.done(externalId, step.kind, warnings, property)
    if (step.kind === 'update' || step.kind === 'create') this.#settled.add(externalId)
    // Somebody else has created it meanwhile: photos and state were left as they are.
    if (step.kind !== 'create' || status !== 200 || property === null) return
    if (step.photos.length > 0)
      this.#add({
        kind: 'photos',
        externalId,
        title,
        id: property.id,
        urls: step.photos,
        unknown: step.photos.length,
      })
    if (step.input.status === 'published' && property.status !== 'published')
      this.#add({ kind: 'enable', externalId, title })
  }

  #add(step: Step): void {
    this.#queues.get(step.kind)?.push(step)
    this.#with.outcomes.add(step.externalId, step.kind)
  }

  /** Whether the item's failure is one that passes; it is then sent again. */
  #holdsUp(step: Step, error: NonNullable<Verdict['error']>, again: Step[]): boolean {
    if (error.code === 'rate_limited') {
      if (error.limits.some((name) => ofOneListing.has(name))) {
        this.#with.outcomes.failed(step.externalId, error, 'limited')
        return true
      }
      const until = this.#with.now() + error.retry_after * 1_000
      this.#blocked.set(step.kind, { until, limits: error.limits.length === 0 ? ['a limit'] : error.limits })
      again.push(step)
      return true
    }
    const chances = this.#chances.get(step.externalId) ?? 0
    if (error.code === 'service_unavailable' && error.photos.length === 0 && chances < secondChances) {
      this.#chances.set(step.externalId, chances + 1)
      again.push(step)
      return true
    }
    const others = this.#plan.steps.filter((other) => other !== step)
    if (error.code !== 'duplicate_property' || chances > 0 || !others.some(freesAddress)) return false
    this.#chances.set(step.externalId, 1)
    this.#held.push(step)
    return true
  }

  #releaseHeld(): boolean {
    const held = this.#held
    this.#held = []
    for (const step of held) this.#queues.get(step.kind)?.push(step)
    return held.length > 0
  }

  /** The whole request failed. @returns why the run has to end, or null */
  async #refused(intent: Intent, steps: readonly Step[], error: ListingsError): Promise<string | null> {
    const { client, journal, now, outcomes, room, signal } = this.#with
    const passes =
      error.status === null || error.status >= 500 || error.code === 'idempotent_request_in_progress'
    // Its answer is not known: the next run asks for it first.
    if (passes) return `${error.message} (${error.code})`
    journal.settle(intent.id, new Map())
    if (error.status === 401 || error.status === 403) throw error
    if (error.code === 'rate_limited') {
      const until = now() + error.retry_after * 1_000
      const block = { until, limits: error.limits.length === 0 ? ['a limit'] : error.limits }
      const isOfWrites = error.limits.length === 0 || error.limits.some((name) => name.startsWith('writes_'))
      for (const kind of isOfWrites ? kinds : [steps[0]?.kind ?? 'create']) this.#blocked.set(kind, block)
      room.refresh((await client.me({ signal })).data)
      return null
    }
    for (const step of steps) {
      this.#drop(step)
      outcomes.failed(step.externalId, error)
      if ('photos' in error) outcomes.photosFailed(step.externalId, error.photos)
    }
    this.#skipEnabling()
    return null
  }

  #drop(step: Step): void {
    const queue = this.#queues.get(step.kind) ?? []
    const index = queue.indexOf(step)
    if (index !== -1) queue.splice(index, 1)
  }

  /** What could not be made as the file says is not published. */
  #skipEnabling(): void {
    const queue = this.#queues.get('enable') ?? []
    const left = queue.filter(({ externalId }) => !this.#with.outcomes.hasFailed(externalId))
    this.#queues.set('enable', left)
  }
}

/** How many photos will be downloaded is known for a creation; of photos that are set, the service knows better. */
function gatedNeed(step: Step): Need {
  const need = needOf(step)
  return step.kind === 'photos' ? { ...need, photos: 0 } : need
}

function chargeOf(step: Step, { error, photos, status }: Verdict): Need {
  if (error !== null) return { ...nothing, writes: 1 }
  const isDownloaded = (photo: { status: string }): boolean => photo.status !== 'kept'
  return {
    writes: 1,
    newListings: step.kind === 'create' && status === 201 ? 1 : 0,
    photos: photos.filter(isDownloaded).length,
  }
}

function photosFailedIn({ error, photos }: Verdict): readonly { url: string; error: string | null }[] {
  if (error !== null) return 'photos' in error ? error.photos : []
  return photos.filter(({ status }) => status === 'failed')
}

function freesAddress(step: Step): boolean {
  return (
    step.kind === 'delete' ||
    (step.kind === 'update' && step.differences.some(({ path }) => path === 'address'))
  )
}
