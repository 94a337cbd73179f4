/**
 * Mails with a link: an invitation, a new password, or an agency's new email.
 */
import type { Account } from '../../access/accounts/accounts.ts'
import { emailLinkUrl, emailTokenHash, makeEmailLink } from '../../access/accounts/email-links.ts'
import { linkMailFailed, linkMailSent, takeLinkMails } from '../../access/accounts/link-mails.ts'
import {
  type LinkMailing,
  type LinkPurpose,
  linkUrl,
  makeLink,
  type PasswordPurpose,
} from '../../access/accounts/links.ts'
import { leaseSeconds } from '../../access/accounts/notices.ts'
import { tokenHash } from '../../access/accounts/sessions.ts'
import { getAgencyById } from '../../agencies/agencies.ts'
import type { Tx } from '../../platform/db/connection.ts'
import { getPreferences } from '../notifications/preferences.ts'
import { withoutLinks } from '../../platform/plain-name.ts'
import { attemptMail } from './attempt-mail.ts'
import { mailTexts, writeMail } from './write-mail.ts'
import type { Mail, MailDeps, Mailer } from './mailer.ts'

/** A link that was not sent can be passed on by hand. */
export type LinkDelivery = Readonly<{ outcome: LinkOutcome; url: string }>
export type LinkOutcome = 'sent' | 'waits' | 'unsent'

/** Shorter than for other mails: the link of a reset is valid for an hour. */
const longestWaitMs = 600_000

/** Makes a link and mails it. A worker retries what the mail server refuses for the moment. */
export async function deliverLink(
  deps: MailDeps,
  account: Account,
  purpose: PasswordPurpose,
): Promise<LinkDelivery> {
  const { config, db, clock, mailer } = deps
  const token = await makeLink(db, account.id, purpose, clock, mailer === null ? null : mailing(deps))
  const link = { account, purpose, token, failures: 0, agencyId: null, email: null }
  const outcome = mailer === null ? 'unsent' : await mailLink(deps, mailer, link)
  return { outcome, url: linkUrl(config.publicBaseUrl, token) }
}

/**
 * Makes the link that confirms an agency's email.
 * @param account who asks for it
 * @returns what mails it once the transaction is committed; a worker retries it
 */
export async function prepareEmailLink(
  tx: Tx,
  deps: MailDeps & Readonly<{ mailer: Mailer }>,
  account: Account,
  agencyId: string,
  email: string,
): Promise<() => Promise<LinkOutcome>> {
  const pending = { agencyId, email, accountId: account.id }
  const token = await makeEmailLink(tx, pending, mailing(deps), deps.clock)
  const link = { account, purpose: 'agency_email', token, failures: 0, agencyId, email } as const
  return () => mailLink(deps, deps.mailer, link)
}

function mailing({ secretBox }: MailDeps): LinkMailing {
  return { seal: secretBox.seal, leaseSeconds }
}

/** Retries the mails that wait. @returns how many there were, up to `limit` */
export async function mailLinks(deps: MailDeps, limit: number): Promise<number> {
  const { db, clock, mailer, secretBox, log } = deps
  if (mailer === null) return 0
  const waiting = await takeLinkMails(db, limit, clock)
  await Promise.all(
    waiting.map(async ({ sealedToken, tokenHash: hash, ...link }) => {
      let token: string
      try {
        token = secretBox.open(sealedToken)
      } catch (error) {
        log.warn({ err: error }, 'a mail with a link is given up')
        return await linkMailFailed(db, hash, null, clock)
      }
      await mailLink(deps, mailer, { ...link, token })
    }),
  )
  return waiting.length
}

type LinkToMail = Readonly<{
  account: Account
  purpose: LinkPurpose
  token: string
  failures: number
  /** Set where the link confirms an agency's email; otherwise null. */
  agencyId: string | null
  email: string | null
}>

async function mailLink(deps: MailDeps, mailer: Mailer, link: LinkToMail): Promise<LinkOutcome> {
  const { db, clock } = deps
  const { token, purpose, failures } = link
  const hash = purpose === 'agency_email' ? emailTokenHash(token) : tokenHash(token)
  const write = () => linkMail(deps, link)
  const attempt = await attemptMail(deps, mailer, {
    what: 'a mail with a link',
    failures,
    longestWaitMs,
    write,
  })
  if (attempt.outcome === 'sent') {
    await linkMailSent(db, hash, purpose, clock)
    return 'sent'
  }
  await linkMailFailed(db, hash, attempt.outcome === 'waits' ? attempt.waitMs : null, clock)
  return attempt.outcome === 'waits' ? 'waits' : 'unsent'
}

async function linkMail(deps: MailDeps, link: LinkToMail): Promise<Mail> {
  if (link.agencyId !== null && link.email !== null)
    return await emailMail(deps, link.agencyId, link.email, link.token)
  const { config, db } = deps
  const { account, purpose, token } = link
  const { serviceName: service, publicBaseUrl } = config
  const { language, texts } = mailTexts(account.language)
  const { links } = texts
  const url = linkUrl(publicBaseUrl, token)
  const to = account.email
  const frame = { language, service, foot: { text: texts.foot.asked(service) } }
  if (purpose === 'reset') {
    const mail = { to, subject: links.resetSubject(service) }
    return writeMail(mail, frame, links.reset(account.name, service), { text: links.resetLink, url })
  }
  // Operators are invited by the service itself.
  const agency =
    account.agency_id === null
      ? undefined
      : await db.selectFrom('agencies').select('name').where('id', '=', account.agency_id).executeTakeFirst()
  const name = withoutLinks(agency?.name ?? service)
  const mail = { to, subject: links.invitationSubject(service) }
  return account.elsewhere
    ? writeMail(mail, frame, links.invitedElsewhere(name, service), {
        text: links.signInLink,
        url: `${publicBaseUrl}/dashboard/sign-in`,
      })
    : writeMail(mail, frame, links.invitation(name, service), { text: links.invitationLink, url })
}

/** The recipient has no account, so the language is that of the agency's other mails. */
async function emailMail(
  { config, db }: MailDeps,
  agencyId: string,
  to: string,
  token: string,
): Promise<Mail> {
  const { serviceName: service, publicBaseUrl } = config
  const agency = await getAgencyById(db, agencyId)
  const preferences = await getPreferences(await db.at(agencyId), agencyId)
  const { language, texts } = mailTexts(preferences.language)
  const name = withoutLinks(agency.name)
  return writeMail(
    { to, subject: texts.links.agencyEmailSubject(name, service) },
    { language, service, foot: { text: texts.foot.asked(service) } },
    texts.links.agencyEmail(name, service),
    { text: texts.links.agencyEmailLink, url: emailLinkUrl(publicBaseUrl, token) },
  )
}
