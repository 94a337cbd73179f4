/** Writes collected changes in groups: some time after the first one, or at once on request. */

/**
 * @param write stores what was collected, and never rejects. Runs once at a time, as two writes of the same rows would wait for each other
 * @param afterMs from the first change to its flush, which does not keep the process running
 */
export function delayedFlush(write: () => Promise<void>, afterMs: number) {
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    writing = writing.then(write)
    return writing
  }
  return {
    /** Call after each change. */
    schedule(): void {
      timer ??= setTimeout(() => void flush(), afterMs).unref()
    },
    /** Writes at once, after a running write. */
    flush,
  }
}
