/**
 * Sends requests of an earlier run whose response is unknown again, with the same key, before anything new is planned.
 */
import type { ListingsClient } from '../client.ts'
import { ListingsError } from '../errors.ts'
import { interrupted, isUnanswered } from './apply.ts'
import type { BatchItem } from '../types.ts'
import type { Intent, Journal, Known } from './journal.ts'
import { learn, sendIntent } from './requests.ts'

type Resuming = {
  client: ListingsClient
  journal: Journal
  maxWaitMs: number
  now: () => number
  pause: (ms: number, limit: { until: number; limits: readonly string[] }) => Promise<void>
  abort: AbortSignal
  stop: AbortSignal
}

/** Less than the 24 hours for which the service remembers keys. */
const memoryMs = 20 * 3_600_000

/** @returns why the run cannot continue, or null once all are settled */
export async function resume(resuming: Resuming): Promise<string | null> {
  const { journal, now } = resuming
  for (const intent of journal.open()) {
    // These download nothing, so none is still running. The new plan decides whether they are still wanted.
    const isPlannedAnew = has(intent, 'delete') || has(intent, 'enable')
    const isOver = now() - Date.parse(intent.at) > memoryMs || isPlannedAnew
    const trouble = isOver ? null : await sendAgain(intent, resuming)
    if (trouble !== null) return trouble
    if (isOver) journal.settle(intent.id, has(intent, 'delete') ? deletionsIn(intent) : new Map())
  }
  return null
}

/** Records the deletions as sent. If one had no effect, the next plan finds the listing and clears the record. */
function deletionsIn({ subjects }: Intent): Map<string, Known> {
  return new Map(subjects.map(({ externalId }) => [externalId, { deleted: true }]))
}

async function sendAgain(intent: Intent, resuming: Resuming): Promise<string | null> {
  const { abort, client, journal, maxWaitMs, now, pause, stop } = resuming
  while (!stop.aborted) {
    try {
      const verdicts = await sendIntent(intent, { client, signal: abort })
      journal.settle(intent.id, learn(intent, verdicts, journal.known))
      return null
    } catch (error) {
      if (stop.aborted || abort.aborted) return interrupted
      if (!(error instanceof ListingsError)) throw error
      if (error.status === 401 || error.status === 403) throw error
      if (isUnanswered(error)) return `${error.message} (${error.code})`
      if (error.code !== 'rate_limited') {
        // A refused request had no effect. The new plan has the steps that remain.
        journal.settle(intent.id, new Map())
        return null
      }
      const ms = error.retry_after * 1_000
      if (ms > maxWaitMs) return `${error.limits.join(', ')} opens again in ${error.retry_after} seconds`
      await pause(ms, { until: now() + ms, limits: error.limits })
    }
  }
  return interrupted
}

function has(intent: Intent, action: BatchItem['action']): boolean {
  return intent.kind === 'batch' && intent.items.some((item) => item.action === action)
}
