/** Verifies a backup: restores it into a throw-away embedded database. */
import { createReadStream, realpathSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { startEmbedded } from '../../platform/db/embedded/embedded.ts'
import type { Manifest } from './archive.ts'
import { restore } from './restore.ts'

/**
 * Restores the archive and counts the rows of every table; the pictures are only read. The database is beside the archive, where space
 * is.
 * @throws BadArchive
 */
export async function verifyBackup(archive: string, note: (line: string) => void): Promise<Manifest> {
  const dataDir = await mkdtemp(join(dirname(archive), '.verifying-'))
  let home: string | null = null
  try {
    const database = await startEmbedded({ dataDir, log: () => {}, durable: false })
    home = database.home
    try {
      const target = {
        connection: database.connection,
        storage: null,
        checkBucket: () => {},
        finish: async () => {},
      }
      return await restore(createReadStream(archive), target, note)
    } finally {
      await database.release()
    }
  } finally {
    // Root's database may be outside the directory, which then only links to it.
    if (home !== null && dirname(home) !== realpathSync(dataDir))
      await rm(home, { recursive: true, force: true })
    await rm(dataDir, { recursive: true, force: true })
  }
}
