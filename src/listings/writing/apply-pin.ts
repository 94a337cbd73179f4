/** Gives merged content the pin of its address (api.md 12.1, 12.2). */
import type { Merged } from './merge-payload.ts'
import type { PostalAddress } from '../geocoding/geocoder.ts'
import type { Fetches } from '../store/fetches.ts'
import type { Warning } from '../listing.ts'

/** The address to geocode, or null if the content needs no pin. */
export function addressToGeocode({ content, needsPin }: Merged): PostalAddress | null {
  const { address, city, province } = content
  return needsPin && address !== null ? { address, city, province } : null
}

/** Requests the pin of the merged address, and sets it. Warns if there is none. */
export function applyPin(merged: Merged, fetches: Fetches): Omit<Merged, 'needsPin'> {
  const { content, warnings } = merged
  const address = addressToGeocode(merged)
  if (address === null) return { content, warnings }
  const found = fetches.requestPin(address)
  if (found.status === 'skipped') return { content: { ...content, location_status: null }, warnings }
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
