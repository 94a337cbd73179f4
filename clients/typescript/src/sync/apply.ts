/**
 * Carries out a plan: within the limits, in the order of the kinds of steps, and so that a kill at any time loses nothing.
 */
import type { ListingsClient } from '../client.ts'
import { ListingsError } from '../errors.ts'
import type { BatchItem } from '../types.ts'
import type { Intent, Journal } from './journal.ts'
import { leftAloneErrors } from './left-alone.ts'
import type { Outcomes } from './outcomes.ts'
import { kinds, type Plan, type Step } from './plan.ts'
import { Queues } from './queues.ts'
import { intentOf, isDone, learn, sendIntent, type Verdict } from './requests.ts'
import { type Need, nothing, ofOneListing, type Room } from './room.ts'

type Applying = {
  client: ListingsClient
  journal: Journal
  room: Room
  outcomes: Outcomes
  refreshPhotos: boolean
  /** The longest wait for a limit. */
  maxWaitMs: number
  now: () => number
  /** Waits for a part of a limit's wait. Ends early when the run must stop. */
  pause: (ms: number, limit: { until: number; limits: readonly string[] }) => Promise<void>
  /** Aborts the request in progress. */
  abort: AbortSignal
  /** Stops the run after the write in progress. Reads and waits end at once. */
  stop: AbortSignal
  /** Called after each request with the steps that are left. */
  onProgress: (left: readonly Step[]) => void
}

/** How a run ended: everything possible is done, or why not and when to run again. */
export type Ending = { complete: true } | { complete: false; why: string }

export const interrupted = 'it was interrupted'
/** How often to look at the limits during a longer wait. */
const lookAgainMs = 600_000
/** How often a step that failed temporarily on its own is sent again. */
const secondChances = 3

export async function carryOut(plan: Plan, applying: Applying): Promise<Ending> {
  try {
    return await new Run(plan, applying).run()
  } catch (error) {
    if (applying.stop.aborted || applying.abort.aborted) return { complete: false, why: interrupted }
    if (!(error instanceof ListingsError) || !isUnanswered(error)) throw error
    return { complete: false, why: `${error.message} (${error.code})` }
  }
}

class Run {
  readonly #plan: Plan
  readonly #with: Applying
  readonly #queues: Queues
  readonly #chances = new Map<string, number>()
  /** Listings whose fields are as the file says. */
  readonly #settled: Set<string>
  /** Ids of listings whose current address the plan frees. */
  readonly #leaving: ReadonlySet<string>

  constructor(plan: Plan, applying: Applying) {
    this.#plan = plan
    this.#with = applying
    this.#queues = new Queues(plan.steps, applying.room, applying.now)
    const open = new Set(
      plan.steps.flatMap(({ kind, externalId }) => (kind === 'update' ? [externalId] : [])),
    )
    const leaving = plan.steps.filter(leavesAddress)
    this.#leaving = new Set(leaving.flatMap(({ externalId }) => plan.present.get(externalId)?.id ?? []))
    this.#settled = new Set([...plan.present.keys()].filter((externalId) => !open.has(externalId)))
  }

