/**
 * Limits emails with links, for the sending agency and for the recipient, who did not ask for them: invitations, and those that confirm an
 * agency's email.
 */
import { hash } from 'node:crypto'
import type { Tx } from '../../platform/db/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import { within } from '../../platform/db/transaction.ts'
import { foldEmail } from '../../platform/email-address.ts'
import { takeInTurn } from '../../limits/take-in-turn.ts'
import type { Tried } from './attempts.ts'

/**
 * Counts an email with such a link; a refused one is not counted. Operators are not limited.
 * @param agencyId the sender's; null if the recipient's link is requested again
 * @throws ApiError `rate_limited`
 */
export async function takeInvitation(
  tried: Omit<Tried, 'db'> & { db: Db | Tx },
  agencyId: string | null,
  email: string,
): Promise<void> {
  const recipient = hash('sha256', mailboxOf(email), 'base64url')
  const ofAgency =
    agencyId === null
      ? []
      : ([
          // The longer window first: if both are exhausted, its wait decides.
          { name: 'invitations_per_agency_per_day', subject: agencyId },
          { name: 'invitations_per_agency_per_hour', subject: agencyId },
        ] as const)
  // Anyone can request the link again, so such requests have their own share, like each agency.
  const ofRecipient = [
    {
      name: 'invitations_per_agency_and_recipient_per_day',
      subject: `${agencyId ?? 'nobody'} ${recipient}`,
    },
    { name: 'invitations_per_recipient_per_day', subject: recipient },
  ] as const
  await within(tried.db, (tx) => takeInTurn({ ...tried, db: tx }, [...ofAgency, ...ofRecipient]))
}

/** `ana+1@…` and `Ana@…` reach the same person. */
function mailboxOf(email: string): string {
  const [name = '', domain = ''] = foldEmail(email).split('@')
  return `${name.split('+', 1)[0]}@${domain}`
}
