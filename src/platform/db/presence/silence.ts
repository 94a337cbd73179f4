/** Detects a silent database: statements are in flight, and none has ended for a while. Costs nothing while none is in flight. */

/** @param onSilence called while the silence lasts, every quarter of `silenceMs` */
export function watchSilence(silenceMs: number, onSilence: () => void) {
  const tickMs = silenceMs / 4
  /** Statements and connection attempts in flight. */
  let inFlight = 0
  /** When one of them last ended in any way. */
  let lastSignalAt = 0
  let timer: NodeJS.Timeout | null = null

  const watch = (): void => {
    const due = performance.now() + tickMs
    timer = setTimeout(() => {
      timer = null
      if (inFlight === 0) return
      const now = performance.now()
      // A late timer means that this process was suspended or busy: answers may be there, unread.
      if (now - due > tickMs) lastSignalAt = now
      if (now - lastSignalAt >= silenceMs) onSilence()
      watch()
    }, tickMs).unref()
  }
  const interrupt = (): void => {
    lastSignalAt = performance.now()
  }

  return {
    /** Registers a statement or a connection attempt. */
    begin(): void {
      inFlight += 1
      if (inFlight === 1) interrupt()
      if (timer === null) watch()
    },
    /** Call it when one of them ends. */
    settle(): void {
      inFlight -= 1
      interrupt()
    },
    /** Starts the silence anew. */
    interrupt,
    /** Stops until the next `begin`. */
    stop(): void {
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}
