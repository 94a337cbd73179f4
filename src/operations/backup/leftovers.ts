/** Deletes what killed processes have left: unfinished archives, and databases of verifications. */
import { mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The end of the name of an archive that is not finished. */
export const unfinished = '.partial'
const ofVerification = '.verifying-listings-'

/** No backup takes so long. */
const leftoverMs = 86_400_000

/** Makes the data directory of a verification. */
export async function makeScratch(directory: string): Promise<string> {
  return await mkdtemp(join(directory, ofVerification))
}

/** Deletes it with its database, which may be elsewhere: root's data directory then only links to it. */
export async function removeScratch(scratch: string): Promise<void> {
  for (const name of await readdir(scratch))
    await rm(await realpath(join(scratch, name)), { recursive: true, force: true })
  await rm(scratch, { recursive: true, force: true })
}

/** Leaves alone what a running backup may still use, and files of others. */
export async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    const isArchive = name.startsWith('listings-') && name.endsWith(unfinished)
    if (!isArchive && !name.startsWith(ofVerification)) continue
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs < leftoverMs) continue
    if (isArchive) await rm(path, { force: true })
    else await removeScratch(path)
  }
}
