/** The statements that claim an Idempotency-Key and tell how it is used (idempotency.ts). */
import { hotStatement } from '../db/statement.ts'

/**
 * A claim is free again this long after it was made or renewed, so that a retry succeeds soon after a process has died. Renewed while the
 * request prepares; the transaction's own lock protects it after that.
 */
export const leaseSeconds = 10

/** A key in use: it has a response that has not expired, or a claim within its lease. */
export type KeyUse = {
  /** The token of the request. */
  used_by: string
  used_hash: Buffer
  /** Until the lease ends. */
  seconds_left: number
  /** Null while the request runs. */
  status: number | null
  headers: Record<string, string> | null
  /** Null where the response is kept by reference: by `rest`, and except for a batch by `property_id` at `revision`. */
  body: string | null
  property_id: string | null
  revision: number | null
  rest: string | null
}

export type ClaimRow = { is_claimed: true } | ({ is_claimed: false } & KeyUse)

/** See migrations/functions/claim_key.sql. */
export const claim = hotStatement<ClaimRow>('select * from claim_key($1, $2, $3, $4, $5, $6, $7, $8)')

/** Values: agency, key, the clock's offset in milliseconds. No row: the key is free. */
export const findUsed = hotStatement<KeyUse>(`
  with moment as (select clock_timestamp() + $3::float8 * interval '1 ms' as now)
  select token as used_by, request_hash as used_hash, ceil(extract(epoch from lease_until - now))::int as seconds_left,
    status, headers, body, property_id, revision, rest
  from idempotency_keys, moment
  where agency_id = $1 and key = $2 and expires_at > now and (status is not null or lease_until > now)`)
