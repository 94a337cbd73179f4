/**
 * Limits attempts to sign in, to reset a password and similar. The counters are in the database, so they hold across restarts and
 * instances. Emails without an account are counted like all others, so the response reveals nothing.
 */
import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import type { Db } from '../../../platform/db/database.ts'
import { reaper } from '../../../platform/db/upkeep/reaper.ts'
import { deleteCounter, type LimitDeps, type SubjectLimit } from '../../../limits/counters.ts'
import { hashed, subjectOf } from '../../../limits/subject.ts'
import { takeFromEach } from '../../../limits/take.ts'
import { foldEmail } from '../../../platform/names/email.ts'
import type { Account } from '../accounts.ts'
import { now } from '../../../platform/db/statements/now.ts'

type SecondStep = 'code' | 'password' | 'passkey'

/**
 * Counts an attempt to sign in before it is checked: for the IP, for the account from that IP, and, unless the account signed in from
 * there recently, for the account from anywhere. That bounds guesses from many IPs, without locking out people where they usually are.
 * @param email as typed
 * @throws ApiError `rate_limited`
 */
export async function takeSignIn(deps: LimitDeps, email: string, ip: string): Promise<void> {
  const network = subjectOf(ip)
  // In this order, so that one IP makes a bounded number of counters.
  const here: SubjectLimit[] = [
    { name: 'sign_ins_per_address_per_hour', subject: hashed(network) },
    { name: 'sign_ins_per_account_and_address_per_hour', subject: subjectFrom(email, network) },
  ]
  await takeFromEach(deps.db, here, deps)
  if (await isKnown(deps.db, email, network)) return
  const anywhere = { name: 'sign_ins_per_account_per_hour', subject: accountSubject(email) } as const
  await takeFromEach(deps.db, [anywhere], deps)
}

/**
 * Counts an attempt to sign in with a passkey, for the IP alone: nobody can guess a signature, and a stranger must not use up the attempts
 * of an account.
 * @throws ApiError `rate_limited`
 */
export async function takePasskeySignIn(deps: LimitDeps, ip: string): Promise<void> {
  const here = { name: 'sign_ins_per_address_per_hour', subject: hashed(subjectOf(ip)) } as const
  await takeFromEach(deps.db, [here], deps)
}

/** Counts one request for a new password. @throws ApiError `rate_limited` */
export async function takeReset(deps: LimitDeps, email: string, ip: string): Promise<void> {
  const counters: SubjectLimit[] = [
    { name: 'resets_per_address_per_hour', subject: hashed(subjectOf(ip)) },
    { name: 'resets_per_account_per_hour', subject: accountSubject(email) },
  ]
  await takeFromEach(deps.db, counters, deps)
}

/**
 * Counts an attempt after sign-in: a code of the second factor, or the password or a passkey again. Only someone with the password or a
 * session can exhaust it. No mailed link resets it: it must hold against an attacker who reads the account's mail.
 * @throws ApiError `rate_limited`
 */
export async function takeSecondStep(deps: LimitDeps, step: SecondStep, accountId: string) {
  await takeFromEach(deps.db, [secondStep(step, accountId)], deps)
}

export async function clearSecondSteps(db: Db | Tx, step: SecondStep, accountId: string) {
  await deleteCounter(db, secondStep(step, accountId))
}

/** After a successful sign-in: clears the counter of this network, and remembers the network. */
export async function clearAttempts(
  db: Db | Tx,
  { id, email }: Account,
  ip: string,
  clock: Clock,
): Promise<void> {
  const network = subjectOf(ip)
  const subject = subjectFrom(email, network)
  await deleteCounter(db, { name: 'sign_ins_per_account_and_address_per_hour', subject })
  await db
    .insertInto('account_networks')
    .values({ account_id: id, network, seen_at: now(clock) })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'network']).doUpdateSet({ seen_at: now(clock) }),
    )
    .execute()
}

/** A link from the account's mail resets every sign-in counter of the account, from all networks. */
export async function clearSignIns(db: Db | Tx, email: string): Promise<void> {
  const subject = accountSubject(email)
  // Its own counter, and the counters per IP, whose subjects begin with this one and a space.
  await db
    .deleteFrom('subject_usage')
    .where('subject', '>=', subject)
    .where('subject', '<', `${subject}!`)
    .where('name', 'in', ['sign_ins_per_account_per_hour', 'sign_ins_per_account_and_address_per_hour'])
    .execute()
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

function secondStep(step: SecondStep, accountId: string): SubjectLimit {
  return { name: 'second_steps_per_account_per_hour', subject: `${step} of ${accountId}` }
}

function accountSubject(email: string): string {
  return hashed(foldEmail(email))
}

function subjectFrom(email: string, network: string): string {
  return `${accountSubject(email)} ${hashed(network)}`
}

/** Afterwards, attempts from the network count toward the limit of the account from anywhere again. */
export const reapNetworks = reaper({
  table: 'account_networks',
  key: 'account_id, network',
  column: 'seen_at',
  keptFor: '90 days',
})
