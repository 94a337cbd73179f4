/** Exports an agency: its profile, its listings with their history, removed ones too, and their pictures. No keys and no people. */
import { hash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { getAgencyDetails } from '../../agencies/details.ts'
import { getRealAgency } from '../../agencies/twins.ts'
import { filesOfPhoto } from '../../listings/photos/names-and-urls.ts'
import type { PhotoStorage } from '../../listings/photos/storage.ts'
import type { Tx } from '../../platform/db/statements/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import { liftTimeouts } from '../../platform/db/statements/session.ts'
import { oneOff, statement } from '../../platform/db/statements/statement.ts'
import { inTransaction } from '../../platform/db/statements/transaction.ts'
import { nilUuid } from '../../platform/names/ids.ts'
import { version } from '../../platform/program/version.ts'
import {
  files,
  format,
  type Manifest,
  openDirectory,
  picturesFile,
  readColumns,
  writeLines,
  writeManifest,
  writePicture,
} from './directory.ts'

/** Listings in a batch, with all of their history. */
const batch = 100

/** A batch of whole rows as JSON. Values: agency, the last id of the batch before. */
const selectListings = statement<{ id: string; photos: string[]; line: string }>(`
  select p.id, p.photos, to_jsonb(p)::text as line from properties p
  where p.agency_id = $1 and p.id > $2 order by p.id limit ${batch}`)
const selectHistory = statement<{ line: string }>(`
  select to_jsonb(h)::text as line from listing_history h
  where h.agency_id = $1 and h.property_id = any ($2::uuid[]) order by h.property_id, h.revision`)
const selectSources = statement<{ line: string }>(`
  select to_jsonb(s)::text as line from photo_sources s
  where s.agency_id = $1 and s.property_id = any ($2::uuid[]) order by s.property_id`)
const selectRevision = statement<{ revision: number; changed_at: string; now: string }>(
  `select revision, changed_at, clock_timestamp() as now from agency_revisions where agency_id = $1`,
)

/**
 * Writes the export while the service runs: all rows as of one moment, then the pictures, whose files live for a day after their removal.
 * @param directory empty, or missing; after a failure it is deleted
 * @throws ApiError 404 when no agency has the slug; BadExport
 */
export async function exportAgency(
  { db, storage }: { db: Db; storage: PhotoStorage },
  slug: string,
  directory: string,
  note: (line: string) => void,
): Promise<Manifest> {
  await openDirectory(directory)
  try {
    return await inTransaction(db, async (tx) => {
      await tx.run(oneOff('set transaction isolation level repeatable read, read only'))
      await liftTimeouts(tx, [])
      const { id, name, email } = await getRealAgency(tx, slug)
      const details = await getAgencyDetails(tx, id)
      const [{ revision, changed_at, now: at } = noRevision()] = await selectRevision(tx, [id])
      const rows = await writeRows(tx, id, directory)
      note(`${rows.listings} listings`)
      if (details.logo !== null) rows.pictures.add(details.logo)
      const pictures = await writePictures(storage, id, rows.pictures, directory)
      note(
        `${pictures.photos} pictures${pictures.missing === 0 ? '' : `, ${pictures.missing} without files`}`,
      )
      const manifest: Manifest = {
        format,
        version,
        at,
        agency: { slug, name, email, ...details },
        revision,
        changed_at,
        listings: rows.listings,
        photos: pictures.photos,
        columns: await readColumns(tx),
        sha256: { ...rows.sha256, [picturesFile]: pictures.sha256 },
      }
      await writeManifest(directory, manifest)
      return manifest
    })
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

function noRevision(): never {
  throw new Error('an agency has no revision')
}

async function writeRows(tx: Tx, agencyId: string, directory: string) {
  const listed = writeLines(join(directory, files.properties))
  const history = writeLines(join(directory, files.listing_history))
  const sources = writeLines(join(directory, files.photo_sources))
  const pictures = new Set<string>()
  let listings = 0
  for (let after = nilUuid; ;) {
    const found = await selectListings(tx, [agencyId, after])
    const ids = found.map(({ id }) => id)
    for (const { line, photos } of found) {
      await listed.add(line)
      for (const photo of photos) pictures.add(photo)
    }
    for (const { line } of await selectHistory(tx, [agencyId, ids])) await history.add(line)
    for (const { line } of await selectSources(tx, [agencyId, ids])) await sources.add(line)
    listings += found.length
    const last = ids.at(-1)
    if (last === undefined || found.length < batch) break
    after = last
  }
  const sha256 = {
    [files.properties]: await listed.end(),
    [files.listing_history]: await history.end(),
    [files.photo_sources]: await sources.end(),
  }
  return { listings, pictures, sha256 }
}

async function writePictures(
  storage: PhotoStorage,
  agencyId: string,
  pictures: ReadonlySet<string>,
  directory: string,
) {
  const lines = writeLines(join(directory, picturesFile))
  let missing = 0
  for (const photo of pictures) {
    let found = 0
    for (const { file, key } of filesOfPhoto(agencyId, photo)) {
      const bytes = await storage.read(key)
      if (bytes === null) continue
      found += 1
      const line = { photo, file, bytes: bytes.length, sha256: hash('sha256', bytes) }
      await writePicture(directory, line, bytes)
      await lines.add(JSON.stringify(line))
    }
    if (found === 0) missing += 1
  }
  return { photos: pictures.size, missing, sha256: await lines.end() }
}
