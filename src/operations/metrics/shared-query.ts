/** Shares one database query between the gauges and scrapers that need it. */
import { inTime } from '../../platform/clock.ts'

/** How long a result is reused. */
const keptMs = 2_000
const timeoutMs = 5_000

/**
 * Each gauge calls the returned function; only the first call within `keptMs` runs the query.
 * @param report receives the rows; none if the database fails or times out
 */
export function sharedQuery<Row>(
  query: () => Promise<readonly Row[]>,
  report: (rows: readonly Row[]) => void,
): () => Promise<void> {
  let startedAt = Number.NEGATIVE_INFINITY
  let reported = Promise.resolve()
  return () => {
    if (performance.now() - startedAt >= keptMs) {
      startedAt = performance.now()
      const rows = query().catch((): readonly Row[] => [])
      reported = inTime(timeoutMs, rows, []).then(report)
    }
    return reported
  }
}
