/** The pictures of listings and agencies: which ones a database names, and their files in a backup. */
import { pack } from 'tar-stream'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { filesOfPhoto } from '../../../listings/photos/names-and-urls.ts'
import { filesAtOnce, type PhotoStorage } from '../../../listings/photos/storage.ts'
import { createLimiter } from '../../../platform/concurrency.ts'
import { type Executor, oneOff } from '../../../platform/db/statements/statement.ts'
import { type File, filesOf } from './tar.ts'

/** Bytes of a part, a tar archive of its own. Backup and restore hold one part in memory. */
const partBytes = 32 * 1024 * 1024
const rowsAtOnce = 1_000

type Picture = { agency_id: string; photo: string }

/** Removed listings keep their pictures, and a test agency has its agency's logo. */
const selectPictures = `
  select distinct agency_id, photo from (
    select agency_id, unnest(photos) as photo from properties
    union all
    select coalesce(test_of, id), logo from agencies where logo is not null
  ) named`

/** Every picture that the snapshot of this transaction names. */
export async function* pictures(db: Executor): AsyncGenerator<Picture> {
  await db.run(oneOff(`declare pictures no scroll cursor for ${selectPictures}`))
  for (;;) {
    const rows = await db.run(oneOff<Picture>(`fetch ${rowsAtOnce} from pictures`))
    yield* rows
    if (rows.length < rowsAtOnce) break
  }
  await db.run(oneOff('close pictures'))
}

/**
 * Copies the files of all pictures into parts.
 * @returns the number of pictures, and of those without any file: they were lost before
 */
export async function copyPictures(
  db: Executor,
  storage: PhotoStorage,
  add: (name: string, bytes: Buffer) => Promise<void>,
): Promise<{ photos: number; missing: number }> {
  let photos = 0
  let missing = 0
  let parts = 0
  let held: { key: string; bytes: Buffer }[] = []
  let size = 0
  const flush = async (): Promise<void> => {
    if (held.length === 0) return
    const part = pack()
    for (const { key, bytes } of held) part.entry({ name: key, mode: 0o600, mtime: new Date(0) }, bytes)
    part.finalize()
    held = []
    size = 0
    parts += 1
    await add(`photos/${String(parts).padStart(6, '0')}.tar`, await buffer(part))
  }
  for await (const picture of pictures(db)) {
    photos += 1
    const files = await Promise.all(
      filesOfPhoto(picture.agency_id, picture.photo).map(async ({ key }) => ({
        key,
        bytes: await storage.read(key),
      })),
    )
    const found = files.flatMap(({ key, bytes }) => (bytes === null ? [] : [{ key, bytes }]))
    if (found.length === 0) missing += 1
    held.push(...found)
    size += found.reduce((sum, { bytes }) => sum + bytes.length, 0)
    if (size >= partBytes) await flush()
  }
  await flush()
  return { photos, missing }
}

export function isOfPictures(part: string): boolean {
  return /^photos\/\d+\.tar$/.test(part)
}

/** Stores the files of a part. */
export async function restorePictures(part: Buffer, storage: Pick<PhotoStorage, 'put'>): Promise<void> {
  const files: File[] = []
  for await (const file of filesOf(Readable.from([part]))) files.push(file)
  const put = createLimiter(filesAtOnce)
  await Promise.all(files.map(({ name, bytes }) => put(() => storage.put(name, bytes))))
}
