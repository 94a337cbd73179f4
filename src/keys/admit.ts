/**
 * Looks up key, agency and revision and charges the limits of reads and writes, all in one statement (api.md 2, 6.1).
 */
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { shortStatement } from '../db/statement.ts'
import { limitsInForce, type OwnLimits, ownMaximum } from '../limits/of-agency.ts'
import type { Limits } from '../limits/table.ts'
import { secondsLeft, usedSince, windowStart } from '../limits/window.ts'

/** A known key with its agency, also when revoked, expired or deactivated: the caller judges that. */
export type KeyRecord = Readonly<{
  key: Readonly<{
    id: string
    name: string
    prefix: string
    scopes: readonly string[]
    created_at: string
    expires_at: string | null
    signature_required: boolean
    /** Sealed: the secret box opens it. */
    signing_secret: Buffer | null
    allowed_origins: readonly string[]
  }>
  revoked: boolean
  expired: boolean
  agency: Readonly<{
    id: string
    name: string
    slug: string
    active: boolean
    profile_version: number
    /** Whether it is the twin of an agency, and the key a test key. */
    test: boolean
  }>
  /** The agency's, raised by every write. */
  revision: number
  /** Those in force for the key and its agency. */
  limits: Limits
}>

/** Requests with one key that ask for the same. */
export type Demand = {
  fingerprint: Buffer
  /** The scope that the operation needs; `any`: one of properties. */
  scope: string
  origin: string | null
  /** Whether that is the service's own, from which every test key works. */
  isOwnOrigin: boolean
  /** Whether the signature was checked; a key that requires one is charged only then. */
  signed: boolean
  reads: number
  writes: number
  /** Whether the key is presumed exhausted: then its usage is read before anything is written. */
  isExhausted: boolean
}

/** How many of the key's requests may pass, and the state of its windows. */
export type Charge = {
  /** Of what this statement asked for with this key, over all demands. */
  granted: { reads: number; writes: number }
  /** Used in the current windows, including what was granted now. */
  used: { minuteReads: number; minuteWrites: number; dayReads: number; dayWrites: number }
  /** Seconds until the windows begin anew. */
  resets: { minute: number; day: number }
}

export type Admission = { record: KeyRecord; charge: Charge | null }

type Row = Omit<KeyRecord['key'], 'id'> & {
  position: number
  key_id: string
  revoked: boolean
  expired: boolean
  agency_id: string
  agency_name: string
  slug: string
  active: boolean
  profile_version: number
  test: boolean
  revision: number
  own_limits: OwnLimits | null
  /** Null without limits of the agency's own. */
  judged_at: string | null
  granted_reads: number | null
  granted_writes: number
  minute_reads: number
  minute_writes: number
  day_reads: number
  day_writes: number
  minute_resets: number
  day_resets: number
}

/** SQL: the four limits, $8 to $11, or the agency's own in an array. */
const maximaOf = (own: string): readonly string[] =>
  [8, 9, 10, 11].map((parameter, index) => `coalesce(${own}[${index + 1}], $${parameter}::int)`)

/** What a row `u` of key_usage counts in the current windows, and what both have left of the limits. */
const usage = (minute: string, day: string, [mr, dr, mw, dw]: readonly string[]): string => `
  (select greatest(u.minute, ${minute}) as minute, greatest(u.day, ${day}) as day) current
  cross join lateral (select
    ${usedSince('current.minute', { start: 'u.minute', used: 'u.minute_reads' })} as mr,
    ${usedSince('current.minute', { start: 'u.minute', used: 'u.minute_writes' })} as mw,
    ${usedSince('current.day', { start: 'u.day', used: 'u.day_reads' })} as dr,
    ${usedSince('current.day', { start: 'u.day', used: 'u.day_writes' })} as dw) used
  cross join lateral (select
    greatest(0, least(${mr} - mr, ${dr} - dr)) as reads_left,
    greatest(0, least(${mw} - mw, ${dw} - dw)) as writes_left) room`

