/**
 * Detects a running embedded PostgreSQL whose processes are invisible: in another container on the same volume. PostgreSQL itself
 * protects its files by pids and shared memory, which do not cross PID and IPC namespaces.
 *
 * Two files in the database's home, written under `gate.lock` (embedded.ts); they exist while PostgreSQL runs and after a crash:
 * - `running.pipe`: a named pipe that all PostgreSQL processes hold open for reading. Opening it for writing succeeds while one of them
 *   lives, even frozen and in any namespace, and fails with ENXIO afterwards.
 * - `running.json`: the machine's boot id, the namespaces and the host of the start. It decides if there is no pipe.
 */
import { execFileSync } from 'node:child_process'
import {
  chownSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseStartError } from '../presence/database-start-error.ts'
import type { EmbeddedPaths } from './embedded-paths.ts'
import { hasCode } from '../../errors/errors.ts'

/** Where processes run: boot id, PID and IPC namespace, host name. */
export type Whereabouts = Readonly<{ boot: string; pid: string; ipc: string; host: string }>

const pollMs = 50
const endLimitMs = 10_000

/** This process's whereabouts. @throws DatabaseStartError if /proc cannot be read */
export function getWhereabouts(): Whereabouts {
  const host = hostname()
  // Only Linux has namespaces.
  if (process.platform !== 'linux') return { boot: '', pid: '', ipc: '', host }
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return { boot, pid: readlinkSync('/proc/self/ns/pid'), ipc: readlinkSync('/proc/self/ns/ipc'), host }
  } catch (error) {
    throw new DatabaseStartError(
      `/proc cannot be read (${(error as Error).message}), so it is unknown whether the embedded database is in use: mount it, or set DATABASE_URL to a PostgreSQL 15 or later.`,
      { cause: error },
    )
  }
}

/**
 * Resolves when no process of an earlier PostgreSQL on this directory is left. The caller has found no visible postmaster.
 * @param isUsed whether another process of the service uses the database, in any namespace
 * @throws DatabaseStartError if PostgreSQL runs elsewhere, if that cannot be decided, or if processes here do not end in time
 */
export async function awaitEnd(paths: EmbeddedPaths, here: Whereabouts, isUsed: () => boolean) {
  const { boot, pid, ipc, host } = readRecord(paths)
  const isHere = boot === here.boot && pid === here.pid
  const elsewhere = host === undefined ? '' : ` (host ${host})`
  const limit = performance.now() + endLimitMs
  for (;;) {
    const isHeld = isPipeHeld(paths)
    if (!isHere && (isHeld === true || isUsed())) {
      throw new DatabaseStartError(
        `The database in ${paths.home} is in use in another container or PID namespace${elsewhere}: stop the service there first, or use another DATA_DIR.`,
      )
    }
    if (isHeld === null && boot === here.boot && !(isHere && ipc === here.ipc)) {
      throw new DatabaseStartError(
        `The database in ${paths.home} may still run in another container or namespace${elsewhere}: make sure that it does not, then delete ${recordFile(paths)}.`,
      )
    }
    if (isHeld !== true) return
    // Children of a killed postmaster end as soon as they notice its death.
    if (performance.now() > limit) {
      throw new DatabaseStartError(
        `Processes of a PostgreSQL that has ended still use the database in ${paths.home}: end them.`,
      )
    }
    await delay(pollMs)
  }
}

/**
 * Records that PostgreSQL is about to start here.
 * @returns the pipe for PostgreSQL to inherit, which the caller closes after the start; null if no named pipe can be created
 */
export function recordStart(paths: EmbeddedPaths, here: Whereabouts): number | null {
  const pipe = pipeFile(paths)
  const hold = openPipe(pipe)
  writeFileSync(recordFile(paths), JSON.stringify(here), { mode: 0o600 })
  if (paths.runAs === undefined) return hold
  for (const file of hold === null ? [recordFile(paths)] : [pipe, recordFile(paths)])
    chownSync(file, paths.runAs.uid, paths.runAs.gid)
  return hold
}

/** Deletes the record after PostgreSQL has ended. */
export function deleteRecord(paths: EmbeddedPaths): void {
  rmSync(recordFile(paths), { force: true })
  rmSync(pipeFile(paths), { force: true })
}

function openPipe(pipe: string): number | null {
  try {
    if (!isPipe(pipe)) {
      rmSync(pipe, { force: true })
      execFileSync('mkfifo', ['-m', '600', pipe], { stdio: 'ignore' })
    }
    return openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    // There is no `mkfifo`, or the file system has no named pipes.
    rmSync(pipe, { force: true })
    return null
  }
}

/** Whether a process holds the pipe; null if that cannot be decided. */
function isPipeHeld(paths: EmbeddedPaths): boolean | null {
  const pipe = pipeFile(paths)
  try {
    if (!isPipe(pipe)) return null
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK))
    return true
  } catch (error) {
    return hasCode(error, 'ENXIO') ? false : null
  }
}

function isPipe(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFIFO() === true
}

/** The record; empty if PostgreSQL never ran here, was stopped, or was started by an older version. */
function readRecord(paths: EmbeddedPaths): Partial<Whereabouts> {
  try {
    return JSON.parse(readFileSync(recordFile(paths), 'utf8')) as Whereabouts
  } catch {
    // A machine crash may have truncated it.
    return {}
  }
}

const pipeFile = (paths: EmbeddedPaths): string => join(paths.home, 'running.pipe')
const recordFile = (paths: EmbeddedPaths): string => join(paths.home, 'running.json')
