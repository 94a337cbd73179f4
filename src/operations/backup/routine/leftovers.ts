/** Deletes what killed processes have left: unfinished archives, and databases of verifications. */
import { lstat, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '../../../platform/time/days.ts'
import { isEntry } from '../../../platform/db/embedded/embedded-paths.ts'

/** The end of the name of an archive that is not finished. */
export const unfinished = '.partial'
const ofVerification = '.verifying-listings-'

/** Makes the data directory of a verification. */
export async function makeScratch(directory: string): Promise<string> {
  return await mkdtemp(join(directory, ofVerification))
}

/** Deletes the directory and its database. As root, the database is outside it, behind a link. */
export async function removeScratch(scratch: string): Promise<void> {
  for (const name of (await readdir(scratch)).filter(isEntry)) {
    const home = await realpath(join(scratch, name)).catch(() => null)
    if (home !== null) await rm(home, { recursive: true, force: true })
  }
  await rm(scratch, { recursive: true, force: true })
}

/**
 * Deletes leftovers, except files that a running backup may still use, or that belong to other users: anyone can write to a temporary
 * directory. A leftover that cannot be deleted stops no backup.
 */
export async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const isArchive = name.startsWith('listings-') && name.endsWith(unfinished)
    if (!isArchive && !name.startsWith(ofVerification)) continue
    const path = join(directory, name)
    try {
      const found = await lstat(path)
      const isOurs = found.uid === process.getuid?.() && (isArchive ? found.isFile() : found.isDirectory())
      // No backup takes a day.
      if (!isOurs || Date.now() - found.mtimeMs < dayMs) continue
      await (isArchive ? rm(path, { force: true }) : removeScratch(path))
    } catch {
      // The next backup tries again.
    }
  }
}