  async run(): Promise<Ending> {
    const { maxWaitMs, now, onProgress, outcomes, pause, stop } = this.#with
    for (;;) {
      if (stop.aborted) return { complete: false, why: interrupted }
      const steps = this.#queues.next((step, limits) =>
        this.#limited(step, limits, 'is smaller than this step needs'),
      )
      if (steps !== null) {
        const trouble = await this.#carryOut(steps)
        onProgress(this.#queues.left())
        if (trouble !== null) return { complete: false, why: trouble }
        continue
      }
      const block = this.#queues.firstBlock()
      if (block === null) {
        if (this.#queues.releaseHeld()) continue
        break
      }
      const ms = block.until - now()
      if (ms > maxWaitMs) {
        for (const step of this.#queues.left()) this.#limited(step, block.limits, 'is exhausted')
        const at = new Date(block.until).toISOString()
        return { complete: false, why: `${block.limits.join(', ')} opens again at ${at}` }
      }
      // The operator may raise a limit meanwhile.
      await pause(Math.min(ms, lookAgainMs), block)
      if (!stop.aborted) await this.#lookAtLimits()
      this.#queues.unblockRaised()
    }
    if (outcomes.count('limited') === 0) return { complete: true }
    return { complete: false, why: 'limits of single listings are exhausted' }
  }

  /** @returns why the run has to end, or null */
  async #carryOut(steps: readonly Step[]): Promise<string | null> {
    const { abort, client, journal, now, outcomes, refreshPhotos, room } = this.#with
    const content = (externalId: string): string | undefined =>
      this.#settled.has(externalId) ? this.#plan.contents.get(externalId) : undefined
    const intent = intentOf(steps, content, refreshPhotos, now())
    journal.begin(intent)
    let verdicts: Verdict[]
    try {
      verdicts = await sendIntent(intent, { client, signal: abort })
    } catch (error) {
      if (!(error instanceof ListingsError)) throw error
      return this.#refused(intent, steps, error)
    }
    journal.settle(intent.id, learn(intent, verdicts, journal.known))
    this.#dropSteps(steps)
    const again: Step[] = []
    for (const [index, step] of steps.entries()) {
      const verdict = verdicts[index]
      if (verdict === undefined) continue
      room.charge(chargeOf(step, verdict))
      outcomes.photosFailed(step.externalId, photosFailedIn(verdict))
      if (isDone(step.kind, verdict.error)) this.#succeeded(step, verdict)
      else if (verdict.error !== null) this.#failed(step, verdict.error, again)
    }
    this.#queues.putBack(again)
    this.#skipPublishing()
    if (again.length > 0) await this.#lookAtLimits()
    return null
  }

  #succeeded(step: Step, { property, status, warnings }: Verdict): void {
    const { externalId, title } = step
    this.#with.outcomes.done(externalId, step.kind, warnings, property)
    if (step.kind === 'update' || step.kind === 'create') this.#settled.add(externalId)
    // Somebody else has created it meanwhile: photos and state were left as they are.
    if (step.kind !== 'create' || status !== 200 || property === null) return
    const { input, photos: urls } = step
    if (input.status === 'published' && property.status === 'disabled')
      return this.#with.outcomes.failed(externalId, leftAloneErrors.suspended, 'left alone')
    if (urls.length > 0)
      this.#add({ kind: 'photos', externalId, title, id: property.id, urls, unknown: urls.length })
    if (input.status === 'published' && property.status !== 'published')
      this.#add({ kind: 'enable', externalId, title })
  }

