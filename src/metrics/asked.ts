/** Queries the database when metrics are scraped: once for several gauges and scrapers. */
import { inTime } from '../clock.ts'

/** How long an answer is reused. */
const keptMs = 2_000
const patienceMs = 5_000

/**
 * For several gauges that share a query: each calls the returned function, and the first call runs the query.
 * @param tell gets the rows; none when the database fails or takes too long
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
      asked = inTime(patienceMs, rows, []).then(tell)
    }
    return asked
  }
}
