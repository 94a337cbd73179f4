/**
 * Time. The clock is the database's; tests shift it instead of waiting.
 */
export type Clock = {
  /** Added to the database's clock wherever time is judged or recorded, in milliseconds. 0 in service. */
  offsetMs: number
}

export const databaseClock: Clock = Object.freeze({ offsetMs: 0 })
