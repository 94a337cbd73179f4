/** Shares one database query between the gauges and scrapers that need it. */
import { inTime } from '../../platform/clock.ts'

/** How long an answer is reused. */
const keptMs = 2_000
const timeoutMs = 5_000

/**
 * Each gauge calls the returned function; only the first call within `keptMs` runs the query.
 * @param tell receives the rows; none if the database fails or times out
 */
export function askedTogether<Row>(
  ask: () => Promise<readonly Row[]>,
  tell: (rows: readonly Row[]) => void,
): () => Promise<void> {
  let askedAt = Number.NEGATIVE_INFINITY
  let asked = Promise.resolve()
  return () => {
    if (performance.now() - askedAt >= keptMs) {
      askedAt = performance.now()
      const rows = ask().catch((): readonly Row[] => [])
      asked = inTime(timeoutMs, rows, []).then(tell)
    }
    return asked
  }
}
