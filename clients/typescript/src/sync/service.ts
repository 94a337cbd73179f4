/**
 * What the command asks the service beside carrying a plan out: its copy of the listings, and its judgement.
 */
import { cutIntoBatches } from '../batches.ts'
import { ListingsClient } from '../client.ts'
import type { Property } from '../types.ts'
import type { Settings } from './arguments.ts'
import type { Outcomes } from './outcomes.ts'
import type { Plan } from './plan.ts'
import { fitsNoBatch, itemOf } from './requests.ts'
import { count, describeFailures, duration } from './texts.ts'

const troubles: Readonly<Record<string, string>> = {
  connection_failed: 'The service cannot be reached',
  timed_out: 'The service does not answer',
  rate_limited: 'A limit is exhausted',
  service_unavailable: 'The service is busy',
  idempotent_request_in_progress: 'The service is still at work on the same request',
}

/** Shorter waits are not worth a line. */
const toldMs = 5_000

/** @param tell takes a line about a wait */
export function clientOf(
  settings: Settings,
  abort: AbortSignal,
  tell: (line: string) => void,
): ListingsClient {
  const { url, key, signingSecret, serviceName } = settings
  return new ListingsClient({
    baseUrl: url,
    key,
    signingSecret,
    serviceName,
    userAgent: 'ListingsSync/1.0',
    // A service that is away for a quarter of an hour does not end a run.
    retry: { retries: 25, maxMs: 60_000 },
    etags: false,
    signal: abort,
    onRetry({ code, waitMs }) {
      if (waitMs >= toldMs) tell(`${troubles[code] ?? code}; trying again in ${duration(waitMs)}.`)
    },
  })
}

/** Every listing of the agency that has an external id. */
export async function readPresent(client: ListingsClient): Promise<Map<string, Property>> {
  const byId = new Map<string, Property>()
  for await (const { id, property } of client.changes())
    if (property === null) byId.delete(id)
    else byId.set(id, property)
  return new Map(
    [...byId.values()].flatMap((property) =>
      property.external_id === null ? [] : [[property.external_id, property] as const],
    ),
  )
}

/**
 * Lets the service judge the plan, one batch after the other: all but photos that are set, what depends on them, and creations that are
 * too large for a batch. @returns what it says
 */
export async function judge(plan: Plan, outcomes: Outcomes, client: ListingsClient): Promise<string> {
  const withPhotos = new Set(
    plan.steps.flatMap(({ kind, externalId }) => (kind === 'photos' ? [externalId] : [])),
  )
  const judged = plan.steps.flatMap((step) => {
    const item = itemOf(step)
    const isLeftOut =
      item === null ||
      (step.kind === 'create' && fitsNoBatch(step)) ||
      (step.kind === 'enable' && withPhotos.has(step.externalId))
    return isLeftOut ? [] : [{ externalId: step.externalId, item }]
  })
  let before = 0
  for (const batch of cutIntoBatches(judged.map(({ item }) => item))) {
    const { results } = await client.batch(batch, { dryRun: true })
    for (const { index, error } of results)
      if (error !== undefined) outcomes.failed(judged[before + index]?.externalId ?? '', error)
    before += batch.length
  }
  const failures = describeFailures(outcomes.all(), Number.POSITIVE_INFINITY)
  const refused = count(outcomes.count('failed'))
  return [
    `The service judged ${count(judged.length)} steps. It would refuse those of ${refused} listings.`,
    ...failures,
  ].join('\n')
}
