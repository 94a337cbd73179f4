/**
 * Tracks stored pictures that no listing uses, with a row each in unreferenced_photos. The row is written before the files, and deleted by
 * the transaction that puts the picture on a listing. Before files are deleted, their row is condemned (delete_after '-infinity') by a
 * statement that skips locked rows; a condemned picture can no longer be put on a listing. So no crash or race makes a listing lose
 * files or leaves a file forever. The reaper deletes uploads whose write never finished, and photos removed from a listing a day ago.
 */
import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/db/statements/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import { dueLook, dueStatement } from '../../platform/db/upkeep/due.ts'
import type { Expiring } from '../../platform/db/upkeep/reaper.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import type { PhotoStorage } from './storage.ts'
import type { Log } from '../../platform/log/log.ts'

type Recording = { db: Db; clock: Clock }
type Keeping = { db: Db; storage: PhotoStorage; log: Pick<Log, 'warn'> }

/** Inserts the row of a picture that has an hour to get onto a listing. Values: agency, picture, the clock's offset. */
const insertUpload = statement(`
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

/** Writes the row of a picture whose files come next. */
export async function recordUpload({ db, clock }: Recording, agencyId: string, photo: string) {
  await insertUpload(db, [agencyId, photo, clock.offsetMs])
}

/** Deletes stored pictures after their write failed; the reaper deletes the rest later. Never throws. */
export async function discardPhotos(deps: Keeping, agencyId: string, photos: readonly string[]) {
  if (photos.length === 0) return
  try {
    const rows = await condemn(deps.db, [agencyId, photos])
    const condemned = rows.map(({ photo }) => photo)
    await removeCondemned(deps, agencyId, condemned)
  } catch (error) {
    deps.log.warn(
      { err: error, agency_id: agencyId },
      'photos of a failed write could not be deleted; the worker deletes them later',
    )
  }
}

/**
 * Deletes the files of condemned pictures, then their rows. A row stays while its files cannot be deleted.
 * @returns how many were deleted
 */
async function removeCondemned(deps: Keeping, agencyId: string, photos: readonly string[]): Promise<number> {
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
export async function abandonPhotos(tx: Tx, agencyId: string, photos: readonly string[], clock: Clock) {
  if (photos.length === 0) return
  await insertAbandoned(tx, [agencyId, photos, clock.offsetMs])
}

export const expiringPhotos: Expiring = {
  table: 'unreferenced_photos',
  key: 'agency_id, photo',
  column: 'delete_after',
}

type Due = { agency_id: string; photo: string; is_shown: boolean }

/**
 * How far back to search for a listing that uses a picture despite its row. Such a listing was written after the row, which is due after an
 * hour for an upload and after a day for a removed picture; an hour is added for long transactions.
 */
const shownSince = '25 hours'

/**
 * Condemns due pictures, earliest first, and takes already condemned ones last, so that files that cannot be deleted do not delay others.
 * A picture that a listing uses after all is kept, and only its row is deleted: the protocol excludes that case, but a deleted file cannot
 * be restored.
 */
const condemnDue = dueStatement<Due>(
  ({ moment, of }) => `
  with ${moment},
  due as materialized (
    select u.agency_id, u.photo, u.delete_after from unreferenced_photos u
    where u.delete_after <= (select now from moment) and ${of('u')}
    order by u.delete_after = '-infinity', u.delete_after limit $2 for update skip locked
  ),
  agencies as materialized (
    select agency_id, min(delete_after) - interval '${shownSince}' as since, array_agg(photo) as photos
    from due where delete_after > '-infinity' group by agency_id
  ),
  shown as materialized (
    select agencies.agency_id, photo
    from agencies cross join lateral (
      select p.photos from properties p
      where p.agency_id = agencies.agency_id and ${of('p')} and p.deleted_at is null
        and p.status in ('draft', 'published', 'disabled') and p.updated_at >= agencies.since
      union all
      select p.photos from properties p
      where p.agency_id = agencies.agency_id and ${of('p')} and p.deleted_at >= agencies.since
    ) recent cross join lateral unnest(recent.photos) as photo
    where recent.photos && agencies.photos and photo = any (agencies.photos)
  ),
  kept as (
    delete from unreferenced_photos u using shown
    where u.agency_id = shown.agency_id and ${of('u')} and u.photo = shown.photo
  ),
  condemned as (
    update unreferenced_photos u set delete_after = '-infinity' from due
    where u.agency_id = due.agency_id and ${of('u')} and u.photo = due.photo
      and not exists (select from shown where shown.agency_id = due.agency_id and shown.photo = due.photo)
  )
  select due.agency_id, due.photo,
    exists (select from shown where shown.agency_id = due.agency_id and shown.photo = due.photo) as is_shown
  from due`,
)

/** Condemned pictures have no `due_at` and come last, as in `condemnDue`. */
const lookForDuePhotos = dueLook(
  (table) => `
  select agency_id, nullif(delete_after, '-infinity') as due_at from ${table('unreferenced_photos')}
  where delete_after <= (select now from moment) order by due_at limit $2`,
)

/**
 * Deletes the files and rows of up to `limit` pictures that are due. Several instances may do it at once: deleting twice is harmless.
 * @returns how many are done; fewer than `limit` means that no more are due
 */
export async function reapPhotos(deps: Keeping & { clock: Clock }, limit: number): Promise<number> {
  let settled = 0
  for (const portion of await lookForDuePhotos(deps.db, deps.clock, limit)) {
    const due = await condemnDue(portion, [portion.limit])
    settled += await removeFiles({ ...deps, db: portion.db }, due)
  }
  return settled
}

async function removeFiles(deps: Keeping & { clock: Clock }, due: readonly Due[]): Promise<number> {
  let settled = 0
  for (const [agencyId, rows] of Map.groupBy(due, (row) => row.agency_id)) {
    const photosThat = (isShown: boolean): string[] =>
      rows.flatMap((row) => (row.is_shown === isShown ? [row.photo] : []))
    const shown = photosThat(true)
    if (shown.length > 0) {
      deps.log.warn(
        { agency_id: agencyId, photos: shown },
        'photos in use were marked for deletion; they are kept',
      )
    }
    settled += shown.length + (await removeCondemned(deps, agencyId, photosThat(false)))
  }
  return settled
}
