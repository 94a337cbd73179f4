/**
 * A visitor's enquiry as a mail to the agency. Replies go to the visitor.
 */
import {
  type DueEnquiry,
  type Enquiry,
  enquiryDone,
  enquiryFailed,
  takeEnquiries,
} from '../../agencies/enquiries.ts'
import { getPreferences } from '../notifications/preferences.ts'
import { attemptMail } from './attempt-mail.ts'
import type { Mail, MailDeps, Mailer } from './mailer.ts'
import { mailTexts, writeMail } from './write-mail.ts'

/** Shorter than for other mails: a visitor waits for a reply. */
const longestWaitMs = 1_800_000

/** Mails what is due. @returns how many there were, up to `limit` */
export async function mailEnquiries(deps: MailDeps, limit: number): Promise<number> {
  const { db, clock, mailer } = deps
  if (mailer === null) return 0
  const due = await takeEnquiries(db, limit, clock)
  await Promise.all(due.map((one) => mailEnquiry(deps, mailer, one)))
  return due.length
}

async function mailEnquiry(deps: MailDeps, mailer: Mailer, due: DueEnquiry): Promise<void> {
  const { db, clock } = deps
  const { id, failures } = due
  const write = () => enquiryMail(deps, due)
  const attempt = await attemptMail(deps, mailer, { what: 'an enquiry', failures, longestWaitMs, write })
  if (attempt.outcome === 'waits') await enquiryFailed(db, id, attempt.waitMs, clock)
  else await enquiryDone(db, id)
}

/** Null where the agency no longer has an email. */
async function enquiryMail({ config, db, secretBox }: MailDeps, due: DueEnquiry): Promise<Mail | null> {
  const { serviceName: service, publicBaseUrl } = config
  const agency = await db
    .selectFrom('agencies')
    .select(['name', 'email'])
    .where('id', '=', due.agency_id)
    .executeTakeFirst()
  if (agency?.email == null) return null
  const preferences = await getPreferences(await db.at(due.agency_id), due.agency_id)
  const { language, texts } = mailTexts(preferences.language)
  const { name, email, phone, message, listing } = JSON.parse(secretBox.open(due.sealed)) as Enquiry
  const words = texts.enquiries
  const paragraphs = [
    listing === null ? words.askedAgency(name) : words.askedListing(name, listing.title, listing.code),
    ...message.split(/\n{2,}/),
    ...(email === null ? [] : [words.email(email)]),
    ...(phone === null ? [] : [words.phone(phone)]),
    email === null ? words.callBack : words.reply,
  ]
  const link =
    listing === null
      ? { text: words.openAgency, url: `${publicBaseUrl}/dashboard` }
      : { text: words.openListing, url: `${publicBaseUrl}/dashboard/listings/${listing.code}` }
  const links = [
    ...(listing === null ? [] : [{ text: words.publicPage, url: listing.url }]),
    { text: words.turnOff, url: `${publicBaseUrl}/dashboard/settings/mails` },
  ]
  return writeMail(
    {
      to: agency.email,
      subject: listing === null ? words.subjectAgency(name) : words.subjectListing(name, listing.title),
      messageId: `<${due.id}@${new URL(publicBaseUrl).hostname}>`,
      ...(email === null ? {} : { replyTo: { name, address: email } }),
    },
    { language, service, foot: { text: words.foot, links } },
    paragraphs,
    link,
  )
}
