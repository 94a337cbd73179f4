/** A geocoder from one function. */
import type { Geocoder, GeocodingResult, PostalAddress } from '../../../src/listings/geocoding/geocoder.ts'

export function geocoderOf(find: (address: PostalAddress) => Promise<GeocodingResult>): Geocoder {
  return {
    find,
    findMany: (addresses) => Promise.all(addresses.map(find)),
    isReady: () => true,
    close: async () => {},
  }
}
