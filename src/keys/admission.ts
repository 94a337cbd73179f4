/**
 * Admits requests that arrive together with one statement. Nothing is kept between statements, so a revocation holds for every
 * request that arrives after it.
 */
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { admissionSeconds, admissionStatements } from '../figures.ts'
import type { Limits } from '../limits/table.ts'
import { type Admission, admit, type Charge, type Demand, type KeyRecord } from './admit.ts'
import { fingerprint, parseApiKey } from './key-format.ts'

const maxInFlight = 2
const maxPerStatement = 100

/** What one request asks for. */
export type Asking = {
  key: string
  /** Which of the key's counters it is charged to, and how often. */
  kind: 'reads' | 'writes'
  cost: number
  scope: string
  origin: string | null
  signed: boolean
}

/** Who asked, and whether the limits of reads or writes let it pass. */
export type Admitted = {
  record: KeyRecord
  /** Null where nothing was charged: a key that may not pass, or whose signature has yet to be checked. */
  passage: Passage | null
}

export type Passage = {
  /** How much of the cost was granted: all of it, but for a batch that meets its limit on the way. */
  granted: number
  /** Used of the minute's limit, this request included, and of the day's. */
  minuteUsed: number
  dayUsed: number
  minuteResets: number
  dayResets: number
}

export type Admit = (asking: Asking) => Promise<Admitted | null>

type Waiting = {
  asking: Asking
  resolve: (admitted: Admitted | null) => void
  reject: (error: unknown) => void
}

/**
 * Makes the gate.
 * @returns a function from what a request asks for to who it is and whether it passes; null when no such key exists. It
 *   rejects when the database does, and then only the requests of that very statement.
 */
export function admission(db: Db, limits: Limits, clock: Clock): Admit {
  let waiting: Waiting[] = []
  let inFlight = 0
  let scheduled = false

  // After the sockets that are ready now have been read, so that their requests share a statement.
  const schedule = (): void => {
    if (scheduled || inFlight >= maxInFlight || waiting.length === 0) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      const batch = waiting.slice(0, maxPerStatement)
      waiting = waiting.slice(maxPerStatement)
      void send(batch)
      schedule()
    })
  }

  const send = async (batch: readonly Waiting[]): Promise<void> => {
    inFlight += 1
    const { groups, demands } = grouped(batch)
    const began = performance.now()
    let outcome = 'answered'
    try {
      const admissions = await admit(db, demands, limits, clock)
      share(groups, admissions)
    } catch (error) {
      outcome = 'failed'
      for (const { reject } of batch) reject(error)
    }
    admissionStatements.add(outcome)
    admissionSeconds.add(outcome, (performance.now() - began) / 1_000)
    inFlight -= 1
    schedule()
  }

  return (asking) => {
    if (parseApiKey(asking.key) === null) return Promise.resolve(null)
    return new Promise((resolve, reject) => {
      waiting.push({ asking, resolve, reject })
      schedule()
    })
  }
}

/** Requests with one key that ask for the same are one demand; the order of arrival is kept. */
function grouped(batch: readonly Waiting[]): { groups: Waiting[][]; demands: Demand[] } {
  const groups = new Map<string, Waiting[]>()
  for (const entry of batch) {
    const { key, scope, origin, signed } = entry.asking
    // An Origin that is empty is not one that is missing.
    const name = JSON.stringify([key, scope, signed, origin])
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [entry])
    else group.push(entry)
  }
  const lists = [...groups.values()]
  const demands = lists.map((group): Demand => {
    const { key, scope, origin, signed } = (group[0] as Waiting).asking
    const total = (kind: Asking['kind']) =>
      group.reduce((sum, { asking }) => sum + (asking.kind === kind ? asking.cost : 0), 0)
    return {
      fingerprint: fingerprint(key),
      scope,
      origin,
      signed,
      reads: total('reads'),
      writes: total('writes'),
    }
  })
  return { groups: lists, demands }
}

/** Hands what was granted to a key to its requests, first come first served. */
function share(groups: readonly (readonly Waiting[])[], admissions: readonly (Admission | null)[]): void {
  const left = new Map<string, Charge['granted']>()
  groups.forEach((group, index) => {
    const admitted = admissions[index] ?? null
    for (const { asking, resolve } of group) {
      if (admitted === null || admitted.charge === null) {
        resolve(admitted === null ? null : { record: admitted.record, passage: null })
        continue
      }
      const { record, charge } = admitted
      const remaining = left.get(record.key.id) ?? { ...charge.granted }
      left.set(record.key.id, remaining)
      const granted = Math.min(asking.cost, remaining[asking.kind])
      remaining[asking.kind] -= granted
      resolve({ record, passage: passageOf(charge, asking.kind, granted, remaining[asking.kind]) })
    }
  })
}

function passageOf({ used, resets }: Charge, kind: Asking['kind'], granted: number, toCome: number): Passage {
  const [minute, day] =
    kind === 'reads' ? [used.minuteReads, used.dayReads] : [used.minuteWrites, used.dayWrites]
  // What the statement granted to later requests of this key is not used yet as far as this one is concerned.
  return {
    granted,
    minuteUsed: minute - toCome,
    dayUsed: day - toCome,
    minuteResets: resets.minute,
    dayResets: resets.day,
  }
}
