/** Gives merged content the coordinates of its address (api.md 12.1, 12.2). */
import type { DryRun } from '../../platform/writing/dry-run.ts'
import type { Merged } from '../fields/content.ts'
import type { GeocodingResult, PostalAddress } from '../geocoding/geocoder.ts'
import type { Warning } from '../listing.ts'

/**
 * Sets the coordinates of the merged address. Warns if there are none.
 * @param locate finds them; a dry run looks nothing up, so its location is unknown
 */
export function applyPin(
  { content, warnings, locate: isToLocate }: Merged,
  locate: (address: PostalAddress) => GeocodingResult,
  dryRun: DryRun | null,
): Omit<Merged, 'locate'> {
  const { address, city, province } = content
  if (!isToLocate || address === null) return { content, warnings }
  if (dryRun !== null) return { content: { ...content, location_status: null }, warnings }
  const found = locate({ address, city, province })
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
