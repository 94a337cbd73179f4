/** Limits what people can do in the dashboard: save listings, and send mails with a link to others. */
import type { LimitDeps, SubjectLimit, WindowDeps } from '../../limits/counters.ts'
import { hashed } from '../../limits/subject.ts'
import { takeFromEach } from '../../limits/take.ts'
import type { Tx } from '../../platform/db/statements/connection.ts'
import { foldEmail } from '../../platform/names/email.ts'

/** Counts one save of a listing by a person, like a write of a key. @throws ApiError `rate_limited` */
export async function takeSave(deps: LimitDeps, accountId: string): Promise<void> {
  const counters: SubjectLimit[] = [
    { name: 'saves_per_person_per_minute', subject: accountId },
    { name: 'saves_per_person_per_day', subject: accountId },
  ]
  await takeFromEach(deps.db, counters, deps)
}

/**
 * Counts a mail with a link, an invitation or one that confirms an agency's email, for the sending agency and for the recipient, who did
 * not request it. A refused one is not counted. Operators are not limited.
 * @param agencyId the sender's; null if the recipient's link is requested again
 * @throws ApiError `rate_limited`
 */
export async function takeInvitation(
  tx: Tx,
  agencyId: string | null,
  email: string,
  deps: WindowDeps,
): Promise<void> {
  const recipient = hashed(mailboxOf(email))
  // Anyone can request the link again, so such requests have their own share, like each agency.
  const pair = `${agencyId ?? 'nobody'} ${recipient}`
  const counters: SubjectLimit[] = [
    { name: 'invitations_per_agency_and_recipient_per_day', subject: pair },
    { name: 'invitations_per_recipient_per_day', subject: recipient },
  ]
  if (agencyId !== null)
    counters.unshift(
      // The longer window first: if both are exhausted, its wait decides.
      { name: 'invitations_per_agency_per_day', subject: agencyId },
      { name: 'invitations_per_agency_per_hour', subject: agencyId },
    )
  await takeFromEach(tx, counters, deps)
}

/** `ana+1@…` and `Ana@…` reach the same person. */
function mailboxOf(email: string): string {
  const [name = '', domain = ''] = foldEmail(email).split('@')
  return `${name.split('+', 1)[0]}@${domain}`
}
