/**
 * Deletes pictures that no listing shows any more: uploads whose write never ended, and photos taken off a listing a day ago.
 */
import { sql } from 'kysely'
import type { Expiring } from '../db/reaper.ts'
import type { IngestDeps } from './ingest.ts'
import { removeCondemned } from './unreferenced.ts'

export const expiringPhotos: Expiring = {
  table: 'unreferenced_photos',
  key: 'agency_id, photo',
  column: 'delete_after',
}

/**
 * Deletes the files and rows of up to `limit` pictures past their time. Several instances may do it at once: deleting twice is
 * harmless.
 * @returns how many are settled; fewer than `limit` means that there is nothing more to do now
 */
export async function reapPhotos(deps: IngestDeps, limit: number): Promise<number> {
  // Last, those already condemned: files that resist must not keep the others waiting.
  const { rows } = await sql<{
    agency_id: string
    photo: string
  }>`with due as materialized (
      select agency_id, photo from unreferenced_photos
      where delete_after <= clock_timestamp() + ${deps.clock.offsetMs}::float8 * interval '1 ms'
      order by delete_after = '-infinity', delete_after limit ${limit} for update skip locked
    )
    update unreferenced_photos set delete_after = '-infinity'
    from due where unreferenced_photos.agency_id = due.agency_id and unreferenced_photos.photo = due.photo
    returning due.agency_id, due.photo`.execute(deps.db)
  const byAgency = Map.groupBy(rows, (row) => row.agency_id)
  let settled = 0
  for (const [agencyId, due] of byAgency) {
    const photos = due.map(({ photo }) => photo)
    const shown = await keepShown(deps, agencyId, photos)
    settled += shown.size
    settled += await removeCondemned(
      deps,
      agencyId,
      photos.filter((photo) => !shown.has(photo)),
    )
  }
  return settled
}

/** Deletes the rows, and not the files, of pictures that a listing shows after all. The protocol lets none be; files do not come back. */
async function keepShown(
  deps: IngestDeps,
  agencyId: string,
  photos: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ photo: string }>`select distinct photo
    from properties cross join lateral unnest(photos) as photo
    where agency_id = ${agencyId} and photos && ${photos}::text[] and photo = any(${photos})`.execute(deps.db)
  const shown = rows.map(({ photo }) => photo)
  if (shown.length === 0) return new Set()
  deps.log.warn(
    { agency_id: agencyId, photos: shown },
    'photos of a listing were marked for deletion; they are kept',
  )
  await sql`delete from unreferenced_photos where agency_id = ${agencyId} and photo = any(${shown})`.execute(
    deps.db,
  )
  return new Set(shown)
}
