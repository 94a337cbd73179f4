/** Makes a backup of one moment while the service runs: all rows in one snapshot, then the pictures that they name. */
import type { ClientConfig } from 'pg'
import type { Writable } from 'node:stream'
import type { PhotoStorage } from '../../listings/photos/storage.ts'
import { liftTimeouts, withSession } from '../../platform/db/statements/session.ts'
import { type Executor, oneOff } from '../../platform/db/statements/statement.ts'
import { version } from '../../platform/program/version.ts'
import { format, type Manifest, writeArchive } from './archive/archive.ts'
import { copyPictures, pictures } from './archive/pictures.ts'
import { copyOut, readTables } from './archive/tables.ts'

export type BackupSource = Readonly<{
  connection: ClientConfig
  /** Null: the pictures stay in `bucket`. */
  storage: PhotoStorage | null
  bucket: string | null
  /** Null: the archive gets no secret key. */
  secretKey: string | null
}>

/**
 * Writes an archive. Pictures are read after the rows, and a picture taken off its listing keeps its files for a day: so every picture of
 * the snapshot is there, as long as the backup takes less than a day.
 * @param note receives lines about the progress
 * @returns besides the archive's figures, `at`: the moment whose state it has, in ISO 8601
 */
export async function backUp(
  { connection, storage, bucket, secretKey }: BackupSource,
  destination: Writable,
  note: (line: string) => void,
): Promise<{ bytes: number; sha256: string; manifest: Manifest; at: string }> {
  return await withSession(connection, async (session) => {
    await session.run(oneOff('begin isolation level repeatable read read only'))
    await liftTimeouts(session, [])
    const tables = await readTables(session)
    const at = await readOne<string>(session, 'now()')
    const archive = writeArchive(destination, {
      format,
      version,
      at,
      migrations: await readOne<string[]>(session, 'array(select name from schema_migrations order by name)'),
      tables,
      bucket,
    })
    try {
      if (secretKey !== null) await archive.add('secret.key', Buffer.from(`${secretKey}\n`))
      const rows: Record<string, number> = {}
      for (const table of tables) {
        rows[table.name] = await copyOut(session, table, archive.add)
        note(`rows of ${table.name}: ${rows[table.name]}`)
      }
      const { photos, missing } =
        storage === null
          ? { photos: await countPictures(session), missing: 0 }
          : await copyPictures(session, storage, archive.add)
      note(`pictures: ${photos}${missing === 0 ? '' : `, ${missing} of them without files`}`)
      const counts = {
        agencies: await readOne<number>(session, 'select count(*)::int from agencies where test_of is null'),
        listings: await readOne<number>(session, countListings),
        photos,
        rows,
      }
      return { ...(await archive.finish(counts)), at }
    } catch (error) {
      archive.abort(error as Error)
      throw error
    }
  })
}

/** Leaves out removed listings, and those of test environments. */
const countListings = `
  select count(*)::int from agencies a join properties p on p.agency_id = a.id and p.deleted_at is null
  where a.test_of is null`

async function readOne<T>(db: Executor, text: string): Promise<T> {
  const [row] = await db.run(oneOff<{ value: T }>(`select (${text}) as value`))
  return (row as { value: T }).value
}

async function countPictures(db: Executor): Promise<number> {
  let count = 0
  for await (const _ of pictures(db)) count += 1
  return count
}
