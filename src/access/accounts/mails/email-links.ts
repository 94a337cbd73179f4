/**
 * An agency's new email, pending until its reader confirms it by a link. An agency has one pending email; a newer one replaces it and its
 * link.
 */
import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import type { Db } from '../../../platform/db/database.ts'
import { linkSeconds, mailLeaseSeconds } from '../../../limits/sizes.ts'
import { fromNow, now } from '../../../platform/db/statements/now.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { isToken, newToken, tokenHash } from '../sign-in/sessions.ts'

const purpose = 'agency_email'

/** `accountId`: the person who requested the change. */
type PendingEmail = Readonly<{ agencyId: string; email: string; accountId: string }>

/** @returns the link's token */
export async function makeEmailLink(tx: Tx, pending: PendingEmail, seal: SecretBox['seal'], clock: Clock) {
  const { agencyId, email, accountId } = pending
  const token = newToken()
  const link = {
    token_hash: emailTokenHash(token),
    account_id: accountId,
    email,
    created_at: now(clock),
    expires_at: fromNow(clock, linkSeconds[purpose]),
    used_at: null,
    sealed_token: seal(token),
    mail_due_at: fromNow(clock, mailLeaseSeconds),
    mail_failures: 0,
  }
  await tx
    .insertInto('account_links')
    .values({ ...link, agency_id: agencyId, purpose })
    .onConflict((conflict) => conflict.column('agency_id').doUpdateSet(link))
    .execute()
  return token
}

/** Differs from the hash of password links, so that one kind cannot be used as the other. */
export function emailTokenHash(token: string): Buffer {
  return tokenHash(`${purpose} ${token}`)
}

export function emailLinkUrl(publicBaseUrl: string, token: string): string {
  return `${publicBaseUrl}/dashboard/confirm-email/${token}`
}

export async function findPendingEmail(db: Db | Tx, agencyId: string, clock: Clock): Promise<string | null> {
  const row = await valid(db, clock).where('l.agency_id', '=', agencyId).executeTakeFirst()
  return row?.email ?? null
}

/** Null when the link is no longer valid. Does not use it up. */
export async function findEmailLink(db: Db | Tx, token: string, clock: Clock): Promise<PendingEmail | null> {
  if (!isToken(token)) return null
  const row = await valid(db, clock).where('l.token_hash', '=', emailTokenHash(token)).executeTakeFirst()
  if (row?.agency_id == null || row.email === null) return null
  return { agencyId: row.agency_id, email: row.email, accountId: row.account_id }
}

/** Selects valid links. A link is void once its requester may no longer change the agency. */
function valid(db: Db | Tx, clock: Clock) {
  return db
    .selectFrom('account_links as l')
    .innerJoin('accounts as a', 'a.id', 'l.account_id')
    .select(['l.agency_id', 'l.email', 'l.account_id'])
    .where('l.purpose', '=', purpose)
    .where('l.expires_at', '>', now(clock))
    .where('a.disabled_at', 'is', null)
    .where('a.role', '<>', 'member')
}

/** Ends the agency's link, or only the one with the token. @returns false when it had ended */
export async function endEmailLink(tx: Tx, agencyId: string, token: string | null = null): Promise<boolean> {
  const ofAgency = tx.deleteFrom('account_links').where('agency_id', '=', agencyId)
  const links = token === null ? ofAgency : ofAgency.where('token_hash', '=', emailTokenHash(token))
  const { numDeletedRows } = await links.executeTakeFirst()
  return numDeletedRows > 0n
}
