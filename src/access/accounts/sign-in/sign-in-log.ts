/** Sign-ins in the audit log: every success, and only some of an account's failures, so that guessing does not flood it. */
import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import type { Db } from '../../../platform/db/database.ts'
import { statement } from '../../../platform/db/statements/statement.ts'
import { foldEmail } from '../../../platform/names/email.ts'
import { uuidv7 } from '../../../platform/names/ids.ts'
import { addOrRestart } from '../../../limits/counters.ts'
import type { Account } from '../accounts.ts'
import { hashed } from '../../../limits/subject.ts'
import { audit, signInSeconds } from '../../audit-log/entries.ts'

type Failure = 'sign_in_failed' | 'factor_failed' | 'passkey_refused'

/** The failures of an account in an hour that are logged. */
const loggedTries = [1, 10, 100, 1_000]

/** Logs a sign-in, or a change of the password. @param details the IP of a sign-in as `address`, and the name of its passkey */
export async function logEntrance(
  db: Db | Tx,
  { id, agency_id: agencyId, role, email, name }: Account,
  action: 'signed_in' | 'invitation_accepted' | 'password_reset' | 'password_changed' | 'password_removed',
  details: Readonly<Partial<Record<'address' | 'passkey', string>>>,
  clock: Clock,
): Promise<void> {
  const by = { kind: role === 'operator' ? 'operator' : 'person', id, name, requestId: null } as const
  await audit(db, by, { action, agencyId, subject: email, details }, clock)
}

/** Logs a request for a new password, known only by IP. */
export async function logResetRequest(db: Db, account: Account, ip: string, clock: Clock): Promise<void> {
  const { agency_id: agencyId, email } = account
  const by = { kind: 'person', id: null, name: ip, requestId: null } as const
  await audit(db, by, { action: 'reset_requested', agencyId, subject: email }, clock)
}

/**
 * Counts a failure, and logs it if it is one of those to log and the account exists. Values: the clock's offset, the counter's subject,
 * the entry's id, IP, action, seconds until the entry expires, email, the failures to log.
 */
const countAndLog = statement(`
  with moment as materialized (
    select clock_timestamp() + $1::float8 * interval '1 ms' as now
  ), counted as (
    insert into subject_usage as u (subject, name, ends_at, used) select $2, $5, now + interval '1 hour', 1 from moment
    ${addOrRestart('subject', '(select now from moment)')}
    returning used
  )
  insert into audit_log (id, at, actor_kind, actor_name, agency_id, action, subject, details, expires_at)
  select $3::uuid, now, 'person', $4::text, a.agency_id, $5::text, a.email,
    jsonb_build_object('tries', used), now + $6::float8 * interval '1 second'
  from moment, counted, accounts a where a.email = $7 and not a.elsewhere and used = any ($8::int[]) returning 1`)

/**
 * Logs a wrong password or code, or a refused passkey. One statement, whether or not the account exists, so that its duration reveals
 * nothing.
 * @param email as typed
 * @returns whether it is one of those to log
 */
export async function logFailure(db: Db | Tx, action: Failure, email: string, ip: string, clock: Clock) {
  const canonical = foldEmail(email)
  const entry = [uuidv7(), ip.slice(0, 64), action, signInSeconds]
  const logged = await countAndLog(db, [clock.offsetMs, hashed(canonical), ...entry, canonical, loggedTries])
  return logged.length > 0
}
