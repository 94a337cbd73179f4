/**
 * Tracks stored pictures that no listing uses, with a row each in unreferenced_photos. The row is written before the files, and deleted by
 * the transaction that puts the picture on a listing. Before files are deleted, their row is condemned (delete_after '-infinity') by a
 * statement that skips locked rows; a condemned picture can no longer be put on a listing. So no crash or race makes a listing lose
 * files or leaves a file forever.
 */
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statement.ts'
import { ApiError } from '../../platform/errors.ts'
import type { PhotoStorage } from './storage.ts'

type Keeping = {
  db: Db
  storage: PhotoStorage
  log: { warn(details: object, message: string): void }
}

/** Inserts the row of a picture that has an hour to get onto a listing. Values: agency, picture, the clock's offset. */
const insertAnnounced = statement(`
  insert into unreferenced_photos (agency_id, photo, delete_after)
  values ($1, $2, clock_timestamp() + $3::float8 * interval '1 ms' + interval '1 hour')`)

/** Inserts the rows of pictures that live one more day. Values: agency, pictures, the clock's offset. */
const insertAbandoned = statement(`
  insert into unreferenced_photos (agency_id, photo, delete_after)
  select $1::uuid, photo, clock_timestamp() + $3::float8 * interval '1 ms' + interval '1 day' from unnest($2::text[]) as photo
  on conflict do nothing`)

/** Condemns pictures. Where the row is gone, or locked by a transaction of unknown outcome, the files stay. */
const condemn = statement<{ photo: string }>(`
  with free as materialized (
    select photo from unreferenced_photos where agency_id = $1 and photo = any ($2) for update skip locked
  )
  update unreferenced_photos set delete_after = '-infinity'
  from free where agency_id = $1 and unreferenced_photos.photo = free.photo
  returning free.photo`)

/** Deletes the rows of condemned pictures whose files are gone. */
const deleteCondemned = statement(`
  delete from unreferenced_photos where agency_id = $1 and photo = any ($2) and delete_after = '-infinity'`)

/** Deletes the rows of pictures that are not condemned. */
const deleteWaiting = statement<{ photo: string }>(`
  delete from unreferenced_photos where agency_id = $1 and photo = any ($2) and delete_after > '-infinity' returning photo`)

/** Writes the row of a picture whose files come next. It has an hour to get onto a listing. */
export async function announcePhoto(
  { db, clock }: { db: Db; clock: Clock },
  agencyId: string,
  photo: string,
): Promise<void> {
  await insertAnnounced(db, [agencyId, photo, clock.offsetMs])
}

/** Deletes stored pictures after their write failed; the reaper deletes the rest later. Never throws. */
export async function discardPhotos(
  deps: Keeping,
  agencyId: string,
  photos: readonly string[],
): Promise<void> {
  if (photos.length === 0) return
  try {
    const condemned = await condemn(deps.db, [agencyId, photos])
    await removeCondemned(
      deps,
      agencyId,
      condemned.map(({ photo }) => photo),
    )
  } catch (error) {
    deps.log.warn({ err: error, agency_id: agencyId }, 'photos of a failed write are left to the reaper')
  }
}

/**
 * Deletes the files of condemned pictures, then their rows. A row stays while its files cannot be deleted.
 * @returns how many were deleted
 */
export async function removeCondemned(
  deps: Keeping,
  agencyId: string,
  photos: readonly string[],
): Promise<number> {
  const removed: string[] = []
  for (const photo of photos) {
    try {
      await deps.storage.removePhoto(agencyId, photo)
      removed.push(photo)
    } catch (error) {
      deps.log.warn({ err: error, agency_id: agencyId, photo }, 'the files of a photo could not be deleted')
    }
  }
  if (removed.length === 0) return 0
  await deleteCondemned(deps.db, [agencyId, removed])
  return removed.length
}

/**
 * Deletes the rows of pictures, in the transaction that puts them on a listing.
 * @throws ApiError `service_unavailable` when one was reaped meanwhile; then the transaction must not commit
 */
export async function referencePhotos(tx: Tx, agencyId: string, photos: readonly string[]): Promise<void> {
  if (photos.length === 0) return
  const rows = await deleteWaiting(tx, [agencyId, photos])
  if (rows.length < new Set(photos).size) {
    throw new ApiError('service_unavailable', {
      message: 'A photo was deleted before it was saved. Send the request again.',
    })
  }
}

/** Writes the rows of pictures, in the transaction that removes them from a listing. Their files live one more day. */
export async function abandonPhotos(
  tx: Tx,
  agencyId: string,
  photos: readonly string[],
  clock: Clock,
): Promise<void> {
  if (photos.length === 0) return
  await insertAbandoned(tx, [agencyId, photos, clock.offsetMs])
}
