/**
 * Whether public pages show where a listing is exactly or approximately: the agency's choice for each listing. The API knows nothing of
 * it: no statement that reads listings for the API has the column.
 */
import { type Executor, statement, shortStatement } from '../platform/db/statement.ts'
import type { Listing } from './listing.ts'
import { collectChange, type WriteContext } from './store.ts'

const find = shortStatement<{ place_blurred: boolean }>(
  'select place_blurred from properties where agency_id = $1 and id = $2',
)
const set = statement('update properties set place_blurred = $3 where agency_id = $1 and id = $2')

/** @param id the uuid */
export async function isPlaceBlurred(db: Executor, agencyId: string, id: string): Promise<boolean> {
  return (await find(db, [agencyId, id]))[0]?.place_blurred ?? false
}

/**
 * Shows the place approximately, or exactly again. A change like any other: a version, an entry of history, a place in the feed of
 * changes; one that changes nothing is none. The listing must have been read under the lock.
 */
export async function blurPlace(
  context: WriteContext,
  before: Listing,
  isBlurred: boolean,
): Promise<Listing> {
  const { tx, writes } = context
  if (writes.holds(before.id)) await writes.send()
  if ((await isPlaceBlurred(tx, before.agency_id, before.id)) === isBlurred) return before
  await set(tx, [before.agency_id, before.id, isBlurred])
  // Told as a fact that begins false, so that what a creation stored can be derived from it.
  return collectChange(context, before, 'updated', () => ({}), {
    approximate_place: { from: !isBlurred, to: isBlurred },
  })
}
