/** Makes a backup of one moment while the service runs: all rows in one snapshot, then the pictures that they name. */
import { Client, type ClientConfig } from 'pg'
import type { Writable } from 'node:stream'
import type { PhotoStorage } from '../../listings/photos/storage.ts'
import { version } from '../../platform/version.ts'
import { format, type Manifest, writeArchive } from './archive.ts'
import { copyPictures, pictures } from './pictures.ts'
import { copyOut, readTables } from './tables.ts'

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
 */
export async function backUp(
  { connection, storage, bucket, secretKey }: BackupSource,
  destination: Writable,
  note: (line: string) => void,
): Promise<{ bytes: number; sha256: string; manifest: Manifest; missing: number }> {
  const client = new Client(connection)
  // A lost connection also fails the running query.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const tables = await readTables(client)
    const archive = writeArchive(destination, {
      format,
      version,
      at: await readOne<string>(
        client,
        `select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      ),
      migrations: await readOne<string[]>(
        client,
        'select array(select name from schema_migrations order by name)',
      ),
      tables,
      bucket,
    })
    try {
      if (secretKey !== null) await archive.add('secret.key', Buffer.from(`${secretKey}\n`))
      const rows: Record<string, number> = {}
      for (const table of tables) {
        rows[table.name] = await copyOut(client, table, archive.add)
        note(`${table.name}: ${rows[table.name]} rows`)
      }
      const { photos, missing } =
        storage === null
          ? { photos: await countPictures(client), missing: 0 }
          : await copyPictures(client, storage, archive.add)
      note(`pictures: ${photos}${missing === 0 ? '' : `, ${missing} of them without files`}`)
      const counts = {
        agencies: await readOne<number>(client, 'select count(*)::int from agencies where test_of is null'),
        listings: rows['properties'] ?? 0,
        photos,
        rows,
      }
      return { ...(await archive.finish(counts)), missing }
    } catch (error) {
      archive.abort(error as Error)
      throw error
    }
  } finally {
    await client.end()
  }
}

async function readOne<T>(client: Client, text: string): Promise<T> {
  const { rows } = await client.query<[T]>({ text, rowMode: 'array' })
  return rows[0]?.[0] as T
}

async function countPictures(client: Client): Promise<number> {
  let count = 0
  for await (const _ of pictures(client)) count += 1
  return count
}
