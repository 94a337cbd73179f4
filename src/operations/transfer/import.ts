/** Imports the export of an agency as a new agency: all rows get new ids, and nobody is notified. */
import { join } from 'node:path'
import { escapeIdentifier } from 'pg'
import { createAgency } from '../../agencies/agencies.ts'
import { setAgencyDetails } from '../../agencies/details.ts'
import {
  photoKey,
  isPhotoName,
  isPhotoSize,
  previewFile,
  previewKey,
} from '../../listings/photos/names-and-urls.ts'
import { filesAtOnce, type PhotoStorage } from '../../listings/photos/storage.ts'
import { abandonPhotos, referencePhotos } from '../../listings/photos/unreferenced.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { createLimiter } from '../../platform/concurrency.ts'
import type { Tx } from '../../platform/db/statements/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import { liftTimeouts } from '../../platform/db/statements/session.ts'
import { prepared, statement } from '../../platform/db/statements/statement.ts'
import { inTransaction } from '../../platform/db/statements/transaction.ts'
import { newPublicId, uuidv7 } from '../../platform/names/ids.ts'
import {
  BadExport,
  type Columns,
  files,
  type Manifest,
  type PictureLine,
  picturesFile,
  readColumns,
  readLines,
  readManifest,
  readExportedPicture,
  tables,
  type TransferredTable,
} from './directory.ts'

type Importing = Readonly<{ db: Db; storage: PhotoStorage; clock: Clock }>
type ExportedRow = Record<string, unknown>

/** Rows in a statement. */
const batch = 200

/**
 * Stores the pictures, and then everything else in one transaction. The pictures of an import that failed are deleted a day later.
 * @param slug of the new agency; null: the exported one
 * @param record is called in the transaction with the agency's id
 * @throws ApiError 400 `slug` if it is taken; BadExport
 */
export async function importAgency(
  { db, storage, clock }: Importing,
  directory: string,
  slug: string | null,
  record: (tx: Tx, agencyId: string, slug: string) => Promise<void>,
): Promise<{ agency: string; listings: number; photos: number }> {
  const columns = await readColumns(db)
  const manifest = await readManifest(directory, columns)
  const { slug: exportedSlug, name, email, ...details } = manifest.agency
  const id = uuidv7()
  const pictures = await storePictures({ db, storage, clock }, id, directory, manifest)
  return await inTransaction(db, async (tx) => {
    await liftTimeouts(tx, [])
    const agency = await createAgency(tx, { id, name, email, slug: slug ?? exportedSlug }, clock)
    await setAgencyDetails(tx, id, details, clock)
    const listings = await insertRows(tx, id, directory, { manifest, columns })
    await setRevision(tx, [id, manifest.revision, manifest.changed_at])
    await referencePhotos(tx, id, [...pictures])
    await record(tx, id, agency.slug)
    return { agency: agency.slug, listings, photos: manifest.photos }
  })
}

/** Revisions continue from the export, so that no two states of a listing have the same number. */
const setRevision = statement(`
  update agency_revisions set revision = $2, changed_at = greatest(changed_at, $3) where agency_id = $1`)

async function insertRows(
  tx: Tx,
  agencyId: string,
  directory: string,
  { manifest, columns }: { manifest: Manifest; columns: Columns },
): Promise<number> {
  const ids = new Map<unknown, string>()
  const publicIds = new Set<string>()
  const renew: Record<TransferredTable, (row: ExportedRow) => ExportedRow> = {
    properties(row) {
      const id = uuidv7()
      ids.set(row['id'], id)
      return { ...row, id, public_id: freshPublicId(publicIds) }
    },
    // The keys and people of the history stay behind; it still names them.
    listing_history: (row) => ({ ...row, property_id: ids.get(row['property_id']), actor_id: null }),
    photo_sources: (row) => ({ ...row, property_id: ids.get(row['property_id']) }),
  }
  for (const table of tables) {
    const lines = readLines<ExportedRow>(join(directory, files[table]), manifest.sha256[files[table]])
    const insert = inserting(table, columns[table])
    for await (const rows of batches(lines)) {
      await insert(tx, [agencyId, JSON.stringify(rows.map((row) => renew[table](row)))])
    }
  }
  if (ids.size !== manifest.listings)
    throw new BadExport('The number of listings does not match the manifest.')
  return ids.size
}

/** Inserts exported rows as those of the new agency. Values: agency, rows as JSON. */
function inserting(table: TransferredTable, columns: readonly string[]) {
  const others = columns.filter((column) => column !== 'agency_id')
  const names = others.map((column) => escapeIdentifier(column)).join(', ')
  return prepared(`
    insert into ${table} (agency_id, ${names})
    select $1, ${names} from jsonb_populate_recordset(null::${table}, $2::jsonb)`)
}

function freshPublicId(taken: Set<string>): string {
  const id = newPublicId()
  if (taken.has(id)) return freshPublicId(taken)
  taken.add(id)
  return id
}

async function storePictures(
  { db, storage, clock }: Importing,
  agencyId: string,
  directory: string,
  manifest: Manifest,
): Promise<ReadonlySet<string>> {
  const stored = new Set<string>()
  const lines = readLines<PictureLine>(join(directory, picturesFile), manifest.sha256[picturesFile])
  for await (const some of batches(lines)) {
    const fresh = [...new Set(some.map(({ photo }) => photo))].filter((photo) => !stored.has(photo))
    // If the import does not end within a day, its pictures are deleted.
    await inTransaction(db, (tx) => abandonPhotos(tx, agencyId, fresh, clock))
    const put = createLimiter(filesAtOnce)
    const putOne = async (line: PictureLine): Promise<void> => {
      const key = keyOf(agencyId, line)
      await storage.put(key, await readExportedPicture(directory, line))
    }
    await Promise.all(some.map((line) => put(() => putOne(line))))
    for (const { photo } of some) stored.add(photo)
  }
  return stored
}

function keyOf(agencyId: string, { photo, file }: PictureLine): string {
  const size = file.replace(/\.webp$/, '')
  if (isPhotoName(photo) && file === previewFile) return previewKey(agencyId, photo)
  if (isPhotoName(photo) && isPhotoSize(size)) return photoKey(agencyId, photo, size)
  throw new BadExport(`The export has an unknown picture, ${photo}/${file}.`)
}

async function* batches<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let held: Item[] = []
  for await (const item of items) {
    held.push(item)
    if (held.length < batch) continue
    yield held
    held = []
  }
  if (held.length > 0) yield held
}
