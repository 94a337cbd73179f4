/**
 * How long a failed delivery waits for its next attempt, and when it is given up.
 */
const firstWaitMs = 5_000
const longestWaitMs = 4 * 3_600_000
const longestAskedMs = 3_600_000

/** After so long of failing, a delivery is set aside for the operator. */
export const patienceMs = 3 * 86_400_000

/**
 * Until the next attempt: twice as long each time, and up to a quarter more by chance, so that what failed together does not come back
 * together. Some 30 attempts in three days.
 * @param failures in a row, this one included
 * @param askedMs what the receiver asked for
 */
export function waitAfter(failures: number, askedMs: number, random: () => number): number {
  const growing = Math.min(firstWaitMs * 2 ** Math.min(failures - 1, 30), longestWaitMs)
  return Math.round(Math.max(growing * (1 + random() / 4), Math.min(askedMs, longestAskedMs)))
}
