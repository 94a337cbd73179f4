/** Gives merged content the coordinates of its address (api.md 12.1, 12.2). */
import type { Merged } from './merge-payload.ts'
import type { PostalAddress } from '../geocoding/geocoder.ts'
import type { Fetches } from '../store/fetches.ts'
import type { Warning } from '../listing.ts'

/** The address to look up, or null if the content needs no lookup. */
export function addressToLocate({ content, locate }: Merged): PostalAddress | null {
  const { address, city, province } = content
  return locate && address !== null ? { address, city, province } : null
}

/** Requests the coordinates of the merged address, and sets them. Warns if there are none. */
export function applyPin(merged: Merged, fetches: Fetches): Omit<Merged, 'locate'> {
  const { content, warnings } = merged
  const address = addressToLocate(merged)
  if (address === null) return { content, warnings }
  const found = fetches.requestLocation(address)
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
