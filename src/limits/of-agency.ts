/**
 * Limits that the operator changes for one agency, for a while or for good (api.md 6.1). They are stored in the agency's row of
 * `agency_revisions`, which admission reads anyway, so they apply from the next request on, on every instance.
 */
import { isPast } from '../platform/time/date-time.ts'
import { overAllNodes } from '../platform/db/citus/nodes.ts'
import type { Tx } from '../platform/db/statements/connection.ts'
import type { Db } from '../platform/db/database.ts'
import { boundedLock, statement } from '../platform/db/statements/statement.ts'
import { invalid } from '../platform/errors/errors.ts'
import type { LimitDeps, WindowDeps } from './counters.ts'
import { isMax, type LimitName, type Limits, maxOfLimit, reportedLimits } from './table.ts'

/** A limit that can be changed for one agency: one of the agency or of its keys. */
type AgencyLimit = (typeof reportedLimits)[number]

/** The limits in the row. `until` is ISO 8601; null for no end. */
export type OwnLimits = Readonly<
  Partial<Record<AgencyLimit, Readonly<{ max: number; until: string | null }>>>
>

/** The limits of one agency as the operator sees them. `until` is null if the default applies, or if there is no end. */
export type ShownLimits = Readonly<
  Record<AgencyLimit, Readonly<{ max: number; default: number; until: string | null }>>
>

/** The limits in force at that time of the database's clock. @param own null for most agencies, which costs nothing */
export function limitsInForce(defaults: Limits, own: OwnLimits | null, now: string | null): Limits {
  if (own === null || now === null) return defaults
  const limits: Record<LimitName, Limits[LimitName]> = { ...defaults }
  for (const name of reportedLimits) {
    const changed = own[name]
    if (changed === undefined || isPast(changed.until, now)) continue
    const { max: usual, windowSeconds } = defaults[name]
    const endsIn =
      changed.until === null ? null : Math.ceil((Date.parse(changed.until) - Date.parse(now)) / 1_000)
    limits[name] = { ...changed, windowSeconds, usual, endsIn }
  }
  return limits
}

type LimitsRow = { limits: OwnLimits | null; now: string }

/** Reads the agency's own limits. Values: agency, the clock's offset in milliseconds. */
const selectLimits = statement<LimitsRow>(`
  select limits, clock_timestamp() + $2::float8 * interval '1 ms' as now from agency_revisions where agency_id = $1`)

/** Waits for the agency's running writes, then locks and reads its own limits. Values: agency, the clock's offset in milliseconds. */
const lock = statement<LimitsRow>(`
  select limits, clock_timestamp() + $2::float8 * interval '1 ms' as now, ${boundedLock} as bounded
  from agency_revisions where agency_id = $1 for no key update`)

const storeLimits = statement('update agency_revisions set limits = $2::jsonb where agency_id = $1')

/** The limits in force for an agency. */
export async function getLimits({ db, limits, clock }: LimitDeps, agencyId: string): Promise<Limits> {
  const [row] = await selectLimits(db, [agencyId, clock.offsetMs])
  return limitsInForce(limits, row?.limits ?? null, row?.now ?? null)
}

const selectLimited = statement<{ agency_id: string }>(
  'select agency_id from agency_revisions where limits is not null',
)

/** The ids of agencies that have limits of their own, ended ones included. */
export async function findOwnLimits(db: Db): Promise<Set<string>> {
  const rows = await selectLimited(await overAllNodes(db), [])
  return new Set(rows.map((row) => row.agency_id))
}

export function shownLimits(limits: Limits, defaults: Limits): ShownLimits {
  const shown = reportedLimits.map((name) => {
    const { max, until = null } = limits[name]
    return [name, { max, default: defaults[name].max, until }]
  })
  return Object.fromEntries(shown) as ShownLimits
}

/** The operator's change. */
export type LimitChange = Readonly<
  /** `until`: ISO 8601; null for no end. */
  | { set: Readonly<Record<string, number>>; until: string | null }
  /** The limit to return to its default; null for all. */
  | { clear: string | null }
>

/**
 * Waits for the agency's running writes, then changes its limits. Drops limits that have ended.
 * @returns the limits in force
 * @throws ApiError 400 `limits` for an unknown name, NAME for a number that is not allowed, `until` for a time that has passed
 */
export async function changeLimits(
  tx: Tx,
  agencyId: string,
  change: LimitChange,
  { limits, clock }: WindowDeps,
): Promise<Limits> {
  const [row] = await lock(tx, [agencyId, clock.offsetMs])
  if (row === undefined) throw new Error(`agency ${agencyId} has no revision`)
  const own = new Map(Object.entries(row.limits ?? {}).filter(([, { until }]) => !isPast(until, row.now)))
  if ('set' in change) {
    if (isPast(change.until, row.now)) throw invalid('until', 'until must be in the future.', 'date_past')
    for (const [name, max] of Object.entries(change.set))
      own.set(checkName(name), { max: checkMax(name, max), until: change.until })
  } else if (change.clear === null) own.clear()
  else own.delete(checkName(change.clear))
  const stored = own.size === 0 ? null : (Object.fromEntries(own) as OwnLimits)
  await storeLimits(tx, [agencyId, stored === null ? null : JSON.stringify(stored)])
  return limitsInForce(limits, stored, row.now)
}

/** The change as the audit log records it. */
export function describeChange(change: LimitChange): Record<string, unknown> {
  return 'set' in change
    ? { ...change.set, ...(change.until === null ? {} : { until: change.until }) }
    : { cleared: change.clear ?? 'all' }
}

function checkName(name: string): AgencyLimit {
  const known = reportedLimits.find((one) => one === name)
  if (known === undefined)
    throw invalid('limits', `An agency has no limit "${name}". Use: ${reportedLimits.join(', ')}.`)
  return known
}

/** @throws ApiError 400 NAME */
export function checkMax(name: string, max: number): number {
  if (!isMax(max))
    throw invalid(
      name,
      `${name} must be a whole number from 0 to ${maxOfLimit.toLocaleString('en')}.`,
      'limit_odd',
    )
  return max
}
