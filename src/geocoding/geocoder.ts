/**
 * Finding an address on the map (spec 'Address handling'). The services are chosen here; what none can place is stored without a
 * pin, because coordinates are never invented, and a service that is down fails nothing.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { createBreaker } from './breaker.ts'
import { openCache } from './cache.ts'
import { type ClientLimits, openClient } from './client.ts'
import { type GeocodingLog, openDesk } from './desk.ts'
import { georef } from './georef.ts'
import { nominatim } from './nominatim.ts'
import { reserveMoment } from './pace.ts'
import type { Provider } from './provider.ts'
import { toQuestion } from './question.ts'
import { rememberingGeocoder } from './remember.ts'

/** Where something is, as an agency says it. */
export type Place = { address: string; city: string | null; province: string | null }

/** Degrees. `resolved`: the very street number was placed; `approximate`: the street alone. */
export type Pin = { lat: number; lng: number; status: 'resolved' | 'approximate' }

/** `none`: no such place is known. `unavailable`: the service could not be asked; asking again later may help. */
export type Found = { status: 'found'; pin: Pin } | { status: 'none' } | { status: 'unavailable' }

export type FindOptions = {
  /** After so long the answer is `unavailable`, in milliseconds. For a write that waits by default; a job has more. */
  patienceMs?: number
}

export type Geocoder = {
  /** Where the place is. Never rejects. */
  find(place: Place, options?: FindOptions): Promise<Found>
  /** Where each of the places is, in as few requests as the service allows. Never rejects. */
  findMany(places: readonly Place[], options?: FindOptions): Promise<Found[]>
  /** Whether a question would be sent: false while the service is known to be down, and where there is none. */
  isReady(): boolean
  /** Ends what is under way; whoever waits is answered `unavailable`. */
  close(): Promise<void>
}

const providers: Readonly<Record<'georef' | 'nominatim', Provider>> = { georef, nominatim }

export type GeocoderName = keyof typeof providers | 'none'

/** Whose data the pins are, to be named where they are shown; null for none. */
export const attributions: Readonly<Record<GeocoderName, { text: string; url: string } | null>> = {
  georef: {
    text: 'Servicio de Normalización de Datos Geográficos de Argentina, CC BY 4.0',
    url: 'https://datosgobar.github.io/georef-ar-api/terms/',
  },
  nominatim: { text: '© OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' },
  none: null,
}

export type GeocoderOptions = {
  db: Db
  clock: Clock
  log: GeocodingLog
  /** The address of the service; null for its public one. */
  url: string | null
  serviceName: string
  publicBaseUrl: string
  limits?: Partial<ClientLimits>
  /** Milliseconds on a clock that never goes back. */
  now?: () => number
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** The longest that a request waits for its turn among those of all instances. */
const maxTurnMs = 3_000

/** Opens the geocoder of that name. Call `close` at the end. */
export function openGeocoder(name: GeocoderName, options: GeocoderOptions): Geocoder {
  if (name === 'none') return noGeocoder
  const provider = providers[name]
  const { db, clock, log, limits, now = () => performance.now() } = options
  const { intervalMs } = provider
  const client = openClient({ ...options, baseUrl: options.url ?? provider.defaultUrl, limits })
  const breaker = createBreaker({
    now,
    onChange: (state) => {
      if (state === 'open') log.warn({ provider: name }, 'the geocoder fails; it is left alone for a while')
      else log.info({ provider: name }, 'the geocoder works again')
    },
  })
  const cache = openCache(db, clock, name)
  const desk = openDesk({
    provider,
    client,
    breaker,
    now,
    reserve: async () =>
      intervalMs === 0 ? 0 : reserveMoment(db, clock, { provider: name, intervalMs, maxWaitMs: maxTurnMs }),
    wait: options.wait ?? ((ms, signal) => delay(ms, undefined, { signal })),
    remember: cache.write,
    log,
  })
  return rememberingGeocoder(desk, cache, log, client.close)
}

/** What is wrong with the service, as a sentence, or null when it answers. Asks it one well-known address. */
export async function checkGeocoder(
  name: GeocoderName,
  options: Pick<GeocoderOptions, 'url' | 'serviceName' | 'publicBaseUrl' | 'limits'>,
): Promise<string | null> {
  const question = toQuestion({ address: 'Avenida de Mayo 500', city: 'CABA', province: null })
  if (name === 'none' || question === null) return null
  const provider = providers[name]
  const client = openClient({ ...options, baseUrl: options.url ?? provider.defaultUrl })
  try {
    provider.read(await client.send(provider.request([question]), new AbortController().signal), [question])
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await client.close()
  }
}

/** A geocoder that is one function. */
export function geocoderOf(find: (place: Place) => Promise<Found>): Geocoder {
  return {
    find,
    findMany: (places) => Promise.all(places.map(find)),
    isReady: () => true,
    close: async () => {},
  }
}

/** Places nothing: for operators who want no address to leave the house. */
export const noGeocoder: Geocoder = {
  ...geocoderOf(async () => ({ status: 'none' })),
  isReady: () => false,
}
