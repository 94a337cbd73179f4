/** The table of backups: which archives exist, and when the database was last backed up. */
import type { Clock } from '../../../platform/time/clock.ts'
import { hasTable } from '../../../platform/db/migrations/has-table.ts'
import { type Executor, statement } from '../../../platform/db/statements/statement.ts'
import { reaper } from '../../../platform/db/upkeep/reaper.ts'
import { uuidv7 } from '../../../platform/names/ids.ts'

/** A backup that was made. */
export type Made = Readonly<{
  /** Its path or URL. */
  archive: string
  bytes: number
  sha256: string
  agencies: number
  listings: number
  photos: number
}>

type HowMade = Readonly<{
  /** ISO 8601: the moment whose state it has. */
  at: string
  isVerified: boolean
  isRoutine: boolean
}>

/**
 * Values: id, whether it is routine, the moment whose state it has, whether it is verified, the clock's offset; from $6, the columns from
 * `archive` on.
 */
const insertMade = statement(`
  insert into backups (id, is_routine, made_at, ended_at, is_verified, archive, bytes, sha256, agencies, listings, photos)
  values ($1, $2, $3, clock_timestamp() + $5::float8 * interval '1 ms', $4, $6, $7::bigint, $8, $9, $10, $11)`)

/** @returns whether the database has the table: one that this version has not migrated yet lacks it */
export async function recordBackup(db: Executor, made: Made, how: HowMade, clock: Clock): Promise<boolean> {
  if (!(await hasTable(db, 'backups'))) return false
  const { at, isVerified, isRoutine } = how
  const { archive, bytes, sha256, agencies, listings, photos } = made
  const result = [archive, bytes, sha256, agencies, listings, photos]
  await insertMade(db, [uuidv7(), isRoutine, at, isVerified, clock.offsetMs, ...result])
  return true
}

/** Sets `gone_at` at once, as there is no archive: `reapBackups` then deletes the row in time. Values: id, error, the clock's offset. */
const insertFailed = statement(`
  with moment as materialized (select clock_timestamp() + $3::float8 * interval '1 ms' as now)
  insert into backups (id, is_routine, made_at, ended_at, is_verified, error, gone_at)
  select $1, true, now, now, false, $2, now from moment`)

/** Records that a routine backup failed. */
export async function recordFailure(db: Executor, error: string, clock: Clock): Promise<void> {
  // Messages of PostgreSQL may have several lines.
  await insertFailed(db, [uuidv7(), error.replaceAll(/\s+/g, ' '), clock.offsetMs])
}

const selectSpare = statement<{ id: string; archive: string }>(`
  select id, archive from backups where is_routine and gone_at is null order by made_at desc, id desc offset $1`)

/** The routine archives beyond the newest. @param keep the number of newest archives to keep */
export async function findSpare(db: Executor, keep: number): Promise<{ id: string; archive: string }[]> {
  return await selectSpare(db, [keep])
}

const updateGone = statement(`
  update backups set gone_at = clock_timestamp() + $2::float8 * interval '1 ms' where id = $1`)

/** Records that an archive was deleted. */
export async function recordDeletion(db: Executor, id: string, clock: Clock): Promise<void> {
  await updateGone(db, [id, clock.offsetMs])
}

const selectSince = statement<Made>(`
  select archive, bytes, sha256, agencies, listings, photos from backups
  where is_routine and error is null and gone_at is null and ended_at >= $1 order by ended_at desc limit 1`)

/** The last routine backup that ended at that moment or later, or null. @param at ISO 8601 */
export async function findRoutineSince(db: Executor, at: string): Promise<Made | null> {
  return (await selectSince(db, [at]))[0] ?? null
}

const selectNewest = statement<{ archive: string; ageSeconds: number }>(`
  select archive, extract(epoch from clock_timestamp() + $1::float8 * interval '1 ms' - made_at)::float8 as "ageSeconds"
  from backups where is_verified and gone_at is null order by made_at desc limit 1`)

/** The newest verified archive, and the age of the state in it; null if there is none. */
export async function findNewest(db: Executor, clock: Clock) {
  return (await selectNewest(db, [clock.offsetMs]))[0] ?? null
}

/** Times in ISO 8601. */
export type RoutineState = Readonly<{
  now: string
  /** The moment whose state the newest routine archive has; null: none was ever made. */
  made_at: string | null
  /** The last failure since; null: none. */
  failed_at: string | null
  error: string | null
}>

/** Returns one row, with nulls if there was no backup or no failure since. */
const selectRoutine = statement<RoutineState>(`
  select now, made.made_at, failed.ended_at as failed_at, failed.error
  from (select clock_timestamp() + $1::float8 * interval '1 ms' as now) moment
  left join lateral (
    select made_at from backups where is_routine and error is null order by made_at desc limit 1) made on true
  left join lateral (
    select ended_at, error from backups where error is not null and made_at > coalesce(made.made_at, '-infinity')
    order by made_at desc limit 1) failed on true`)

/** Reads the last routine backup and the last failure. The table is so small that this needs no index. */
export async function readRoutine(db: Executor, clock: Clock): Promise<RoutineState> {
  const [state] = await selectRoutine(db, [clock.offsetMs])
  return state as RoutineState
}

/** A record stays as long as its archive, and 90 days longer. */
export const reapBackups = reaper({ table: 'backups', key: 'id', column: 'gone_at', keptFor: '90 days' })
