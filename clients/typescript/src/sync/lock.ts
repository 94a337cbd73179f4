/**
 * One run at a time for each journal. A run that was killed leaves its lock behind, which the next one takes over.
 */
import { constants, copyFileSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * @returns what releases the lock
 * @throws Error if another run holds it
 */
export function lock(path: string): () => void {
  const own = `${path}.${process.pid}`
  writeFileSync(own, `${process.pid} ${hostname()}\n`, { mode: 0o600 })
  try {
    for (;;) {
      try {
        take(own, path)
        return () => rmSync(path, { force: true })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const holder = holderOf(path)
      if (holder !== null)
        throw new Error(`${holder} uses this journal already; if it does not, delete ${path} and try again`)
      takeAway(path)
    }
  } finally {
    rmSync(own, { force: true })
  }
}

/** @throws EEXIST if the lock is there */
function take(own: string, path: string): void {
  try {
    // With its text at once, unlike a file that is created and then written.
    linkSync(own, path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // Where there are no links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error
    copyFileSync(own, path, constants.COPYFILE_EXCL)
  }
}

/** The holder of the lock, or null if it is free. */
function holderOf(path: string): string | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return null
  }
  const [pid = '', host = ''] = text.trim().split(' ')
  const name = `process ${pid} on ${host}`
  if (host !== hostname()) return name
  // A container's processes often have the same number again.
  if (Number(pid) === process.pid) return null
  try {
    process.kill(Number(pid), 0)
    return name
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? name : null
  }
}

/** By renaming, so that of two who find it stale only one takes it away. */
function takeAway(path: string): void {
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
    rmSync(aside, { force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
