/** Runs PostgreSQL's programs and captures their output; creates the data directory. */
import { spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { DatabaseStartError } from '../presence/database-start-error.ts'
import { syncDirectory } from '../../files/sync-directory.ts'
import type { Binaries } from './embedded-binaries.ts'
import type { EmbeddedPaths } from './embedded-paths.ts'

export const superuser = 'postgres'
const logRotateBytes = 10 * 1024 * 1024
const logTailLines = 15
/** With less, PostgreSQL cannot start, nor write the reason to its log. */
const minFreeBytes = 65_536

/**
 * Runs a program as the database's user, without our environment variables. Its output goes to the database's log.
 * @param options.detached start a new session, which Ctrl-C in the terminal does not reach
 * @param options.hold a file descriptor that the program and its children inherit
 */
export function launch(
  paths: EmbeddedPaths,
  binaries: Binaries,
  program: 'initdb' | 'postgres',
  args: readonly string[],
  options: { detached: boolean; hold?: number | null },
) {
  let start = sizeOf(paths.logFile)
  if (start > logRotateBytes) {
    renameSync(paths.logFile, `${paths.logFile}.1`)
    start = 0
  }
  const log = openSync(paths.logFile, 'a', 0o600)
  if (paths.runAs !== undefined) chownSync(paths.logFile, paths.runAs.uid, paths.runAs.gid)
  const child = spawn(join(binaries.directory, 'bin', program), args, {
    // The other user may not be able to enter the current directory.
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC' },
    detached: options.detached,
    stdio: ['ignore', log, log, ...(options.hold == null ? [] : [options.hold])],
    ...paths.runAs,
  })
  closeSync(log)
  if (options.detached) child.unref()

  let problem: Error | null = null
  /** Resolves with the exit code when the program ends; null if it was killed or never ran. */
  const ended = new Promise<number | null>((resolve) => {
    child.on('exit', (code) => resolve(code))
    child.on('error', (error) => {
      problem = error
      resolve(null)
    })
  })
  /** Its output so far. */
  const output = () =>
    sizeOf(paths.logFile) > start ? readFileSync(paths.logFile).subarray(start).toString() : ''
  return {
    ended,
    output,
    /** The error to throw after a failure: `what`, with the reason or the end of the log. */
    failure(what: string): DatabaseStartError {
      if (problem !== null)
        return new DatabaseStartError(`${what}: ${problem.message}, as uid ${paths.user.uid}.`, {
          cause: problem,
        })
      if (freeBytes(paths.home) < minFreeBytes)
        return new DatabaseStartError(`${what}: the disk of ${paths.home} is full.`)
      const tail = output().trimEnd().split('\n').slice(-logTailLines)
      return new DatabaseStartError([`${what}. The end of ${paths.logFile}:`, ...tail].join('\n  '))
    },
  }
}

/** Free space that a process without privileges can use. */
function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Creates PostgreSQL's data directory if there is none; renamed into place when it is complete. The caller holds `gate.lock`
 * (embedded.ts).
 * @throws DatabaseStartError
 */
export async function initialise(paths: EmbeddedPaths, binaries: Binaries, isDurable: boolean) {
  removeUnfinished(paths)
  if (existsSync(paths.data)) return
  // A unique name, because an initdb whose parent was killed may still be running.
  const unfinished = join(paths.home, `data.new-${randomBytes(6).toString('hex')}`)

  // Collation C compares bytes and is the same everywhere. `lower` needs a character type that knows accented letters.
  for (const characterType of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    const initdb = launch(
      paths,
      binaries,
      'initdb',
      [
        `--pgdata=${unfinished}`,
        `--username=${superuser}`,
        // The socket directory's permissions are the access control.
        '--auth=trust',
        '--encoding=UTF8',
        '--locale=C',
        `--lc-ctype=${characterType}`,
        '--no-instructions',
        ...(isDurable ? [] : ['--no-sync']),
      ],
      { detached: false },
    )
    if ((await initdb.ended) === 0) break
    if (characterType === 'C' || !initdb.output().includes('invalid locale name')) {
      throw initdb.failure('The embedded database could not be created')
    }
  }
  renameSync(unfinished, paths.data)
  // Otherwise a crash of the machine could undo the rename and lose the database.
  if (isDurable) await syncDirectory(paths.home)
}

/** Deletes leftovers of an initdb whose parent was killed. The caller holds `gate.lock`. */
export function removeUnfinished({ home }: EmbeddedPaths): void {
  for (const leftover of readdirSync(home).filter((name) => name.startsWith('data.new-'))) {
    // That initdb may still be running; without its directory it soon fails.
    rmSync(join(home, leftover), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}
