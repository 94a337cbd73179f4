/** Limits visitors' enquiries by agency, listing, IP and claimed sender, and over all agencies. */
import { hash } from 'node:crypto'
import { foldEmail } from '../../platform/email-address.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { subjectOf } from '../../limits/keyless.ts'
import { takeInTurn } from '../../limits/take-in-turn.ts'
import type { Tried } from './attempts.ts'

/**
 * Counts an enquiry; a refused one is not counted.
 * @param about the agency's id, and the listing's code if the enquiry is about one
 * @throws ApiError `rate_limited`
 */
export async function takeEnquiry(
  tried: Tried,
  from: Readonly<{ ip: string; email: string | null; phone: string | null }>,
  about: Readonly<{ agencyId: string; code: string | null }>,
): Promise<void> {
  const hashed = (text: string) => hash('sha256', text, 'base64url')
  const { agencyId, code } = about
  const sender = hashed(
    from.email === null ? (from.phone ?? '').replaceAll(/\D/g, '') : foldEmail(from.email),
  )
  // The agency's own counters first, those that agencies share last: a flood of one agency neither uses up the others' nor locks them.
  await inTransaction(tried.db, (tx) =>
    takeInTurn({ ...tried, db: tx }, [
      { name: 'enquiries_per_agency_per_minute', subject: agencyId },
      { name: 'enquiries_per_agency_per_day', subject: agencyId },
      { name: 'enquiries_per_listing_per_hour', subject: `${agencyId} ${code ?? ''}` },
      { name: 'enquiries_per_sender_and_agency_per_day', subject: `${agencyId} ${sender}` },
      { name: 'enquiries_per_address_per_hour', subject: hashed(subjectOf(from.ip)) },
      { name: 'enquiries_per_sender_per_day', subject: sender },
      { name: 'enquiries_per_minute', subject: '*' },
    ]),
  )
}
