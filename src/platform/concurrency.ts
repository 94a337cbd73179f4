/** Bounds on concurrent work that costs memory, sockets or processor time. */
import type { ErrorDetails } from './errors/error-entry.ts'
import { ApiError } from './errors/errors.ts'
import { boundedMap } from './memory/bounded-map.ts'

type Wait = Readonly<{ signal?: AbortSignal | undefined; maxWaitMs?: number }>
type Run = <T>(work: () => Promise<T>, options?: Wait & { party?: string; isUrgent?: boolean }) => Promise<T>

/**
 * Runs the work when it has a slot. Free slots go to urgent parties before others, then to the waiting party with the fewest slots; among
 * equals, to the one whose last turn is longest ago; within a party, first come first served. All work of a party is as urgent as its
 * first. Rejects with the signal's reason if that aborts the wait, with WaitedTooLong after `maxWaitMs` or if too many wait; otherwise as
 * the work does.
 */
export type Limiter = Run & {
  /** How many jobs of the party wait. */
  waiting(party: string): number
}

export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong'
}

/** For `catch`: makes a wait that was too long `service_unavailable`, and throws any other error again. */
export function refuseLongWait(details: ErrorDetails = {}): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof WaitedTooLong)) throw error
    throw new ApiError('service_unavailable', { ...details, cause: error })
  }
}

type Waiter = ReturnType<typeof newWaiter>
type Party = { name: string; isUrgent: boolean; taken: number; waiting: Set<Waiter>; lastTurn: number }

/** Idle parties whose last turn is remembered. */
const maxRemembered = 1_000

/**
 * @param slotsEach the most slots of one party, even if others are free
 * @param queue `max`: how many may wait; beyond it, the party with the most waiting loses its newest job, urgent parties last, so no
 *   party can keep the others out. `maxEach`: how many one party may have, working and waiting
 */
export function createLimiter(
  slots: number,
  slotsEach = slots,
  { max = Number.POSITIVE_INFINITY, maxEach = Number.POSITIVE_INFINITY } = {},
): Limiter {
  let taken = 0
  let waiting = 0
  let turns = 0
  /** Parties that work or wait. */
  const parties = new Map<string, Party>()
  /** Remembers idle parties' last turns. Without it, a party that sends one job at a time would always count as new. */
  const lastTurns = boundedMap<string, number>({ max: maxRemembered })

  const join = (name: string, isUrgent: boolean): Party => {
    const party: Party = parties.get(name) ?? {
      name,
      isUrgent,
      taken: 0,
      waiting: new Set(),
      lastTurn: lastTurns.get(name) ?? 0,
    }
    parties.set(name, party)
    return party
  }
  const forgetIdle = (party: Party): void => {
    if (party.taken === 0 && party.waiting.size === 0) parties.delete(party.name)
  }

  // A slot is handed over without ever being free, so nobody can overtake.
  const handOut = (): void => {
    while (taken < slots) {
      const party = nextOf(parties.values(), slotsEach)
      if (party === null) return
      const [first] = party.waiting
      taken += 1
      turns += 1
      party.taken += 1
      party.lastTurn = turns
      lastTurns.set(party.name, turns)
      first?.start()
    }
  }

  const slotFor = (party: Party, wait: Wait): Promise<void> => {
    const waiter = newWaiter(wait, () => {
      waiting -= 1
      party.waiting.delete(waiter)
      forgetIdle(party)
    })
    waiting += 1
    party.waiting.add(waiter)
    handOut()
    if (party.waiting.has(waiter)) {
      if (party.taken + party.waiting.size > maxEach) waiter.giveUp('too many wait')
      else if (waiting > max)
        [...firstToYield(parties.values(), party).waiting].at(-1)?.giveUp('too many wait')
    }
    if (party.waiting.has(waiter)) waiter.limit()
    return waiter.started
  }

  const run: Run = async (work, { party: name = '', isUrgent = false, ...wait } = {}) => {
    wait.signal?.throwIfAborted()
    const party = join(name, isUrgent)
    await slotFor(party, wait)
    try {
      return await work()
    } finally {
      taken -= 1
      party.taken -= 1
      forgetIdle(party)
      handOut()
    }
  }
  return Object.assign(run, { waiting: (name: string) => parties.get(name)?.waiting.size ?? 0 })
}

/** A wait for a slot. It ends once, after `onEnd`. */
function newWaiter({ signal, maxWaitMs }: Wait, onEnd: () => void) {
  const { promise: started, resolve, reject } = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  const end = (): void => {
    onEnd()
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  const abort = (): void => {
    end()
    reject(signal?.reason)
  }
  const giveUp = (why: string): void => {
    end()
    reject(new WaitedTooLong(why))
  }
  return {
    started,
    giveUp,
    start(): void {
      end()
      resolve()
    },
    /** Starts the limits: the wait ends when the signal aborts or `maxWaitMs` has passed. */
    limit(): void {
      signal?.addEventListener('abort', abort)
      if (maxWaitMs !== undefined) timer = setTimeout(() => giveUp('no slot in time'), maxWaitMs)
    },
  }
}

/** The party that gets a free slot. */
function nextOf(parties: Iterable<Party>, slotsEach: number): Party | null {
  let next: Party | null = null
  for (const party of parties) {
    if (party.waiting.size === 0 || party.taken >= slotsEach) continue
    if (next === null || isBefore(party, next)) next = party
  }
  return next
}

/** When the queue is full: the party whose newest job is dropped. The newcomer's, unless another party must yield first. */
function firstToYield(parties: Iterable<Party>, newcomers: Party): Party {
  let first = newcomers
  for (const party of parties) if (party.waiting.size > 0 && yields(party, first)) first = party
  return first
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
