/** The hot statements about keys: looking keys up, charging them, and returning a charge. */
import { statement, shortStatement } from '../../platform/db/statements/statement.ts'
import type { OwnLimits } from '../../limits/of-agency.ts'
import type { KeyState } from './check-key.ts'

/** A key with its agency. */
type KeyRow = Omit<KeyState['key'], 'id'> & {
  key_id: string
  agency_id: string
  agency_name: string
  slug: string
  active: boolean
  profile_version: number
  test_of: string | null
  looked_at: string
}

/** A key and its grant. The counters are null if nothing was to be charged. */
export type ChargedRow = KeyRow & {
  revision: number
  own_limits: OwnLimits | null
  /** When the windows began. */
  minute: string
  day: string
  granted_reads: number
  granted_writes: number
  minute_reads: number | null
  minute_writes: number | null
  day_reads: number | null
  day_writes: number | null
}

/** Why a signature that matches its request is refused: its timestamp is too far from the clock, or the signature was used before. */
export type SignatureFault = 'stale' | 'used'

/** Looks keys up. Every node of Citus has a copy of them. Values: fingerprints, the clock's offset in milliseconds. */
export const keysByFingerprint = statement<KeyRow & { fingerprint: Buffer }>(`
  select k.fingerprint, k.id as key_id, k.agency_id, k.name, k.prefix, k.scopes, k.created_at, k.expires_at, k.revoked_at, k.revokes_at,
    k.signature_required, k.signing_secret, k.allowed_origins, a.name as agency_name, a.slug, a.active, a.profile_version, a.test_of,
    clock_timestamp() + $2::float8 * interval '1 ms' as looked_at
  from api_keys k join agencies a on a.id = k.agency_id where k.fingerprint = any ($1::bytea[])`)

/**
 * Whether any active key lists the origin: decides a preflight, which carries no key and grants no access. Thousands of keys can list an
 * origin such as http://localhost, so the database judges them instead of returning them. Values: origin, the clock's offset in
 * milliseconds.
 */
export const isListedOrigin = statement<{ listed: boolean }>(`
  select exists (
    select 1 from api_keys k join agencies a on a.id = k.agency_id
    where k.allowed_origins @> array[$1::text] and k.revoked_at is null and a.active
      and coalesce(least(k.expires_at, k.revokes_at) > clock_timestamp() + $2::float8 * interval '1 ms', true)
  ) as listed`)

/** See migrations/functions/admit_keys.sql. */
export const admitKeys = shortStatement<ChargedRow>(
  'select * from admit_keys($1, $2, $3, $4, $5, $6, $7, $8)',
)

/**
 * Uses up a signature and, only if it was valid, charges its key (migrations/functions/use_signature.sql, admit_keys.sql). Commits
 * synchronously, unlike `admit_keys` alone: a crash must not make a used signature valid again. Values: agency, key, signature, its
 * timestamp in seconds, tolerance in seconds, the clock's offset, reads, writes, and the limits.
 */
export const admitSignedKey = statement<ChargedRow & { fault: SignatureFault | null }>(`
  select fault, admitted.*, set_config('synchronous_commit', 'on', true)
  from use_signature($1, $2, $3, $4, $5, $6) fault
  cross join lateral admit_keys(array[$2::uuid], array[case when fault is null then $7::int else 0 end],
    array[case when fault is null then $8::int else 0 end], $6, $9, $10, $11, $12) admitted`)

/** Refunds what was charged in windows that are still the current ones. Values: agency, key, reads, writes, minute, day. */
export const refundCharge = shortStatement(`
  update key_usage set
    minute_reads = case when minute = $5::timestamptz then minute_reads - $3::int else minute_reads end,
    minute_writes = case when minute = $5 then minute_writes - $4::int else minute_writes end,
    day_reads = case when day = $6::timestamptz then day_reads - $3 else day_reads end,
    day_writes = case when day = $6 then day_writes - $4 else day_writes end
  where agency_id = $1 and key_id = $2`)

export function stateOf(row: KeyRow): KeyState {
  return {
    key: {
      id: row.key_id,
      name: row.name,
      prefix: row.prefix,
      scopes: row.scopes,
      created_at: row.created_at,
      expires_at: row.expires_at,
      revoked_at: row.revoked_at,
      revokes_at: row.revokes_at,
      signature_required: row.signature_required,
      signing_secret: row.signing_secret,
      allowed_origins: row.allowed_origins,
    },
    agency: {
      id: row.agency_id,
      name: row.agency_name,
      slug: row.slug,
      active: row.active,
      profile_version: row.profile_version,
      test: row.test_of !== null,
    },
    looked_at: row.looked_at,
  }
}
