/** Visitors' enquiries from an agency's public pages. They are stored, encrypted, only until the mail server has accepted them. */
import type { SecretBox } from '../access/secrets/secret-box.ts'
import type { LimitDeps, SubjectLimit } from '../limits/counters.ts'
import { hashed, subjectOf } from '../limits/subject.ts'
import { mailLeaseSeconds } from '../limits/sizes.ts'
import { takeFromEach } from '../limits/take.ts'
import type { Clock } from '../platform/time/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { now } from '../platform/db/statements/now.ts'
import { queueIn } from '../platform/db/upkeep/queue.ts'
import { reaper } from '../platform/db/upkeep/reaper.ts'
import { inTransaction } from '../platform/db/statements/transaction.ts'
import type { Row } from '../platform/db/types.ts'
import { foldEmail } from '../platform/names/email.ts'

export type Enquiry = Readonly<{
  name: string
  email: string | null
  phone: string | null
  message: string
  /** Null: the enquiry is about the agency. */
  listing: Readonly<{ code: string; title: string; url: string }> | null
}>

/**
 * Counts an enquiry; a refused one is not counted.
 * @param about the agency's id, and the listing's code if the enquiry is about one
 * @throws ApiError `rate_limited`
 */
export async function takeEnquiry(
  deps: LimitDeps,
  from: Readonly<{ ip: string; email: string | null; phone: string | null }>,
  about: Readonly<{ agencyId: string; code: string | null }>,
): Promise<void> {
  const { agencyId, code } = about
  const sender = hashed(
    from.email === null ? (from.phone ?? '').replaceAll(/\D/g, '') : foldEmail(from.email),
  )
  // The agency's own counters come first and the shared ones last: a flood for one agency neither uses up nor locks the shared ones.
  const counters: SubjectLimit[] = [
    { name: 'enquiries_per_agency_per_minute', subject: agencyId },
    { name: 'enquiries_per_agency_per_day', subject: agencyId },
    { name: 'enquiries_per_listing_per_hour', subject: `${agencyId} ${code ?? ''}` },
    { name: 'enquiries_per_sender_and_agency_per_day', subject: `${agencyId} ${sender}` },
    { name: 'enquiries_per_address_per_hour', subject: hashed(subjectOf(from.ip)) },
    { name: 'enquiries_per_sender_per_day', subject: sender },
    { name: 'enquiries_per_minute', subject: '*' },
  ]
  await inTransaction(deps.db, (tx) => takeFromEach(tx, counters, deps))
}

/** @param id of the submitted form @returns false if it was submitted before; then nothing is stored */
export async function keepEnquiry(
  db: Db,
  { id, agencyId, enquiry }: { id: string; agencyId: string; enquiry: Enquiry },
  seal: SecretBox['seal'],
  clock: Clock,
): Promise<boolean> {
  const row = await db
    .insertInto('enquiries')
    .values({
      id,
      agency_id: agencyId,
      created_at: now(clock),
      due_at: now(clock),
      sealed: seal(JSON.stringify(enquiry)),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export type DueEnquiry = Readonly<
  Row<'enquiries', 'id' | 'agency_id' | 'created_at' | 'failures'> & { sealed: Buffer }
>

const queue = queueIn<DueEnquiry>({
  table: 'enquiries',
  owner: 'agency_id',
  only: 'sealed is not null',
  returning: 'q.id, q.agency_id, q.created_at, q.failures, q.sealed',
})

/** Leases up to `limit` due enquiries: the oldest of each agency. */
export async function leaseEnquiries(db: Db, limit: number, clock: Clock): Promise<DueEnquiry[]> {
  return await queue.lease(db, limit, mailLeaseSeconds, clock)
}

/** Ends an enquiry that was mailed or never can be: deletes its text and keeps its id, so that the form cannot be submitted again. */
export async function endEnquiry(db: Db, id: string): Promise<void> {
  await db.updateTable('enquiries').set({ sealed: null }).where('id', '=', id).execute()
}

export const retryEnquiry = queue.retry

/** Counts the agency's pending enquiries with at least one failed attempt. */
export async function countStuckEnquiries(db: Db, agencyId: string): Promise<number> {
  const { count } = await db
    .selectFrom('enquiries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('agency_id', '=', agencyId)
    .where('sealed', 'is not', null)
    .where('failures', '>', 0)
    .executeTakeFirstOrThrow()
  return count
}

/** Also gives up enquiries that no mail server accepts. */
export const reapEnquiries = reaper({
  table: 'enquiries',
  key: 'id',
  column: 'created_at',
  keptFor: '3 days',
})
