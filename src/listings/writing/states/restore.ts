/** Restores a removed listing (api.md 11.4), for the dashboard and the operator. */
import type { LimitDeps } from '../../../limits/counters.ts'
import { ApiError } from '../../../platform/errors/errors.ts'
import type { Actor } from '../../../writing/actor.ts'
import { underLock } from '../../../writing/under-lock.ts'
import { findAnyListing } from '../../reading/find.ts'
import { checkExternalIdIsFree } from '../external-id.ts'
import type { Listing } from '../../listing.ts'
import { collectChange, writeContext } from '../../store/write-context.ts'

/**
 * Restores the listing as a draft if it was one, otherwise as suspended.
 * @param id public code or uuid
 * @param externalId another external id, null for none, undefined for the one it had
 * @throws ApiError `not_found` if there is no such removed listing; `external_id_exists` if its external id has been taken meanwhile
 */
export async function restoreRemoved(
  deps: LimitDeps,
  agencyId: string,
  id: string,
  externalId: string | null | undefined,
  actor: Actor,
): Promise<Listing> {
  return underLock(deps.db, agencyId, deps.clock, async (locked) => {
    const { tx } = locked
    const before = await findAnyListing(tx, agencyId, { id })
    if (before === null) throw new ApiError('not_found', { message: `The agency has no listing ${id}.` })
    if (before.deleted_at === null)
      throw new ApiError('not_found', { message: 'This listing was not removed.' })
    const wanted = externalId === undefined ? before.external_id : externalId
    if (wanted !== null)
      await checkExternalIdIsFree(
        tx,
        agencyId,
        wanted,
        'Restore this one with another external_id, or with none.',
      )
    return collectChange(writeContext(locked, deps, actor), before, 'restored', {
      deleted_at: null,
      external_id: wanted,
      status: before.status === 'draft' ? 'draft' : 'disabled',
    })
  })
}
