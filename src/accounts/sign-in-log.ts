/**
 * Sign-ins in the audit log: those that succeed each, those that fail by their number, so that whoever guesses does not flood it.
 */
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/connection.ts'
import type { Db } from '../db/database.ts'
import { uuidv7 } from '../ids.ts'
import type { Account } from './accounts.ts'
import { audit, signInEnd } from './audit.ts'
import { now } from './now.ts'

/** Of an account's failures in an hour, those that make an entry. */
const toldTries = [1, 10, 100, 1_000]

/** Somebody got in, or has another password now. */
export async function logEntrance(
  db: Db | Tx,
  { id, agency_id: agencyId, role, email, name }: Account,
  action: 'signed_in' | 'invitation_accepted' | 'password_reset' | 'password_changed',
  address: string | null,
  clock: Clock,
): Promise<void> {
  const by = { kind: role === 'operator' ? 'operator' : 'person', id, name, requestId: null } as const
  const details = address === null ? {} : { address }
  await audit(db, by, { action, agencyId, subject: email, details }, clock)
}

/** Somebody, of whom no more than the address is known, asked for a new password. */
export async function logResetRequest(
  db: Db,
  { agency_id: agencyId, email }: Account,
  address: string,
  clock: Clock,
): Promise<void> {
  const by = { kind: 'person', id: null, name: address, requestId: null } as const
  await audit(db, by, { action: 'reset_requested', agencyId, subject: email }, clock)
}

/**
 * A password or code was wrong. One statement, whether there is such an account or not, so that its time tells nothing.
 * @param email as it was typed
 */
export async function logFailure(
  db: Db,
  action: 'sign_in_failed' | 'factor_failed',
  email: string,
  address: string,
  clock: Clock,
): Promise<void> {
  const canonical = email.trim().toLowerCase()
  const subject = `${action} ${hash('sha256', canonical, 'base64url')}`
  await sql`
    with counted as (
      insert into sign_in_attempts as a (subject, window_start, used) values (${subject}, ${now(clock)}, 1)
      on conflict (subject) do update set
        used = case when a.window_start > excluded.window_start - interval '1 hour' then a.used else 0 end + 1,
        window_start = case when a.window_start > excluded.window_start - interval '1 hour'
          then a.window_start else excluded.window_start end
      returning used
    )
    insert into audit_log (id, at, actor_kind, actor_name, agency_id, action, subject, details, expires_at)
    select ${uuidv7()}::uuid, ${now(clock)}, 'person', ${address.slice(0, 64)}::text, a.agency_id, ${action}::text, a.email,
      jsonb_build_object('tries', used), ${signInEnd(clock)}
    from accounts a, counted where a.email = ${canonical} and used = any (${toldTries}::int[])`.execute(db)
}
