/** The listing that a page is about: its path, its version in forms, and whether it may be changed. */
import { findAnyListing, getListing } from '../../listings/find.ts'
import type { Listing } from '../../listings/listing.ts'
import { ApiError } from '../../platform/errors.ts'
import { html, type Html } from '../../platform/web/html.ts'
import type { AgencyRequest } from './page.ts'

/** The listing, removed or not. @throws ApiError `not_found` */
export async function listingOf({ deps, agency, params }: AgencyRequest): Promise<Listing> {
  const listing = await findAnyListing(deps.db, agency.id, { id: params['listing'] ?? '' })
  if (listing === null) throw new ApiError('not_found', { message: 'There is no such listing.' })
  return listing
}

/** The listing unless it was removed. @param id by default the one that the path names @throws ApiError `not_found` */
export async function presentListing(
  { deps, agency, params }: AgencyRequest,
  id = params['listing'] ?? '',
): Promise<Listing> {
  return await getListing(deps.db, agency.id, { id })
}

/** Whether the person can change listings here: people of a deactivated agency cannot. */
export function mayWrite({ agency, session }: AgencyRequest): boolean {
  return agency.active || session.account.role === 'operator'
}

export function mayEdit(request: AgencyRequest, listing: Listing): boolean {
  return listing.deleted_at === null && mayWrite(request)
}

/** The path of a listing's page, without the base. */
export function listingPath(
  { agency }: AgencyRequest,
  { public_id: code }: Pick<Listing, 'public_id'>,
): string {
  return `${agency.path}/listings/${code}`
}

/** The hidden field that `versionOf` reads. */
export function versionInput({ version }: Pick<Listing, 'version'>): Html {
  return html`<input type="hidden" name="version" value="${version}" />`
}

/** @throws ApiError `precondition_failed`, also if the form names no version */
export function versionOf({ form }: AgencyRequest): number {
  const text = form.get('version') ?? ''
  if (!/^\d{1,15}$/.test(text)) throw new ApiError('precondition_failed')
  return Number(text)
}
