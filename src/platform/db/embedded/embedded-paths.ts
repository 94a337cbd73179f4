/**
 * Where an embedded database keeps its files, and which user it runs as.
 *
 * Its home is `DATA_DIR/postgres-18`: `data` (PostgreSQL's data directory), `postgres.log` and the lock files. PostgreSQL refuses to run
 * as root, so root runs it as an unprivileged user. If that user cannot reach DATA_DIR (below a private home directory, say), the home
 * is created in a system directory that survives reboots, and `DATA_DIR/postgres-18` becomes a link to it. Only the link locates the
 * database: it stays there even if DATA_DIR becomes reachable later, and after DATA_DIR is deleted a new database is created. A copy of
 * DATA_DIR with the same link is refused (`claimHome`).
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { svcCommand } from '../../program/svc-command.ts'
import { DatabaseStartError } from '../presence/database-start-error.ts'
import { canReach } from './embedded-binaries.ts'

type User = { uid: number; gid: number }

export type EmbeddedPaths = Readonly<{
  home: string
  /** PostgreSQL's data directory; created by the first start. */
  data: string
  logFile: string
  /** The user that runs PostgreSQL and owns its files. */
  user: User
  /** `user` if the current user is root, else undefined. */
  runAs: User | undefined
}>

/** `nobody` on Linux, an unused uid elsewhere. It needs no entry in the user database. */
const unprivileged: User = { uid: 65_534, gid: 65_534 }

/** The longest socket path of macOS; Linux allows 107 bytes. */
const socketPathBytes = 103

export const socketPort = 5432
const socketName = `.s.PGSQL.${socketPort}`

/** For files that root's unprivileged user cannot reach elsewhere. */
export const defaultSystemDirectory =
  process.platform === 'darwin' ? '/var/db/property-listing-api' : '/var/lib/property-listing-api'

/** Opens the database home of a data directory, and creates it if there is none. @throws DatabaseStartError */
export function openPaths(
  dataDir: string,
  major: number,
  systemDirectory: string,
  log: (line: string) => void,
): EmbeddedPaths {
  mkdirSync(dataDir, { recursive: true })
  const directory = realpathSync(dataDir)
  const entry = join(directory, entryOf(major))
  const asRoot = process.getuid?.() === 0
  if (!isThere(entry)) {
    if (asRoot && !canReach(entry, unprivileged)) relocate(directory, entry, systemDirectory)
    else mkdirSync(entry, { recursive: true, mode: 0o700 })
  }
  if (!existsSync(entry)) {
    throw new DatabaseStartError(
      `${entry} is a link to a database that is gone: restore it, or delete the link to begin with an empty one.`,
    )
  }
  const home = realpathSync(entry)
  if (home !== entry) claimHome(directory, entry, home)
  const user = asRoot ? becomeOwner(home) : refuseForeign(home)
  if (home !== entry) {
    log(
      `The database of ${directory} is in ${home}, because PostgreSQL runs as uid ${user.uid}, which cannot reach ${directory}.`,
    )
  }
  return {
    home,
    data: join(home, 'data'),
    logFile: join(home, 'postgres.log'),
    user,
    runAs: asRoot ? user : undefined,
  }
}

/** True for a dangling link too. */
function isThere(entry: string): boolean {
  return lstatSync(entry, { throwIfNoEntry: false }) !== undefined
}

/** @throws DatabaseStartError if the data directory only has a database of another major version */
export function refuseOtherMajor(dataDir: string, major: number): void {
  if (!existsSync(dataDir) || isThere(join(dataDir, entryOf(major)))) return
  // The current version's may exist by now: another process may have created it.
  const other = readdirSync(dataDir).find((name) => isEntry(name) && name !== entryOf(major))
  if (other === undefined) return
  throw new DatabaseStartError(
    `${join(dataDir, other)} is of another PostgreSQL version than the embedded one, ${major}: run \`${svcCommand} database upgrade --from DIR\`, or use another DATA_DIR.`,
  )
}

/** The name of the database of a major version in the data directory. */
export function entryOf(major: number): string {
  return `postgres-${major}`
}

/** Whether it is the name of a database in the data directory. */
export function isEntry(name: string): boolean {
  return /^postgres-\d+$/.test(name)
}

