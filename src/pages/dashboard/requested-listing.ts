/**
 * The listing that a page is about, and the version that its form shows.
 */
import { ApiError } from '../../platform/errors.ts'
import { findAnyListing, findListing } from '../../listings/find.ts'
import type { Listing } from '../../listings/listing.ts'
import type { AgencyVisit } from './visit.ts'

/** The listing, removed or not. @param id default: from the path @throws ApiError `not_found` */
export async function listingOf(visit: AgencyVisit, id = idOf(visit)): Promise<Listing> {
  return found(await findAnyListing(visit.deps.db, visit.agency.id, { id }))
}

/** The listing unless it was removed. @param id default: from the path @throws ApiError `not_found` */
export async function presentListing(visit: AgencyVisit, id = idOf(visit)): Promise<Listing> {
  return found(await findListing(visit.deps.db, visit.agency.id, { id }))
}

function idOf({ params }: AgencyVisit): string {
  return params['listing'] ?? ''
}

function found(listing: Listing | null): Listing {
  if (listing === null) throw new ApiError('not_found', { message: 'There is no such listing.' })
  return listing
}

/** @throws ApiError `precondition_failed`, also if the form has no version */
export function versionOf({ form }: AgencyVisit): number {
  const text = form.get('version') ?? ''
  if (!/^\d{1,15}$/.test(text)) throw new ApiError('precondition_failed')
  return Number(text)
}
