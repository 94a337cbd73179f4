/** Converts a row to the JSON of api.md 9.1. Lists and single reads have the same shape. */
import { agencyUrl } from '../../../agencies/agencies.ts'
import { fieldNames } from '../../fields/field-lists.ts'
import { groupReaders } from '../../fields/groups.ts'
import { photoFile, photosUrl } from '../../photos/names-and-urls.ts'
import type { Listing } from '../../listing.ts'
import { missingToPublish } from '../../fields/publishable.ts'

/** The part of an agency that its listings show. */
export type ShownAgency = { id: string; name: string; slug: string }

/** The listing as the API shows it, with all fields. */
export function toProperty(listing: Listing, agency: ShownAgency, baseUrl: string): Record<string, unknown> {
  const property: Record<string, unknown> = {}
  for (const name of fieldNames) {
    property[name] = show(name, listing, agency, baseUrl)
    if (name === 'location') property['location_status'] = listing.location_status
  }
  return property
}

function show(name: (typeof fieldNames)[number], listing: Listing, agency: ShownAgency, baseUrl: string) {
  switch (name) {
    case 'id':
      return listing.public_id
    case 'url':
      return listingUrl(baseUrl, agency.slug, listing.public_id)
    case 'photos':
      return photoUrls(listing, baseUrl)
    case 'missing':
      return missingToPublish(listing, listing.photos.length)
    case 'agency':
      return { name: agency.name, slug: agency.slug, url: agencyUrl(baseUrl, agency.slug) }
    case 'price':
    case 'expenses':
    case 'location':
    case 'features':
    case 'rental':
      return groupReaders[name](listing)
    default:
      return listing[name]
  }
}

export function listingUrl(baseUrl: string, agencySlug: string, publicId: string): string {
  return `${agencyUrl(baseUrl, agencySlug)}/${publicId}`
}

export function photoUrls(
  listing: Pick<Listing, 'agency_id' | 'public_id'> & { photos: readonly string[] },
  baseUrl: string,
): string[] {
  const base = photosUrl(baseUrl, listing.agency_id, listing.public_id)
  return listing.photos.map((photo) => base + photoFile(photo, 'large'))
}
