/**
 * Gives a listing its pin before the transaction that stores it (spec 'Address handling').
 */
import type { Geocoder, Pin, Place } from '../geocoding/geocoder.ts'
import type { Content, Warning } from './listing.ts'
import type { Merged } from './content.ts'

/** A place that was looked for and what was found; null where nothing had to be. */
export type Located = { place: Place; pin: Pin | null } | null

/** Looks for the merged listing's address where that is needed. Never fails: what is not found stays unresolved. */
export async function locate(geocoder: Geocoder, merged: Merged): Promise<Located> {
  const { address, city, province } = merged.content
  if (!merged.locate || address === null) return null
  const place = { address, city, province }
  return { place, pin: await geocoder(place) }
}

/** Puts the pin on the merged content if it still is of the place that was looked for; warns when there is none. */
export function applyPin(merged: Merged, located: Located): { content: Content; warnings: Warning[] } {
  if (!merged.locate) return merged
  const { content, warnings } = merged
  const same =
    located !== null &&
    located.place.address === content.address &&
    located.place.city === content.city &&
    located.place.province === content.province
  if (same && located.pin !== null) {
    const { lat, lng, status } = located.pin
    return { content: { ...content, lat, lng, location_status: status }, warnings }
  }
  const warning: Warning = {
    code: 'location_unresolved',
    message:
      'The address could not be placed on the map. The listing was saved without a pin; send location.lat and location.lng to place it.',
    parameter: 'address',
  }
  return { content, warnings: [...warnings, warning] }
}
