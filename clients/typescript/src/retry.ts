/**
 * Decides which failures are worth a retry, and after how long.
 */

export type RetryOptions = {
  /** How often one request is sent again at most. Default 8, which with the waits below bridges about a minute. */
  retries?: number
  /** The first wait; each further one doubles. Default 500. */
  baseMs?: number
  /** The longest wait between attempts. Default 30,000. */
  maxMs?: number
  /**
   * The longest `Retry-After` to sit out. Default 70,000: the client waits for limits per minute; limits per hour or day are an error at
   * once.
   */
  maxRetryAfterMs?: number
  /** How long to retry while the service is unreachable or returns 5xx. Waits for limits do not count. By default, `retries` decides. */
  giveUpAfterMs?: number
  /** Ends the retries, but not the attempt in progress, whose failure is thrown or whose success is returned. */
  signal?: AbortSignal
}

export type RetryPolicy = Required<Omit<RetryOptions, 'signal'>> & Pick<RetryOptions, 'signal'>

export function retryPolicy(options: RetryOptions = {}): RetryPolicy {
  return {
    retries: 8,
    baseMs: 500,
    maxMs: 30_000,
    maxRetryAfterMs: 70_000,
    giveUpAfterMs: Infinity,
    ...options,
  }
}

/** The outcome of a failed attempt. */
export type Failure = {
  /** Null without a complete response. */
  status: number | null
  code: string
  /** From `Retry-After`. */
  retryAfterMs: number | null
  /** Photos were downloaded, and counted: another attempt counts them again. */
  countedPhotos: boolean
}

const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])
/** How often a write that has already used up photos is sent again. */
const retriesWithPhotos = 1

/** @returns the milliseconds to wait before the next attempt, or null to give up */
export function waitBefore(
  failure: Failure,
  attempts: number,
  policy: RetryPolicy,
  random: () => number = Math.random,
): number | null {
  const isPassing =
    failure.status === null ||
    passing.has(failure.status) ||
    failure.code === 'idempotent_request_in_progress' ||
    // The Idempotency-Key makes another attempt harmless, and each attempt has a new signature.
    failure.code === 'replay_detected'
  if (!isPassing) return null
  const most = failure.countedPhotos ? Math.min(retriesWithPhotos, policy.retries) : policy.retries
  if (attempts > most) return null
  if (failure.retryAfterMs !== null && failure.retryAfterMs > policy.maxRetryAfterMs) return null
  const full = Math.min(policy.maxMs, policy.baseMs * 2 ** (attempts - 1))
  // Half of the wait is random, so that clients that failed together do not retry together.
  const jittered = full / 2 + (random() * full) / 2
  // For a limit, the service says exactly when it resets; a little extra spreads the clients that wait for it.
  if (failure.status === 429 && failure.retryAfterMs !== null)
    return failure.retryAfterMs + random() * Math.min(1_000, policy.baseMs)
  return Math.max(failure.retryAfterMs ?? 0, jittered)
}
