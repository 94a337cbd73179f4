/**
 * Allows one run at a time for each journal. The next run takes over the lock of one that was killed.
 */
import { constants, copyFileSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * @returns a function that releases the lock
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
    // A link has its text at once, unlike a file that is created and then written.
    linkSync(own, path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // The file system has no hard links.
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
  // In a container, the next run often has the same process id.
  if (Number(pid) === process.pid) return null
  try {
    process.kill(Number(pid), 0)
    return name
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? name : null
  }
}

/** Renames a stale lock before deleting it, so that of two runs that find it only one removes it. */
function takeAway(path: string): void {
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
    rmSync(aside, { force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
