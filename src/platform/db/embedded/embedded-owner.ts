/**
 * Records which data directory a database outside of it belongs to. A copy of a data directory has the same link to its database as the original,
 * and would open the original's. So `owner.json` in the database's home names the directory, and links from any other are refused.
 */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseStartError } from './database-start-error.ts'

/** `mark` tells a directory from its copies, also after it was moved or mounted elsewhere. */
type Owner = Readonly<{ path: string; mark: string }>

/**
 * Records the data directory as the owner of the database, unless another one is recorded. A directory that is at the recorded path, or
 * that was moved from there, is the owner.
 * @param directory the real path of the data directory
 * @param link the entry in it that leads to the database
 * @param home where the database is
 * @throws DatabaseStartError if it belongs to another data directory
 */
export function claimHome(directory: string, link: string, home: string): void {
  const { ino, birthtimeNs } = statSync(directory, { bigint: true })
  // Not the device: its number can change when the machine starts.
  const claimed: Owner = { path: directory, mark: `${ino}-${birthtimeNs}` }
  const file = join(home, 'owner.json')
  const owner = readOwner(file)
  if (owner?.path === claimed.path && owner.mark === claimed.mark) return
  if (owner !== null && owner.path !== claimed.path && owner.mark !== claimed.mark) {
    throw new DatabaseStartError(
      `${link} is a link to the database of ${owner.path}, of which ${directory} is a copy: replace the link by a copy of ${home}, made while no service runs there, or, if ${directory} takes the place of ${owner.path}, delete ${file}.`,
    )
  }
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, `${JSON.stringify(claimed)}\n`, { mode: 0o600 })
  renameSync(unfinished, file)
}

/** Null if there is no record: nobody claimed the database yet, or a machine crash truncated it. */
function readOwner(file: string): Owner | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner
  } catch {
    return null
  }
}
