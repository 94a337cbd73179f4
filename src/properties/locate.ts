/**
 * Gives a listing its pin before the transaction that stores it (api.md 12.1, 12.2).
 */
import type { GeocodingResult, Geocoder, PostalAddress } from '../geocoding/geocoder.ts'
import type { Content, Warning } from './listing.ts'
import type { Merged } from './content.ts'

/** A place that was looked for and what was found; null where nothing had to be. */
export type Located = { place: PostalAddress; found: GeocodingResult } | null

/** The place that the merged listing has to be looked for at, or null. */
export function placeToFind({ content: { address, city, province }, locate }: Merged): PostalAddress | null {
  return locate && address !== null ? { address, city, province } : null
}

/** Looks for the merged listing's address where that is needed. Never fails: what is not found stays unresolved. */
export async function locate(geocoder: Geocoder, merged: Merged): Promise<Located> {
  const place = placeToFind(merged)
  return place === null ? null : { place, found: await geocoder.find(place) }
}

/** Puts the pin on the merged content if it still is of the place that was looked for; warns when there is none. */
export function applyPin(merged: Merged, located: Located): { content: Content; warnings: Warning[] } {
  if (!merged.locate) return merged
  const { content, warnings } = merged
  const same = located !== null && isSamePlace(located.place, content)
  const found: GeocodingResult = same ? located.found : { status: 'unavailable' }
  if (found.status === 'found') {
    const { lat, lng, status } = found.pin
    return { content: { ...content, lat, lng, location_status: status }, warnings }
  }
  const why =
    found.status === 'none'
      ? 'The address could not be placed on the map. The listing was saved without a pin'
      : 'The address could not be looked up now. The listing was saved without a pin, and the service will try again'
  const warning: Warning = {
    code: 'location_unresolved',
    message: `${why}. To place it yourself, send location.lat and location.lng.`,
    parameter: 'address',
  }
  return { content, warnings: [...warnings, warning] }
}

/** Whether a listing still is at the place that was looked for. */
export function isSamePlace(place: PostalAddress, content: Pick<Content, keyof PostalAddress>): boolean {
  return (
    place.address === content.address && place.city === content.city && place.province === content.province
  )
}
