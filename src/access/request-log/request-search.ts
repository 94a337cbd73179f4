/**
 * Searches an agency's request log, latest first. Request ids are ordered by time, so an index holds the page. Conditions without an index
 * filter a bounded number of rows, and the search reports how far back it got.
 */
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { isUuid } from '../../platform/names/ids.ts'
import type { RequestDetail } from './request-detail.ts'

export type FoundRequest = {
  request_id: string
  key_id: string
  at: string
  method: string
  path: string
  status: number
  code: string | null
  ms: number
}

export type RequestFilter = Readonly<{
  keyId: string | null
  method: string | null
  /** The beginning of the path, or a part of it after `*`. */
  path: string | null
  /** A status, or a class of them such as 4 for 4xx. */
  status: number | null
  code: string | null
  /** Wrong parameter. */
  parameter: string | null
  /** ISO 8601; the first is included, the second is not. */
  from: string | null
  before: string | null
}>

/** Enough for hours of a busy agency; reading them takes about 50 ms. */
const maxScanned = 50_000

const columns = 'request_id, key_id, at, method, path, status, code, ms'

type SearchRow = FoundRequest & { scanned: number; reached: string | null }

/**
 * Filters the rows that an index gives. Returns one row even if nothing was found. Values: agency, first id, end id (excluded), key, most
 * rows, method, path, status, code, parameter, page.
 */
const searching = (rows: string) =>
  statement<SearchRow>(`
  with scanned as materialized (
    select ${columns}, detail ->> 'parameter' as parameter from request_log
    where agency_id = $1 and request_id >= $2 and request_id < $3 and ${rows}
    order by request_id desc limit $5
  ), found as (
    select ${columns} from scanned
    where ($6::text is null or method = $6) and ($7::text is null or path like $7)
      and ($8::int is null or status = $8 or status / 100 = $8)
      and ($9::text is null or code = $9) and ($10::text is null or parameter = $10)
    order by request_id desc limit $11
  )
  select found.*, (select count(*)::int from scanned) as scanned,
    (select s.request_id from scanned s order by s.request_id limit 1) as reached
  from (select 1) one left join found on true
  order by found.request_id desc`)

/** Each has its own index. */
const searches = {
  all: searching('$4::uuid is null'),
  key: searching('key_id = $4'),
  errors: searching('code is not null and $4::uuid is null'),
}

/**
 * @param after the cursor of an earlier page, or null
 * @returns at most `limit` requests; `next`, the cursor for earlier ones, or null; `isPartial` if the search stopped before it had
 *   filled the page
 */
export async function searchRequests(
  db: Db,
  agencyId: string,
  filter: RequestFilter,
  limit: number,
  after: string | null = null,
): Promise<{ requests: FoundRequest[]; next: string | null; isPartial: boolean }> {
  const { keyId, method, path, status, code, parameter, from, before } = filter
  const isOfErrors =
    code !== null || parameter !== null || (status !== null && (status >= 400 || [4, 5].includes(status)))
  const search = keyId !== null ? searches.key : isOfErrors ? searches.errors : searches.all
  const last = idOfMoment(before === null ? Number.MAX_SAFE_INTEGER : Date.parse(before))
  const end = after !== null && isUuid(after) && after < last ? after : last
  const found = await search(db, [
    agencyId,
    idOfMoment(from === null ? 0 : Date.parse(from)),
    end,
    keyId,
    maxScanned,
    method,
    path === null ? null : likePattern(path),
    status,
    code,
    parameter,
    limit + 1,
  ])
  return toPage(found, limit)
}

function toPage(rows: readonly SearchRow[], limit: number) {
  const { scanned, reached } = rows[0] ?? { scanned: 0, reached: null }
  // An empty result is one row of nulls, apart from the columns about the search.
  const found = rows.filter((row) => row.request_id !== null)
  const requests = found
    .slice(0, limit)
    .map(({ scanned: _scanned, reached: _reached, ...request }) => request)
  const hasMore = found.length > limit
  const isPartial = !hasMore && scanned === maxScanned
  const next = hasMore ? (requests.at(-1)?.request_id ?? null) : isPartial ? reached : null
  return { requests, next, isPartial }
}

export type LoggedDetail = FoundRequest & { detail: RequestDetail | null }

const one = statement<LoggedDetail>(`
  select ${columns}, detail from request_log where agency_id = $1 and request_id = $2`)

/** One request with its details; null if another agency made it, it is too old, or it was only counted. */
export async function findRequest(db: Db, agencyId: string, id: string): Promise<LoggedDetail | null> {
  if (!isUuid(id)) return null
  const [found] = await one(db, [agencyId, id])
  return found ?? null
}

export type ErrorKind = {
  code: string
  method: string
  /** The path as in the API reference, such as `/properties/{id}`. */
  endpoint: string
  parameter: string | null
  requests: number
  last_at: string
  /** The latest one. */
  request_id: string
}

/**
 * Parameters that differ only in a number, as in lists, are one kind. Values: agency, first id, key or null for all, most rows to read,
 * most kinds.
 */
const kinds = statement<ErrorKind>(`
  with scanned as materialized (
    select request_id, at, method, code, detail ->> 'parameter' as parameter,
      regexp_replace(regexp_replace(regexp_replace(path, '^.*/api/v1', ''),
        '^/properties/external/[^/]+', '/properties/external/{external_id}'),
        '^/properties/(?!external/|batch$)[^/]+', '/properties/{id}') as endpoint
    from request_log
    where agency_id = $1 and request_id >= $2 and code is not null and ($3::uuid is null or key_id = $3)
    order by request_id desc limit $4
  )
  select code, method, endpoint, regexp_replace(parameter, '\\d+', 'n', 'g') as parameter, count(*)::int as requests, max(at) as last_at,
    (array_agg(request_id order by request_id desc))[1] as request_id
  from scanned group by 1, 2, 3, 4 order by requests desc, last_at desc limit $5`)

/** Counts the failed requests since `from` by code, endpoint and wrong parameter, most frequent first. Reads only the latest 50,000. */
export async function errorKinds(
  db: Db,
  agencyId: string,
  { keyId, from }: Pick<RequestFilter, 'keyId' | 'from'>,
  limit: number,
): Promise<ErrorKind[]> {
  const since = idOfMoment(from === null ? 0 : Date.parse(from))
  return await kinds(db, [agencyId, since, keyId, maxScanned, limit])
}

/** The least version 7 id of a time. */
function idOfMoment(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), 0xffff_ffff_ffff).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** A LIKE pattern for the beginning; `*` matches anything. */
function likePattern(path: string): string {
  return `${path.replaceAll(/[\\%_]/g, (character) => `\\${character}`).replaceAll('*', '%')}%`
}
