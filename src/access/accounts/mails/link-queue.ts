/**
 * Pending mails with a link. The link's row is their queue, so a link that is replaced, used or expired takes its mail with it. The row
 * holds the token sealed, and only while the mail is pending.
 */
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { fromNow } from '../../../platform/db/statements/now.ts'
import type { Row } from '../../../platform/db/types.ts'
import { statement } from '../../../platform/db/statements/statement.ts'
import { type Account, accountAsJson, toAccount } from '../accounts.ts'
import { linkSeconds, mailLeaseSeconds } from '../../../limits/sizes.ts'
import type { LinkPurpose } from './links.ts'

/** How long sending is retried: a reset while the person may be waiting, the others like notifications. */
const patienceSeconds: Readonly<Record<LinkPurpose, number>> = {
  reset: 3_600,
  invitation: 3 * 86_400,
  agency_email: 3 * 86_400,
}

export type LinkMail = {
  tokenHash: Buffer
  sealedToken: Buffer
  purpose: LinkPurpose
  failures: number
  /** The person whose password the link sets, or who requested the agency's new email. */
  account: Account
  /** Set if the link confirms an agency's email; otherwise null. */
  agencyId: string | null
  email: string | null
}

/**
 * Leases the mails that are due, and drops those that waited too long or whose link was used. Values: the clock's offset, the patience by
 * purpose, the maximum number of mails, the lease in seconds.
 */
const leaseDue = statement<
  Row<'account_links', 'token_hash' | 'mail_failures' | 'agency_id' | 'email'> & {
    sealed_token: Buffer
    purpose: LinkPurpose
    account: Record<string, unknown>
  }
>(`
  with moment as materialized (
    select clock_timestamp() + $1::float8 * interval '1 ms' as now
  ), good as materialized (
    select l.token_hash, a.disabled_at is null and l.used_at is null
      and l.created_at + ($2::jsonb ->> l.purpose)::int * interval '1 second' > now as is_good
    from moment, account_links l join accounts a on a.id = l.account_id where l.mail_due_at is not null
  ), over as (
    update account_links set sealed_token = null, mail_due_at = null
    where token_hash in (select token_hash from good where not is_good)
  ), due as materialized (
    select l.token_hash from account_links l join good on good.token_hash = l.token_hash
    where good.is_good and l.mail_due_at <= (select now from moment)
    order by l.mail_due_at limit $3 for update of l skip locked
  )
  update account_links l set mail_due_at = now + $4::float8 * interval '1 second'
  from moment, due, accounts a where l.token_hash = due.token_hash and a.id = l.account_id
  returning l.token_hash, l.sealed_token, l.purpose, l.mail_failures, l.agency_id, l.email, ${accountAsJson} as account`)

/** Takes up to `limit` mails that are due. Drops those that waited too long or whose link was used. */
export async function leaseLinkMails(db: Db, limit: number, clock: Clock): Promise<LinkMail[]> {
  const rows = await leaseDue(db, [clock.offsetMs, JSON.stringify(patienceSeconds), limit, mailLeaseSeconds])
  return rows.map((row) => ({
    tokenHash: row.token_hash,
    sealedToken: row.sealed_token,
    purpose: row.purpose,
    failures: row.mail_failures,
    account: toAccount(row.account),
    agencyId: row.agency_id,
    email: row.email,
  }))
}

/** The mail server accepted it: the link's time starts now, as the mail says. */
export async function linkMailSent(db: Db, tokenHash: Buffer, purpose: LinkPurpose, clock: Clock) {
  await db
    .updateTable('account_links')
    .set({ sealed_token: null, mail_due_at: null, expires_at: fromNow(clock, linkSeconds[purpose]) })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** @param waitMs until the retry; null for none */
export async function linkMailFailed(db: Db, tokenHash: Buffer, waitMs: number | null, clock: Clock) {
  await db
    .updateTable('account_links')
    .set((eb) =>
      waitMs === null
        ? { sealed_token: null, mail_due_at: null }
        : { mail_due_at: fromNow(clock, waitMs / 1_000), mail_failures: eb('mail_failures', '+', 1) },
    )
    .where('token_hash', '=', tokenHash)
    .where('mail_due_at', 'is not', null)
    .execute()
}