  #add(step: Step): void {
    this.#queues.add(step)
    this.#with.outcomes.add(step.externalId, step.kind)
  }

  /** @param again receives the step if it may succeed at once, or once a limit resets */
  #failed(step: Step, error: NonNullable<Verdict['error']>, again: Step[]): void {
    const { now, outcomes } = this.#with
    if (error.code === 'rate_limited') {
      if (error.limits.some((name) => ofOneListing.has(name)))
        return outcomes.failed(step.externalId, error, 'limited')
      this.#queues.block(step.kind, ...openingOf(error, now()))
      again.push(step)
      return
    }
    if (
      error.code === 'service_unavailable' &&
      error.photos.length === 0 &&
      this.#hasChance(step, secondChances)
    )
      return void again.push(step)
    if (error.code === 'duplicate_property' && this.#leaving.has(error.existing_id)) {
      if (this.#hasChance(step, 1)) return this.#queues.hold(step)
      // Two listings that swap addresses wait for each other, so one goes first.
      if (this.#hasChance(step, 2)) return this.#queues.hold(forced(step))
    }
    outcomes.failed(step.externalId, error)
  }

  #hasChance({ kind, externalId }: Step, most: number): boolean {
    const name = `${kind} ${externalId}`
    const taken = this.#chances.get(name) ?? 0
    if (taken >= most) return false
    this.#chances.set(name, taken + 1)
    return true
  }

  /** The whole request failed. @returns why the run has to end, or null */
  async #refused(intent: Intent, steps: readonly Step[], error: ListingsError): Promise<string | null> {
    const { journal, now, outcomes, stop } = this.#with
    // The response is unknown: the next run requests it first.
    if (isUnanswered(error)) return stop.aborted ? interrupted : `${error.message} (${error.code})`
    journal.settle(intent.id, new Map())
    if (error.status === 401 || error.status === 403) throw error
    const [first] = steps
    // Only the service knows how many photos of a set it would download, so waiting a second full day will not help.
    const isHopeless = error.code === 'rate_limited' && first?.kind === 'photos' && !this.#hasChance(first, 2)
    if (error.code === 'rate_limited' && first !== undefined && !isHopeless) {
      const isOfWrites = error.limits.length === 0 || error.limits.some((name) => name.startsWith('writes_'))
      for (const kind of isOfWrites ? kinds : [first.kind])
        this.#queues.block(kind, ...openingOf(error, now()))
      await this.#lookAtLimits()
      return null
    }
    this.#dropSteps(steps)
    for (const { externalId } of steps) {
      outcomes.failed(externalId, error, isHopeless ? 'limited' : 'failed')
      if ('photos' in error) outcomes.photosFailed(externalId, error.photos)
    }
    this.#skipPublishing()
    return null
  }

  #limited({ externalId }: Step, limits: readonly string[], why: string): void {
    const error = { code: 'rate_limited', message: `${limits.join(', ')} ${why}` }
    this.#with.outcomes.failed(externalId, error, 'limited')
  }

  #dropSteps(steps: readonly Step[]): void {
    const done = new Set(steps)
    this.#queues.drop((step) => done.has(step))
  }

  /** A listing that could not be stored as in the file is not published. */
  #skipPublishing(): void {
    const { outcomes } = this.#with
    this.#queues.drop(({ kind, externalId }) => kind === 'enable' && outcomes.hasFailed(externalId))
  }

  async #lookAtLimits(): Promise<void> {
    const { client, room, stop } = this.#with
    room.refresh((await client.me({ signal: stop })).data)
  }
}

/** Whether the outcome of the request is unknown. */
export function isUnanswered({ status, code }: ListingsError): boolean {
  return status === null || status >= 500 || code === 'idempotent_request_in_progress'
}

/** When the exhausted limits reset, and their names. */
function openingOf(
  { limits, retry_after }: { limits: readonly string[]; retry_after: number },
  now: number,
): [number, readonly string[]] {
  return [now + retry_after * 1_000, limits.length === 0 ? ['a limit'] : limits]
}

function chargeOf(step: Step, { error, photos, status }: Verdict): Need {
  if (error !== null) return { ...nothing, writes: 1 }
  return {
    writes: 1,
    newListings: step.kind === 'create' && status === 201 ? 1 : 0,
    photos: photos.filter((photo) => photo.status !== 'kept').length,
  }
}

function photosFailedIn({ error, photos }: Verdict): readonly { url: string; error: string | null }[] {
  if (error !== null) return 'photos' in error ? error.photos : []
  return photos.filter(({ status }) => status === 'failed')
}

function leavesAddress(step: Step): boolean {
  if (step.kind === 'delete') return true
  if (step.kind !== 'update') return false
  return step.differences.some(({ path }) => path === 'address' || path === 'location.city')
}

/** The same step, allowed although another listing still has the address. */
function forced(step: Step): Step {
  if (step.kind === 'create') return { ...step, input: { ...step.input, force_duplicate: true } }
  return step.kind === 'update'
    ? { ...step, item: { ...step.item, force_duplicate: true } as BatchItem }
    : step
}
