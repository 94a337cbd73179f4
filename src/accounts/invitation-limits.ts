/**
 * Limits on mails with links, for the agency that sends them and for the recipient, who did not ask for them.
 */
import { hash } from 'node:crypto'
import { inTransaction } from '../db/transaction.ts'
import { take, type Tried } from './attempts.ts'

/**
 * Counts a mail to somebody who is invited, or sent another link; what is refused counts nowhere. Operators are not asked to.
 * @param agencyId the sender's agency; null where the recipient asks for the link again
 * @throws ApiError `rate_limited`
 */
export async function takeInvitation(tried: Tried, agencyId: string | null, email: string): Promise<void> {
  const ofAgency =
    agencyId === null
      ? []
      : ([
          // The longer one first: of two that are exhausted it says how long to wait.
          { name: 'invitations_per_agency_per_day', subject: `invites in a day ${agencyId}` },
          { name: 'invitations_per_agency_per_hour', subject: `invites in an hour ${agencyId}` },
        ] as const)
  const ofRecipient = {
    name: 'invitations_per_recipient_per_day',
    subject: `invited ${hash('sha256', mailboxOf(email), 'base64url')}`,
  } as const
  await inTransaction(tried.db, (tx) => take({ ...tried, db: tx }, [...ofAgency, ofRecipient]))
}

/** `ana+1@…` and `Ana@…` arrive at the same person. */
function mailboxOf(email: string): string {
  const [name = '', domain = ''] = email.trim().toLowerCase().split('@')
  return `${name.split('+', 1)[0]}@${domain}`
}
