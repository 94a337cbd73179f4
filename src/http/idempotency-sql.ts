/** The statements that claim an Idempotency-Key (idempotency.ts), and tell how it is used. */
import { hotStatement } from '../db/statement.ts'
import { retentionHours } from '../writing/kept-reference.ts'

export const leaseSeconds = 60

/** A key in use: it has an answer that has not expired, or a claim within its lease. */
export type Stored = {
  /** Base64. */
  hash: string
  token: string
  /** Seconds left of the lease. */
  lease_seconds: number
  status: number | null
  headers: Record<string, string> | null
  /** Null where the answer is kept by reference: by `rest`, and but for a batch `property_id` at `revision`. */
  body: string | null
  property_id: string | null
  revision: number | null
  rest: string | null
}

/** Null if this request has claimed the key, else its use. */
export type ClaimRow = { used: Stored | null }

/** SQL: the database's time. `$5`: the clock's offset. */
const present = `clock_timestamp() + $5::float8 * interval '1 ms'`

/** Selects the key if it is in use at `moment`. */
const inUse = `
  select encode(request_hash, 'base64') as hash, token, ceil(extract(epoch from lease_until - now))::int as lease_seconds,
    status, headers, body, property_id, revision, rest
  from idempotency_keys, moment
  where agency_id = $1 and key = $2 and expires_at > now and (status is not null or lease_until > now)`

/** Whether a moment had passed when the row was to be inserted. A difference of moments, because Citus allows immutable operators alone. */
const isOver = (moment: string): string =>
  `excluded.lease_until - ${moment} >= interval '${leaseSeconds} seconds'`

/** @param values SQL that has lease and expiry begin at the present */
const insertClaim = (values: (now: string) => string, now: string): string => `
  insert into idempotency_keys as i (agency_id, key, request_hash, token, lease_until, expires_at)
  ${values(`$1, $2, $3, $4, ${now} + interval '${leaseSeconds} seconds', ${now} + interval '${retentionHours} hours'`)}
  on conflict (agency_id, key) do update set request_hash = excluded.request_hash, token = excluded.token,
    lease_until = excluded.lease_until, expires_at = excluded.expires_at, status = null, headers = null, body = null,
    property_id = null, revision = null, rest = null
  where ${isOver('i.expires_at')} or (i.status is null and (i.token = excluded.token or ${isOver('i.lease_until')}))`

/*
 * Claims the key, or returns its use. Returns no row if another request claimed the key while the statement ran. May wait for a
 * transaction that has claimed the key. A claim outside the effect's transaction ($6) commits asynchronously. That is safe: if a crash of
 * the database loses the claim, it loses the effect too, which would have been committed later and synchronously.
 */
export const claim = hotStatement<ClaimRow>(
  `
  with moment as materialized (
    select ${present} as now,
      case when $6 then set_config('synchronous_commit', 'off', true) || set_config('lock_timeout', '4s', true) end as settings
  ), claimed as (${insertClaim((values) => `select ${values} from moment`, 'now')} returning 1)
  select null as used from claimed
  union all
  select row_to_json(used) from (${inUse}) used where not exists (select from claimed)`,
  'plain',
)

/* On Citus of values alone: what it has to select first it sends to all of its nodes, and needs them all. No row: the key is in use. */
export const claimAtNode = hotStatement<ClaimRow>(
  `${insertClaim((values) => `values (${values})`, present)} returning null::json as used`,
)

export const find = hotStatement<Stored>(
  `with moment as (select clock_timestamp() + $3::float8 * interval '1 ms' as now) ${inUse}`,
)

/** For a claim in a transaction of its own, on Citus. */
export const asynchronously = hotStatement(
  `select set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '4s', true)`,
)
