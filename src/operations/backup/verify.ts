/** Verifies a backup: restores it into a throw-away embedded database. */
import type { Readable } from 'node:stream'
import { getBinaries } from '../../platform/db/embedded/embedded-binaries.ts'
import { startEmbedded } from '../../platform/db/embedded/embedded.ts'
import { makeScratch, removeScratch } from './routine/leftovers.ts'
import { restore } from './restore.ts'

/** @throws Error if no backup can be verified here */
export function checkVerifiable(): void {
  try {
    getBinaries()
  } catch (cause) {
    throw new Error(
      'A backup is verified in an embedded PostgreSQL, which is not installed here. See docs/operations/backup.md.',
      { cause },
    )
  }
}

/**
 * Restores the archive and counts the rows of every table; the pictures are only read.
 * @param directory where the throw-away database is created
 * @throws BadArchive
 */
export async function verifyBackup(archive: Readable, directory: string): Promise<void> {
  const scratch = await makeScratch(directory)
  try {
    const database = await startEmbedded({ dataDir: scratch, log: () => {}, durable: false })
    try {
      const target = {
        connection: database.connection,
        storage: null,
        checkBucket: () => {},
        finish: async () => {},
      }
      await restore(archive, target, () => {})
    } finally {
      await database.release()
    }
  } finally {
    await removeScratch(scratch)
  }
}
