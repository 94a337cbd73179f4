/**
 * Admits requests that arrive together with one statement. Its result is never reused, so a revocation holds for every request that
 * arrives after it. Only exhausted keys are remembered, whose usage is read before anything is written.
 */
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { shareStatement } from '../db/shared-statement.ts'
import { admissionSeconds, admissionStatements } from '../figures.ts'
import type { Limits } from '../limits/table.ts'
import { boundedMap } from '../memory/bounded-map.ts'
import { type Admission, admit, type Charge, type Demand, type KeyRecord } from './admit.ts'
import { fingerprint, parseApiKey } from './key-format.ts'

const bounds = { mostInFlight: 2, mostAtOnce: 100 }
/** A forgotten key costs one row version more, or a second statement. */
const mostRemembered = 10_000

/** What one request asks for. */
export type Asking = {
  key: string
  /** The counter it is charged to, and how much. */
  kind: 'reads' | 'writes'
  cost: number
  scope: string
  origin: string | null
  /** Whether that is the service's own. */
  isOwnOrigin?: boolean
  signed: boolean
}

/** Key and agency, and whether the limits of reads or writes let it pass. */
export type Admitted = {
  record: KeyRecord
  /** Null where nothing was charged: the key may not pass, or its signature is not checked yet. */
  passage: Passage | null
}

export type Passage = {
  /** How much of the cost was granted: all or nothing, except for a batch. */
  granted: number
  /** Used of the minute's and the day's limit, including this request. */
  minuteUsed: number
  dayUsed: number
  minuteResets: number
  dayResets: number
}

export type Admit = (asking: Asking) => Promise<Admitted | null>

/**
 * Makes the gate.
 * @returns a function that gives null for an unknown key. When a statement fails, only its own requests reject.
 */
export function admission(db: Db, limits: Limits, clock: Clock): Admit {
  /** Keys with an exhausted window when last charged. */
  const exhausted = boundedMap<string, true>({ most: mostRemembered })
  /** Keys whose agency had limits of its own. */
  const ownLimits = boundedMap<string, true>({ most: mostRemembered })
  const note = (map: typeof exhausted, key: string, holds: boolean): void => {
    if (holds) map.set(key, true)
    else map.delete(key)
  }

  const remember = (key: string, admission: Admission | null): void => {
    if (admission === null || admission.charge === null) return
    const { record, charge } = admission
    note(exhausted, key, hasExhausted(charge, record.limits))
    note(ownLimits, key, record.limits !== limits)
  }

  const admitTogether = async (askings: readonly Asking[]): Promise<(Admitted | null)[]> => {
    const groups = grouped(askings)
    const demands = groups.map((group) => {
      const { key } = group[0] as Placed
      return demandOf(group, exhausted.get(key) === true, ownLimits.get(key) === true)
    })
    const began = performance.now()
    let outcome = 'failed'
    try {
      const admissions = await admit(db, demands, limits, clock)
      groups.forEach(([first], index) => remember((first as Placed).key, admissions[index] ?? null))
      outcome = 'answered'
      return share(groups, admissions, askings.length)
    } finally {
      admissionStatements.add(outcome)
      admissionSeconds.add(outcome, (performance.now() - began) / 1_000)
    }
  }

  const ask = shareStatement(admitTogether, bounds)
  return async (asking) => (parseApiKey(asking.key) === null ? null : ask(asking))
}

/** One of those that share a statement. */
type Placed = Asking & { place: number }

/** Requests with one key that ask for the same, in the order of their arrival. */
function grouped(askings: readonly Asking[]): Placed[][] {
  const groups = new Map<string, Placed[]>()
  for (const [place, asking] of askings.entries()) {
    const { key, scope, origin, signed } = asking
    // An Origin that is empty is not one that is missing.
    const name = JSON.stringify([key, scope, signed, origin])
    const group = groups.get(name) ?? []
    group.push({ ...asking, place })
    groups.set(name, group)
  }
  return [...groups.values()]
}

function demandOf(group: readonly Placed[], isExhausted: boolean, hasOwnLimits: boolean): Demand {
  const { key, scope, origin, isOwnOrigin = false, signed } = group[0] as Placed
  const total = (wanted: Asking['kind']) =>
    group.reduce((sum, { kind, cost }) => sum + (kind === wanted ? cost : 0), 0)
  return {
    fingerprint: fingerprint(key),
    scope,
    origin,
    isOwnOrigin,
    signed,
    reads: total('reads'),
    writes: total('writes'),
    isExhausted,
    hasOwnLimits,
  }
}

function hasExhausted({ used }: Charge, limits: Limits): boolean {
  return (
    used.minuteReads >= limits.reads_per_minute.max ||
    used.dayReads >= limits.reads_per_day.max ||
    used.minuteWrites >= limits.writes_per_minute.max ||
    used.dayWrites >= limits.writes_per_day.max
  )
}

/** Hands what was granted to a key to its requests, first come first served. @returns what each of them gets, by its place */
function share(
  groups: readonly (readonly Placed[])[],
  admissions: readonly (Admission | null)[],
  count: number,
): (Admitted | null)[] {
  const admitted = Array.from({ length: count }, (): Admitted | null => null)
  const left = new Map<string, Charge['granted']>()
  groups.forEach((group, index) => {
    const admission = admissions[index] ?? null
    if (admission === null) return
    const { record, charge } = admission
    for (const { place, kind, cost } of group) {
      if (charge === null) {
        admitted[place] = { record, passage: null }
        continue
      }
      const remaining = left.get(record.key.id) ?? { ...charge.granted }
      left.set(record.key.id, remaining)
      const granted = Math.min(cost, remaining[kind])
      remaining[kind] -= granted
      admitted[place] = { record, passage: passageOf(charge, kind, granted, remaining[kind]) }
    }
  })
  return admitted
}

function passageOf({ used, resets }: Charge, kind: Asking['kind'], granted: number, toCome: number): Passage {
  const [minute, day] =
    kind === 'reads' ? [used.minuteReads, used.dayReads] : [used.minuteWrites, used.dayWrites]
  // What the same statement granted to later requests of this key does not count for this one.
  return {
    granted,
    minuteUsed: minute - toCome,
    dayUsed: day - toCome,
    minuteResets: resets.minute,
    dayResets: resets.day,
  }
}
