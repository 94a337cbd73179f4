/** The database's clock, which tests shift instead of waiting, and a time limit for work in this process. */
export type Clock = {
  /** Milliseconds added to the database's time wherever it is checked or recorded. 0 outside tests. */
  offsetMs: number
}

export const databaseClock: Clock = Object.freeze({ offsetMs: 0 })

/** The outcome of the work, or `late` if it takes longer than `ms`. The work then continues unobserved. */
export async function inTime<T, Late>(ms: number, work: Promise<T>, late: Late): Promise<T | Late> {
  const { promise: isLate, resolve } = Promise.withResolvers<Late>()
  const timer = setTimeout(() => resolve(late), ms)
  try {
    return await Promise.race([work, isLate])
  } finally {
    clearTimeout(timer)
  }
}
