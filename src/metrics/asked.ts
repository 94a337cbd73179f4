/** What is asked of the database when the figures are: once, whatever the number of gauges and of those who ask. */

/** An answer is good for a moment, whoever asks. */
const keptMs = 2_000
const patienceMs = 5_000

/**
 * Several gauges that one question answers: each calls the function that this gives, and the first of them asks.
 * @param tell gets the rows; none when the database fails, or takes too long
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
      asked = inTime(ask()).then(tell)
    }
    return asked
  }
}

/** What was asked, or nothing when that fails or takes too long. */
async function inTime<Row>(asked: Promise<readonly Row[]>): Promise<readonly Row[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly Row[]>()
  const timer = setTimeout(() => resolve([]), patienceMs)
  const rows = await Promise.race([asked.catch(() => []), late])
  clearTimeout(timer)
  return rows
}
