/**
 * Bounds on concurrent work that costs memory, sockets or processor time.
 */

/**
 * Runs the work when it has a place. Free places go to the waiting party with the fewest, in turn; within a party, first come first served.
 * Rejects with the signal's reason when that aborts the wait, with WaitedTooLong after `maxWaitMs`, and as the work does.
 */
export type Limiter = <T>(
  work: () => Promise<T>,
  options?: { party?: string; signal?: AbortSignal | undefined; maxWaitMs?: number },
) => Promise<T>

export class WaitedTooLong extends Error {
  override readonly name = 'WaitedTooLong'
}

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

  const enter = (name: string, signal: AbortSignal | undefined, maxWaitMs: number | undefined) => {
    const party: Party = parties.get(name) ?? { taken: 0, waiting: new Set() }
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
      party.waiting.add(start)
      handOut()
      if (!party.waiting.has(start)) return
      signal?.addEventListener('abort', abort)
      if (maxWaitMs !== undefined)
        timer = setTimeout(() => giveUp(new WaitedTooLong('no place in time')), maxWaitMs)
    })
  }

  return async (work, { party: name = '', signal, maxWaitMs } = {}) => {
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
