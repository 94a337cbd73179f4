/**
 * Invitations and password resets: a link that is good once, for so long, and of which a hash is stored; and, sealed, the link itself
 * while its mail waits (link-mails.ts).
 */
import { inTransaction } from '../db/transaction.ts'
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/connection.ts'
import type { Db } from '../db/database.ts'
import { reaper } from '../db/reaper.ts'
import { ApiError } from '../errors.ts'
import { type Account, accountColumns, namesAround, noSuchPerson, toAccount } from './accounts.ts'
import { liftSignIns } from './attempts.ts'
import { tellAccount } from './notices.ts'
import { fromNow, now } from './now.ts'
import { checkPassword, hashPassword } from './password.ts'
import { endSessions, type Verified } from './sessions.ts'
import { logEntrance } from './sign-in-log.ts'
import { isToken, newToken, tokenHash } from './tokens.ts'

export type LinkPurpose = 'invitation' | 'reset'

const hour = 3600
/** People read invitations when they find time; a reset is asked for by who waits for it. */
export const linkSeconds: Readonly<Record<LinkPurpose, number>> = { invitation: 7 * 24 * hour, reset: hour }

/**
 * Makes a link; those made before stop working.
 * @param mail what keeps the token for a mail that whoever calls tries to send at once; others do after the lease
 * @returns its token
 */
export async function makeLink(
  db: Db | Tx,
  accountId: string,
  purpose: LinkPurpose,
  clock: Clock,
  mail: Readonly<{ seal: (token: string) => Buffer; leaseSeconds: number }> | null = null,
): Promise<string> {
  const token = newToken()
  await db.deleteFrom('account_links').where('account_id', '=', accountId).execute()
  await db
    .insertInto('account_links')
    .values({
      token_hash: tokenHash(token),
      account_id: accountId,
      purpose,
      created_at: now(clock),
      expires_at: fromNow(clock, linkSeconds[purpose]),
      ...(mail !== null && {
        sealed_token: mail.seal(token),
        mail_due_at: fromNow(clock, mail.leaseSeconds),
      }),
    })
    .execute()
  return token
}

/** The address that the link is. */
export function linkUrl(publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl}/dashboard/welcome/${token}`
}

/** Whose link it is and what for, or null when it is not good any more. Looking uses nothing up. */
export async function findLink(
  db: Db | Tx,
  token: string,
  clock: Clock,
): Promise<{ purpose: LinkPurpose; account: Account } | null> {
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
  return { purpose: purpose as LinkPurpose, account: toAccount(account) }
}

/**
 * Sets the password and uses the link up. Sessions from before end, and tries that kept the person out are forgotten.
 * @param name what the person wants to be called; null: as it is
 * @returns whose it is, and what a session of the new password is begun with
 * @throws ApiError 400 `password`, `name`; 404 when the link is not good any more
 */
export async function setPasswordByLink(
  db: Db,
  token: string,
  password: string,
  name: string | null,
  clock: Clock,
): Promise<{ account: Account; verified: Verified }> {
  const found = await findLink(db, token, clock)
  if (found === null) throw deadLink()
  const { account, purpose } = found
  const about = [...(await namesAround(db, account)), name ?? '']
  const hash = await hashPassword(await checkPassword(password, about))
  return await inTransaction(db, async (tx) => {
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
      .where('id', '=', account.id)
      .where('disabled_at', 'is', null)
      .returning(accountColumns)
      .executeTakeFirst()
    if (row === undefined) throw noSuchPerson()
    await endSessions(tx, account.id, null)
    await liftSignIns(tx, account.email)
    const changed = toAccount(row)
    const action = purpose === 'reset' ? 'password_reset' : 'invitation_accepted'
    await logEntrance(tx, changed, action, null, clock)
    // Who accepts an invitation knows that there is a password now.
    if (purpose === 'reset') await tellAccount(tx, account.id, { kind: 'password_changed' }, clock)
    return { account: changed, verified: { accountId: account.id, passwordHash: hash } }
  })
}

export function deadLink(): ApiError {
  return new ApiError('not_found', {
    message: 'This link was used, was replaced or has expired. Request another.',
    reason: 'dead_link',
  })
}

/** Deletes links that have not been good for a day. */
export const reapLinks = reaper({
  table: 'account_links',
  key: 'token_hash',
  column: 'expires_at',
  keptFor: '1 day',
})
