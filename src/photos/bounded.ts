/**
 * Bounds on work in progress: photos cost memory, sockets and processor time, whoever asks for them.
 */

/** Runs the work when a place is free, first come, first served. An abort while waiting rejects with the signal's reason. */
export type Limiter = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** A limiter with `places` places. */
export function createLimiter(places: number): Limiter {
  let taken = 0
  const waiting = new Set<() => void>()

  const enter = (signal: AbortSignal | undefined): Promise<void> => {
    if (taken < places) {
      taken += 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        waiting.delete(start)
        reject(signal?.reason)
      }
      const start = (): void => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      waiting.add(start)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  const leave = (): void => {
    const [next] = waiting
    if (next === undefined) {
      taken -= 1
      return
    }
    // The place passes on without ever being free, so nobody can overtake.
    waiting.delete(next)
    next()
  }

  return async (work, signal) => {
    signal?.throwIfAborted()
    await enter(signal)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

/** The work's outcome, or the signal's reason as soon as it aborts; the work itself runs on unheard. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
