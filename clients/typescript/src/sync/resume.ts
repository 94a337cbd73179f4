/**
 * Sends requests of an earlier run whose response is unknown again, with the same key, before anything new is planned.
 */
import type { ListingsClient } from '../client.ts'
import { ListingsError } from '../errors.ts'
import { interrupted, isUnanswered } from './apply.ts'
import type { BatchItem } from '../types.ts'
import type { Intent, Journal, Known } from './journal.ts'
import { learn, sendIntent } from './requests.ts'

export type Resuming = {
  client: ListingsClient
  journal: Journal
  maxWaitMs: number
  now: () => number
  pause: (ms: number, limit: { until: number; limits: readonly string[] }) => Promise<void>
  signal: AbortSignal
  stop: AbortSignal
}

/** The service remembers keys for a day. */
const memoryMs = 20 * 3_600_000

/** @returns why the run cannot go on, or null once all are dealt with */
export async function resume(resuming: Resuming): Promise<string | null> {
  const { journal, now } = resuming
  for (const intent of journal.open()) {
    // These wait for nothing, so none is still under way; whether they are still wanted, the new plan says.
    const isPlannedAnew = has(intent, 'delete') || has(intent, 'enable')
    const isOver = now() - Date.parse(intent.at) > memoryMs || isPlannedAnew
    const trouble = isOver ? null : await sendAgain(intent, resuming)
    if (trouble !== null) return trouble
    if (isOver) journal.settle(intent.id, has(intent, 'delete') ? deletionsIn(intent) : new Map())
  }
  return null
}

/** One that was not carried out is seen in the next plan, which forgets it. */
function deletionsIn({ subjects }: Intent): Map<string, Known> {
  return new Map(subjects.map(({ externalId }) => [externalId, { deleted: true }]))
}

async function sendAgain(intent: Intent, resuming: Resuming): Promise<string | null> {
  const { client, journal, maxWaitMs, now, pause, signal, stop } = resuming
  while (!stop.aborted) {
    try {
      const verdicts = await sendIntent(intent, { client, signal })
      journal.settle(intent.id, learn(intent, verdicts, journal.known))
      return null
    } catch (error) {
      if (stop.aborted || signal.aborted) return interrupted
      if (!(error instanceof ListingsError)) throw error
      if (error.status === 401 || error.status === 403) throw error
      if (isUnanswered(error)) return `${error.message} (${error.code})`
      if (error.code !== 'rate_limited') {
        // Refused: it had no effect, and the new plan says what is still to be done.
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
