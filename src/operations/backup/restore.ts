/** Restores a backup into an empty database. Until everything is there, the database is marked, and the service does not start on it. */
import { realpathSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type ClientConfig, escapeIdentifier } from 'pg'
import type { PhotoStorage } from '../../listings/photos/storage.ts'
import { tryAdvisoryLock } from '../../platform/db/statements/advisory-locks.ts'
import type { Connection } from '../../platform/db/statements/connection.ts'
import type { EmbeddedDatabase } from '../../platform/db/embedded/embedded.ts'
import { isEntry } from '../../platform/db/embedded/embedded-paths.ts'
import { restoreMark } from '../../platform/db/engine.ts'
import { migrate } from '../../platform/db/migrations/migrate.ts'
import { readMigrations } from '../../platform/db/migrations/migrations.ts'
import { liftTimeouts, withSession } from '../../platform/db/statements/session.ts'
import { type Executor, oneOff, statement } from '../../platform/db/statements/statement.ts'
import { type ArchiveReader, type Head, type Manifest, readArchive } from './archive/archive.ts'
import { isOfPictures, restorePictures } from './archive/pictures.ts'
import { BadArchive } from './archive/tar.ts'
import { type CopyIn, openCopyIn, tableOf } from './archive/tables.ts'

type RestoreTarget = Readonly<{
  /** As the owner of the database. */
  connection: ClientConfig
  /** Called if the pictures are not in the archive but in a bucket. @throws if they cannot be found there */
  checkBucket: (bucket: string) => void
  /** Where the pictures go; null: they are only read. */
  storage: Pick<PhotoStorage, 'put'> | null
  /** Called once everything has been read, before the database is complete. @param secretKey the archive's; null if it has none */
  finish: (secretKey: string | null) => Promise<void>
}>

const tryLock = tryAdvisoryLock('restore')

/** The database cannot be restored into. The message is one line. */
export class DatabaseNotEmpty extends Error {
  override readonly name = 'DatabaseNotEmpty'
}

/**
 * Runs `work` while no other restore into the database runs.
 * @param name names the database in messages
 * @throws DatabaseNotEmpty unless the database has no tables, or only what an interrupted restore has left
 */
export async function claimEmpty<T>(
  connection: ClientConfig,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  return await withSession(connection, (session) =>
    session.transaction(async (tx) => {
      await liftTimeouts(tx, [])
      if ((await tryLock(tx, []))[0]?.taken !== true)
        throw new DatabaseNotEmpty('Another restore into this database is running.')
      const tables = await tablesOf(tx)
      if (tables.length > 0 && !tables.includes(restoreMark))
        throw new DatabaseNotEmpty(`${name} is not empty: a backup is restored into an empty database only.`)
      return await work()
    }),
  )
}

/** Ends the use of an embedded database after a failure, and deletes it if it has no tables. */
export async function releaseEmpty(dataDir: string, { connection, home, release }: EmbeddedDatabase) {
  // A database that does not answer is kept.
  const isEmpty = await withSession(connection, tablesOf).then(
    (tables) => tables.length === 0,
    () => false,
  )
  await release()
  if (!isEmpty) return
  // The entry in the data directory may be a link to it.
  const entries = (await readdir(dataDir)).filter(isEntry).map((name) => join(dataDir, name))
  const own = entries.filter((entry) => realpathSync(entry) === home)
  for (const path of [home, ...own]) await rm(path, { recursive: true, force: true })
}

/**
 * Fills a database that is empty, or in which a restore was interrupted.
 * @throws BadArchive or the database's error; the database is empty again then
 */
export async function restore(
  source: Readable,
  target: RestoreTarget,
  note: (line: string) => void,
): Promise<Manifest> {
  const { connection } = target
  await withSession(connection, async (session) => {
    await empty(session)
    await session.run(oneOff(`create table ${restoreMark} ()`))
  })
  try {
    const restored = await fill(source, target, note)
    await migrate(connection, note)
    return restored
  } catch (error) {
    // If this fails too, the database stays marked.
    await withSession(connection, empty).catch(() => {})
    throw error
  }
}

type ReadSoFar = { rows: CopyIn | null; secretKey: string | null }

async function fill(
  source: Readable,
  { connection, storage, checkBucket, finish }: RestoreTarget,
  note: (line: string) => void,
): Promise<Manifest> {
  return await withSession(connection, async (session) => {
    const found: ReadSoFar = { rows: null, secretKey: null }
    const reader: ArchiveReader = {
      async head(head) {
        if (head.bucket !== null) checkBucket(head.bucket)
        note(`The backup is of ${head.at}, made by version ${head.version}.`)
        await migrate(connection, note, migrationsOf(head))
        await session.run(oneOff('begin'))
        await liftTimeouts(session, [])
        found.rows = openCopyIn(session, head.tables)
      },
      async part(name, bytes) {
        const table = tableOf(name)
        if (table !== null) await found.rows?.add(table, bytes)
        else if (isOfPictures(name)) {
          if (storage !== null) await restorePictures(bytes, storage)
        } else if (name === 'secret.key') found.secretKey = bytes.toString().trim()
        else throw new BadArchive(`The archive has an unknown part, ${name}.`)
      },
    }
    try {
      const manifest = await readArchive(source, reader)
      compareRows(manifest.rows, await found.rows?.finish())
      await finish(found.secretKey)
      await session.run(oneOff(`drop table ${restoreMark}`))
      await session.run(oneOff('commit'))
      return manifest
    } catch (error) {
      await found.rows?.abort()
      throw error
    }
  })
}

function compareRows(wanted: Manifest['rows'], restored: Manifest['rows'] = {}): void {
  for (const [table, count] of Object.entries(wanted))
    if ((restored[table] ?? 0) !== count)
      throw new BadArchive(`The archive has ${restored[table] ?? 0} of ${count} rows of ${table}.`)
}

/** The migrations of the backup's database, so that its rows fit. */
function migrationsOf(head: Head) {
  const known = readMigrations()
  const names = new Set(known.map(({ name }) => name))
  const unknown = head.migrations.filter((name) => !names.has(name))
  if (unknown.length > 0)
    throw new BadArchive(
      `The backup is of a newer version, ${head.version}: this one lacks ${unknown.join(', ')}. Restore it with that version.`,
    )
  return known.filter(({ name }) => head.migrations.includes(name))
}

const selectTables = statement<{ name: string }>(`
  select relname as name from pg_class
  where relkind in ('r', 'p', 'v', 'm') and relnamespace = current_schema()::regnamespace`)

async function tablesOf(session: Executor): Promise<string[]> {
  return (await selectTables(session, [])).map(({ name }) => name)
}

const selectFunctions = statement<{ signature: string }>(`
  select p.oid::regprocedure::text as signature from pg_proc p
  where p.pronamespace = current_schema()::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`)

/** Drops all tables and functions that migrations have made, the mark last. Nothing else was there before. */
async function empty(session: Connection): Promise<void> {
  const tables = (await tablesOf(session)).filter((name) => name !== restoreMark)
  const functions = await selectFunctions(session, [])
  await session.transaction(async (tx) => {
    if (tables.length > 0)
      await tx.run(oneOff(`drop table ${tables.map((name) => escapeIdentifier(name)).join(', ')} cascade`))
    for (const { signature } of functions) await tx.run(oneOff(`drop function ${signature}`))
    await tx.run(oneOff(`drop table if exists ${restoreMark}`))
  })
}
