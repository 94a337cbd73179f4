/** Deletes pictures that no listing uses: uploads whose write never finished, and photos removed from a listing a day ago. */
import { dueLook, dueStatement } from '../../platform/db/due.ts'
import type { Expiring } from '../../platform/db/reaper.ts'
import type { IngestDeps } from './ingest.ts'
import { removeCondemned } from './unreferenced.ts'

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
const condemn = dueStatement<Due>(
  ({ moment, of }) => `
  with ${moment},
  due as materialized (
    select u.agency_id, u.photo, u.delete_after from unreferenced_photos u
    where u.delete_after <= (select at from moment) and ${of('u')}
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

const look = dueLook(
  (table) => `
  select agency_id, nullif(delete_after, '-infinity') as due_at from ${table('unreferenced_photos')}
  where delete_after <= (select at from moment) order by due_at limit $2`,
)

/**
 * Deletes the files and rows of up to `limit` pictures that are due. Several instances may do it at once: deleting twice is harmless.
 * @returns how many are done; fewer than `limit` means that no more are due
 */
export async function reapPhotos(deps: IngestDeps, limit: number): Promise<number> {
  let settled = 0
  for (const portion of await look(deps.db, deps.clock, limit)) {
    const due = await condemn(portion, [portion.limit])
    settled += await removeFiles({ ...deps, db: portion.db }, due)
  }
  return settled
}

async function removeFiles(deps: IngestDeps, due: readonly Due[]): Promise<number> {
  let settled = 0
  for (const [agencyId, rows] of Map.groupBy(due, (row) => row.agency_id)) {
    const photosThat = (isShown: boolean): string[] =>
      rows.flatMap((row) => (row.is_shown === isShown ? [row.photo] : []))
    const shown = photosThat(true)
    if (shown.length > 0) {
      deps.log.warn(
        { agency_id: agencyId, photos: shown },
        'photos of a listing were marked for deletion; they are kept',
      )
    }
    settled += shown.length + (await removeCondemned(deps, agencyId, photosThat(false)))
  }
  return settled
}
