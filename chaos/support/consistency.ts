/** Invariants of an agency's rows and files that hold after any kill. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { photoSizeNames } from '../../src/listings/photos/names-and-urls.ts'

type Row = { id: string; version: string; photos: string[] }

/** Checks an agency's rows against each other and against its files. */
export async function checkConsistency(db: Client, agencyId: string, dataDir: string): Promise<void> {
  const rows = async <T extends object>(text: string) => (await db.query<T>(text, [agencyId])).rows
  const listings = await rows<Row>('select id, version, photos from properties where agency_id = $1')
  const [agency] = await rows<{ revision: string }>(
    'select revision from agency_revisions where agency_id = $1',
  )
  const history = await rows<{ property_id: string; revision: string; action: string }>(
    'select property_id, revision, action from listing_history where agency_id = $1 order by revision',
  )

  // Each write has one revision and one history entry. Its revision is the listing's version until the next write.
  assert.deepEqual(
    history.map(({ revision }) => Number(revision)),
    history.map((_, index) => index + 1),
  )
  assert.equal(Number(agency?.revision), history.length)
  const last = new Map(history.map(({ property_id, revision }) => [property_id, revision]))
  assert.deepEqual(
    Object.fromEntries(listings.map(({ id, version }) => [id, version])),
    Object.fromEntries(last),
  )
  const created = history.filter(({ action }) => action === 'created').map(({ property_id }) => property_id)
  assert.deepEqual(created.sort(), listings.map(({ id }) => id).sort())

  // The count equals the creations since the window began.
  const [counted] = await rows<{ used: number; created: number }>(`
    select r.day_new_listings as used, (select count(*)::int from listing_history h where h.agency_id = r.agency_id
      and h.action = 'created' and h.at >= r.day) as created
    from agency_revisions r where r.agency_id = $1`)
  assert.equal(counted?.used ?? 0, counted?.created ?? 0)

  // Each picture has its files and one owner: a listing, or the reaper.
  const shown = listings.flatMap(({ photos }) => photos)
  const unreferenced = (
    await rows<{ photo: string }>('select photo from unreferenced_photos where agency_id = $1')
  ).map(({ photo }) => photo)
  const places = [...shown, ...unreferenced]
  assert.equal(new Set(places).size, places.length, 'a picture has two places')
  for (const photo of shown) {
    const files = filesBelow(join(dataDir, 'photos', agencyId, photo))
    assert.deepEqual(files, photoSizeNames.map((size) => `${size}.webp`).sort(), photo)
  }
  // All came by URL, so their sources are known.
  const known = await rows<{ photo: string }>(
    'select unnest(photos) as photo from photo_sources where agency_id = $1',
  )
  assert.deepEqual(
    shown.filter((photo) => !known.some((row) => row.photo === photo)),
    [],
  )
  for (const folder of filesBelow(join(dataDir, 'photos', agencyId)))
    assert.ok(places.includes(folder), `the files of ${folder} belong to nobody`)
}

/** The names in a folder, or none if it does not exist. */
export function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** Unanswered claims, and the seconds that each remains taken. */
export async function openClaims(db: Client, agencyId: string): Promise<{ key: string; seconds: number }[]> {
  const { rows } = await db.query<{ key: string; seconds: number }>(
    `select key, extract(epoch from lease_until - clock_timestamp())::float8 as seconds
    from idempotency_keys where agency_id = $1 and status is null`,
    [agencyId],
  )
  return rows
}

/** Expires the leases of all claims, as if 15 s had passed. */
export async function passLeases(db: Client, agencyId: string): Promise<void> {
  await db.query(
    `update idempotency_keys set lease_until = lease_until - interval '15 seconds', expires_at = expires_at - interval '15 seconds'
    where agency_id = $1 and status is null`,
    [agencyId],
  )
}
