/**
 * A circuit breaker: a service that keeps failing is left alone for a while, so that nobody waits for it; then one request tries
 * whether it is back (spec 'Address handling').
 */

/** Leave to send one request. Exactly one of its functions is called when that has ended. */
export type Pass = {
  succeeded(): void
  failed(): void
  /** The service wants no requests for so long; null when it did not say how long. */
  blocked(pauseMs: number | null): void
  /** It ended before anything could be known. */
  abandoned(): void
}

export type Breaker = {
  /** Leave to send, or null while the service is left alone. */
  enter(): Pass | null
  /** Whether `enter` would give none. */
  isOpen(): boolean
}

export type BreakerOptions = {
  /** Milliseconds on a clock that never goes back. */
  now: () => number
  /** So many failures in a row open it. */
  threshold?: number
  /** The first pause; each failed try doubles it, up to `maxPauseMs`. */
  pauseMs?: number
  maxPauseMs?: number
  /** Told when it opens and closes. */
  onChange?: (state: 'open' | 'closed') => void
}

/** Makes a closed breaker. */
export function createBreaker(options: BreakerOptions): Breaker {
  const { now, threshold = 5, pauseMs = 10_000, maxPauseMs = 60_000, onChange } = options
  let failures = 0
  /** Null: closed. */
  let openUntil: number | null = null
  let pauses = 0
  let trying = false

  const open = (pause: number | null): void => {
    if (openUntil === null) onChange?.('open')
    openUntil = now() + (pause ?? Math.min(pauseMs * 2 ** pauses, maxPauseMs))
    pauses += 1
  }
  const isOpen = (): boolean => openUntil !== null && (trying || now() < openUntil)

  return {
    isOpen,
    enter() {
      if (isOpen()) return null
      const isTry = openUntil !== null
      if (isTry) trying = true
      const leave = (): void => {
        if (isTry) trying = false
      }
      return {
        succeeded() {
          leave()
          failures = 0
          pauses = 0
          if (openUntil !== null) onChange?.('closed')
          openUntil = null
        },
        failed() {
          leave()
          failures += 1
          // Requests sent before it opened fail after; they prolong nothing.
          if (isTry || (openUntil === null && failures >= threshold)) open(null)
        },
        blocked(pause) {
          leave()
          open(pause)
        },
        abandoned: leave,
      }
    },
  }
}
