/** Gives merged content the coordinates of its address (api.md 12.1, 12.2). */
import type { DryRun } from '../../platform/writing/dry-run.ts'
import type { Merged } from '../fields/content.ts'
import type { GeocodingResult, PostalAddress } from '../geocoding/geocoder.ts'
import type { Warning } from '../listing.ts'

/** The address to look up, or null if the content needs no lookup. */
export function addressToLocate({ content, locate }: Merged): PostalAddress | null {
  const { address, city, province } = content
  return locate && address !== null ? { address, city, province } : null
}

/**
 * Sets the coordinates of the merged address. Warns if there are none.
 * @param locate finds them; a dry run looks nothing up, so its location is unknown
 */
export function applyPin(
  merged: Merged,
  locate: (address: PostalAddress) => GeocodingResult,
  dryRun: DryRun | null,
): Omit<Merged, 'locate'> {
  const { content, warnings } = merged
  const address = addressToLocate(merged)
  if (address === null) return { content, warnings }
  if (dryRun !== null) return { content: { ...content, location_status: null }, warnings }
  const found = locate(address)
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
