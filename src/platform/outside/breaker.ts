/**
 * A circuit breaker (api.md 12.2): a service that keeps failing gets no requests for a while, so that nobody waits for
 * it. Then one trial request shows whether it is back.
 */
import { backoffMs } from '../time/backoff.ts'
import { ServiceFailure } from './outside-service.ts'

export type Breaker = {
  /** Sends the request, or gives null while the breaker is open. Rejects as the request does. */
  run<T>(request: () => Promise<T>): Promise<T | null>
  /** Whether `run` would send nothing. */
  isOpen(): boolean
}

/** Failures in a row that open it. */
const threshold = 5
/** Each failed trial doubles the pause. */
const pauseMs = { first: 10_000, max: 60_000 }

type BreakerOptions = {
  /** Milliseconds on a clock that never goes back. */
  now: () => number
  /** Called when it opens and closes. */
  onChange: (state: 'open' | 'closed') => void
}

/** Makes a closed breaker. */
export function createBreaker({ now, onChange }: BreakerOptions): Breaker {
  let failures = 0
  let pauses = 0
  /** Null: closed. */
  let openUntil: number | null = null
  let isTrying = false

  const open = (pause: number): void => {
    if (openUntil === null) onChange('open')
    openUntil = now() + pause
    pauses += 1
  }
  const close = (): void => {
    if (openUntil !== null) onChange('closed')
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
        const result = await request()
        close()
        return result
      } catch (error) {
        // Other errors, such as an abort, are not the service's fault.
        if (!(error instanceof ServiceFailure)) throw error
        const nextPause = error.pauseMs ?? backoffMs(pauseMs, pauses)
        if (error.kind === 'refused') close()
        else if (error.kind === 'blocked') open(nextPause)
        else {
          failures += 1
          // Requests sent before the breaker opened may fail later, but do not prolong the pause.
          if (isTrial || (openUntil === null && failures >= threshold)) open(nextPause)
        }
        throw error
      } finally {
        if (isTrial) isTrying = false
      }
    },
  }
}
