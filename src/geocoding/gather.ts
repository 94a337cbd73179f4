/**
 * Many questions of one write asked at once (spec 'POST /properties/batch'): its items ask one by one, the service is asked once.
 */
import type { Found, Geocoder, Place } from './geocoder.ts'

/** The geocoder for a write that will ask for these places: with the first of them, all are asked for. Others are asked alone. */
export function gathering(geocoder: Geocoder, places: readonly Place[]): Geocoder {
  const indexes = new Map(places.map((place, index) => [keyOf(place), index]))
  let all: Promise<Found[]> | null = null
  return {
    ...geocoder,
    async find(place, options) {
      const index = indexes.get(keyOf(place))
      if (index === undefined) return geocoder.find(place, options)
      all ??= geocoder.findMany(places, options)
      return (await all)[index] ?? geocoder.find(place, options)
    },
  }
}

function keyOf({ address, city, province }: Place): string {
  return JSON.stringify([address, city, province])
}
