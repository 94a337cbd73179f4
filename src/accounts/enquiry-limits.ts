/** Limits what visitors ask: by their IP, by who they say they are, by listing, by agency and over all. */
import { hash } from 'node:crypto'
import { foldEmail } from '../email-address.ts'
import { inTransaction } from '../db/transaction.ts'
import { subjectOf } from '../limits/keyless.ts'
import { take, type Tried } from './attempts.ts'

/** @param about what it is about: the agency's id, and the listing's code where there is one @throws ApiError `rate_limited` */
export async function takeEnquiry(
  tried: Tried,
  from: Readonly<{ ip: string; email: string | null; phone: string | null }>,
  about: Readonly<{ agencyId: string; code: string | null }>,
): Promise<void> {
  const hashed = (text: string) => hash('sha256', text, 'base64url')
  const sender = from.email === null ? (from.phone ?? '').replaceAll(/\D/g, '') : foldEmail(from.email)
  // A refused one counts nowhere.
  await inTransaction(tried.db, (tx) =>
    take({ ...tried, db: tx }, [
      { name: 'enquiries_per_address_per_hour', subject: `asks from ${hashed(subjectOf(from.ip))}` },
      { name: 'enquiries_per_sender_per_day', subject: `asked by ${hashed(sender)}` },
      {
        name: 'enquiries_per_listing_per_hour',
        subject: `asked about ${about.agencyId} ${about.code ?? ''}`,
      },
      { name: 'enquiries_per_agency_per_day', subject: `asked ${about.agencyId}` },
      { name: 'enquiries_per_minute', subject: 'asked of all' },
    ]),
  )
}
