/** Moves the embedded database to another major version of PostgreSQL, by restoring a backup of it into a new database beside it. */
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { ClientConfig } from 'pg'
import { getBinaries } from '../../platform/db/embedded/embedded-binaries.ts'
import { entryOf } from '../../platform/db/embedded/embedded-paths.ts'
import { startEmbedded } from '../../platform/db/embedded/embedded.ts'
import { syncDirectory } from '../../platform/files/sync-directory.ts'
import { backUp } from './backup.ts'
import { claimEmpty, DatabaseNotEmpty, releaseEmpty, restore } from './restore.ts'

/**
 * Copies all rows into a new database; the pictures stay where they are. The old database is kept under another name, so that no older
 * version starts on it. After a failure, only the old one is there.
 * @param from the directory of an installation that has the PostgreSQL of the old database
 * @throws Error if there is nothing to upgrade; DatabaseStartError
 */
export async function upgradeEmbedded(
  dataDir: string,
  from: string,
  note: (line: string) => void,
): Promise<{ from: number; to: number; kept: string }> {
  const [before, after] = [getBinaries(from), getBinaries()]
  const entry = join(dataDir, entryOf(before.major))
  if (before.major === after.major)
    throw new Error(`Nothing to upgrade: the PostgreSQL of ${from} is of version ${after.major} too.`)
  if (!existsSync(entry)) throw new Error(`Nothing to upgrade: there is no ${entry}.`)
  const kept = `${entry}-before-${after.major}`
  const options = { dataDir, log: note, isServer: true, isBesideOther: true }
  const old = await startEmbedded({ ...options, binaries: before })
  try {
    const upgraded = await startEmbedded(options)
    try {
      await claimEmpty(upgraded.connection, 'The new database', () =>
        copy(old.connection, upgraded.connection, note),
      )
    } catch (error) {
      await releaseEmpty(dataDir, upgraded)
      if (error instanceof DatabaseNotEmpty)
        throw new Error(
          `${dataDir} already has a database of version ${after.major}. If an upgrade was killed at its very end, rename ${entry} to ${kept}, and start the service.`,
          { cause: error },
        )
      throw error
    }
    await upgraded.release()
  } finally {
    await old.release()
  }
  await rename(entry, kept)
  await syncDirectory(dataDir)
  return { from: before.major, to: after.major, kept }
}

async function copy(from: ClientConfig, to: ClientConfig, note: (line: string) => void): Promise<void> {
  const rows = new PassThrough()
  const source = { connection: from, storage: null, bucket: null, secretKey: null }
  const target = { connection: to, storage: null, checkBucket: () => {}, finish: async () => {} }
  const written = backUp(source, rows, note)
  // Otherwise the restore would wait forever.
  written.catch((error: unknown) => rows.destroy(error as Error))
  await restore(rows, target, () => {})
  await written
}
