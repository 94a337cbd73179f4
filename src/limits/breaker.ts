/**
 * A circuit breaker (api.md 12.2): a service that keeps failing gets no requests for a while, so that nobody waits for
 * it. Then one trial request shows whether it is back.
 */

/**
 * How a service failed.
 * - `down`: not reached, too slow, or an error of its own. Worth another try.
 * - `blocked`: it wants fewer requests, or none. Opens the breaker at once.
 * - `forbidden`: it does not allow this request, and perhaps no other: several in a row show it.
 * - `refused`: it works, but refuses this request.
 * - `nonsense`: such a service cannot give this answer.
 */
export type FailureKind = 'down' | 'blocked' | 'forbidden' | 'refused' | 'nonsense'

/** `pauseMs`: the pause that the service requests; null if it names none. */
export type Failure = { kind: FailureKind; pauseMs: number | null }

export type Breaker = {
  /** Sends the request, or gives null while the breaker is open. Rejects as the request does. */
  run<T>(request: () => Promise<T>): Promise<T | null>
  /** Whether `run` would send nothing. */
  isOpen(): boolean
}

type BreakerOptions = {
  /** Milliseconds on a clock that never goes back. */
  now: () => number
  /** Classifies an error; null when the service is not to blame, as for an abort. */
  failureOf: (error: unknown) => Failure | null
  /** Failures in a row that open it. */
  threshold?: number
  /** The first pause; each failed trial doubles it, up to `maxPauseMs`. */
  pauseMs?: number
  maxPauseMs?: number
  /** Called when it opens and closes. */
  onChange?: (state: 'open' | 'closed') => void
}

/** Makes a closed breaker. */
export function createBreaker(options: BreakerOptions): Breaker {
  const { now, failureOf, threshold = 5, pauseMs = 10_000, maxPauseMs = 60_000, onChange } = options
  let failures = 0
  let pauses = 0
  /** Null: closed. */
  let openUntil: number | null = null
  let isTrying = false

  const open = (pause: number): void => {
    if (openUntil === null) onChange?.('open')
    openUntil = now() + pause
    pauses += 1
  }
  const close = (): void => {
    if (openUntil !== null) onChange?.('closed')
    openUntil = null
    failures = 0
    pauses = 0
  }
  const isOpen = (): boolean => openUntil !== null && (isTrying || now() < openUntil)

  return {
    isOpen,
    async run(request) {
      if (isOpen()) return null
      const isTrial = openUntil !== null
      if (isTrial) isTrying = true
      try {
        const answer = await request()
        close()
        return answer
      } catch (error) {
        const failure = failureOf(error)
        if (failure === null) throw error
        const nextPause = failure.pauseMs ?? Math.min(pauseMs * 2 ** pauses, maxPauseMs)
        if (failure.kind === 'refused') close()
        else if (failure.kind === 'blocked') open(nextPause)
        else {
          failures += 1
          // Requests sent before it opened may fail after; they prolong nothing.
          if (isTrial || (openUntil === null && failures >= threshold)) open(nextPause)
        }
        throw error
      } finally {
        if (isTrial) isTrying = false
      }
    },
  }
}
