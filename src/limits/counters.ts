/**
 * The counters of limits in `agency_usage` and `subject_usage`: how much an owner has used of a limit in its current window. Exact under
 * concurrency, and durable. README.md lists all counters.
 */
import type { Clock } from '../platform/time/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { reaper } from '../platform/db/upkeep/reaper.ts'
import { type Executor, statement } from '../platform/db/statements/statement.ts'
import { defaultLimits, type LimitName, type Limits, type WindowLimit } from './table.ts'

/** `limits`: the defaults; an agency's own take precedence. */
export type LimitDeps = Readonly<{ db: Db; clock: Clock; limits: Limits }>

/** For a function that gets its executor beside. */
export type WindowDeps = Pick<LimitDeps, 'clock' | 'limits'>

/** A counter as stored; nulls if there is none. `ends_at`: when its window ends, ISO 8601. */
export type StoredCounter = Readonly<{ used: number | null; ends_at: string | null }>

export const storedWindow = (stored: StoredCounter | undefined): Window | null =>
  stored?.ends_at == null ? null : { used: stored.used ?? 0, endsAt: Date.parse(stored.ends_at) }

/**
 * SQL that adds to a counter `u`, or restarts it if its window has ended. A window never goes back, even if the later of two waiting
 * statements gets the row first. @param present SQL for the present
 */
export const addOrRestart = (owner: string, present: string): string => `
  on conflict (${owner}, name) do update set
    ends_at = case when u.ends_at > ${present} then u.ends_at else excluded.ends_at end,
    used = case when u.ends_at > ${present} then u.used else 0 end + excluded.used`

/**
 * Adds to a counter, which locks it until the transaction ends. Inserts values, because Citus would send an insert from a select to all of
 * its nodes. Values: owner, limit, the present, the end of a window that begins now, amount.
 */
const addTo = (table: string, owner: string) =>
  statement<{ used: number }>(`
  insert into ${table} as u (${owner}, name, ends_at, used) values ($1, $2, $4, $5)
  ${addOrRestart(owner, '$3::timestamptz')}
  returning used`)

const adding = {
  agency: addTo('agency_usage', 'agency_id'),
  subject: addTo('subject_usage', 'subject'),
}

/** @param now in milliseconds @returns the statement that adds `amount` */
export const addStatement = (
  owner: Readonly<{ kind: keyof typeof adding; id: string }>,
  name: LimitName,
  now: number,
  { endsAt }: Window,
  amount: number,
) => {
  const [present, end] = [now, endsAt].map((moment) => new Date(moment).toISOString())
  return adding[owner.kind].with([owner.id, name, present, end, amount])
}

/** A limit of a subject that is not an agency. */
export type SubjectLimit = Readonly<{ name: LimitName; subject: string }>

/** Reads counters with the present. Values: subjects, limits, the clock's offset in milliseconds. */
const selectSubjectCounters = statement<StoredCounter & { now: string }>(`
  select clock_timestamp() + $3::float8 * interval '1 ms' as now, u.used, u.ends_at
  from unnest($1::text[], $2::text[]) with ordinality as wanted (subject, name, nth)
  left join subject_usage u on u.subject = wanted.subject and u.name = wanted.name order by nth`)

/** @returns the present in milliseconds, and the window of each counter in the same order */
export async function readWindows(db: Executor, counters: readonly SubjectLimit[], clock: Clock) {
  const [subjects, names] = [counters.map(({ subject }) => subject), counters.map(({ name }) => name)]
  const rows = await selectSubjectCounters(db, [subjects, names, clock.offsetMs])
  const now = Date.parse(rows[0]?.now ?? '')
  const windows = counters.map(({ name }, index) => currentWindow(name, now, storedWindow(rows[index])))
  return { now, windows }
}

const deleteSubjectCounter = statement('delete from subject_usage where subject = $1 and name = $2')

/** Starts the subject's count over. */
export async function deleteCounter(db: Executor, { name, subject }: SubjectLimit): Promise<void> {
  await deleteSubjectCounter(db, [subject, name])
}

/** Deletes counters an hour after their window. A subject that returns sooner costs one update instead of a delete and an insert. */
export const reapSubjects = reaper({
  table: 'subject_usage',
  key: 'subject, name',
  column: 'ends_at',
  keptFor: '1 hour',
})

/** A counter's window, and how much is used in it. Windows only go forward, even where clocks differ. Times are in milliseconds. */
export type Window = Readonly<{ used: number; endsAt: number }>

/** The current window of a counter. @param stored its last one, or null; one that has ended counts as none */
export function currentWindow(name: LimitName, now: number, stored: Window | null): Window {
  if (stored !== null && stored.endsAt > now) return stored
  const { windowSeconds, fromFirstUse }: WindowLimit = defaultLimits[name]
  const length = windowSeconds * 1_000
  return { used: 0, endsAt: (fromFirstUse === true ? now : Math.floor(now / length) * length) + length }
}

/** The window of a counter that is stored with its start, ISO 8601. */
export function windowFromStart(name: LimitName, start: string, used: number): Window {
  return { used, endsAt: Date.parse(start) + defaultLimits[name].windowSeconds * 1_000 }
}

/** Whole seconds, rounded up. */
export const secondsUntil = (endsAt: number, now: number): number => Math.ceil((endsAt - now) / 1_000)
