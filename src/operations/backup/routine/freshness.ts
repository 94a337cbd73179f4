/** Judges whether the backups are recent enough, for `doctor` and the console. */
import type { Clock } from '../../../platform/time/clock.ts'
import type { Config } from '../../../platform/config/config.ts'
import { nextTime } from '../../../platform/config/stores.ts'
import type { Executor } from '../../../platform/db/statements/statement.ts'
import { findNewest, readRoutine } from './records.ts'

type Freshness = Readonly<{
  /** `unused`: the service makes no backups. `old`: a backup has been due for 36 hours, or none was ever verified. */
  state: 'unused' | 'fresh' | 'old' | 'failed'
  /** The age of the newest verified one, in whole hours; null: there is none. */
  ageHours: number | null
  /** Why the last routine backup failed. */
  error: string | null
}>

const oldMs = 36 * 3_600_000

export async function readFreshness(
  db: Executor,
  clock: Clock,
  { backupTo, backupSchedule: schedule }: Pick<Config, 'backupTo' | 'backupSchedule'>,
): Promise<Freshness> {
  const newest = await findNewest(db, clock)
  const { now, error } = await readRoutine(db, clock)
  const ageHours = newest === null ? null : Math.floor(newest.ageSeconds / 3_600)
  if (backupTo === null && newest === null) return { state: 'unused', ageHours, error: null }
  if (error !== null) return { state: 'failed', ageHours, error }
  return { state: isOld() ? 'old' : 'fresh', ageHours, error: null }

  function isOld(): boolean {
    if (newest === null) return true
    const limit = Date.parse(now) - oldMs
    const madeAt = new Date(Date.parse(now) - newest.ageSeconds * 1_000)
    // A weekly backup is fresh for a week.
    const since = schedule === null ? madeAt : nextTime(schedule, madeAt)
    return since !== null && since.getTime() < limit
  }
}
