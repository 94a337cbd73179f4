/** Bounds on concurrent work that costs memory, sockets or processor time. */
import { boundedMap } from '../platform/memory/bounded-map.ts'

type Run = <T>(
  work: () => Promise<T>,
  options?: { party?: string; isUrgent?: boolean; signal?: AbortSignal | undefined; maxWaitMs?: number },
) => Promise<T>

/**
 * Runs the work when it has a slot. Free slots go to urgent parties before others, then to the waiting party with the fewest; among
 * those, to the one whose last turn is longest ago; within a party, first come first served. All work of a party is as urgent as its first.
 * Rejects with the signal's reason when that aborts the wait, with WaitedTooLong after `maxWaitMs` or when too many wait, and as the work
 * does.
 */
export type Limiter = Run & {
  /** How many requests of the party wait. */
  waiting(party: string): number
}

export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong'
}

type Waiter = { start: () => void; giveUp: (reason: unknown) => void }
type Party = { isUrgent: boolean; taken: number; waiting: Set<Waiter>; lastTurn: number }

/** Idle parties whose last turn is remembered. */
const mostRemembered = 1_000

/**
 * @param slotsEach the most slots of one party, even if others are free
 * @param queue `most`: how many may wait; beyond it, the party with the most waiting loses its newest, an urgent one last, so no party can
 *   keep the others out. `mostEach`: how many one party may have, working and waiting
 */
export function createLimiter(
  slots: number,
  slotsEach = slots,
  { most = Number.POSITIVE_INFINITY, mostEach = Number.POSITIVE_INFINITY } = {},
): Limiter {
  let taken = 0
  let waiting = 0
  let turns = 0
  /** Parties that work or wait. */
  const parties = new Map<string, Party>()
  /** Otherwise a party that sends one job at a time would be new each time. */
  const lastTurns = boundedMap<string, number>({ most: mostRemembered })

  // A slot is handed over without ever being free, so nobody can overtake.
  const handOut = (): void => {
    while (taken < slots) {
      let next: [string, Party] | null = null
      for (const entry of parties) {
        const [, party] = entry
        if (party.waiting.size === 0 || party.taken >= slotsEach) continue
        if (next === null || isBefore(party, next[1])) next = entry
      }
      if (next === null) return
      const [name, party] = next
      const [first] = party.waiting
      party.taken += 1
      taken += 1
      turns += 1
      party.lastTurn = turns
      lastTurns.set(name, turns)
      first?.start()
    }
  }

  const forget = (name: string, party: Party): void => {
    if (party.taken === 0 && party.waiting.size === 0) parties.delete(name)
  }

  /** Refuses one that waits: the newcomer, unless another party must yield first. */
  const dropOne = (newcomers: Party): void => {
    let longest = newcomers
    for (const party of parties.values())
      if (party.waiting.size > 0 && yields(party, longest)) longest = party
    const newest = [...longest.waiting].at(-1)
    newest?.giveUp(new WaitedTooLong('too many wait'))
  }

  const enter = (
    name: string,
    isUrgent: boolean,
    signal: AbortSignal | undefined,
    maxWaitMs: number | undefined,
  ) => {
    const party: Party = parties.get(name) ?? {
      isUrgent,
      taken: 0,
      waiting: new Set(),
      lastTurn: lastTurns.get(name) ?? 0,
    }
    parties.set(name, party)
    return new Promise<Party>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const end = (): void => {
        party.waiting.delete(waiter)
        waiting -= 1
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const waiter: Waiter = {
        start: () => {
          end()
          resolve(party)
        },
        giveUp: (reason) => {
          end()
          forget(name, party)
          reject(reason)
        },
      }
      const abort = (): void => waiter.giveUp(signal?.reason)
      party.waiting.add(waiter)
      waiting += 1
      handOut()
      if (!party.waiting.has(waiter)) return
      if (party.taken + party.waiting.size > mostEach)
        return waiter.giveUp(new WaitedTooLong('too many wait'))
      if (waiting > most) dropOne(party)
      if (!party.waiting.has(waiter)) return
      signal?.addEventListener('abort', abort)
      if (maxWaitMs !== undefined)
        timer = setTimeout(() => waiter.giveUp(new WaitedTooLong('no slot in time')), maxWaitMs)
    })
  }

  const run: Run = async (work, { party: name = '', isUrgent = false, signal, maxWaitMs } = {}) => {
    signal?.throwIfAborted()
    const party = await enter(name, isUrgent, signal, maxWaitMs)
    try {
      return await work()
    } finally {
      party.taken -= 1
      taken -= 1
      forget(name, party)
      handOut()
    }
  }
  return Object.assign(run, { waiting: (name: string) => parties.get(name)?.waiting.size ?? 0 })
}

function isBefore(one: Party, other: Party): boolean {
  if (one.isUrgent !== other.isUrgent) return one.isUrgent
  return one.taken === other.taken ? one.lastTurn < other.lastTurn : one.taken < other.taken
}

function yields(one: Party, other: Party): boolean {
  if (one.isUrgent !== other.isUrgent) return other.isUrgent
  return one.waiting.size > other.waiting.size
}

/** The work's outcome, or the signal's reason as soon as it aborts; the work itself then continues unobserved. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
