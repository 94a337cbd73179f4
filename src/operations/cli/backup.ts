/** `backup` and `restore`. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ClientConfig } from 'pg'
import { loadSecretKeys } from '../../access/secrets/secret-keys.ts'
import { openStorage } from '../../listings/photos/storage.ts'
import type { Config } from '../../platform/config/config.ts'
import { openDataDir } from '../../platform/config/data-dir.ts'
import { checkServer } from '../../platform/db/engine.ts'
import { startEmbedded } from '../../platform/db/embedded/embedded.ts'
import { withSession } from '../../platform/db/session.ts'
import type { Manifest } from '../backup/archive.ts'
import { syncDirectory } from '../../platform/sync-directory.ts'
import { backUp } from '../backup/backup.ts'
import { restore as restoreInto, stateOf } from '../backup/restore.ts'
import { verifyBackup } from '../backup/verify.ts'
import { CommandError, type Context, type Output, type Run } from './command.ts'
import { withConnection } from './open.ts'
import { fields } from './output.ts'

export const backup: Run = async (input, { settings, note }) => {
  const config = await settings()
  const directory = resolve(input.text('to'))
  await mkdir(directory, { recursive: true })
  return await withConnection(config, note, async (connection) => {
    if (await withSession(connection, checkServer))
      throw new CommandError(
        'A distributed database cannot be backed up like this: see docs/operations/citus-backup.md.',
      )
    const storage = config.s3 === null ? await openStorage(config) : null
    const name = `listings-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}Z.tar`
    const archive = join(directory, name)
    const partial = `${archive}.partial`
    try {
      const file = createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true })
      const source = {
        connection,
        storage,
        bucket: config.s3?.bucket ?? null,
        secretKey: input.isSet('with-secret-key') ? (await loadSecretKeys(config)).current : null,
      }
      const { bytes, sha256, manifest } = await backUp(source, file, note)
      if (input.isSet('verify')) await verifyBackup(partial, note)
      await rename(partial, archive)
      await syncDirectory(directory)
      return shown({ archive, bytes, sha256, ...countsOf(manifest) })
    } catch (error) {
      await rm(partial, { force: true })
      throw error
    } finally {
      storage?.close()
    }
  })
}

export const restore: Run = async ({ positionals: [archive = ''] }, { settings, note }) => {
  const config = await settings()
  if (!existsSync(archive)) throw new CommandError(`There is no file ${archive}.`)
  const manifest =
    config.databaseUrl === null
      ? await restoreEmbedded(config, archive, note)
      : await restoreExternal(config, { connectionString: config.databaseUrl }, archive, note)
  return shown(countsOf(manifest))
}

function countsOf({ agencies, listings, photos }: Manifest) {
  return { agencies, listings, photos }
}

function shown(json: Record<string, string | number>): Output {
  return { json, text: fields(Object.entries(json).map(([label, value]) => [label, String(value)])) }
}

/** Restores into a database that exists. Pictures and the secret key go to where the settings say. */
async function restoreExternal(
  config: Config,
  connection: ClientConfig,
  archive: string,
  note: Context['note'],
): Promise<Manifest> {
  if ((await stateOf(connection)) === 'in use')
    throw new CommandError('The database is not empty: a backup is restored into an empty one only.')
  const made = await claimDataDir(config)
  const storage = await openStorage(config)
  try {
    return await restoreInto(
      createReadStream(archive),
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

/** Creates the embedded database for it, and deletes it again after a failure. */
async function restoreEmbedded(config: Config, archive: string, note: Context['note']): Promise<Manifest> {
  const { dataDir } = config
  openDataDir(dataDir)
  const names = await readdir(dataDir)
  const isOurs = names.includes(mark) || !names.some(isDatabase)
  if (isOurs && !names.includes(mark)) await refuseFilled(dataDir, names)
  const { connection, home, release } = await startEmbedded({ dataDir, log: note, isServer: true })
  try {
    const restored = await restoreExternal(config, connection, archive, note)
    await release()
    return restored
  } catch (error) {
    const isEmpty = (await stateOf(connection)) === 'empty'
    await release()
    if (isOurs && isEmpty) {
      // The entry in DATA_DIR may be a link to it.
      await rm(home, { recursive: true, force: true })
      await removeFrom(dataDir, (await readdir(dataDir)).filter(isDatabase))
    }
    throw error
  }
}

function isDatabase(name: string): boolean {
  return /^postgres-\d+$/.test(name)
}

/** The file in DATA_DIR that says that a restore puts pictures and key there: only then may another attempt delete them. */
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
    throw new CommandError('SECRET_KEY is not the key in the backup: set it to that one, or leave it out.')
}
