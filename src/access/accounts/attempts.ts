/**
 * Limits attempts to sign in, to reset a password and similar. The counters are in the database, so they hold across restarts and
 * instances. Emails without an account are counted like all others, so the response reveals nothing.
 */
import { hash } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statement.ts'
import { reaper } from '../../platform/db/reaper.ts'
import { subjectOf } from '../../limits/keyless.ts'
import type { LimitName, Limits } from '../../limits/table.ts'
import { rateLimited } from '../../limits/refusal.ts'
import { foldEmail } from '../../platform/email-address.ts'
import { now } from '../../platform/db/now.ts'

/**
 * Counts an attempt in a window that begins with its first one. An attempt over the limit is not written. Values: subject, limit, length of
 * the window in seconds, the clock's offset in milliseconds.
 */
const count = statement<{ granted: boolean; resets: number | null }>(`
  with moment as (
    select clock_timestamp() + $4::float8 * interval '1 ms' as now, $3::float8 * interval '1 second' as length
  ), granted as (
    insert into sign_in_attempts as u (subject, window_start, used)
    select $1, now, 1 from moment where $2::int > 0
    on conflict (subject) do update set
      window_start = case when u.window_start >= excluded.window_start - $3 * interval '1 second'
        then u.window_start else excluded.window_start end,
      used = case when u.window_start >= excluded.window_start - $3 * interval '1 second' then u.used else 0 end + 1
    where u.used < $2 or u.window_start < excluded.window_start - $3 * interval '1 second'
    returning 1
  )
  select exists (select from granted) as granted,
    ceil(extract(epoch from (select window_start from sign_in_attempts where subject = $1) + length - now))::int as resets
  from moment`)

export type Tried = { db: Db; clock: Clock; limits: Limits }

/**
 * Counts an attempt to sign in before it is checked: for the IP, for the account from that IP, and, unless the account signed in from
 * there recently, for the account from anywhere. That bounds guesses from many IPs, without locking out people where they usually are.
 * @param email as typed
 * @throws ApiError `rate_limited`
 */
export async function takeSignIn(tried: Tried, email: string, ip: string): Promise<void> {
  const network = subjectOf(ip)
  // In this order, so that one IP makes a bounded number of counters.
  await take(tried, [
    { name: 'sign_ins_per_address_per_hour', subject: `address ${hashed(network)}` },
    { name: 'sign_ins_per_account_and_address_per_hour', subject: subjectFrom(email, network) },
  ])
  if (await isKnown(tried.db, email, network)) return
  await take(tried, [{ name: 'sign_ins_per_account_per_hour', subject: accountSubject(email) }])
}

/** Counts one request for a new password. @throws ApiError `rate_limited` */
export async function takeReset(tried: Tried, email: string, ip: string): Promise<void> {
  await take(tried, [
    { name: 'resets_per_address_per_hour', subject: `reset from ${hashed(subjectOf(ip))}` },
    { name: 'resets_per_account_per_hour', subject: `reset ${hashed(foldEmail(email))}` },
  ])
}

/**
 * Counts an attempt after sign-in: a code of the second factor, or the password again. Only someone with the password can exhaust it.
 * No emailed link resets it: it must hold against an attacker who reads the account's mail.
 * @throws ApiError `rate_limited`
 */
export async function takeSecondStep(
  tried: Tried,
  step: 'code' | 'password',
  accountId: string,
): Promise<void> {
  await take(tried, [{ name: 'second_steps_per_account_per_hour', subject: `${step} of ${accountId}` }])
}

/** Counts one save of a listing by a person, like a write of a key. @throws ApiError `rate_limited` */
export async function takeSave(tried: Tried, accountId: string): Promise<void> {
  await take(tried, [
    { name: 'saves_per_person_per_minute', subject: `saves of ${accountId} a minute` },
    { name: 'saves_per_person_per_day', subject: `saves of ${accountId} a day` },
  ])
}

export async function forgiveSecondSteps(
  db: Db,
  step: 'code' | 'password',
  accountId: string,
): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('subject', '=', `${step} of ${accountId}`).execute()
}

/** After a successful sign-in: clears the counter of this network, and remembers the network. */
export async function settleSignIn(
  db: Db,
  account: Readonly<{ id: string; email: string }>,
  ip: string,
  clock: Clock,
): Promise<void> {
  const network = subjectOf(ip)
  await db.deleteFrom('sign_in_attempts').where('subject', '=', subjectFrom(account.email, network)).execute()
  await db
    .insertInto('account_networks')
    .values({ account_id: account.id, network, seen_at: now(clock) })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'network']).doUpdateSet({ seen_at: now(clock) }),
    )
    .execute()
}

/** A link from the account's mail resets every sign-in counter of the account, from all networks. */
export async function liftSignIns(db: Db | Tx, email: string): Promise<void> {
  const subject = accountSubject(email)
  // Its own counter, and the counters per IP, whose subjects begin with this one and a space.
  await db
    .deleteFrom('sign_in_attempts')
    .where('subject', '>=', subject)
    .where('subject', '<', `${subject}!`)
    .execute()
}

/**
 * Counts an attempt in each window in order; an exhausted window stops the rest from counting.
 * @throws ApiError `rate_limited`
 */
export async function take(
  { db, clock, limits }: Omit<Tried, 'db'> & { db: Db | Tx },
  taken: readonly { name: LimitName; subject: string }[],
): Promise<void> {
  for (const { name, subject } of taken) {
    const { max, windowSeconds } = limits[name]
    const [row] = await count(db, [subject, max, windowSeconds, clock.offsetMs])
    if (row?.granted !== true) throw rateLimited([{ name, max, resets: row?.resets ?? windowSeconds }])
  }
}

async function isKnown(db: Db, email: string, network: string): Promise<boolean> {
  const row = await db
    .selectFrom('account_networks as n')
    .innerJoin('accounts as a', 'a.id', 'n.account_id')
    .select('n.account_id')
    .where('a.email', '=', foldEmail(email))
    .where('n.network', '=', network)
    .executeTakeFirst()
  return row !== undefined
}

function accountSubject(email: string): string {
  return `account ${hashed(foldEmail(email))}`
}

function subjectFrom(email: string, network: string): string {
  return `${accountSubject(email)} ${hashed(network)}`
}

function hashed(text: string): string {
  return hash('sha256', text, 'base64url')
}

/** Deletes counters past the longest window. */
export const reapAttempts = reaper({
  table: 'sign_in_attempts',
  key: 'subject',
  column: 'window_start',
  keptFor: '1 day',
})

/** Deletes networks without a sign-in for a quarter. */
export const reapNetworks = reaper({
  table: 'account_networks',
  key: 'account_id, network',
  column: 'seen_at',
  keptFor: '90 days',
})
