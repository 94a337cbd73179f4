/**
 * The command's requests besides applying a plan: fetching the listings, and dry runs.
 */
import { cutIntoBatches } from '../batches.ts'
import { ListingsClient } from '../client.ts'
import type { BatchItem, Property } from '../types.ts'
import { type Settings, UsageError } from './arguments.ts'
import type { Present } from './left-alone.ts'
import type { Outcomes } from './outcomes.ts'
import type { Plan } from './plan.ts'
import { fitsNoBatch, itemOf } from './requests.ts'
import { describeFailures, duration, some } from './texts.ts'

const troubles: Readonly<Record<string, string>> = {
  service_unavailable: 'The service is busy',
  idempotent_request_in_progress: 'The service is still processing the same request',
}

/** Shorter waits are not worth a line. */
const shortestReportedMs = 5_000
/** How long the service may be unreachable. Somebody waits for a plan; a run of several hours must outlast an upgrade. */
const patienceMs = { plan: 60_000, apply: 600_000 } as const

/** @param tell takes a line about a wait */
export function clientOf(
  { apply, key, maxWaitMs, serviceName, signingSecret, url }: Settings,
  { abort, stop }: { abort: AbortSignal; stop: AbortSignal },
  tell: (line: string) => void,
): ListingsClient {
  const giveUpAfterMs = apply ? Math.min(maxWaitMs, patienceMs.apply) : patienceMs.plan
  try {
    return new ListingsClient({
      baseUrl: url,
      key,
      signingSecret,
      serviceName,
      userAgent: 'ListingsSync/1.0',
      retry: { retries: 1_000, maxMs: apply ? 60_000 : 10_000, giveUpAfterMs, signal: stop },
      // Planning only reads, which is fast. Applying the plan may download photos.
      timeoutMs: apply ? 75_000 : 30_000,
      etags: false,
      signal: abort,
      onRetry({ code, limits, message, waitMs }) {
        const text = limits.length > 0 ? `No room in ${limits.join(', ')}` : (troubles[code] ?? message)
        if (waitMs >= shortestReportedMs || limits.length === 0)
          tell(`${text.replace(/\.$/, '')}; trying again in ${duration(waitMs)}.`)
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}

/** Every listing of the agency that has an external id, or had one when it was deleted. */
export async function readPresent(client: ListingsClient, signal: AbortSignal): Promise<Present> {
  const byId = new Map<string, Property>()
  const deletedById = new Map<string, string | null>()
  for await (const { id, external_id, property } of client.changes({ signal })) {
    byId.delete(id)
    deletedById.delete(id)
    if (property === null) deletedById.set(id, external_id)
    else byId.set(id, property)
  }
  return {
    listings: new Map(
      [...byId.values()].flatMap((property) =>
        property.external_id === null ? [] : [[property.external_id, property] as const],
      ),
    ),
    deleted: new Set([...deletedById.values()].filter((externalId) => externalId !== null)),
  }
}

type Judged = { externalId: string; item: BatchItem }

/**
 * The part of the plan that the service can check, one batch at a time: everything except photos that are set, what depends on them, and
 * creations that are too large for a batch.
 */
export function judgedIn(plan: Plan): Judged[][] {
  const withPhotos = new Set(
    plan.steps.flatMap(({ kind, externalId }) => (kind === 'photos' ? [externalId] : [])),
  )
  const judged = plan.steps.flatMap((step): Judged[] => {
    const item = itemOf(step)
    const isLeftOut =
      item === null ||
      (step.kind === 'create' && fitsNoBatch(step)) ||
      (step.kind === 'enable' && withPhotos.has(step.externalId))
    return isLeftOut ? [] : [{ externalId: step.externalId, item }]
  })
  let before = 0
  return cutIntoBatches(judged.map(({ item }) => item)).map(({ length }) => {
    before += length
    return judged.slice(before - length, before)
  })
}

/** Sends the batches as dry runs. @returns the service's verdict, for people */
export async function judge(
  batches: readonly (readonly Judged[])[],
  outcomes: Outcomes,
  client: ListingsClient,
  signal: AbortSignal,
): Promise<string> {
  for (const batch of batches) {
    const items = batch.map(({ item }) => item)
    const { results } = await client.batch(items, { dryRun: true, signal })
    for (const { index, error } of results)
      if (error !== undefined) outcomes.failed(batch[index]?.externalId ?? '', error)
  }
  const failures = describeFailures(outcomes.all(), Number.POSITIVE_INFINITY)
  const refused = some(outcomes.count('failed'), 'listing')
  return [
    `It judged ${some(batches.flat().length, 'step')}. It would refuse those of ${refused}.`,
    ...failures,
  ].join('\n')
}
