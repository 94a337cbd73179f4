/** Runs one of PostgreSQL's programs and captures its output. */
import { spawn } from 'node:child_process'
import { chownSync, closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseStartError } from './database-start-error.ts'
import type { Binaries } from './embedded-binaries.ts'
import type { EmbeddedPaths } from './embedded-place.ts'

const logRotateBytes = 10 * 1024 * 1024
const logTailLines = 15

type Launched = {
  /** Resolves with the exit code when the program ends; null if it was killed or never ran. */
  ended: Promise<number | null>
  /** Its output so far. */
  output(): string
  /** The error to throw after a failure: `what`, with the reason or the end of the log. */
  failure(what: string): DatabaseStartError
}

/**
 * Runs a program as the place's user, without our environment variables. Its output goes to the place's log.
 * @param options.detached start a new session, which Ctrl-C in the terminal does not reach
 * @param options.hold a file descriptor that the program and its children inherit
 */
export function launch(
  place: EmbeddedPaths,
  binaries: Binaries,
  program: 'initdb' | 'postgres',
  args: readonly string[],
  options: { detached: boolean; hold?: number | null },
): Launched {
  let start = sizeOf(place.logFile)
  if (start > logRotateBytes) {
    renameSync(place.logFile, `${place.logFile}.1`)
    start = 0
  }
  const log = openSync(place.logFile, 'a', 0o600)
  if (place.runAs !== undefined) chownSync(place.logFile, place.runAs.uid, place.runAs.gid)
  const child = spawn(join(binaries.directory, 'bin', program), args, {
    // The other user may not be able to enter the current directory.
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC' },
    detached: options.detached,
    stdio: ['ignore', log, log, ...(options.hold == null ? [] : [options.hold])],
    ...place.runAs,
  })
  closeSync(log)
  if (options.detached) child.unref()

  let problem: Error | null = null
  const ended = new Promise<number | null>((resolve) => {
    child.on('exit', (code) => resolve(code))
    child.on('error', (error) => {
      problem = error
      resolve(null)
    })
  })
  const output = () =>
    sizeOf(place.logFile) > start ? readFileSync(place.logFile).subarray(start).toString() : ''
  return {
    ended,
    output,
    failure(what) {
      if (problem !== null)
        return new DatabaseStartError(`${what}: ${problem.message}, as uid ${place.user.uid}.`, {
          cause: problem,
        })
      const tail = output().trimEnd().split('\n').slice(-logTailLines)
      return new DatabaseStartError([`${what}. The end of ${place.logFile}:`, ...tail].join('\n  '))
    },
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
