/**
 * Tracks stored pictures that no listing uses, with a row each in unreferenced_photos. The row is written before the files, and deleted by
 * the transaction that puts the picture on a listing. Before files are deleted, their row is condemned (delete_after '-infinity') by a
 * statement that skips locked rows; a condemned picture can no longer be put on a listing. So, whatever crashes or races, no listing
 * loses files and no file stays for ever.
 */
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/connection.ts'
import type { Db } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import type { PhotoStorage } from './storage.ts'

type Keeping = {
  db: Db
  storage: PhotoStorage
  log: { warn(details: object, message: string): void }
}

/** Writes the row of a picture whose files come next. It has an hour to get onto a listing. */
export async function announcePhoto(
  { db, clock }: { db: Db; clock: Clock },
  agencyId: string,
  photo: string,
): Promise<void> {
  await sql`insert into unreferenced_photos (agency_id, photo, delete_after)
    values (${agencyId}, ${photo}, ${now(clock)} + interval '1 hour')`.execute(db)
}

/** Deletes stored pictures after their write failed; the reaper deletes the rest later. Never throws. */
export async function discardPhotos(
  deps: Keeping,
  agencyId: string,
  photos: readonly string[],
): Promise<void> {
  if (photos.length === 0) return
  try {
    // Where the row is gone, or locked by a transaction of unknown outcome, the files stay.
    const condemned = await sql<{ photo: string }>`with free as materialized (
        select photo from unreferenced_photos where agency_id = ${agencyId} and photo = any(${photos}) for update skip locked
      )
      update unreferenced_photos set delete_after = '-infinity'
      from free where agency_id = ${agencyId} and unreferenced_photos.photo = free.photo
      returning free.photo`.execute(deps.db)
    await removeCondemned(
      deps,
      agencyId,
      condemned.rows.map(({ photo }) => photo),
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
  await sql`delete from unreferenced_photos
    where agency_id = ${agencyId} and photo = any(${removed}) and delete_after = '-infinity'`.execute(deps.db)
  return removed.length
}

/**
 * Deletes the rows of pictures, in the transaction that puts them on a listing.
 * @throws ApiError `service_unavailable` when one was reaped meanwhile; then the transaction must not commit
 */
export async function referencePhotos(tx: Tx, agencyId: string, photos: readonly string[]): Promise<void> {
  if (photos.length === 0) return
  const { rows } = await sql`delete from unreferenced_photos
    where agency_id = ${agencyId} and photo = any(${photos}) and delete_after > '-infinity' returning photo`.execute(
    tx,
  )
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
  await sql`insert into unreferenced_photos (agency_id, photo, delete_after)
    select ${agencyId}::uuid, photo, ${now(clock)} + interval '1 day' from unnest(${photos}::text[]) as photo
    on conflict do nothing`.execute(tx)
}

function now(clock: Clock) {
  return sql`clock_timestamp() + ${clock.offsetMs}::float8 * interval '1 ms'`
}
