/** Stores entries of the request log. */
import type { Clock } from '../../platform/clock.ts'
import { type Executor, statement } from '../../platform/db/statement.ts'
import { withoutKeys } from './key-format.ts'

export type LoggedRequest = Readonly<{
  agencyId: string
  keyId: string
  requestId: string
  method: string
  /** Without the query. */
  path: string
  status: number
  /** The error's code, or null. */
  code: string | null
  ms: number
  /** JSON of a `RequestDetail`, or null. */
  detail: string | null
  /** Whether it was counted against the key's limit of reads or writes. */
  isCharged: boolean
}>

/** A request that is kept, or the first of several that are only counted. */
export type Entry = LoggedRequest & { recordedAt: number; times: number; isKept: boolean }

const longestPath = 300

/** Clients sometimes put a key where an id belongs. */
const pathToKeep = (path: string): string => withoutKeys(path.slice(0, longestPath))

const logRequests = statement('select log_requests($1, $2)')

/** Stores entries of any agencies of this database (migrations/functions/log_requests.sql). */
export async function storeRequests(db: Executor, clock: Clock, entries: readonly Entry[]): Promise<void> {
  const now = performance.now()
  const rows = entries.map((entry) => ({
    agency_id: entry.agencyId,
    key_id: entry.keyId,
    request_id: entry.requestId,
    ago: now - entry.recordedAt,
    method: entry.method,
    path: pathToKeep(entry.path),
    status: entry.status,
    code: entry.code,
    ms: entry.ms,
    detail: entry.detail,
    times: entry.times,
    is_kept: entry.isKept,
  }))
  await logRequests(db, [JSON.stringify(rows), clock.offsetMs])
}
