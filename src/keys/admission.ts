/**
 * Admits requests that arrive together with one statement. Its result is never reused, so a revocation holds for every request that
 * arrives after it. What is remembered of a key only chooses the statement: whether it is exhausted, so that its usage is read before
 * anything is written, and whether it will pass, so that a plain update does.
 */
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { databaseTime } from '../db/now.ts'
import { shareStatement } from '../db/shared-statement.ts'
import { admissionSeconds, admissionStatements } from '../figures.ts'
import type { Limits } from '../limits/table.ts'
import { boundedMap } from '../memory/bounded-map.ts'
import { type Admission, admit, type Charge, type Demand, type KeyRecord } from './admit.ts'
import { admitKnownAtNode, makeCounters, findAgencyOfKey } from './admit-at-node.ts'
import { admitKnown, type KnownKey } from './admit-known.ts'
import { fingerprint, parseApiKey } from './key-format.ts'

const bounds = { mostInFlight: 2, mostAtOnce: 100 }
/** A forgotten key costs one row version more, or a second statement. */
const mostRemembered = 10_000

/** Of a key when it was last charged; none of it is relied upon. */
type Remembered = KnownKey & {
  isExhausted: boolean
  hasOwnLimits: boolean
  /** Whether it requires signatures. */
  isSigned: boolean
  /** When the minute of its counters is over, in milliseconds of this process. */
  windowEnds: number
}

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
  const remembered = boundedMap<string, Remembered>({ most: mostRemembered })
  const now = (): number => performance.now() + clock.offsetMs
  const timeOf = databaseTime(clock)

  const remember = (key: string, admission: Admission | null): void => {
    if (admission === null) return
    const { record, charge } = admission
    if (charge === null) {
      const known = remembered.get(key)
      // The first step of a signed request is never charged.
      if (known !== undefined && !known.isSigned) remembered.set(key, { ...known, windowEnds: 0 })
      return
    }
    remembered.set(key, {
      agencyId: record.agency.id,
      keyId: record.key.id,
      isExhausted: hasExhausted(charge, record.limits),
      hasOwnLimits: record.limits !== limits,
      isSigned: record.key.signature_required,
      // A second early, because `resets` is rounded up.
      windowEnds: now() + (charge.resets.minute - 1) * 1_000,
    })
  }

  const willPassNow = (demand: Demand, known: Remembered | undefined): known is Remembered =>
    known !== undefined && willPass(demand, known, now())

  const admitHere: AdmitAll = async (groups) => {
    const demands = groups.map(({ demand }) => demand)
    const [{ demand, known }] = groups as [Group]
    if (demands.length === 1 && willPassNow(demand, known)) {
      const admitted = await admitKnown(db, demand, known, limits, clock)
      if (admitted !== null) return [admitted]
    }
    return admit(db, demands, limits, clock)
  }

  const admitAtNode =
    (node: Db): AdmitAll =>
    async (groups) => {
      const admissions = new Map<Group, Admission | null>()
      const byKey = [...Map.groupBy(groups, ({ key }) => key).values()]
      const usual = byKey.flatMap((ofKey) => {
        const known = ofKey[0]?.known
        return ofKey.every(({ demand }) => willPassNow(demand, known)) && known !== undefined
          ? [{ ofKey, demands: ofKey.map(({ demand }) => demand), known }]
          : []
      })
      const passed = await admitKnownAtNode(node, usual, limits, await timeOf(node))
      usual.forEach(({ ofKey }, index) => {
        passed[index]?.forEach((admission, place) => admissions.set(ofKey[place] as Group, admission))
      })
      // Citus runs the whole statement for one agency at a time.
      const left = byKey.filter(([first]) => !admissions.has(first as Group))
      await Promise.all(
        left.map(async (ofKey) => {
          const { agencyId } = ofKey[0] as Group
          const demands = ofKey.map(({ demand }) => demand)
          let found = await admit(node, demands, limits, clock, agencyId)
          const lost = found.find((one, index) => isUncounted(one, demands[index]))
          if (lost != null) {
            await makeCounters(node, [agencyId, lost.record.key.id])
            found = await admit(node, demands, limits, clock, agencyId)
          }
          ofKey.forEach((group, index) => admissions.set(group, found[index] ?? null))
        }),
      )
      return groups.map((group) => admissions.get(group) ?? null)
    }

  const gateOf = (admitAll: AdmitAll, mostInFlight = 2): Gate =>
    shareStatement(
      async (askings) => {
        const groups = grouped(askings, (key) => remembered.get(key))
        const began = performance.now()
        let outcome = 'failed'
        try {
          const admissions = await admitAll(groups)
          groups.forEach(({ key }, index) => remember(key, admissions[index] ?? null))
          outcome = 'answered'
          return share(groups, admissions, askings.length)
        } finally {
          admissionStatements.add(outcome)
          admissionSeconds.add(outcome, (performance.now() - began) / 1_000)
        }
      },
      { ...bounds, mostInFlight },
    )

  const ask = db.isDistributed ? atNodes(db, (node) => gateOf(admitAtNode(node), 1)) : gateOf(admitHere)
  return async (asking) => (parseApiKey(asking.key) === null ? null : ask({ ...asking, agencyId: null }))
}

