/**
 * A geocoder that calls a service as rarely as possible (api.md 12.2): equal lookups are merged, the cache is used first, and waiting
 * lookups share a request. Every lookup gets its result within its patience.
 */
import type { Provider } from './services/client.ts'
import type { Geocoder, GeocodingResult } from './geocoder.ts'
import { type Lookup, toLookup } from './lookup.ts'
import { lookupQueue, none, type OpenLookup, toResult, unavailable } from './lookup-queue.ts'
import type { Pins, RemoteGeocoderOptions } from './lookup-sender.ts'
import { openCache } from './geocoding-cache.ts'
import { inTime } from '../../platform/time/clock.ts'
import { geocoderAnswers } from '../../platform/log/counters.ts'

/** Long enough for two attempts. */
const defaultPatienceMs = 5_500

/** Makes the geocoder. Call `close` at the end. */
export function remoteGeocoder(provider: Provider, options: RemoteGeocoderOptions): Geocoder {
  const { log } = options
  const cache = openCache(options.db, options.clock, provider.name)
  const queue = lookupQueue(provider, cache, options)
  /** By the key of the lookup. */
  const openLookups = new Map<string, OpenLookup>()

  const findMany: Geocoder['findMany'] = (addresses, { patienceMs = defaultPatienceMs } = {}) => {
    const fresh: OpenLookup[] = []
    const results = addresses.map((address): GeocodingResult | Promise<GeocodingResult> => {
      const lookup = toLookup(address)
      if (lookup === null) return none
      const same = openLookups.get(lookup.key)
      // The first caller may have more patience.
      if (same !== undefined) return inTime(patienceMs, same.result, unavailable)
      const added = openLookup(openLookups, lookup, patienceMs)
      fresh.push(added)
      return added.result
    })
    if (fresh.length > 0) void start(fresh)
    return Promise.all(results)
  }

  /** Settles lookups from the cache; the others wait for the service. */
  const start = async (fresh: readonly OpenLookup[]): Promise<void> => {
    const cached = await cache.read(fresh.map(({ lookup }) => lookup.key)).catch((error: unknown) => {
      log.warn({ err: error }, 'the geocoding cache could not be read')
      return new Map() as Pins
    })
    for (const { lookup, settle } of fresh)
      if (cached.has(lookup.key)) settle(toResult(cached.get(lookup.key)))
    queue.add(fresh.filter((one) => one.isOpen()))
  }

  return {
    findMany,
    async find(address, findOptions) {
      const [result] = await findMany([address], findOptions)
      return result ?? none
    },
    isReady: queue.isReady,
    async close() {
      for (const { settle } of openLookups.values()) settle(unavailable)
      await queue.close()
    },
  }
}

/** Adds the lookup to the open ones, until it is settled or its patience ends. */
function openLookup(openLookups: Map<string, OpenLookup>, lookup: Lookup, patienceMs: number): OpenLookup {
  const { promise, resolve } = Promise.withResolvers<GeocodingResult>()
  const isOpen = (): boolean => openLookups.get(lookup.key) === added
  const added: OpenLookup = {
    lookup,
    endsAt: performance.now() + patienceMs,
    isAlone: false,
    result: promise,
    isOpen,
    settle(result) {
      if (!isOpen()) return
      openLookups.delete(lookup.key)
      clearTimeout(timer)
      geocoderAnswers.add(result.status)
      resolve(result)
    },
  }
  const timer = setTimeout(() => added.settle(unavailable), patienceMs)
  openLookups.set(lookup.key, added)
  return added
}