const first = maximaOf('demand.limits')
const ownMaxima = ['reads_per_minute', 'reads_per_day', 'writes_per_minute', 'writes_per_day']
  .map((name) => ownMaximum('r.limits', `'${name}'`, 'windows.now'))
  .join(', ')

/*
 * `known` looks up the keys, and for those presumed exhausted what their windows have left. `demand` adds up what each key that may
 * pass asks for. `charged` grants as much of it as its row has left.
 *
 * Within a window counters only rise, so a key with nothing left in `known` is refused without a write: a row version per refusal
 * would slow every later read of the row. The usage of other keys is not read first (`offset 0` keeps the planner from it), as
 * that read is most of the cost where a row has many versions. Rows are locked in the order of their keys, so that two statements
 * never wait for each other.
 *
 * The counters are committed asynchronously: a crash of the database (not of this service) can lose their last fraction of a second.
 * Nothing else is written here.
 */
const statement = shortStatement<Row>(`
  with moment as (
    select clock_timestamp() + $7::float8 * interval '1 ms' as now, set_config('synchronous_commit', 'off', true)
  ), windows as (
    select now, ${windowStart(`interval '1 minute'`, 'now')} as minute, ${windowStart(`interval '1 day'`, 'now')} as day
    from moment
  ), known as (
    select wanted.position::int as position, wanted.reads, wanted.writes,
      k.id as key_id, k.name, k.prefix, k.scopes, k.created_at, k.expires_at, k.signature_required, k.signing_secret,
      k.allowed_origins, k.revoked_at is not null or coalesce(k.revokes_at <= windows.now, false) as revoked,
      coalesce(k.expires_at <= windows.now, false) as expired,
      a.id as agency_id, a.name as agency_name, a.slug, a.active, a.profile_version,
      a.test_of is not null as test, r.revision,
      r.limits as own_limits, case when r.limits is not null then windows.now end as judged_at, own.limits,
      k.revoked_at is null and coalesce(k.revokes_at > windows.now, true)
        and coalesce(k.expires_at > windows.now, true) and a.active
        and (wanted.scope = any (k.scopes)
          or (wanted.scope = 'any' and k.scopes && array['properties:read', 'properties:write']))
        and (wanted.origin is null or wanted.origin = any (k.allowed_origins)
          or (wanted.is_own_origin and a.test_of is not null))
        and (wanted.signed or not k.signature_required) as passes,
      before.*
    from windows
    cross join unnest($1::bytea[], $2::text[], $3::text[], $4::bool[], $5::int[], $6::int[], $12::bool[], $13::bool[])
      with ordinality
      as wanted (fingerprint, scope, origin, signed, reads, writes, is_exhausted, is_own_origin, position)
    join api_keys k on k.fingerprint = wanted.fingerprint
    join agencies a on a.id = k.agency_id
    join agency_revisions r on r.agency_id = a.id
    cross join lateral (select case when r.limits is not null then array[${ownMaxima}] end as limits) own
    left join lateral (
      select * from key_usage where agency_id = k.agency_id and key_id = k.id and wanted.is_exhausted offset 0
    ) u on true
    cross join lateral (select * from ${usage('windows.minute', 'windows.day', maximaOf('own.limits'))}) before
  ), demand as (
    select agency_id, key_id, limits, sum(reads)::int as reads, sum(writes)::int as writes
    from known where passes and (reads > 0 and reads_left > 0 or writes > 0 and writes_left > 0)
    group by agency_id, key_id, limits
  ), charged as (
    insert into key_usage as u (agency_id, key_id, minute, day,
      minute_reads, day_reads, granted_reads, minute_writes, day_writes, granted_writes, limits)
    select agency_id, key_id, minute, day, r, r, r, w, w, w, limits
    from demand cross join windows
    cross join lateral (select least(reads, ${first[0]}, ${first[1]}) as r, least(writes, ${first[2]}, ${first[3]}) as w) first
    order by agency_id, key_id
    on conflict (agency_id, key_id) do update set
      (minute, day, minute_reads, day_reads, granted_reads, minute_writes, day_writes, granted_writes, limits) = (
        select minute, day, mr + r, dr + r, r, mw + w, dw + w, w, excluded.limits
        from ${usage('excluded.minute', 'excluded.day', maximaOf('excluded.limits'))}
        cross join lateral (select
          least(excluded.granted_reads, reads_left) as r, least(excluded.granted_writes, writes_left) as w) granted
      )
    returning *
  )
  select position, known.key_id, name, prefix, scopes, created_at, expires_at, signature_required, signing_secret, allowed_origins,
    revoked, expired, known.agency_id, agency_name, slug, active, profile_version, test, revision,
    own_limits, judged_at, case when passes then coalesce(c.granted_reads, 0) end as granted_reads, coalesce(c.granted_writes, 0) as granted_writes,
    coalesce(c.minute_reads, mr) as minute_reads, coalesce(c.minute_writes, mw) as minute_writes,
    coalesce(c.day_reads, dr) as day_reads, coalesce(c.day_writes, dw) as day_writes,
    ${secondsLeft('coalesce(c.minute, known.minute)', `interval '1 minute'`, 'windows.now')} as minute_resets,
    ${secondsLeft('coalesce(c.day, known.day)', `interval '1 day'`, 'windows.now')} as day_resets
  from known cross join windows
  left join charged c on c.agency_id = known.agency_id and c.key_id = known.key_id and known.passes`)

