/**
 * Links of invitations and password resets: each is valid once, for a limited time, and stored as a hash. While its mail is pending, the
 * token is stored too, sealed (link-queue.ts). Links that confirm an agency's email share the table (email-links.ts).
 */
import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import type { Db } from '../../../platform/db/database.ts'
import { reaper } from '../../../platform/db/upkeep/reaper.ts'
import { ApiError } from '../../../platform/errors/errors.ts'
import { linkSeconds, mailLeaseSeconds } from '../../../limits/sizes.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { type Account, accountColumns, namesAround, noSuchPerson, toAccount } from '../accounts.ts'
import { clearSignIns } from '../sign-in/attempts.ts'
import { inHashingSlot } from '../passwords/hashing.ts'
import { notifyAccount } from './notices.ts'
import { fromNow, now } from '../../../platform/db/statements/now.ts'
import { checkPassword, hashPassword } from '../passwords/password.ts'
import { endSessions, isToken, newToken, tokenHash, type VerifiedPassword } from '../sign-in/sessions.ts'
import { logEntrance } from '../sign-in/sign-in-log.ts'

export type LinkPurpose = keyof typeof linkSeconds
/** Purposes of links that set a password. */
export type PasswordPurpose = Exclude<LinkPurpose, 'agency_email'>

/**
 * Makes a link; earlier ones stop working.
 * @param seal set if the link is mailed, which the caller does at once or a worker after the lease
 * @returns its token
 */
export async function makeLink(
  db: Db | Tx,
  accountId: string,
  purpose: PasswordPurpose,
  clock: Clock,
  seal: SecretBox['seal'] | null = null,
): Promise<string> {
  const token = newToken()
  await db
    .deleteFrom('account_links')
    .where('account_id', '=', accountId)
    .where('agency_id', 'is', null)
    .execute()
  await db
    .insertInto('account_links')
    .values({
      token_hash: tokenHash(token),
      account_id: accountId,
      purpose,
      created_at: now(clock),
      expires_at: fromNow(clock, linkSeconds[purpose]),
      ...(seal !== null && { sealed_token: seal(token), mail_due_at: fromNow(clock, mailLeaseSeconds) }),
    })
    .execute()
  return token
}

export function linkUrl(publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl}/dashboard/welcome/${token}`
}

/** The link's account and purpose, or null when it is no longer valid. Does not use it up. */
export async function findLink(db: Db | Tx, token: string, clock: Clock) {
  if (!isToken(token)) return null
  const row = await db
    .selectFrom('account_links as l')
    .innerJoin('accounts as a', 'a.id', 'l.account_id')
    .select(accountColumns.map((column) => `a.${column}` as const))
    .select('l.purpose')
    .where('l.token_hash', '=', tokenHash(token))
    .where('l.used_at', 'is', null)
    .where('l.expires_at', '>', now(clock))
    .where('a.disabled_at', 'is', null)
    .where('a.elsewhere', '=', false)
    .executeTakeFirst()
  if (row === undefined) return null
  const { purpose, ...account } = row
  return { purpose: purpose as PasswordPurpose, account: toAccount(account) }
}

/** A new password for the account of a link, checked and hashed. */
type NewPassword = Readonly<{
  token: string
  purpose: PasswordPurpose
  account: Account
  /** Null keeps the account's name. */
  name: string | null
  hash: string
}>

/**
 * Checks and hashes a password for the account of a link, before the transaction, because hashing takes long.
 * @throws ApiError 400 `password`; 404 when the link is no longer valid; `service_unavailable`
 */
export async function hashForLink(
  db: Db,
  token: string,
  password: string,
  name: string | null,
  ip: string,
  clock: Clock,
): Promise<NewPassword> {
  const found = await findLink(db, token, clock)
  if (found === null) throw deadLink()
  const { account, purpose } = found
  const about = [...(await namesAround(db, account)), name ?? '']
  const checked = await checkPassword(password, about)
  const hash = await inHashingSlot({ ip, isStranger: false }, (derive) => hashPassword(derive, checked))
  return { token, purpose, account, name, hash }
}

/**
 * Sets the password and uses the link up. Ends all sessions and lifts the limits of sign-in attempts.
 * @returns the account, and the proof to begin a session with
 * @throws ApiError 404 when the link is no longer valid
 */
export async function setPasswordByLink(
  tx: Tx,
  { token, purpose, account: { id }, name, hash }: NewPassword,
  clock: Clock,
): Promise<{ account: Account; verified: VerifiedPassword }> {
  const used = await tx
    .updateTable('account_links')
    .set({ used_at: now(clock), sealed_token: null, mail_due_at: null })
    .where('token_hash', '=', tokenHash(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now(clock))
    .returning('account_id')
    .executeTakeFirst()
  if (used === undefined) throw deadLink()
  const row = await tx
    .updateTable('accounts')
    .set({ password_hash: hash, ...(name === null ? {} : { name }) })
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .returning(accountColumns)
    .executeTakeFirst()
  if (row === undefined) throw noSuchPerson()
  const account = toAccount(row)
  await endSessions(tx, id, null)
  await clearSignIns(tx, account.email)
  const action = purpose === 'reset' ? 'password_reset' : 'invitation_accepted'
  await logEntrance(tx, account, action, {}, clock)
  // After an invitation, a notice would say nothing new.
  if (purpose === 'reset') await notifyAccount(tx, id, { kind: 'password_changed' }, clock)
  return { account, verified: { accountId: id, passwordHash: hash } }
}

export function deadLink(): ApiError {
  return new ApiError('not_found', {
    message: 'This link was used, was replaced or has expired. Request another.',
    reason: 'dead_link',
  })
}

export const reapLinks = reaper({
  table: 'account_links',
  key: 'token_hash',
  column: 'expires_at',
  keptFor: '1 day',
})
