/**
 * Admission where Citus distributes the agencies: each statement is of one key, so that one node has all its rows. The agency of a key never
 * changes, so it is remembered; everything else of a key is read at every request.
 *
 * Citus plans a statement over several tables anew each time, one over a single table once. So usual requests of a node that arrive
 * together are charged by a function of such statements (migrations/0084). They are judged here: where a request may not pass after all,
 * what was counted is taken back, and the whole statement (admit-sql.ts) tells why.
 */
import { dayMs } from '../days.ts'
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
type Charged = Key & { revision: number; limits: OwnLimits | null } & (
    | Counters
    | { [name in keyof Counters]: null }
  )
type Counters = { minute_reads: number; minute_writes: number; day_reads: number; day_writes: number }

const charge = shortStatement<Charged>('select * from charge_keys($1, $2, $3, $4, $5, $6, $7, $8, $9)')
const takeBack = shortStatement(`
  update key_usage set
    minute_reads = minute_reads - $3::int, day_reads = day_reads - $3,
    minute_writes = minute_writes - $4::int, day_writes = day_writes - $4
  where agency_id = $1 and key_id = $2 and minute = $5::timestamptz and day = $6::timestamptz`)

const minuteMs = 60_000

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
  const [minute, day] = [now - (now % minuteMs), now - (now % dayMs)]
  const windows = [new Date(minute).toISOString(), new Date(day).toISOString()]
  // One charge for all demands of a key: what was granted is the key's, and its requests share it.
  const sums = asked.map(({ demands, known }) => ({
    ...known,
    reads: sumOf(demands, 'reads'),
    writes: sumOf(demands, 'writes'),
  }))
  const { reads_per_minute, reads_per_day, writes_per_minute, writes_per_day } = limits
  const rows = await charge(db, [
    sums.map(({ keyId }) => keyId),
    sums.map(({ reads }) => reads),
    sums.map(({ writes }) => writes),
    ...windows,
    reads_per_minute.max,
    reads_per_day.max,
    writes_per_minute.max,
    writes_per_day.max,
  ])
  const charged = new Map(rows.map((row) => [row.key_id, row]))
  const resets = {
    minute_resets: Math.ceil((minute + minuteMs - now) / 1_000),
    day_resets: Math.ceil((day + dayMs - now) / 1_000),
  }
  return Promise.all(
    asked.map(async ({ demands, known: { agencyId, keyId } }) => {
      const row = charged.get(keyId)
      if (row === undefined || row.minute_reads === null) return null
      const granted = { granted_reads: sumOf(demands, 'reads'), granted_writes: sumOf(demands, 'writes') }
      if (row.limits !== null || !demands.every((demand) => passes(demand, row, now))) {
        await takeBack(db, [agencyId, keyId, granted.granted_reads, granted.granted_writes, ...windows])
        return null
      }
      const judged = {
        position: 1,
        agency_id: agencyId,
        revoked: false,
        expired: false,
        own_limits: null,
        judged_at: null,
      }
      return demands.map(() => admissionOf({ ...row, ...judged, ...granted, ...resets }, limits))
    }),
  )
}

function sumOf(demands: readonly Demand[], kind: 'reads' | 'writes'): number {
  return demands.reduce((sum, demand) => sum + demand[kind], 0)
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