function relocate(directory: string, entry: string, systemDirectory: string): void {
  mkdirSync(systemDirectory, { recursive: true })
  chmodSync(systemDirectory, 0o755)
  const home = mkdtempSync(join(systemDirectory, `${shortHash(directory)}-`))
  try {
    symlinkSync(home, entry)
  } catch (error) {
    rmdirSync(home)
    // If another process was faster, its link counts.
    if (!isThere(entry)) throw error
  }
}

function becomeOwner(home: string): User {
  const { uid, gid } = statSync(home)
  const user = uid === 0 ? unprivileged : { uid, gid }
  if (uid === 0) chownSync(home, user.uid, user.gid)
  if (!canReach(join(home, 'data'), user)) {
    throw new DatabaseStartError(
      `PostgreSQL does not run as root, and uid ${user.uid} cannot reach its database in ${home}: open the directories above it (chmod o+x).`,
    )
  }
  return user
}

function refuseForeign(home: string): User {
  const { uid, gid } = statSync(home)
  if (uid !== process.getuid?.()) {
    throw new DatabaseStartError(
      `The database in ${home} belongs to uid ${uid}: run as that user or as root, or use another DATA_DIR.`,
    )
  }
  return { uid, gid }
}

/**
 * Creates the private directory for the socket. Its path depends on the home and the temporary directory alone.
 * @param preferred a directory that was in use before
 */
export function makeSocketDirectory(paths: EmbeddedPaths, preferred?: string): string {
  const directory = preferred ?? chooseSocketDirectory(paths)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // The name is predictable: refuse a link, or a directory of another user.
  const found = lstatSync(directory)
  const isOurs = found.uid === paths.user.uid || (paths.runAs !== undefined && found.uid === 0)
  if (!found.isDirectory() || !isOurs) {
    throw new DatabaseStartError(
      `${directory}, where PostgreSQL's socket goes, belongs to another user: delete it.`,
    )
  }
  if (paths.runAs !== undefined) chownSync(directory, paths.user.uid, paths.user.gid)
  chmodSync(directory, 0o700)
  return directory
}

/** Removes the directory if it is empty. */
export function removeSocketDirectory(directory: string): void {
  try {
    rmdirSync(directory)
  } catch {
    // Not empty: the next start uses it again.
  }
}

function chooseSocketDirectory(paths: EmbeddedPaths): string {
  const name = `property-listing-api-${shortHash(paths.home)}`
  const directory = [tmpdir(), '/tmp']
    .filter((base) => existsSync(base))
    .map((base) => join(realpathSync(base), name))
    .find(
      (candidate) =>
        Buffer.byteLength(join(candidate, socketName)) <= socketPathBytes && canReach(candidate, paths.user),
    )
  if (directory !== undefined) return directory
  throw new DatabaseStartError(
    `uid ${paths.user.uid} can reach neither ${tmpdir()} nor /tmp, where PostgreSQL's socket goes.`,
  )
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** `mark` distinguishes a directory from its copies, even after it was moved or mounted elsewhere. */
type Owner = Readonly<{ path: string; mark: string }>

/**
 * Records the data directory as the owner of a database outside it, in `owner.json` of the database's home, unless another one is recorded.
 * A copy of a data directory links to the same database as the original, and must not open it. The owner is the directory that is at the
 * recorded path, or that was moved from there.
 * @param directory the real path of the data directory
 * @param link the entry in it that leads to the database
 * @param home where the database is
 * @throws DatabaseStartError if it belongs to another data directory
 */
function claimHome(directory: string, link: string, home: string): void {
  const { ino, birthtimeNs } = statSync(directory, { bigint: true })
  // Not the device: its number can change when the machine starts.
  const claimed: Owner = { path: directory, mark: `${ino}-${birthtimeNs}` }
  const file = join(home, 'owner.json')
  const owner = readOwner(file)
  if (owner?.path === claimed.path && owner.mark === claimed.mark) return
  if (owner !== null && owner.path !== claimed.path && owner.mark !== claimed.mark) {
    throw new DatabaseStartError(
      `${link} is a link to the database of ${owner.path}, and ${directory} is a copy of that: replace the link with a copy of ${home} made while no service runs there, or delete ${file} if ${directory} replaces ${owner.path}.`,
    )
  }
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, `${JSON.stringify(claimed)}\n`, { mode: 0o600 })
  renameSync(unfinished, file)
}

/** Null if there is no record: the database is not claimed yet, or a machine crash truncated the record. */
function readOwner(file: string): Owner | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner
  } catch {
    return null
  }
}
