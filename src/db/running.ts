/**
 * Whether an embedded PostgreSQL runs, told also where its processes cannot be seen: in another container on the same volume, that
 * is, in other namespaces of processes and of shared memory, by which alone PostgreSQL itself protects its files.
 *
 * Two files in the home of the database, behind the gate (see embedded.ts), while it runs and after a crash:
 * - `running.pipe`, a named pipe that PostgreSQL and all its processes hold open to read from their start. Opened to write it has a
 *   reader for as long as one of them lives, frozen ones too, in whatever namespace; then the kernel says that there is none.
 * - `running.json`: in which namespaces of which start of which machine that is. It decides where there is no pipe.
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
import { DatabaseStartError } from './database-start-error.ts'
import type { EmbeddedPaths } from './embedded-place.ts'

/** Where processes run: on which start of the machine, in which namespaces. */
export type Whereabouts = Readonly<{ boot: string; pid: string; ipc: string; host: string }>

const pollMs = 50
const endLimitMs = 10_000

/** Our own whereabouts. @throws DatabaseStartError when /proc does not tell */
export function findWhereabouts(): Whereabouts {
  const host = hostname()
  // Elsewhere there are no namespaces.
  if (process.platform !== 'linux') return { boot: '', pid: '', ipc: '', host }
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return { boot, pid: readlinkSync('/proc/self/ns/pid'), ipc: readlinkSync('/proc/self/ns/ipc'), host }
  } catch (error) {
    throw new DatabaseStartError(
      `/proc cannot be read (${(error as Error).message}), so nobody can tell whether the embedded database is in use: mount it, or set DATABASE_URL to a PostgreSQL 15 or later.`,
      { cause: error },
    )
  }
}

/**
 * Returns when nothing of an earlier PostgreSQL of this place can be alive. The caller has found that its first process cannot be seen.
 * @param isUsed whether another process of the service uses the database, in whatever namespace
 * @throws DatabaseStartError when it runs elsewhere, or that cannot be told
 */
export async function awaitEnd(
  place: EmbeddedPaths,
  here: Whereabouts,
  isUsed: () => boolean,
): Promise<void> {
  const { boot, pid, ipc, host } = readRecord(place)
  const isHere = boot === here.boot && pid === here.pid
  const elsewhere = host === undefined ? '' : ` (host ${host})`
  const limit = performance.now() + endLimitMs
  for (;;) {
    const isHeld = findHold(place)
    if (!isHere && (isHeld === true || isUsed())) {
      throw new DatabaseStartError(
        `The database in ${place.home} is in use in another container or PID namespace${elsewhere}: stop the service there first, or use another DATA_DIR.`,
      )
    }
    if (isHeld === null && boot === here.boot && !(isHere && ipc === here.ipc)) {
      throw new DatabaseStartError(
        `Whether the database in ${place.home} still runs in another container or namespace${elsewhere} cannot be told from here: make sure that it does not, then delete ${recordFile(place)}.`,
      )
    }
    if (isHeld !== true) return
    // Children of a PostgreSQL that was killed end as soon as they notice.
    if (performance.now() > limit) {
      throw new DatabaseStartError(
        `Processes of a PostgreSQL that has ended still use the database in ${place.home}: end them.`,
      )
    }
    await delay(pollMs)
  }
}

/**
 * Records that PostgreSQL is about to run here.
 * @returns what it has to inherit, to be closed by the caller afterwards; null where no named pipe can be made
 */
export function announce(place: EmbeddedPaths, here: Whereabouts): number | null {
  const pipe = pipeFile(place)
  const hold = openPipe(pipe)
  writeFileSync(recordFile(place), JSON.stringify(here), { mode: 0o600 })
  if (place.runAs === undefined) return hold
  for (const file of hold === null ? [recordFile(place)] : [pipe, recordFile(place)])
    chownSync(file, place.runAs.uid, place.runAs.gid)
  return hold
}

/** Of a PostgreSQL that was stopped, and seen to end. */
export function forget(place: EmbeddedPaths): void {
  rmSync(recordFile(place), { force: true })
  rmSync(pipeFile(place), { force: true })
}

function openPipe(pipe: string): number | null {
  try {
    if (!isPipe(pipe)) {
      rmSync(pipe, { force: true })
      execFileSync('mkfifo', ['-m', '600', pipe], { stdio: 'ignore' })
    }
    return openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    // No program to make one, or a file system without any.
    rmSync(pipe, { force: true })
    return null
  }
}

/** Whether a process holds the pipe; null where that cannot be told. */
function findHold(place: EmbeddedPaths): boolean | null {
  const pipe = pipeFile(place)
  try {
    if (!isPipe(pipe)) return null
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK))
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENXIO' ? false : null
  }
}

function isPipe(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFIFO() === true
}

/** Empty where there is none: it never ran, was stopped, or is of an older version. */
function readRecord(place: EmbeddedPaths): Partial<Whereabouts> {
  try {
    return JSON.parse(readFileSync(recordFile(place), 'utf8')) as Whereabouts
  } catch {
    // A machine that crashed may have left half of it.
    return {}
  }
}

const pipeFile = (place: EmbeddedPaths): string => join(place.home, 'running.pipe')
const recordFile = (place: EmbeddedPaths): string => join(place.home, 'running.json')
