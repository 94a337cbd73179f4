/**
 * Bounds on work in progress: photos cost memory, sockets and processor time, whoever asks for them.
 */

/** Runs the work when a place is free, first come, first served. An abort while waiting rejects with the signal's reason. */
export type Limiter = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** The same for several parties: a free place goes to the one with the fewest, in turn. */
export type FairLimiter = <T>(party: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

type Party = { taken: number; waiting: Set<() => void> }

/** A limiter with `places` places. */
export function createLimiter(places: number): Limiter {
  const limiter = createFairLimiter(places, places)
  return (work, signal) => limiter('', work, signal)
}

/** A limiter with `places` places, of which no party has more than `placesEach`, even when nobody else wants them. */
export function createFairLimiter(places: number, placesEach: number): FairLimiter {
  let taken = 0
  /** Those that work or wait; who got a place last stands last. */
  const parties = new Map<string, Party>()

  // A place that is left passes on without ever being free, so nobody can overtake.
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

  return async (name, work, signal) => {
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

/** The work's outcome, or the signal's reason as soon as it aborts; the work itself runs on unheard. */
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
