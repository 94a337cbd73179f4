/** Changes an agency's email, and with it the twin's email, the notices about it, and the end of a pending email. */
import { audit } from '../access/accounts/audit.ts'
import { endEmailLink, findEmailLink } from '../access/accounts/email-links.ts'
import { deadLink } from '../access/accounts/links.ts'
import { notifyOfEmailChange } from '../access/accounts/notices.ts'
import { type Agency, getAgencyById } from './agencies.ts'
import type { Clock } from '../platform/clock.ts'
import type { Tx } from '../platform/db/connection.ts'
import type { Db } from '../platform/db/database.ts'
import { inTransaction } from '../platform/db/transaction.ts'
import { ApiError } from '../platform/errors.ts'
import { type AgencyProfile, changeAgencyProfile } from './profile.ts'

type EmailChange = Readonly<Partial<AgencyProfile> & Pick<AgencyProfile, 'email'>>

/**
 * Changes the email at once, and other details with it. A pending one is dropped.
 * @param accountId the requester
 * @param token of the confirming link; null: no confirmation is needed
 * @returns the agency, and its email before
 * @throws ApiError 400 naming what is wrong; 404 when the link is no longer valid
 */
export async function changeEmail(
  { db: tx, clock }: { db: Tx; clock: Clock },
  agencyId: string,
  accountId: string,
  change: EmailChange,
  token: string | null = null,
): Promise<{ agency: Agency; was: string | null }> {
  const { email: was } = await getAgencyById(tx, agencyId)
  // The agency is locked before its link, which a newer one may have replaced meanwhile.
  const agency = await changeAgencyProfile({ db: tx, clock }, agencyId, change)
  const isPending = await endEmailLink(tx, agencyId, token)
  if (token !== null && !isPending) throw deadLink()
  const event = { kind: 'agency_email', agency: agency.name, from: was, to: agency.email } as const
  if (was !== agency.email) await notifyOfEmailChange(tx, agencyId, accountId, event, clock)
  return { agency, was }
}

/**
 * Gives the agency the email that the link confirms, and uses the link up.
 * @throws ApiError 404 when the link is no longer valid; `agency_not_active`
 */
export async function confirmEmail(
  { db, clock }: { db: Db; clock: Clock },
  token: string,
  requestId: string,
): Promise<void> {
  const found = await findEmailLink(db, token, clock)
  if (found === null) throw deadLink()
  const { agencyId, accountId, email } = found
  await inTransaction(db, async (tx) => {
    const { agency, was } = await changeEmail({ db: tx, clock }, agencyId, accountId, { email }, token)
    if (!agency.active) throw new ApiError('agency_not_active')
    // The mail's reader, who is not signed in.
    const by = { kind: 'person', id: null, name: email, requestId } as const
    const details = { email, ...(was === null ? {} : { was }) }
    await audit(tx, by, { action: 'agency_changed', agencyId, subject: agency.slug, details }, clock)
  })
}
