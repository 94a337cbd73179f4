/**
 * Admits requests: reads key and agency, judges them, and charges the limits of reads and writes (api.md 2, 6.1). Requests that arrive
 * together share one call of `admit_keys` (migrations/functions/admit_keys.sql).
 *
 * Each admission reads the key again, so a revocation holds for every request that arrives after it. A key's last known state is only a
 * hint whether to charge in the same call. A charge that the hint missed is made in a second call; a wrong charge is refunded.
 */
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { shareStatement } from '../../platform/db/statements/shared-statement.ts'
import type { Executor } from '../../platform/db/statements/statement.ts'
import { admissionSeconds, admissionStatements } from '../../platform/log/counters.ts'
import { type LimitDeps, secondsUntil, windowFromStart } from '../../limits/counters.ts'
import { limitsInForce } from '../../limits/of-agency.ts'
import { signatureSeconds } from '../../limits/sizes.ts'
import type { LimitName, Limits } from '../../limits/table.ts'
import { boundedMap } from '../../platform/memory/bounded-map.ts'
import { perObject } from '../../platform/memory/per-object.ts'
import { type KeyState, type Need, type KeyRefusal, refusalOf } from './check-key.ts'
import { fingerprint, parseApiKey } from './key-format.ts'
import {
  admitKeys,
  admitSignedKey,
  type ChargedRow,
  keysByFingerprint,
  refundCharge,
  type SignatureFault,
  stateOf,
} from './key-rows.ts'

const bounds = { maxInFlight: 2, maxAtOnce: 100 }
/** A forgotten key costs its next request a second statement. */
const maxHints = 10_000

/** The counter that a request is charged to. */
export type ChargeKind = 'reads' | 'writes'

export type AdmissionRequest = Need &
  Readonly<{
    key: string
    kind: ChargeKind
    cost: number
    /** Whether its signature was used up; a key that requires one is charged only then. */
    signed: boolean
  }>

export type KeyRecord = KeyState &
  Readonly<{
    /** The agency's revision, raised by every write. */
    revision: number
    /** The limits in force for the key and its agency. */
    limits: Limits
  }>

/** A known key with its agency, and the outcome of the request. */
export type Admitted = Readonly<{
  record: KeyRecord
  /** Why the key may not pass; null if it may. */
  refusal: KeyRefusal | null
  /** Null if nothing was charged: the key may not pass, its signature is not checked yet, or the cost is 0. */
  passage: Passage | null
}>

/** The part of the cost that the key's limits allow. */
export type Passage = Readonly<{
  /** All or nothing, except for a batch. */
  granted: number
  /** Usage of the minute's and the day's limit, including this request. */
  minuteUsed: number
  dayUsed: number
  /** Seconds until the windows reset. */
  minuteResets: number
  dayResets: number
}>

/** @returns null for an unknown key. Rejects when the database fails. */
export type Admit = (request: AdmissionRequest) => Promise<Admitted | null>

/** A request with the last known state of its key. */
type Hinted = Readonly<{ request: AdmissionRequest; hint: KeyState }>
/** `needsCharge`: nothing was charged, as the hint said, but the request must be. Null for an unknown key. */
type Outcome = Readonly<{ admitted: Admitted; needsCharge: boolean }> | null
type AdmitHinted = (hinted: Hinted) => Promise<Outcome>

/** @param limits the defaults; an agency's own take precedence */
export function admission(db: Db, limits: Limits, clock: Clock): Admit {
  const hints = boundedMap<string, KeyState>({ max: maxHints })
  const admitterAt = perObject((node: Db) => admitterOf(node, limits, clock))

  const find = shareStatement((keys: readonly string[]) => lookUp(db.anywhere, keys, clock), bounds)

  const admitBy = async (hint: KeyState, request: AdmissionRequest): Promise<Admitted | null> => {
    const node = await db.at(hint.agency.id)
    const outcome = await admitterAt(node)({ request, hint })
    if (outcome === null) return null
    const { admitted, needsCharge } = outcome
    hints.set(request.key, admitted.record)
    return needsCharge ? admitBy(admitted.record, request) : admitted
  }

  return async (request) => {
    if (parseApiKey(request.key) === null) return null
    const hint = hints.get(request.key) ?? (await find(request.key))
    return hint === null ? null : admitBy(hint, request)
  }
}

/** Batches the admissions to one database. */
function admitterOf(db: Db, limits: Limits, clock: Clock): AdmitHinted {
  const admitAll = async (all: readonly Hinted[]): Promise<Outcome[]> => {
    const byKey = [...Map.groupBy(all, ({ hint }) => hint.key.id)]
    const rows = await admitKeys(db, [
      byKey.map(([keyId]) => keyId),
      byKey.map(([, ofKey]) => expectedCharge(ofKey, 'reads')),
      byKey.map(([, ofKey]) => expectedCharge(ofKey, 'writes')),
      clock.offsetMs,
      ...maximaOf(limits),
    ])
    const grants = new Map(rows.map((row) => [row.key_id, grantOf(row, limits)]))
    const outcomes = all.map((hinted) => grants.get(hinted.hint.key.id)?.giveTo(hinted) ?? null)
    await Promise.all([...grants.values()].map(({ row, left }) => refund(db, row, left)))
    return outcomes
  }
  return shareStatement((all) => measured(() => admitAll(all)), bounds)
}

