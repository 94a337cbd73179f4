/** Creates a listing by one statement without a transaction, if nothing has to be fetched for it and the agency is free. */
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../writing/actor.ts'
import type { ReferenceToStore } from '../../../writing/reference-to-store.ts'
import type { Warning } from '../../listing.ts'
import { addressToGeocode } from '../apply-pin.ts'
import type { Creation } from './check-creation.ts'
import { prepareListing } from './prepare-listing.ts'
import type { Written } from './create.ts'
import { asCreated, createTogether } from './create-listings.ts'
import { errorOf } from './rejection.ts'
import type { FetchesOfWrite } from '../../store/fetches.ts'

/** Whether nothing has to be fetched. Without a geocoder, or with one that is down, looking up an address takes no time. */
export function canCreateAtOnce({ geocoder }: Pick<Deps, 'geocoder'>, { urls, merged }: Creation): boolean {
  return urls.length === 0 && (addressToGeocode(merged) === null || !geocoder.isReady())
}

/**
 * Creates a listing for which `canCreateAtOnce`. The statement also stores the response for an Idempotency-Key. Creations of other agencies
 * may share it (create-listings.ts).
 * @param response makes the part of the response that the key stores
 * @returns the listing; or why only a transaction can decide: another write holds the agency (`busy`), or the key is in use. Then nothing
 *   is stored
 * @throws ApiError `external_id_exists`, `duplicate_property`, `rate_limited`
 */
export async function createAtOnce(
  deps: Deps,
  agencyId: string,
  actor: Actor,
  creation: Creation,
  fetches: FetchesOfWrite,
  response: (warnings: readonly Warning[]) => ReferenceToStore,
): Promise<Written | { rejection: 'busy' | 'key_in_use' }> {
  const prepare = () => prepareListing({ agencyId, actor, dryRun: null }, creation, fetches)
  let prepared = prepare()
  // Only the pin can be missing. The geocoder is not ready, so the fetch finds none, at once.
  if (fetches.isIncomplete()) {
    await fetches.fetch()
    prepared = prepare()
  }
  const { listing, warnings } = prepared
  // Model idempotency-key: create at once
  const created = await createTogether(deps, { ...prepared, response: response(warnings) })
  const { rejection } = created
  if (rejection === null) return { listing: asCreated(listing, created), warnings }
  if (rejection === 'busy' || rejection === 'key_in_use') return { rejection }
  throw await errorOf({ ...deps, agencyId }, creation, created)
}
