/**
 * The statement of admission (admit.ts), in two variants.
 */
import { shortStatement } from '../db/statement.ts'
import { type OwnLimits, ownMaximum } from '../limits/of-agency.ts'
import { secondsLeft, usedSince, windowStart } from '../limits/window.ts'

/** What is read of a key, besides its id. */
export type KeyColumns = {
  name: string
  prefix: string
  scopes: readonly string[]
  created_at: string
  expires_at: string | null
  signature_required: boolean
  /** Sealed: the secret box opens it. */
  signing_secret: Buffer | null
  allowed_origins: readonly string[]
}

/** A demand's key with what was granted to it. */
export type Row = KeyColumns & {
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

/** SQL: the limits of reads and writes, each per minute and day. */
type Maxima = readonly [string, string, string, string]
const defaults: Maxima = ['$8::int', '$9::int', '$10::int', '$11::int']

/** SQL: the agency's own, from an array, or else the defaults. */
const ownOr = (own: string): Maxima => [
  `coalesce(${own}[1], ${defaults[0]})`,
  `coalesce(${own}[2], ${defaults[1]})`,
  `coalesce(${own}[3], ${defaults[2]})`,
  `coalesce(${own}[4], ${defaults[3]})`,
]

/** What a row `u` of key_usage counts in the current windows, and what both have left of the limits. */
const usage = (minute: string, day: string, [mr, dr, mw, dw]: Maxima): string => `
  (select greatest(u.minute, ${minute}) as minute, greatest(u.day, ${day}) as day) current
  cross join lateral (select
    ${usedSince('current.minute', { start: 'u.minute', used: 'u.minute_reads' })} as mr,
    ${usedSince('current.minute', { start: 'u.minute', used: 'u.minute_writes' })} as mw,
    ${usedSince('current.day', { start: 'u.day', used: 'u.day_reads' })} as dr,
    ${usedSince('current.day', { start: 'u.day', used: 'u.day_writes' })} as dw) used
  cross join lateral (select
    greatest(0, least(${mr} - mr, ${dr} - dr)) as reads_left,
    greatest(0, least(${mw} - mw, ${dw} - dw)) as writes_left) room`

const ownMaxima = ['reads_per_minute', 'reads_per_day', 'writes_per_minute', 'writes_per_day']
  .map((name) => ownMaximum('r.limits', `'${name}'`, 'windows.now'))
  .join(', ')

/** SQL where agencies may have limits of their own, and where none has. */
type Variant = {
  known: string
  join: string
  column: string
  charged: string
  limits: (row: string) => string
  limitsOf: (row: string) => Maxima
}
const withOwn: Variant = {
  known: 'case when r.limits is not null then windows.now end as judged_at, own.limits',
  join: `cross join lateral (select case when r.limits is not null then array[${ownMaxima}] end as limits) own`,
  column: ', limits',
  charged: '',
  limits: (row) => `, ${row}.limits`,
  limitsOf: (row) => ownOr(`${row}.limits`),
}
const withoutOwn: Variant = {
  known: 'null::timestamptz as judged_at',
  join: '',
  column: '',
  charged: 'own_limits is null and',
  limits: () => '',
  limitsOf: () => defaults,
}

/** How far a statement reaches: `ofAgency` bounds a table to one agency. */
type Reach = Readonly<{ ofAgency: (table: string) => string; charge: (variant: Variant) => string }>

const counters =
  'minute, day, minute_reads, day_reads, granted_reads, minute_writes, day_writes, granted_writes'

/** SQL: what the row `u` counts once it has granted as much as it has left of `reads` and `writes`. */
const granting = (
  window: string,
  limits: string,
  variant: Variant,
  reads: string,
  writes: string,
): string => `
  (${counters}${variant.column}) = (
    select minute, day, mr + r, dr + r, r, mw + w, dw + w, w${variant.limits(limits)}
    from ${usage(`${window}.minute`, `${window}.day`, variant.limitsOf(limits))}
    cross join lateral (select least(${reads}, reads_left) as r, least(${writes}, writes_left) as w) granted
  )`

/** Keys of any agencies, whose rows need not be there. */
const ofAny: Reach = {
  ofAgency: () => '',
  charge(variant) {
    const [mr, dr, mw, dw] = variant.limitsOf('demand')
    return `
    insert into key_usage as u (agency_id, key_id, minute, day,
      minute_reads, day_reads, granted_reads, minute_writes, day_writes, granted_writes${variant.column})
    select agency_id, key_id, minute, day, r, r, r, w, w, w${variant.column}
    from demand cross join windows
    cross join lateral (select least(reads, ${mr}, ${dr}) as r, least(writes, ${mw}, ${dw}) as w) first
    order by agency_id, key_id
    on conflict (agency_id, key_id) do update set
      ${granting('excluded', 'excluded', variant, 'excluded.granted_reads', 'excluded.granted_writes')}`
  },
}

/** One key of the agency $14, whose row is there: on Citus, all tables of the statement are then on one node. */
const ofOne: Reach = {
  ofAgency: (table) => ` and ${table}.agency_id = $14`,
  charge: (variant) => `
    update key_usage u set ${granting('windows', 'demand', variant, 'demand.reads', 'demand.writes')}
    from demand cross join windows where u.agency_id = $14 and u.key_id = demand.key_id`,
}

/*
 * `known` looks up the keys, and for those presumed exhausted what their windows have left. `demand` adds up what each key that may
 * pass asks for. `charged` grants as much of it as its row has left.
 *
 * Within a window counters only rise, so a key with nothing left in `known` is refused without a write: a row version per refusal
 * would slow every later read of the row. The usage of other keys is not read first (`offset 0` keeps the planner from it), as
 * that read is most of the cost where a row has many versions. Rows are locked in the order of their keys, so that two statements
 * never wait for each other.
 *
 * Limits of an agency's own are read from jsonb, which costs a tenth of the statement. So it has two variants: one that charges no key of
 * such an agency, for nearly all requests, and one for the others.
 *
 * The counters are committed asynchronously: a crash of the database (not of this service) can lose their last fraction of a second.
 * Nothing else is written here.
 */
const statementOf = (variant: Variant, { ofAgency, charge }: Reach): string => {
  const { known, join, column, charged, limitsOf } = variant
  return `
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
      r.limits as own_limits, ${known},
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
    join api_keys k on k.fingerprint = wanted.fingerprint${ofAgency('k')}
    join agencies a on a.id = k.agency_id
    join agency_revisions r on r.agency_id = a.id${ofAgency('r')}
    ${join}
    left join lateral (
      select * from key_usage own_usage where agency_id = k.agency_id${ofAgency('own_usage')} and key_id = k.id and wanted.is_exhausted offset 0
    ) u on true
    cross join lateral (select * from ${usage('windows.minute', 'windows.day', limitsOf('own'))}) before
  ), demand as (
    select agency_id, key_id${column}, sum(reads)::int as reads, sum(writes)::int as writes
    from known where passes and ${charged} (reads > 0 and reads_left > 0 or writes > 0 and writes_left > 0)
    group by agency_id, key_id${column}
  ), charged as (
    ${charge(variant)}
    returning u.*
  )
  select position, known.key_id, name, prefix, scopes, created_at, expires_at, signature_required, signing_secret, allowed_origins,
    revoked, expired, known.agency_id, agency_name, slug, active, profile_version, test, revision,
    own_limits, judged_at, case when passes then coalesce(c.granted_reads, 0) end as granted_reads, coalesce(c.granted_writes, 0) as granted_writes,
    coalesce(c.minute_reads, mr) as minute_reads, coalesce(c.minute_writes, mw) as minute_writes,
    coalesce(c.day_reads, dr) as day_reads, coalesce(c.day_writes, dw) as day_writes,
    ${secondsLeft('coalesce(c.minute, known.minute)', `interval '1 minute'`, 'windows.now')} as minute_resets,
    ${secondsLeft('coalesce(c.day, known.day)', `interval '1 day'`, 'windows.now')} as day_resets
  from known cross join windows
  left join charged c on c.agency_id = known.agency_id and c.key_id = known.key_id and known.passes`
}

/** Charges no key whose agency has limits of its own. */
export const plainStatement = shortStatement<Row>(statementOf(withoutOwn, ofAny), 'plain')
export const ownStatement = shortStatement<Row>(statementOf(withOwn, ofAny), 'plain')
/** The same for one key, with its agency as the last value. */
export const plainStatementAtNode = shortStatement<Row>(statementOf(withoutOwn, ofOne))
export const ownStatementAtNode = shortStatement<Row>(statementOf(withOwn, ofOne))
