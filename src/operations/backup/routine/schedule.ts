/** Makes the routine backup when BACKUP_SCHEDULE says so, in a process of its own: it compresses, and starts a database to verify. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Deps } from '../../../deps.ts'
import { nextTime } from '../../../platform/config/stores.ts'
import { type Made, readRoutine, type RoutineState } from './records.ts'

/** The pause after a failure. */
const retryMs = 3_600_000
/** As for `nice`: requests have precedence. */
const niceness = 10
const commandLine = fileURLToPath(new URL('../../../cli.ts', import.meta.url))

/** When a backup last failed here, by this process's clock. A failure is not always recorded: the database may be away, or distributed. */
let failedHereMs = Number.NEGATIVE_INFINITY

/** A chore of the worker. @throws Error with the reason if the backup fails */
export async function backUpWhenDue(
  { config, db, clock, log }: Deps,
  _limit: number,
  signal: AbortSignal,
): Promise<number> {
  const { backupSchedule: schedule } = config
  if (schedule === null || performance.now() - failedHereMs < retryMs) return 0
  if (!isDue(schedule, await readRoutine(db, clock)) || signal.aborted) return 0
  const made = await runBackup(signal).catch((error: unknown) => {
    failedHereMs = performance.now()
    throw error
  })
  if (made !== null) log.info(made, 'a backup was made and verified')
  return 0
}

/** Whether a routine backup is due: if there is none yet, or if its time has passed, even while no worker ran. */
export function isDue(
  schedule: string,
  { now, made_at: madeAt, failed_at: failedAt }: RoutineState,
): boolean {
  const moment = Date.parse(now)
  if (failedAt !== null && moment - Date.parse(failedAt) < retryMs) return false
  if (madeAt === null) return true
  const next = nextTime(schedule, new Date(madeAt))
  return next !== null && next.getTime() <= moment
}

/** Runs the command with the settings of this process. @returns null if it was interrupted */
async function runBackup(signal: AbortSignal): Promise<Made | null> {
  const child = spawn(process.execPath, [commandLine, 'backup', '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const interrupt = (): void => void child.kill()
  signal.addEventListener('abort', interrupt)
  child.once('spawn', () => {
    setPriority(Number(child.pid), niceness)
    if (signal.aborted) interrupt()
  })
  try {
    const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
    const [[code, killer], made, problem] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
    if (code === 0) return JSON.parse(made) as Made
    if (signal.aborted) return null
    throw new Error(problem.trim().split('\n').at(-1) || `the backup ended with ${killer ?? `code ${code}`}`)
  } finally {
    signal.removeEventListener('abort', interrupt)
  }
}
