/**
 * Stores entries of the request log and counts them by day. On plain PostgreSQL one statement does, for all agencies; Citus gets
 * inserts of one agency, which it passes on as they are. Both are committed asynchronously, like the counters of the limits: a crash may
 * lose the last moments.
 */
import type { Clock } from '../clock.ts'
import { dayMs } from '../days.ts'
import type { Db } from '../db/database.ts'
import { databaseTime } from '../db/now.ts'
import { hotStatement, type Statement } from '../db/statement.ts'
import { inTransaction } from '../db/transaction.ts'
import { withoutKeys } from './key-format.ts'

export type LoggedRequest = Readonly<{
  agencyId: string
  keyId: string
  requestId: string
  method: string
  /** Without the query. */
  path: string
  status: number
  /** Of the error, or null. */
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

/** Where an id belongs, somebody may have put a key. */
const pathToKeep = (path: string): string => withoutKeys(path.slice(0, longestPath))

/**
 * Stores and counts entries of all agencies. Values: lists of agencies, keys, request ids, methods, paths, statuses, codes and durations; the
 * clock's offset in milliseconds; lists of how long ago in milliseconds, of times, of what is kept, and of details.
 */
const insertAll = hotStatement(
  `
  with moment as (
    select clock_timestamp() + $9::float8 * interval '1 ms' as now, set_config('synchronous_commit', 'off', true)
  ), rows as (
    select r.*, now - ago * interval '1 ms' as at from moment cross join unnest(
      $1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::smallint[], $7::text[], $8::real[], $10::float8[],
      $11::int[], $12::bool[], $13::jsonb[]
    ) as r (agency_id, key_id, request_id, method, path, status, code, ms, ago, times, is_kept, detail)
  ), logged as (
    insert into request_log (agency_id, request_id, key_id, at, method, path, status, code, ms, detail)
    select agency_id, request_id, key_id, at, method, path, status, code, ms, detail from rows where is_kept
  )
  insert into request_days as d (agency_id, key_id, day, code, requests)
  select agency_id, key_id, date_trunc('day', at, 'UTC'), coalesce(code, ''), sum(times)::int
  from rows group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (agency_id, key_id, day, code) do update set requests = d.requests + excluded.requests`,
  'plain',
)

function parametersOf(batch: readonly Entry[], clock: Clock): unknown[] {
  const now = performance.now()
  return [
    batch.map(({ agencyId }) => agencyId),
    batch.map(({ keyId }) => keyId),
    batch.map(({ requestId }) => requestId),
    batch.map(({ method }) => method),
    batch.map(({ path }) => pathToKeep(path)),
    batch.map(({ status }) => status),
    batch.map(({ code }) => code),
    batch.map(({ ms }) => ms),
    clock.offsetMs,
    batch.map(({ recordedAt }) => now - recordedAt),
    batch.map(({ times }) => times),
    batch.map(({ isKept }) => isKept),
    batch.map(({ detail }) => detail),
  ]
}

/** Lets the transaction commit asynchronously. */
const asynchronously = hotStatement(`select set_config('synchronous_commit', 'off', true)`).with([])

/** Stores entries of one agency. Values: agency, and a list of each column. */
const insertEntries = hotStatement(`
  insert into request_log (agency_id, key_id, request_id, at, method, path, status, code, ms, detail)
  select $1::uuid, r.* from unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::text[], $7::smallint[], $8::text[],
    $9::real[], $10::jsonb[]) r`)

/** Counts requests of a key and day with one outcome. Values: agency, key, day, code, requests. */
const count = hotStatement(`
  insert into request_days as d (agency_id, key_id, day, code, requests) values ($1, $2, $3, $4, $5)
  on conflict (agency_id, key_id, day, code) do update set requests = d.requests + excluded.requests`)

/** The statements for entries of one agency. @param now the database's time, in milliseconds */
function statementsOf(batch: readonly Entry[], agencyId: string, now: number): Statement[] {
  const rows: unknown[][] = []
  const counts = new Map<string, unknown[]>()
  const ahead = now - performance.now()
  for (const entry of batch) {
    const { keyId, requestId, method, path, status, code, ms, detail, recordedAt, times, isKept } = entry
    const at = recordedAt + ahead
    if (isKept)
      rows.push([
        keyId,
        requestId,
        new Date(at).toISOString(),
        method,
        pathToKeep(path),
        status,
        code,
        ms,
        detail,
      ])
    const day = new Date(at - (at % dayMs)).toISOString()
    const name = `${keyId} ${day} ${code ?? ''}`
    const before = Number(counts.get(name)?.at(-1) ?? 0)
    counts.set(name, [agencyId, keyId, day, code ?? '', before + times])
  }
  // In one order: others count the same days.
  const names = [...counts.keys()].sort()
  return [
    asynchronously,
    ...(rows.length === 0 ? [] : [inserting(agencyId, rows)]),
    ...names.map((name) => count.with(counts.get(name) ?? [])),
  ]
}

function inserting(agencyId: string, rows: readonly unknown[][]): Statement {
  const lists = (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]))
  return insertEntries.with([agencyId, ...lists])
}

/** @returns what stores entries: on plain PostgreSQL any, on a node of Citus those of one agency */
export function requestStore(clock: Clock): (db: Db, batch: readonly Entry[]) => Promise<void> {
  const timeOf = databaseTime(clock)
  return async (db, batch) => {
    const [first] = batch
    if (first === undefined) return
    if (!db.isDistributed) {
      await insertAll(db, parametersOf(batch, clock))
      return
    }
    const statements = statementsOf(batch, first.agencyId, await timeOf(db))
    await inTransaction(db, async (tx) => await tx.runAll(statements))
  }
}
