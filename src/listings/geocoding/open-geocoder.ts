/** The geocoding services that an operator can choose, by name. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Config, GeocoderName } from '../../platform/config/config.ts'
import type { RemoteGeocoderOptions } from './lookup-sender.ts'
import { remoteGeocoder } from './remote-geocoder.ts'
import { clientLimits, openClient, type Provider } from './services/client.ts'
import { type Geocoder, noGeocoder } from './geocoder.ts'
import { georef } from './services/georef.ts'
import { nominatim } from './services/nominatim.ts'
import { toLookup } from './lookup.ts'

export const providers: Readonly<Record<Exclude<GeocoderName, 'none'>, Provider>> = { georef, nominatim }

/** The attribution for shown pins, or null. */
export const attributions: Readonly<Record<GeocoderName, { text: string; url: string } | null>> = {
  georef: {
    text: 'Servicio de Normalización de Datos Geográficos de Argentina, CC BY 4.0',
    url: 'https://datosgobar.github.io/georef-ar-api/terms/',
  },
  nominatim: { text: '© OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' },
  none: null,
}

/** Opens the geocoder of that name. Call `close` at the end. */
export function openGeocoder(
  name: GeocoderName,
  options: Omit<RemoteGeocoderOptions, 'limits' | 'wait'>,
): Geocoder {
  if (name === 'none') return noGeocoder
  const wait = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal })
  return remoteGeocoder(providers[name], { ...options, limits: clientLimits, wait })
}

/** Looks up one well-known address. @returns the reason for a failure, or null */
export async function checkGeocoder(
  config: Pick<Config, 'geocoder' | 'geocoderUrl' | 'serviceName' | 'publicBaseUrl'>,
): Promise<Error | null> {
  const lookup = toLookup({ address: 'Avenida de Mayo 500', city: 'CABA', province: null })
  if (config.geocoder === 'none' || lookup === null) return null
  const provider = providers[config.geocoder]
  const { geocoderUrl, serviceName, publicBaseUrl } = config
  const baseUrl = geocoderUrl ?? provider.defaultUrl
  const client = openClient({ baseUrl, serviceName, publicBaseUrl, limits: clientLimits })
  try {
    provider.read(await client.send(provider.request([lookup]), new AbortController().signal), [lookup])
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    await client.close()
  }
}
