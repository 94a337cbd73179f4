/**
 * How often somebody may try (spec 'Limits' knows no people; the numbers are in the table of limits all the same): kept in the
 * database, so that they hold over restarts and instances.
 */
import { hash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { type Db, hotStatement, type Tx } from '../db/database.ts'
import { reaper } from '../db/reaper.ts'
import { subjectOf } from '../limits/keyless.ts'
import type { LimitName, Limits } from '../limits/table.ts'
import { rateLimited } from '../limits/take.ts'

const count = hotStatement<{ name: LimitName; used: number; resets: number }>(`
  with moment as (
    select clock_timestamp() + $4::float8 * interval '1 ms' as now
  ), wanted as (
    select name, subject, seconds * interval '1 second' as length
    from unnest($1::text[], $2::text[], $3::int[]) as w (name, subject, seconds)
  ), counted as (
    insert into sign_in_attempts as a (subject, window_start, used)
    select subject, now, 1 from wanted, moment order by subject
    on conflict (subject) do update set
      used = case when a.window_start > excluded.window_start - (
        select length from wanted w where w.subject = excluded.subject) then a.used else 0 end + 1,
      window_start = case when a.window_start > excluded.window_start - (
        select length from wanted w where w.subject = excluded.subject) then a.window_start else excluded.window_start end
    returning subject, used, window_start
  )
  select w.name, c.used, ceil(extract(epoch from c.window_start + w.length - now))::int as resets
  from counted c join wanted w on w.subject = c.subject, moment`)

export type Tried = { db: Db; clock: Clock; limits: Limits }

/**
 * Counts one try to sign in, before it is looked at.
 * @param account the e-mail that was typed, or the account's id once that is known
 * @throws ApiError `rate_limited`
 */
export async function takeSignIn(tried: Tried, account: string, address: string): Promise<void> {
  await take(tried, [
    { name: 'sign_ins_per_account_per_hour', subject: accountSubject(account) },
    { name: 'sign_ins_per_address_per_hour', subject: `address ${hashed(subjectOf(address))}` },
  ])
}

/** Counts one request for a new password. @throws ApiError `rate_limited` */
export async function takeReset(tried: Tried, email: string, address: string): Promise<void> {
  await take(tried, [
    { name: 'resets_per_account_per_hour', subject: `reset ${hashed(email.trim().toLowerCase())}` },
    { name: 'sign_ins_per_address_per_hour', subject: `address ${hashed(subjectOf(address))}` },
  ])
}

/** Whoever got in did not guess. */
export async function forgiveSignIns(db: Db, account: string): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('subject', '=', accountSubject(account)).execute()
}

/** Counts a try against every window. @throws ApiError `rate_limited` */
export async function take(
  { db, clock, limits }: Omit<Tried, 'db'> & { db: Db | Tx },
  taken: readonly { name: LimitName; subject: string }[],
): Promise<void> {
  const rows = await count(db, [
    taken.map(({ name }) => name),
    taken.map(({ subject }) => subject),
    taken.map(({ name }) => limits[name].windowSeconds),
    clock.offsetMs,
  ])
  const inTheWay = rows.filter(({ name, used }) => used > limits[name].max)
  if (inTheWay.length > 0) throw rateLimited(limits, inTheWay)
}

function accountSubject(account: string): string {
  return `account ${hashed(account.trim().toLowerCase())}`
}

function hashed(text: string): string {
  return hash('sha256', text, 'base64url')
}

/** Deletes counters that nobody has met for a day. */
export const reapAttempts = reaper({
  table: 'sign_in_attempts',
  key: 'subject',
  column: 'window_start',
  keptFor: '1 day',
})
