/**
 * Who may wait for an agency's lock. Its writes run one after the other anyway, so more than two of them in a process would only take
 * connections from other agencies, and all of them where somebody holds the lock and has fallen silent. The others wait here.
 */
import type { Db } from '../db/database.ts'
import { ApiError } from '../errors.ts'

/** One that writes, and one that has sent all it needs and waits for the lock. */
const places = 2
/** As long as the database lets wait for a lock. */
const longestWaitMs = 4_000

type Line = { running: number; waiting: (() => void)[] }

const linesOf = new WeakMap<Db, Map<string, Line>>()

/**
 * Runs the work when it is its turn among those of the agency, first come first served.
 * @throws ApiError `service_unavailable` when that takes too long
 */
export async function inTurn<T>(db: Db, agencyId: string, work: () => Promise<T>): Promise<T> {
  const lines = linesOf.get(db) ?? new Map<string, Line>()
  linesOf.set(db, lines)
  const line = lines.get(agencyId) ?? { running: 0, waiting: [] }
  lines.set(agencyId, line)
  if (line.running === places) await comeUp(line)
  else line.running += 1
  try {
    return await work()
  } finally {
    const next = line.waiting.shift()
    // Who comes up takes the place.
    if (next !== undefined) next()
    else line.running -= 1
    if (line.running === 0) lines.delete(agencyId)
  }
}

function comeUp(line: Line): Promise<void> {
  return new Promise((resolve, reject) => {
    const goAhead = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      line.waiting = line.waiting.filter((other) => other !== goAhead)
      reject(
        new ApiError('service_unavailable', {
          message: 'Other writes of the agency are taking too long. Send the request again.',
          retryAfter: 5,
        }),
      )
    }, longestWaitMs)
    line.waiting.push(goAhead)
  })
}
