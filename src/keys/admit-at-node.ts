/**
 * Admission where Citus distributes the agencies: each statement is of one key, so that one node has all its rows. The agency of a key never
 * changes, so it is remembered; everything else of a key is read at every request.
 *
 * Citus plans a statement over several tables anew each time, one over a single table once. So usual requests of a node that arrive
 * together read their keys and agencies in one statement, and each its agency's revision and counters in one of its own, all sent together.
 * They are judged here: where a request may not pass after all, what was counted is taken back, and the whole statement (admit-sql.ts) tells
 * why.
 */
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

/** Where the key has none. Values: agency, key. */
export const makeCounters = hotStatement(`
  insert into key_usage (agency_id, key_id, minute, day, minute_reads, day_reads, granted_reads, minute_writes, day_writes, granted_writes)
  values ($1, $2, 'epoch', 'epoch', 0, 0, 0, 0, 0, 0) on conflict do nothing`)

/** Finds the agency of a key, on any node that is there, and makes the key's counters. @returns null for an unknown key */
export async function findAgencyOfKey(db: Db, fingerprint: Buffer): Promise<KnownKey | null> {
  const [found] = await findKey(db.anywhere, [fingerprint])
  if (found === undefined) return null
  await makeCounters(await db.at(found.agencyId), [found.agencyId, found.keyId])
  return found
}

type Key = KeyColumns & {
  key_id: string
  revoked_at: string | null
  revokes_at: string | null
  agency_name: string
  slug: string
  active: boolean
  profile_version: number
  test: boolean
}
type State = { revision: number; limits: OwnLimits | null }
type Counters = { minute_reads: number; minute_writes: number; day_reads: number; day_writes: number }

/** Of tables that every node has: one statement for any number of keys. */
const readKeys = shortStatement<Key>(`
  select k.id as key_id, k.name, k.prefix, k.scopes, k.created_at, k.expires_at, k.revoked_at, k.revokes_at, k.signature_required,
    k.signing_secret, k.allowed_origins, a.name as agency_name, a.slug, a.active, a.profile_version, a.test_of is not null as test
  from api_keys k join agencies a on a.id = k.agency_id where k.id = any ($1::uuid[])`)
const readRevision = shortStatement<State>(
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

/** Demands of one key that passed a moment ago. */
export type KnownDemands = { demands: readonly Demand[]; known: KnownKey }

/**
 * Admits keys of agencies of one node.
 * @param now the database's time, in milliseconds
 * @returns an entry for each demand of a key; null for a key of which not all passes, for whatever reason: then nothing was charged, and
 *   the whole statement tells
 */
export async function admitKnownAtNode(
  db: Db,
  asked: readonly KnownDemands[],
  limits: Limits,
  now: number,
): Promise<(Admission[] | null)[]> {
  if (asked.length === 0) return []
  // All of one tick leave in one packet.
  const keys = readKeys(db, [asked.map(({ known }) => known.keyId)])
  return Promise.all(asked.map((one) => admitKey(db, one, keys, limits, now)))
}

async function admitKey(
  db: Db,
  { demands, known: { agencyId, keyId } }: KnownDemands,
  keys: Promise<readonly Key[]>,
  limits: Limits,
  now: number,
): Promise<Admission[] | null> {
  // One charge for all of them: what was granted is the key's, and its requests share it.
  const reads = demands.reduce((sum, demand) => sum + demand.reads, 0)
  const writes = demands.reduce((sum, demand) => sum + demand.writes, 0)
  const [minute, day] = [now - (now % minuteMs), now - (now % dayMs)]
  const windows = [new Date(minute).toISOString(), new Date(day).toISOString()]
  const asked = [agencyId, keyId, reads, writes, ...windows]
  const { reads_per_minute, reads_per_day, writes_per_minute, writes_per_day } = limits
  const maxima = [reads_per_minute.max, reads_per_day.max, writes_per_minute.max, writes_per_day.max]
  const [found, [state], [counters]] = await Promise.all([
    keys,
    readRevision(db, [agencyId]),
    charge(db, [...asked, ...maxima]),
  ])
  if (counters === undefined) return null
  const key = found.find(({ key_id: id }) => id === keyId)
  const isUsual = state !== undefined && state.limits === null
  if (key === undefined || !isUsual || !demands.every((demand) => passes(demand, key, now))) {
    await takeBack(db, asked)
    return null
  }
  const row = {
    ...key,
    ...counters,
    position: 1,
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
  }
  return demands.map(() => admissionOf(row, limits))
}

/** As `passes` of admit-sql.ts. */
function passes(
  { scope, origin, isOwnOrigin, signed }: Demand,
  { revoked_at, revokes_at, expires_at, scopes, allowed_origins, signature_required, active, test }: Key,
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
