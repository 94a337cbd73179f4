/** `restore`: fills an empty data directory, or an empty database, from a backup. */
import { existsSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ClientConfig } from 'pg'
import { openStorage } from '../../../listings/photos/storage.ts'
import type { Config } from '../../../platform/config/config.ts'
import { openDataDir } from '../../../platform/config/data-dir.ts'
import { isEntry } from '../../../platform/db/embedded/embedded-paths.ts'
import { startEmbedded } from '../../../platform/db/embedded/embedded.ts'
import type { Manifest } from '../../backup/archive/archive.ts'
import { openStoreOf } from '../../backup/archive/archive-store.ts'
import { claimEmpty, releaseEmpty, restore as restoreInto } from '../../backup/restore.ts'
import { CommandError, type Context, type Run } from '../command.ts'
import { shown } from '../output.ts'

export const restore: Run = async ({ positionals: [path = ''] }, { settings, note }) => {
  const config = await settings()
  const { archives, name } = await openStoreOf(path, config)
  try {
    const archive = await archives.read(name)
    if (archive === null) throw new CommandError(`There is no archive ${path}.`)
    const { databaseUrl } = config
    const { agencies, listings, photos } =
      databaseUrl === null
        ? await restoreEmbedded(config, archive, note)
        : await restoreExternal(config, { connectionString: databaseUrl }, archive, note)
    return shown({ agencies, listings, photos })
  } finally {
    archives.close()
  }
}

/** Restores into a database that exists. Pictures and the secret key go to where the settings say. */
async function restoreExternal(
  config: Config,
  connection: ClientConfig,
  archive: Readable,
  note: Context['note'],
): Promise<Manifest> {
  const name =
    config.databaseUrl === null
      ? `The embedded database in ${config.dataDir}`
      : `The database ${new URL(config.databaseUrl).pathname.slice(1)} of DATABASE_URL`
  return await claimEmpty(connection, name, () => fill(config, connection, archive, note))
}

async function fill(
  config: Config,
  connection: ClientConfig,
  archive: Readable,
  note: Context['note'],
): Promise<Manifest> {
  const made = await claimDataDir(config)
  const storage = await openStorage(config)
  try {
    return await restoreInto(
      archive,
      {
        connection,
        storage,
        checkBucket: (bucket) => checkBucket(config, bucket),
        async finish(secretKey) {
          if (secretKey !== null) await keepSecretKey(config, secretKey)
          await rm(join(config.dataDir, mark), { force: true })
        },
      },
      note,
    )
  } catch (error) {
    await removeFrom(config.dataDir, [...made, mark])
    throw error
  } finally {
    storage.close()
  }
}

/** Restores into a new embedded database, which is deleted after a failure. */
async function restoreEmbedded(config: Config, archive: Readable, note: Context['note']): Promise<Manifest> {
  const { dataDir } = config
  openDataDir(dataDir)
  const names = await readdir(dataDir)
  // Checked before a database is created.
  if (!names.some(isEntry) && !names.includes(mark)) await refuseFilled(dataDir, names)
  const database = await startEmbedded({ dataDir, log: note, isServer: true })
  try {
    const restored = await restoreExternal(config, database.connection, archive, note)
    await database.release()
    return restored
  } catch (error) {
    await releaseEmpty(dataDir, database)
    throw error
  }
}

/** Marks a DATA_DIR that a restore is filling: only then may another attempt delete its files. */
const mark = 'restore-in-progress'

/**
 * Makes room in DATA_DIR for what is stored there besides the database.
 * @returns the names that the restore may create
 * @throws CommandError if they exist and no interrupted restore has made them
 */
async function claimDataDir({ dataDir, s3, secretKey }: Config): Promise<string[]> {
  const names = [...(s3 === null ? ['photos'] : []), ...(secretKey === null ? ['secret.key'] : [])]
  if (names.length === 0) return names
  openDataDir(dataDir)
  if (existsSync(join(dataDir, mark))) await removeFrom(dataDir, names)
  else await refuseFilled(dataDir, names)
  await writeFile(join(dataDir, mark), '')
  return names
}

async function removeFrom(dataDir: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(dataDir, name), { recursive: true, force: true })
}

async function refuseFilled(dataDir: string, names: readonly string[]): Promise<void> {
  const found = names.filter((name) => existsSync(join(dataDir, name)))
  if (found.length > 0)
    throw new CommandError(
      `DATA_DIR is "${dataDir}", which has ${found.join(', ')}: a backup is restored into an empty directory only.`,
    )
}

function checkBucket({ s3 }: Config, bucket: string): void {
  if (s3 === null)
    throw new CommandError(
      `The pictures of this backup are in the bucket ${bucket}: set S3_BUCKET to it, or to a copy.`,
    )
}

async function keepSecretKey(config: Config, secretKey: string): Promise<void> {
  if (config.secretKey === null) {
    await writeFile(join(config.dataDir, 'secret.key'), `${secretKey}\n`, { mode: 0o600, flag: 'wx' })
  } else if (config.secretKey !== secretKey && config.secretKeyPrevious !== secretKey)
    throw new CommandError('SECRET_KEY is not the key in the backup: set it to that key, or unset it.')
}