/** `agencyId`: of the key, where it has to be known. */
type Question = Asking & { agencyId: string | null }
type Gate = (question: Question) => Promise<Admitted | null>
/** @returns one entry for each group, in their order */
type AdmitAll = (groups: readonly Group[]) => Promise<readonly (Admission | null)[]>

/** A gate for each node. */
function atNodes(db: Db, gateOf: (node: Db) => Gate): Gate {
  const agencies = boundedMap<string, string>({ most: mostRemembered })
  const gates = new WeakMap<Db, Gate>()
  return async (question) => {
    const { key } = question
    let agencyId = agencies.get(key) ?? null
    if (agencyId === null) {
      agencyId = (await findAgencyOfKey(db, fingerprint(key)))?.agencyId ?? null
      if (agencyId === null) return null
      agencies.set(key, agencyId)
    }
    const node = await db.at(agencyId)
    const gate = gates.get(node) ?? gateOf(node)
    gates.set(node, gate)
    return gate({ ...question, agencyId })
  }
}

/** Whether the demand will most likely be charged in full. */
function willPass({ reads, writes, signed }: Demand, known: Remembered, now: number): boolean {
  const { isExhausted, hasOwnLimits, isSigned, windowEnds } = known
  return reads + writes > 0 && (signed || !isSigned) && !isExhausted && !hasOwnLimits && now < windowEnds
}

/** One of those that share a statement. */
type Placed = Question & { place: number }

/** Requests with one key that ask for the same, in the order of their arrival. */
type Group = {
  key: string
  agencyId: string | null
  requests: readonly Placed[]
  demand: Demand
  known: Remembered | undefined
}

function grouped(questions: readonly Question[], knownOf: (key: string) => Remembered | undefined): Group[] {
  const groups = new Map<string, Placed[]>()
  for (const [place, question] of questions.entries()) {
    const { key, scope, origin, signed } = question
    // An Origin that is empty is not one that is missing.
    const name = JSON.stringify([key, scope, signed, origin])
    const group = groups.get(name) ?? []
    group.push({ ...question, place })
    groups.set(name, group)
  }
  return [...groups.values()].map((requests) => {
    const { key, agencyId } = requests[0] as Placed
    const known = knownOf(key)
    return { key, agencyId, requests, known, demand: demandOf(requests, known) }
  })
}

function demandOf(group: readonly Placed[], known: Remembered | undefined): Demand {
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
    isExhausted: known?.isExhausted ?? false,
    hasOwnLimits: known?.hasOwnLimits ?? false,
  }
}

/** Whether a key has no counters although it has been seen: a standby that lagged behind may have taken its node's place. */
function isUncounted(admission: Admission | null, demand: Demand | undefined): boolean {
  if (admission === null || admission.charge === null || demand === undefined) return false
  const { record, charge } = admission
  const isRefused = charge.granted.reads + charge.granted.writes === 0
  return isRefused && demand.reads + demand.writes > 0 && !hasExhausted(charge, record.limits)
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
  groups: readonly Group[],
  admissions: readonly (Admission | null)[],
  count: number,
): (Admitted | null)[] {
  const admitted = Array.from({ length: count }, (): Admitted | null => null)
  const left = new Map<string, Charge['granted']>()
  groups.forEach(({ requests }, index) => {
    const admission = admissions[index] ?? null
    if (admission === null) return
    const { record, charge } = admission
    for (const { place, kind, cost } of requests) {
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
