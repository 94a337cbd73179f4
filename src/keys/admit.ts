/**
 * Looks up key, agency and revision and charges the limits of reads and writes, all in one statement (api.md 2, 6.1).
 */
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { limitsInForce } from '../limits/of-agency.ts'
import type { Limits } from '../limits/table.ts'
import {
  type KeyColumns,
  ownStatement,
  ownStatementAtNode,
  plainStatement,
  plainStatementAtNode,
  type Row,
} from './admit-sql.ts'

/** A known key with its agency, also when revoked, expired or deactivated: the caller judges that. */
export type KeyRecord = Readonly<{
  key: Readonly<{ id: string } & KeyColumns>
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
  /** Whether the agency is presumed to have limits of its own. If it has without, a second statement charges the key. */
  hasOwnLimits: boolean
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

/**
 * Looks up the keys, and counts what may pass.
 * @param limits the defaults; an agency's own go before them
 * @param agency where Citus distributes the agencies: that of the one key of all demands
 * @returns one entry for each demand, in their order; null where no key has the fingerprint
 */
export async function admit(
  db: Db,
  demands: readonly Demand[],
  limits: Limits,
  clock: Clock,
  agency: string | null = null,
): Promise<(Admission | null)[]> {
  const isOwn = demands.some(({ hasOwnLimits }) => hasOwnLimits)
  const anywhere = isOwn ? ownStatement : plainStatement
  const atNode = isOwn ? ownStatementAtNode : plainStatementAtNode
  const rows = await (agency === null ? anywhere : atNode)(db, [
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
    ...(agency === null ? [] : [agency]),
  ])
  const admissions: (Admission | null)[] = demands.map(() => null)
  /** Demands that may pass, and that the plain statement has not charged. */
  const uncharged: number[] = []
  for (const row of rows) {
    const index = row.position - 1
    admissions[index] = admissionOf(row, limits)
    if (!isOwn && row.own_limits !== null && row.granted_reads !== null) uncharged.push(index)
  }
  if (uncharged.length === 0) return admissions
  const again = uncharged.map((index) => ({ ...(demands[index] as Demand), hasOwnLimits: true }))
  const charged = await admit(db, again, limits, clock, agency)
  uncharged.forEach((index, place) => {
    admissions[index] = charged[place] ?? null
  })
  return admissions
}

/** @param defaults the limits of most agencies */
export function admissionOf(row: Row, defaults: Limits): Admission {
  return { record: recordOf(row, defaults), charge: chargeOf(row) }
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
