/** Stores the pin of a listing that was saved without one, once its address is found on the map (api.md 12.2). */
import { statement } from '../../platform/db/statements/statement.ts'
import type { Deps } from '../../deps.ts'
import type { LimitDeps } from '../../limits/counters.ts'
import type { Actor } from '../../writing/actor.ts'
import { underLock } from '../../writing/under-lock.ts'
import { isSameAddress } from '../fields/content.ts'
import type { Pin, PostalAddress } from '../geocoding/geocoder.ts'
import { findListing, getListing } from '../reading/find.ts'
import { collectChange, writeContext } from '../store/write-context.ts'

/** Ends the retries in the background. */
const deleteAttempts = statement('delete from geocoding_attempts where agency_id = $1 and property_id = $2')

/**
 * Stores the pin if the listing is still unresolved and still has the address that was geocoded.
 * @param sought the listing's uuid, and the address that was geocoded
 */
export async function storeFoundPin(
  deps: LimitDeps,
  agencyId: string,
  sought: PostalAddress & { id: string },
  pin: Pin,
  actor: Actor,
): Promise<void> {
  const { lat, lng, status: location_status } = pin
  await underLock(deps.db, agencyId, deps.clock, async (locked) => {
    const { tx } = locked
    const listing = await findListing(tx, agencyId, { id: sought.id })
    if (listing?.location_status !== 'unresolved' || !isSameAddress(sought, listing)) return
    const context = writeContext(locked, deps, actor)
    collectChange(context, listing, 'updated', { lat, lng, location_status })
    await deleteAttempts(tx, [agencyId, sought.id])
  })
}

/**
 * Looks the address up again for a person, and stores the pin if it is found.
 * @returns the geocoder's result; `found` too if the listing already has a pin
 * @throws ApiError `not_found`
 */
export async function lookUpAgain(
  deps: LimitDeps & Pick<Deps, 'geocoder'>,
  agencyId: string,
  id: string,
  actor: Actor,
): Promise<'found' | 'none' | 'unavailable'> {
  const listing = await getListing(deps.db, agencyId, { id })
  const { address, city, province } = listing
  if (listing.location_status !== 'unresolved' || address === null) return 'found'
  const sought = { address, city, province }
  const found = await deps.geocoder.find(sought)
  if (found.status !== 'found') return found.status
  await storeFoundPin(deps, agencyId, { ...sought, id: listing.id }, found.pin, actor)
  return 'found'
}
