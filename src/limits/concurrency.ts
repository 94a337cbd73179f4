/**
 * Bounds on concurrent work that costs memory, sockets or processor time.
 */

type Run = <T>(
  work: () => Promise<T>,
  options?: { party?: string; signal?: AbortSignal | undefined; maxWaitMs?: number },
) => Promise<T>

/**
 * Runs the work when it has a place. Free places go to the waiting party with the fewest, in turn; within a party, first come first served.
 * Rejects with the signal's reason when that aborts the wait, with WaitedTooLong after `maxWaitMs` or when too many wait, and as the work does.
 */
export type Limiter = Run & {
  /** How many requests of the party wait. */
  waiting(party: string): number
}

export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong'
}

/** `waiting`: how each that waits starts, and how it gives up. */
type Party = { taken: number; waiting: Map<() => void, (reason: unknown) => void> }

/**
 * @param placesEach what one party can have, even when nobody else wants the rest
 * @param queue `most`: how many may wait; if more do, the party with the most waiting loses its newest. `mostEach`: how many one party
 *   may have, working and waiting
 */
export function createLimiter(
  places: number,
  placesEach = places,
  { most = Number.POSITIVE_INFINITY, mostEach = Number.POSITIVE_INFINITY } = {},
): Limiter {
  let taken = 0
  /** Those that work or wait; the one that got a place last comes last. */
  const parties = new Map<string, Party>()

  // A place passes on without ever being free, so nobody can overtake.
  const handOut = (): void => {
    while (taken < places) {
      let next: [string, Party] | null = null
      for (const entry of parties) {
        const [, party] = entry
        const isFirst = party.taken < (next?.[1].taken ?? placesEach)
        if (isFirst && party.waiting.size > 0) next = entry
      }
      if (next === null) return
      const [name, party] = next
      const [start] = party.waiting.keys()
      if (start === undefined) return
      party.waiting.delete(start)
      party.taken += 1
      taken += 1
      parties.delete(name)
      parties.set(name, party)
      start()
    }
  }

  /** The newcomer's own party loses a request unless another has more waiting. */
  const turnAwayOne = (newcomer: Party): void => {
    let total = 0
    let largest = newcomer
    for (const party of parties.values()) {
      total += party.waiting.size
      if (party.waiting.size > largest.waiting.size) largest = party
    }
    if (total > most) [...largest.waiting.values()].at(-1)?.(new WaitedTooLong('too many wait'))
  }

  const forget = (name: string, party: Party): void => {
    if (party.taken === 0 && party.waiting.size === 0) parties.delete(name)
  }

  const enter = (name: string, signal: AbortSignal | undefined, maxWaitMs: number | undefined) => {
    const party: Party = parties.get(name) ?? { taken: 0, waiting: new Map() }
    parties.set(name, party)
    return new Promise<Party>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const end = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const start = (): void => {
        end()
        resolve(party)
      }
      const giveUp = (reason: unknown): void => {
        end()
        party.waiting.delete(start)
        forget(name, party)
        reject(reason)
      }
      const abort = (): void => giveUp(signal?.reason)
      party.waiting.set(start, giveUp)
      handOut()
      if (!party.waiting.has(start)) return
      if (party.taken + party.waiting.size > mostEach) return giveUp(new WaitedTooLong('too many wait'))
      turnAwayOne(party)
      if (!party.waiting.has(start)) return
      signal?.addEventListener('abort', abort)
      if (maxWaitMs !== undefined)
        timer = setTimeout(() => giveUp(new WaitedTooLong('no place in time')), maxWaitMs)
    })
  }

  const run: Run = async (work, { party: name = '', signal, maxWaitMs } = {}) => {
    signal?.throwIfAborted()
    const party = await enter(name, signal, maxWaitMs)
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

/** The work's outcome, or the signal's reason as soon as it aborts; the work itself then goes on unobserved. */
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
