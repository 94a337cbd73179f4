/**
 * Bounds on concurrent work that costs memory, sockets or processor time.
 */

/**
 * Runs the work when it has a place. Free places go to the waiting party with the fewest, in turn; within a party, first come first served.
 * An abort while waiting rejects with the signal's reason.
 */
type Limiter = <T>(
  work: () => Promise<T>,
  options?: { party?: string; signal?: AbortSignal | undefined },
) => Promise<T>

type Party = { taken: number; waiting: Set<() => void> }

/** @param placesEach what one party can have, even when nobody else wants the rest */
export function createLimiter(places: number, placesEach = places): Limiter {
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
      const [start] = party.waiting
      if (start === undefined) return
      party.waiting.delete(start)
      party.taken += 1
      taken += 1
      parties.delete(name)
      parties.set(name, party)
      start()
    }
  }

  const forget = (name: string, party: Party): void => {
    if (party.taken === 0 && party.waiting.size === 0) parties.delete(name)
  }

  const enter = (name: string, signal: AbortSignal | undefined): Promise<Party> => {
    const party = parties.get(name) ?? { taken: 0, waiting: new Set() }
    parties.set(name, party)
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        party.waiting.delete(start)
        forget(name, party)
        reject(signal?.reason)
      }
      const start = (): void => {
        signal?.removeEventListener('abort', abort)
        resolve(party)
      }
      party.waiting.add(start)
      signal?.addEventListener('abort', abort, { once: true })
      handOut()
    })
  }

  return async (work, { party: name = '', signal } = {}) => {
    signal?.throwIfAborted()
    const party = await enter(name, signal)
    try {
      return await work()
    } finally {
      party.taken -= 1
      taken -= 1
      forget(name, party)
      handOut()
    }
  }
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
