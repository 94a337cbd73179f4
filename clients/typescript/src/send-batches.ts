/**
 * Sends any number of operations in batches. An item that met an exhausted limit is sent again once the limit is open; the others of
 * its batch are not.
 */
import { cutIntoBatches, renumbered } from './batches.ts'
import { type ErrorOf, itemError, ListingsError } from './errors.ts'
import type { BatchResult } from './replies.ts'
import { type RetryPolicy, waitBefore } from './retry.ts'
import type { Retry } from './send.ts'
import { linked, wait } from './signals.ts'
import type { BatchItem } from './types.ts'

type Sending = {
  /** Sends one batch under an Idempotency-Key of its own. @throws ListingsError */
  send: (items: readonly BatchItem[]) => Promise<{ results: BatchResult[] }>
  policy: RetryPolicy
  onRetry: ((retry: Retry) => void) | undefined
  /** The signals of the client and of the call: either ends everything. */
  signals: readonly (AbortSignal | undefined)[]
}

type Limited = ErrorOf<'rate_limited'>
/** An item with its index over all. Its result is final unless the item will be sent again. */
type Slot = { index: number; item: BatchItem; result?: BatchResult; isFinal: boolean }

/**
 * Yields a result for each item, in their order. Once a limit lets nothing through and opens too late to wait for, every item that is
 * left gets the limit's error without being sent.
 * @throws ListingsError, or the reason of a signal, after the results that are final by then
 */
export async function* sendBatches(
  items: readonly BatchItem[],
  sending: Sending,
): AsyncGenerator<BatchResult> {
  let refusal: Limited | null = null
  let before = 0
  for (const batch of cutIntoBatches(items)) {
    const slots = batch.map((item, index): Slot => ({ index: before + index, item, isFinal: false }))
    if (refusal === null) refusal = yield* sendBatch(slots, sending)
    else yield* slots.map((slot) => refusedResult(slot, refusal as Limited))
    before += batch.length
  }
}

/** @returns the error of a limit that lets nothing more through */
async function* sendBatch(slots: Slot[], sending: Sending): AsyncGenerator<BatchResult, Limited | null> {
  let attempts = 0
  try {
    for (;;) {
      const sent = slots.filter(({ isFinal }) => !isFinal)
      const refusal = await sendOnce(sent, sending)
      const waiting = sent.filter(({ isFinal }) => !isFinal)
      // With a narrow limit, each attempt lets some items through. Only attempts that let none through count.
      attempts = waiting.length < sent.length ? 1 : attempts + 1
      const firstWaiting = slots.findIndex(({ isFinal }) => !isFinal)
      yield* resultsOf(slots.splice(0, firstWaiting === -1 ? slots.length : firstWaiting))
      if (waiting.length === 0) return refusal
      if (await waitFor(waiting, attempts, sending)) continue
      yield* resultsOf(slots)
      return null
    }
  } catch (error) {
    yield* resultsOf(slots.filter(({ isFinal }) => isFinal))
    throw error
  }
}

/**
 * Sends the items and notes their results.
 * @returns the error of a limit that refused them all at once, after every wait that the policy allows
 * @throws any other error of the request
 */
async function sendOnce(sent: readonly Slot[], { send, policy }: Sending): Promise<Limited | null> {
  try {
    const { results } = await send(sent.map(({ item }) => item))
    for (const result of results) {
      const slot = sent[result.index]
      if (slot === undefined) continue
      slot.result = renumbered(result, (index) => sent[index]?.index ?? index)
      slot.isFinal = !isWorthWaiting(result, policy)
    }
    return null
  } catch (error) {
    if (!(error instanceof ListingsError) || error.code !== 'rate_limited') throw error
    const { code, message, docs, limits, retry_after } = error
    const refusal = { code, message, docs, limits, retry_after }
    for (const slot of sent) {
      slot.result = refusedResult(slot, refusal)
      slot.isFinal = true
    }
    return refusal
  }
}

function isWorthWaiting({ error }: BatchResult, { maxRetryAfterMs }: RetryPolicy): boolean {
  return error?.code === 'rate_limited' && error.retry_after * 1_000 <= maxRetryAfterMs
}

/** @returns false if it must not wait, or must stop waiting */
async function waitFor(
  waiting: readonly Slot[],
  attempts: number,
  { onRetry, policy, signals }: Sending,
): Promise<boolean> {
  const errors = waiting.flatMap(({ result }) =>
    result?.error?.code === 'rate_limited' ? [result.error] : [],
  )
  const [last] = errors.toSorted((a, b) => b.retry_after - a.retry_after)
  if (last === undefined) return false
  const { code, limits, message, retry_after: seconds } = last
  const failure = { status: 429, code, retryAfterMs: seconds * 1_000, countedPhotos: false }
  const waitMs = waitBefore(failure, attempts, policy)
  if (waitMs === null || policy.signal?.aborted === true) return false
  onRetry?.({
    method: 'POST',
    path: '/properties/batch',
    attempts,
    waitMs,
    code,
    status: 429,
    message,
    limits,
  })
  const caller = linked(signals)
  const patience = linked([caller.signal, policy.signal])
  try {
    await wait(waitMs, patience.signal)
    return true
  } catch {
    caller.signal.throwIfAborted()
    return false
  } finally {
    patience.release()
    caller.release()
  }
}

function refusedResult({ index, item }: Slot, error: Limited): BatchResult {
  const { action = 'upsert', external_id } = item
  return { index, external_id, action, status: 429, error: itemError(error), warnings: [] }
}

const resultsOf = (slots: readonly Slot[]): BatchResult[] => slots.flatMap(({ result }) => result ?? [])
