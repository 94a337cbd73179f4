/**
 * The clock: the database's time, which tests shift instead of waiting.
 */
export type Clock = {
  /** Milliseconds added to the database's time wherever it is checked or recorded. 0 outside tests. */
  offsetMs: number
}

export const databaseClock: Clock = Object.freeze({ offsetMs: 0 })