/** Counts and times admission statements. */
async function measured<Result>(statement: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  let outcome = 'failed'
  try {
    const result = await statement()
    outcome = 'answered'
    return result
  } finally {
    admissionStatements.add(outcome)
    admissionSeconds.add(outcome, (performance.now() - began) / 1_000)
  }
}

/** The defaults, as `admit_keys` takes them. */
function maximaOf(limits: Limits): number[] {
  const { reads_per_minute, reads_per_day, writes_per_minute, writes_per_day } = limits
  return [reads_per_minute.max, reads_per_day.max, writes_per_minute.max, writes_per_day.max]
}

/** Refunds unused grants. Never throws: decided requests must not fail because of it, and the window soon ends. */
async function refund(db: Db, row: ChargedRow, left: Readonly<Record<ChargeKind, number>>): Promise<void> {
  if (left.reads + left.writes === 0) return
  const values = [row.agency_id, row.key_id, left.reads, left.writes, row.minute, row.day]
  await refundCharge(db, values).catch(() => {})
}

/** The charge for one key's requests, according to their hints. */
function expectedCharge(ofKey: readonly Hinted[], kind: ChargeKind): number {
  return ofKey.reduce(
    (sum, { request, hint }) => sum + (request.kind === kind && mustCharge(hint, request) ? request.cost : 0),
    0,
  )
}

/** Whether to charge the request to a key in this state. */
function mustCharge(state: KeyState, request: AdmissionRequest): boolean {
  const isSigned = request.signed || !state.key.signature_required
  return isSigned && request.cost > 0 && refusalOf(state, request) === null
}

/** The amounts that a key was granted, for its requests, first come first served. */
function grantOf(row: ChargedRow, defaults: Limits) {
  const record = recordOf(row, defaults)
  const left = { reads: row.granted_reads, writes: row.granted_writes }
  return {
    row,
    /** Granted, but not given to any request. */
    left,
    giveTo({ request, hint }: Hinted): Outcome {
      const refusal = refusalOf(record, request)
      const uncharged = { record, refusal, passage: null }
      if (!mustCharge(record, request)) return { admitted: uncharged, needsCharge: false }
      if (!mustCharge(hint, request)) return { admitted: uncharged, needsCharge: true }
      const { kind, cost } = request
      const granted = Math.min(cost, left[kind])
      left[kind] -= granted
      const passage = passageOf(row, kind, granted, left[kind])
      return { admitted: { record, refusal, passage }, needsCharge: false }
    },
  }
}

function recordOf(row: ChargedRow, defaults: Limits): KeyRecord {
  const { revision, own_limits: own, looked_at: now } = row
  return { ...stateOf(row), revision, limits: limitsInForce(defaults, own, now) }
}

/** @param left granted by the same call, but not yet given to any request: it does not count as used */
function passageOf(row: ChargedRow, kind: ChargeKind, granted: number, left: number): Passage {
  const used = (count: number | null): number => (count ?? 0) - left
  const resets = (name: LimitName, start: string): number =>
    secondsUntil(windowFromStart(name, start, 0).endsAt, Date.parse(row.looked_at))
  return {
    granted,
    minuteUsed: used(kind === 'reads' ? row.minute_reads : row.minute_writes),
    dayUsed: used(kind === 'reads' ? row.day_reads : row.day_writes),
    minuteResets: resets(`${kind}_per_minute`, row.minute),
    dayResets: resets(`${kind}_per_day`, row.day),
  }
}

/** A signature that matches its request. `signedAt`: the request's timestamp, in seconds. */
export type Signature = Readonly<{ bytes: Buffer; signedAt: number }>

/**
 * @param known the key, as it was read before the body
 * @returns the fault of the signature, or the key with the outcome of the request; null if the key is gone
 */
export async function admitSigned(
  { db, clock, limits }: LimitDeps,
  { key, agency }: KeyState,
  { bytes, signedAt }: Signature,
  request: Need & Readonly<{ kind: ChargeKind }>,
): Promise<Admitted | SignatureFault | null> {
  const cost = { reads: 0, writes: 0, [request.kind]: 1 }
  const values = [agency.id, key.id, bytes, signedAt, signatureSeconds, clock.offsetMs]
  const [row] = await measured(() =>
    admitSignedKey(db, [...values, cost.reads, cost.writes, ...maximaOf(limits)]),
  )
  if (row === undefined) return null
  if (row.fault !== null) return row.fault
  const record = recordOf(row, limits)
  const refusal = refusalOf(record, request)
  const granted = { reads: row.granted_reads, writes: row.granted_writes }
  if (refusal === null)
    return { record, refusal, passage: passageOf(row, request.kind, granted[request.kind], 0) }
  await refund(db, row, granted)
  return { record, refusal, passage: null }
}

/** Reads a key and its agency. Charges nothing. */
export async function findKey(db: Executor, key: string, clock: Clock): Promise<KeyState | null> {
  return (await lookUp(db, [key], clock))[0] ?? null
}

async function lookUp(db: Executor, keys: readonly string[], clock: Clock): Promise<(KeyState | null)[]> {
  const fingerprints = keys.map(fingerprint)
  const rows = await keysByFingerprint(db, [fingerprints, clock.offsetMs])
  const found = new Map(rows.map((row) => [row.fingerprint.toString('hex'), stateOf(row)]))
  return fingerprints.map((one) => found.get(one.toString('hex')) ?? null)
}
