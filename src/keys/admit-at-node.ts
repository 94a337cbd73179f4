/**
 * Admission where Citus distributes the agencies: each statement is of one key, so that one node has all its rows. The agency of a key never
 * changes, so it is remembered; everything else of a key is read at every request.
 *
 * Citus plans a statement over several tables anew each time, one over a single table once. So the usual request reads key, agency and
 * revision and updates the counters in four statements sent together. They are judged here: where the request may not pass after all, what
 * was counted is taken back, and the whole statement (admit-sql.ts) tells why.
 */
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { hotStatement, shortStatement } from '../db/statement.ts'
import type { OwnLimits } from '../limits/of-agency.ts'
import type { Limits } from '../limits/table.ts'
import { type Admission, admissionOf, type Demand } from './admit.ts'
import type { KnownKey } from './admit-known.ts'
import type { KeyColumns } from './admit-sql.ts'

const findKey = hotStatement<KnownKey>(
  'select id as "keyId", agency_id as "agencyId" from api_keys where fingerprint = $1',
)

const makeCounters = hotStatement(`
  insert into key_usage (agency_id, key_id, minute, day, minute_reads, day_reads, granted_reads, minute_writes, day_writes, granted_writes)
  values ($1, $2, 'epoch', 'epoch', 0, 0, 0, 0, 0, 0) on conflict do nothing`)

/** Finds the agency of a key, on any node that is there, and makes the key's counters. @returns null for an unknown key */
export async function findAgencyOfKey(db: Db, fingerprint: Buffer): Promise<KnownKey | null> {
  const [found] = await findKey(db.anywhere, [fingerprint])
  if (found === undefined) return null
  await makeCounters(await db.at(found.agencyId), [found.agencyId, found.keyId])
  return found
}

type Key = KeyColumns & { revoked_at: string | null; revokes_at: string | null }
type Agency = { name: string; slug: string; active: boolean; profile_version: number; test: boolean }
type Counters = { minute_reads: number; minute_writes: number; day_reads: number; day_writes: number }

const readKey = shortStatement<Key>(`
  select name, prefix, scopes, created_at, expires_at, revoked_at, revokes_at, signature_required, signing_secret, allowed_origins
  from api_keys where id = $1`)
const readAgency = shortStatement<Agency>(
  'select name, slug, active, profile_version, test_of is not null as test from agencies where id = $1',
)
const readRevision = shortStatement<{ revision: number; limits: OwnLimits | null }>(
  'select revision, limits from agency_revisions where agency_id = $1',
)
const charge = shortStatement<Counters>(`
  update key_usage set
    minute_reads = minute_reads + $3::int, day_reads = day_reads + $3,
    minute_writes = minute_writes + $4::int, day_writes = day_writes + $4
  where agency_id = $1 and key_id = $2 and minute = $5::timestamptz and day = $6::timestamptz
    and minute_reads + $3 <= $7::int and day_reads + $3 <= $8::int
    and minute_writes + $4 <= $9::int and day_writes + $4 <= $10::int
  returning minute_reads, minute_writes, day_reads, day_writes`)
const takeBack = shortStatement(`
  update key_usage set
    minute_reads = minute_reads - $3::int, day_reads = day_reads - $3,
    minute_writes = minute_writes - $4::int, day_writes = day_writes - $4
  where agency_id = $1 and key_id = $2 and minute = $5::timestamptz and day = $6::timestamptz`)

const minuteMs = 60_000
const dayMs = 86_400_000

/**
 * Admits one demand of a key that passed a moment ago.
 * @param now the database's time, in milliseconds
 * @returns null where not all of the demand passes, for whatever reason; then nothing was charged, and the whole statement tells
 */
export async function admitKnownAtNode(
  db: Db,
  demand: Demand,
  { agencyId, keyId }: KnownKey,
  limits: Limits,
  now: number,
): Promise<Admission | null> {
  const { reads, writes } = demand
  const [minute, day] = [now - (now % minuteMs), now - (now % dayMs)]
  const windows = [new Date(minute).toISOString(), new Date(day).toISOString()]
  const asked = [agencyId, keyId, reads, writes, ...windows]
  const { reads_per_minute, reads_per_day, writes_per_minute, writes_per_day } = limits
  const maxima = [reads_per_minute.max, reads_per_day.max, writes_per_minute.max, writes_per_day.max]
  const [[key], [agency], [state], [counters]] = await Promise.all([
    readKey(db, [keyId]),
    readAgency(db, [agencyId]),
    readRevision(db, [agencyId]),
    charge(db, [...asked, ...maxima]),
  ])
  if (counters === undefined) return null
  if (
    key === undefined ||
    agency === undefined ||
    state === undefined ||
    !passes(demand, key, agency, now) ||
    state.limits !== null
  ) {
    await takeBack(db, asked)
    return null
  }
  const { name: agency_name, ...ofAgency } = agency
  return admissionOf(
    {
      ...key,
      ...ofAgency,
      ...counters,
      agency_name,
      position: 1,
      key_id: keyId,
      agency_id: agencyId,
      revision: state.revision,
      revoked: false,
      expired: false,
      own_limits: null,
      judged_at: null,
      granted_reads: reads,
      granted_writes: writes,
      minute_resets: Math.ceil((minute + minuteMs - now) / 1_000),
      day_resets: Math.ceil((day + dayMs - now) / 1_000),
    },
    limits,
  )
}

/** As `passes` of admit-sql.ts. */
function passes(
  { scope, origin, isOwnOrigin, signed }: Demand,
  { revoked_at, revokes_at, expires_at, scopes, allowed_origins, signature_required }: Key,
  { active, test }: Agency,
  now: number,
): boolean {
  const isPast = (moment: string | null): boolean => moment !== null && Date.parse(moment) <= now
  const wanted = scope === 'any' ? ['properties:read', 'properties:write'] : [scope]
  return (
    active &&
    revoked_at === null &&
    !isPast(revokes_at) &&
    !isPast(expires_at) &&
    wanted.some((one) => scopes.includes(one)) &&
    (origin === null || allowed_origins.includes(origin) || (isOwnOrigin && test)) &&
    (signed || !signature_required)
  )
}

const readTime = shortStatement<{ ms: number }>(
  'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
)
const askedEveryMs = 30_000

/** @returns the database's time in milliseconds, told by this process's clock, which is set by the database's now and then */
export function databaseTime(clock: Clock): (db: Db) => Promise<number> {
  let ahead: number | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | null = null
  const ask = async (db: Db): Promise<void> => {
    const began = performance.now()
    const [row] = await readTime(db.anywhere, [])
    askedAt = performance.now()
    if (row !== undefined) ahead = row.ms - (began + askedAt) / 2
  }
  return async (db) => {
    if (performance.now() - askedAt >= askedEveryMs) {
      asking ??= ask(db).finally(() => {
        asking = null
      })
      if (ahead === null) await asking
      else asking.catch(() => {})
    }
    return performance.now() + (ahead ?? 0) + clock.offsetMs
  }
}
