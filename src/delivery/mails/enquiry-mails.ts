/** A visitor's enquiry as a mail to the agency. Replies go to the visitor. */
import { findAgencyById } from '../../agencies/agencies.ts'
import {
  type DueEnquiry,
  type Enquiry,
  endEnquiry,
  leaseEnquiries,
  retryEnquiry,
} from '../../agencies/enquiries.ts'
import { getPreferences } from '../notifications/preferences.ts'
import { mailChore } from './mail-queue.ts'
import type { Mail, MailDeps } from './mailer.ts'
import { mailsIn } from './write-mail.ts'

export const mailEnquiries = mailChore<DueEnquiry>({
  what: 'an enquiry',
  // Shorter than for other mails: a visitor waits for a reply.
  maxWaitMs: 1_800_000,
  lease: leaseEnquiries,
  write: enquiryMail,
  settle: ({ db, clock }, { id }, { waitMs }) =>
    waitMs === null ? endEnquiry(db, id) : retryEnquiry(db, id, waitMs, clock),
})

/** Null if the agency no longer has an email. */
async function enquiryMail({ config, db, secretBox }: MailDeps, due: DueEnquiry): Promise<Mail | null> {
  const agency = await findAgencyById(db, due.agency_id)
  if (agency?.email == null) return null
  const preferences = await getPreferences(await db.at(due.agency_id), due.agency_id)
  const { texts, dashboardUrl, messageId, write } = mailsIn(config, preferences.language)
  const { name, email, phone, message, listing } = JSON.parse(secretBox.open(due.sealed)) as Enquiry
  const words = texts.enquiries
  const paragraphs = [
    listing === null ? words.askedAgency(name) : words.askedListing(name, listing.title, listing.code),
    ...message.split(/\n{2,}/),
    ...(email === null ? [] : [words.email(email)]),
    ...(phone === null ? [] : [words.phone(phone)]),
    email === null ? words.callBack : words.reply,
  ]
  const head = {
    to: agency.email,
    subject: listing === null ? words.subjectAgency(name) : words.subjectListing(name, listing.title),
    messageId: messageId(due.id),
    ...(email !== null && { replyTo: { name, address: email } }),
  }
  const turnOff = { text: words.turnOff, url: dashboardUrl('/settings/mails') }
  const links = listing === null ? [turnOff] : [{ text: words.publicPage, url: listing.url }, turnOff]
  const link =
    listing === null
      ? { text: words.openAgency, url: dashboardUrl('') }
      : { text: words.openListing, url: dashboardUrl(`/listings/${listing.code}`) }
  return write(head, { text: words.foot, links }, paragraphs, link)
}
