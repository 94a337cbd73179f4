/**
 * Combines several abort signals into one. Not `AbortSignal.any`: in some runtimes it leaks memory on a signal that outlives many requests.
 */

type Linked = {
  signal: AbortSignal
  abort(reason: unknown): void
  /** Removes the listeners from the signals. Call it when the work is over. */
  release(): void
}

/** Aborts, with the same reason, as soon as one of them does. */
export function linked(signals: readonly (AbortSignal | undefined)[]): Linked {
  const controller = new AbortController()
  const given = signals.filter((signal) => signal !== undefined)
  const stop = (): void => controller.abort(given.find(({ aborted }) => aborted)?.reason)
  for (const signal of given) {
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release() {
      for (const signal of given) signal.removeEventListener('abort', stop)
    },
  }
}

/** Resolves after that time. @throws the signal's reason as soon as it aborts */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    // A timer holds at most 24 days; a longer one would fire at once.
    const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1))
    signal.addEventListener('abort', done)
  })
  signal.throwIfAborted()
}
