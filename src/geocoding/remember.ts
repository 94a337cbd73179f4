/**
 * A geocoder that asks nothing twice (spec 'Address handling'): what was answered before is read from the cache, and what is being
 * asked already is waited for.
 */
import { geocoderAnswers } from '../figures.ts'
import type { GeocodingCache } from './cache.ts'
import type { Desk, GeocodingLog } from './desk.ts'
import type { Found, Geocoder, Pin } from './geocoder.ts'
import { type Question, toQuestion } from './question.ts'

/** Two attempts fit into it. */
const defaultPatienceMs = 5_500

type Fresh = { question: Question; settle: (found: Found) => void }

/** @param close ends what the desk works with */
export function rememberingGeocoder(
  desk: Desk,
  cache: GeocodingCache,
  log: GeocodingLog,
  close: () => Promise<void>,
): Geocoder {
  const underWay = new Map<string, Promise<Found>>()

  const lookUp = async (fresh: readonly Fresh[], patienceMs: number): Promise<void> => {
    const kept = await cache.read(fresh.map(({ question }) => question.key)).catch((error: unknown) => {
      log.warn({ err: error }, 'kept answers of the geocoder could not be read')
      return new Map<string, Pin | null>()
    })
    for (const { question, settle } of fresh) {
      const pin = kept.get(question.key)
      if (pin === undefined) void desk.ask(question, patienceMs).then(settle)
      else settle(pin === null ? { status: 'none' } : { status: 'found', pin })
    }
  }

  const findMany: Geocoder['findMany'] = (places, { patienceMs = defaultPatienceMs } = {}) => {
    const fresh: Fresh[] = []
    const founds = places.map((place): Found | Promise<Found> => {
      const question = toQuestion(place)
      if (question === null) return { status: 'none' }
      const { key } = question
      const same = underWay.get(key)
      // Whoever asked first may have more patience.
      if (same !== undefined) return within(same, patienceMs)
      const { promise, resolve } = Promise.withResolvers<Found>()
      underWay.set(key, promise)
      const settle = (found: Found): void => {
        underWay.delete(key)
        geocoderAnswers.add(found.status)
        resolve(found)
      }
      fresh.push({ question, settle })
      return promise
    })
    if (fresh.length > 0) void lookUp(fresh, patienceMs)
    return Promise.all(founds)
  }

  return {
    findMany,
    async find(place, options) {
      const [found] = await findMany([place], options)
      return found ?? { status: 'none' }
    },
    isReady: desk.isReady,
    async close() {
      desk.close()
      await close()
    },
  }
}

function within(found: Promise<Found>, patienceMs: number): Promise<Found> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ status: 'unavailable' }), patienceMs)
    void found.then((value) => {
      clearTimeout(timer)
      resolve(value)
    })
  })
}
