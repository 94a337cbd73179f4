/** Sets whether visitors see a listing's place blurred. */
import { statement } from '../../platform/db/statements/statement.ts'
import type { Listing } from '../listing.ts'
import { isPlaceBlurred } from '../reading/public.ts'
import { collectChange, type WriteContext } from '../store/write-context.ts'

const setBlurred = statement('update properties set place_blurred = $3 where agency_id = $1 and id = $2')

/**
 * Blurs the place, or shows it exactly again. This is a change like any other, with a version, an entry of the history and an entry
 * in the feed of changes, unless nothing differs. The listing must have been read under the lock.
 */
export async function setPlaceBlurred(context: WriteContext, before: Listing, isBlurred: boolean) {
  const { tx } = context
  if ((await isPlaceBlurred(tx, before.agency_id, before.id)) === isBlurred) return before
  await setBlurred(tx, [before.agency_id, before.id, isBlurred])
  // Every listing is created with this flag false, so the entry of its creation can be derived. Stored histories use the name.
  return collectChange(context, before, 'updated', () => ({}), {
    approximate_place: { from: !isBlurred, to: isBlurred },
  })
}
