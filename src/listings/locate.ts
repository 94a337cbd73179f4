/** The location of a listing: which address to geocode, and the coordinates that result (api.md 12.1, 12.2). */
import type { GeocodingResult, PostalAddress } from './geocoding/geocoder.ts'
import type { Content, Warning } from './listing.ts'
import type { DryRun } from '../platform/writing/dry-run.ts'
import type { Merged } from './content.ts'

/** An address and the geocoder's result for it; null if no geocoding was needed. */
export type Geocoded = { address: PostalAddress; found: GeocodingResult } | null

/** The address to geocode for the merged listing, or null. */
export function addressToLocate({
  content: { address, city, province },
  locate,
}: Merged): PostalAddress | null {
  return locate && address !== null ? { address, city, province } : null
}

/**
 * Sets the coordinates if the merged content still has the address that was geocoded. Warns if there are none.
 * @param dryRun a dry run looks nothing up, so its location is unknown
 */
export function applyPin(
  merged: Merged,
  geocoded: Geocoded,
  dryRun: DryRun | null,
): { content: Content; warnings: Warning[] } {
  if (!merged.locate) return merged
  const { content, warnings } = merged
  if (dryRun !== null) return { content: { ...content, location_status: null }, warnings }
  const same = geocoded !== null && isSameAddress(geocoded.address, content)
  const found: GeocodingResult = same ? geocoded.found : { status: 'unavailable' }
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

/** Whether a listing still has the address that was geocoded. */
export function isSameAddress(asked: PostalAddress, content: Pick<Content, keyof PostalAddress>): boolean {
  return (
    asked.address === content.address && asked.city === content.city && asked.province === content.province
  )
}
