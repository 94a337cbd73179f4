/** The listing that a page is about: its path, its version in forms, whether it may be changed, and changes by buttons. */
import { findAnyListing, getListing } from '../../listings/reading/find.ts'
import type { Listing } from '../../listings/listing.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import type { AgencyRequest } from './serving/page.ts'
import type { AuditAction } from '../../access/audit-log/entries.ts'
import { type Act, actOnListing } from '../../listings/writing/write-by-person.ts'
import { actorOf, auditRequest } from './actor.ts'

/** The listing, removed or not. @throws ApiError `not_found` */
export async function listingOf({ deps, agency, params }: AgencyRequest): Promise<Listing> {
  const listing = await findAnyListing(deps.db, agency.id, { id: params['listing'] ?? '' })
  if (listing === null) throw new ApiError('not_found', { message: 'There is no such listing.' })
  return listing
}

/** The listing unless it was removed. @param id by default the one that the path names @throws ApiError `not_found` */
export async function presentListing({ deps, agency, params }: AgencyRequest, id = params['listing'] ?? '') {
  return await getListing(deps.db, agency.id, { id })
}

/** Whether the person can change listings here: people of a deactivated agency cannot. */
export function mayChangeListings({ agency, session }: AgencyRequest): boolean {
  return agency.active || session.account.role === 'operator'
}

export function mayEdit(request: AgencyRequest, listing: Listing): boolean {
  return listing.deleted_at === null && mayChangeListings(request)
}

export function listingPath({ agency }: AgencyRequest, { public_id: code }: Pick<Listing, 'public_id'>) {
  return `${agency.path}/listings/${code}`
}

/** The version that the form names. @throws ApiError `precondition_failed` without one */
export function versionOf({ form }: AgencyRequest): number {
  const text = form.get('version') ?? ''
  if (!/^\d{1,15}$/.test(text)) throw new ApiError('precondition_failed')
  return Number(text)
}

/** Notes an operator's change in the audit log, once it has committed. If that fails, only the listing's history has the change. */
export async function auditByOperator(
  request: AgencyRequest,
  action: AuditAction,
  { public_id: code }: Pick<Listing, 'public_id'>,
  details: Record<string, unknown> = {},
): Promise<void> {
  if (request.session.account.role !== 'operator') return
  await auditRequest(request.deps.db, request, action, request.agency.realId, code, details)
}

/** @param version the one that the person saw, if the form names it; otherwise any version is changed */
export async function changeByPerson(
  request: AgencyRequest,
  { id }: Pick<Listing, 'id'>,
  act: Act,
  action: AuditAction,
  version = request.form.has('version') ? versionOf(request) : null,
): Promise<Listing> {
  const { deps, agency } = request
  const listing = await actOnListing(deps, agency.id, id, version, actorOf(request), act)
  await auditByOperator(request, action, listing)
  return listing
}
