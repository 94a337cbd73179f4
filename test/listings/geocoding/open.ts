/** A geocoder that calls a fake service, caches its responses in a test's database, and moves the clock instead of waiting. */
import { sql } from 'kysely'
import type { RemoteGeocoderOptions } from '../../../src/listings/geocoding/lookup-sender.ts'
import type { Geocoder } from '../../../src/listings/geocoding/geocoder.ts'
import { providers } from '../../../src/listings/geocoding/open-geocoder.ts'
import { remoteGeocoder } from '../../../src/listings/geocoding/remote-geocoder.ts'
import { clientLimits } from '../../../src/listings/geocoding/services/client.ts'
import type { TestDatabase } from '../../support/database/database.ts'
import { type FakeService, georefDialect, nominatimDialect, serve } from './fake-service.ts'

export type ProviderName = 'georef' | 'nominatim'
export const dialects = { georef: georefDialect, nominatim: nominatimDialect }

export type Bench = {
  service: FakeService
  geocoder: Geocoder
  clock: { offsetMs: number }
  /** The waits between requests, in milliseconds, had it not moved the clock. */
  waits: number[]
  logged: string[]
  /** Another instance on the same database and service. */
  another(): Geocoder
  [Symbol.asyncDispose](): Promise<void>
}

/** @param options override those that suit a test */
export async function bench(
  name: ProviderName,
  { db }: Pick<TestDatabase, 'db'>,
  options: Partial<RemoteGeocoderOptions> = {},
): Promise<Bench> {
  const service = await serve(dialects[name])
  await sql`delete from geocoding_pace`.execute(db)
  const { clock = { offsetMs: 0 } } = options
  const waits: number[] = []
  const logged: string[] = []
  const opened: Geocoder[] = []
  const log = {
    info: (_details: object, message: string) => void logged.push(message),
    warn: (_details: object, message: string) => void logged.push(message),
  }
  const open = (): Geocoder => {
    const geocoder = remoteGeocoder(providers[name], {
      db,
      clock,
      log,
      url: service.url,
      serviceName: 'Svc',
      publicBaseUrl: 'https://listings.example',
      limits: clientLimits,
      wait: async (ms, signal) => {
        signal.throwIfAborted()
        waits.push(ms)
        clock.offsetMs += ms
      },
      ...options,
    })
    opened.push(geocoder)
    return geocoder
  }
  return {
    service,
    geocoder: open(),
    clock,
    waits,
    logged,
    another: open,
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((geocoder) => geocoder.close()))
      await service[Symbol.asyncDispose]()
    },
  }
}