/**
 * Looks up the keys, and counts what may pass.
 * @returns one entry for each demand, in their order; null where no key has the fingerprint
 */
export async function admit(
  db: Db,
  demands: readonly Demand[],
  limits: Limits,
  clock: Clock,
): Promise<(Admission | null)[]> {
  const rows = await statement(db, [
    demands.map(({ fingerprint }) => fingerprint),
    demands.map(({ scope }) => scope),
    demands.map(({ origin }) => origin),
    demands.map(({ signed }) => signed),
    demands.map(({ reads }) => reads),
    demands.map(({ writes }) => writes),
    clock.offsetMs,
    limits.reads_per_minute.max,
    limits.reads_per_day.max,
    limits.writes_per_minute.max,
    limits.writes_per_day.max,
    demands.map(({ isExhausted }) => isExhausted),
    demands.map(({ isOwnOrigin }) => isOwnOrigin),
  ])
  const admissions: (Admission | null)[] = demands.map(() => null)
  for (const row of rows)
    admissions[row.position - 1] = { record: recordOf(row, limits), charge: chargeOf(row) }
  return admissions
}

function recordOf(row: Row, defaults: Limits): KeyRecord {
  return {
    key: {
      id: row.key_id,
      name: row.name,
      prefix: row.prefix,
      scopes: row.scopes,
      created_at: row.created_at,
      expires_at: row.expires_at,
      signature_required: row.signature_required,
      signing_secret: row.signing_secret,
      allowed_origins: row.allowed_origins,
    },
    revoked: row.revoked,
    expired: row.expired,
    agency: {
      id: row.agency_id,
      name: row.agency_name,
      slug: row.slug,
      active: row.active,
      profile_version: row.profile_version,
      test: row.test,
    },
    revision: row.revision,
    limits: limitsInForce(defaults, row.own_limits, row.judged_at),
  }
}

function chargeOf(row: Row): Charge | null {
  if (row.granted_reads === null) return null
  return {
    granted: { reads: row.granted_reads, writes: row.granted_writes },
    used: {
      minuteReads: row.minute_reads,
      minuteWrites: row.minute_writes,
      dayReads: row.day_reads,
      dayWrites: row.day_writes,
    },
    resets: { minute: row.minute_resets, day: row.day_resets },
  }
}
