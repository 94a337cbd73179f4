/** Mails with a link: an invitation, a new password, or an agency's new email. */
import type { Account } from '../../access/accounts/accounts.ts'
import { emailLinkUrl, emailTokenHash, makeEmailLink } from '../../access/accounts/mails/email-links.ts'
import {
  type LinkMail,
  linkMailFailed,
  linkMailSent,
  leaseLinkMails,
} from '../../access/accounts/mails/link-queue.ts'
import { linkUrl, makeLink, type PasswordPurpose } from '../../access/accounts/mails/links.ts'
import { tokenHash } from '../../access/accounts/sign-in/sessions.ts'
import { findAgencyById, getAgencyById } from '../../agencies/agencies.ts'
import type { Tx } from '../../platform/db/statements/connection.ts'
import { inTransaction } from '../../platform/db/statements/transaction.ts'
import { withoutLinks } from '../../platform/names/plain-name.ts'
import { DeliveryFailure } from '../notifications/failure.ts'
import { getPreferences } from '../notifications/preferences.ts'
import { attemptMail, mailChore, type MailQueue } from './mail-queue.ts'
import type { Mail, MailDeps, Mailer } from './mailer.ts'
import { mailsIn } from './write-mail.ts'

/** A link that was not sent can be passed on by hand. */
export type LinkDelivery = { outcome: LinkOutcome; url: string }
export type LinkOutcome = 'sent' | 'waits' | 'unsent'

const queue: MailQueue<LinkMail> = {
  what: 'a mail with a link',
  // Shorter than for other mails: the link of a reset is valid for an hour.
  maxWaitMs: 600_000,
  lease: leaseLinkMails,
  write: linkMail,
  settle: ({ db, clock }, link, { outcome, waitMs }) =>
    outcome === 'sent'
      ? linkMailSent(db, link.tokenHash, link.purpose, clock)
      : linkMailFailed(db, link.tokenHash, waitMs, clock),
}

/** Retries the mails that wait. */
export const mailLinks = mailChore(queue)

/**
 * Makes a link.
 * @returns a function that mails it, to call after the commit; a worker retries temporary rejections by the mail server
 */
export async function prepareLink(tx: Tx, deps: MailDeps, account: Account, purpose: PasswordPurpose) {
  const { config, clock, mailer, secretBox } = deps
  const token = await makeLink(tx, account.id, purpose, clock, mailer === null ? null : secretBox.seal)
  const url = linkUrl(config.publicBaseUrl, token)
  return async (): Promise<LinkDelivery> => {
    if (mailer === null) return { outcome: 'unsent', url }
    const sealed = { sealedToken: secretBox.seal(token), tokenHash: tokenHash(token) }
    const link = { ...sealed, account, purpose, failures: 0, agencyId: null, email: null }
    return { outcome: await mailLink(deps, mailer, link), url }
  }
}

/** Makes a link and mails it, as `prepareLink` does. */
export async function deliverLink(
  deps: MailDeps,
  account: Account,
  purpose: PasswordPurpose,
): Promise<LinkDelivery> {
  const mail = await inTransaction(deps.db, (tx) => prepareLink(tx, deps, account, purpose))
  return await mail()
}

/**
 * Makes the link that confirms an agency's email.
 * @param account the person who requested it
 * @returns a function that mails it, to call after the commit; a worker retries it
 */
export async function prepareEmailLink(
  tx: Tx,
  deps: MailDeps & Readonly<{ mailer: Mailer }>,
  account: Account,
  agencyId: string,
  email: string,
): Promise<() => Promise<LinkOutcome>> {
  const pending = { agencyId, email, accountId: account.id }
  const token = await makeEmailLink(tx, pending, deps.secretBox.seal, deps.clock)
  const sealed = { sealedToken: deps.secretBox.seal(token), tokenHash: emailTokenHash(token) }
  const link = { ...sealed, account, purpose: 'agency_email', failures: 0, agencyId, email } as const
  return () => mailLink(deps, deps.mailer, link)
}

async function mailLink(deps: MailDeps, mailer: Mailer, link: LinkMail): Promise<LinkOutcome> {
  const { outcome } = await attemptMail(deps, mailer, queue, link)
  return outcome === 'sent' || outcome === 'waits' ? outcome : 'unsent'
}

/** @throws DeliveryFailure if the token was sealed under another SECRET_KEY */
function openToken({ secretBox }: MailDeps, sealed: Buffer): string {
  try {
    return secretBox.open(sealed)
  } catch (cause) {
    const said = 'The link of the mail cannot be decrypted.'
    throw new DeliveryFailure({ kind: 'error', said }, { isFinal: true, cause })
  }
}

async function linkMail(deps: MailDeps, link: LinkMail): Promise<Mail> {
  const token = openToken(deps, link.sealedToken)
  if (link.agencyId !== null && link.email !== null)
    return await emailMail(deps, link.agencyId, link.email, token)
  const { config, db } = deps
  const { account, purpose } = link
  const { texts, service, dashboardUrl, write } = mailsIn(config, account.language)
  const { links } = texts
  const url = linkUrl(config.publicBaseUrl, token)
  const to = account.email
  const foot = { text: texts.foot.sentBy(service) }
  if (purpose === 'reset') {
    const head = { to, subject: links.resetSubject(service) }
    return write(head, foot, links.reset(account.name, service), { text: links.resetLink, url })
  }
  // Operators are invited by the service itself.
  const agency = account.agency_id === null ? null : await findAgencyById(db, account.agency_id)
  const name = withoutLinks(agency?.name ?? service)
  const head = { to, subject: links.invitationSubject(service) }
  const signIn = { text: links.signInLink, url: dashboardUrl('/sign-in') }
  return account.elsewhere
    ? write(head, foot, links.invitedElsewhere(name, service), signIn)
    : write(head, foot, links.invitation(name, service), { text: links.invitationLink, url })
}

/** The recipient has no account, so the language is that of the agency's other mails. */
async function emailMail({ config, db }: MailDeps, agencyId: string, to: string, token: string) {
  const agency = await getAgencyById(db, agencyId)
  const preferences = await getPreferences(await db.at(agencyId), agencyId)
  const { texts, service, write } = mailsIn(config, preferences.language)
  const name = withoutLinks(agency.name)
  return write(
    { to, subject: texts.links.agencyEmailSubject(name, service) },
    { text: texts.foot.sentBy(service) },
    texts.links.agencyEmail(name, service),
    { text: texts.links.agencyEmailLink, url: emailLinkUrl(config.publicBaseUrl, token) },
  )
}
