/**
 * Mails with a link: an invitation, or a new password.
 */
import type { Account } from '../accounts/accounts.ts'
import { linkMailFailed, linkMailSent, takeLinkMails } from '../accounts/link-mails.ts'
import { linkUrl, makeLink, type LinkPurpose } from '../accounts/links.ts'
import { leaseSeconds } from '../accounts/notices.ts'
import { tokenHash } from '../accounts/tokens.ts'
import { failureOf } from '../notifications/failure.ts'
import { waitAfter } from '../notifications/waits.ts'
import { withoutLinks } from '../plain-name.ts'
import { mailTexts, writeMail } from './write-mail.ts'
import type { Mail, MailDeps, Mailer } from './mailer.ts'

/**
 * How a link left: mailed, to be retried, or not at all. Unless it was sent, somebody may pass it on.
 */
export type LinkDelivery = Readonly<{ outcome: LinkOutcome; url: string }>
type LinkOutcome = 'sent' | 'waits' | 'unsent'

/** Between two attempts at most: the link of a reset is valid for an hour. */
const longestWaitMs = 600_000

/** Makes a link and mails it. A worker retries what the mail server does not take for the moment. */
export async function deliverLink(
  deps: MailDeps,
  account: Account,
  purpose: LinkPurpose,
): Promise<LinkDelivery> {
  const { config, db, clock, mailer, secretBox } = deps
  const mail = mailer === null ? null : { seal: secretBox.seal, leaseSeconds }
  const token = await makeLink(db, account.id, purpose, clock, mail)
  const outcome =
    mailer === null ? 'unsent' : await mailLink(deps, mailer, { account, purpose, token, failures: 0 })
  return { outcome, url: linkUrl(config.publicBaseUrl, token) }
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

type LinkToMail = Readonly<{ account: Account; purpose: LinkPurpose; token: string; failures: number }>

async function mailLink(deps: MailDeps, mailer: Mailer, link: LinkToMail): Promise<LinkOutcome> {
  const { db, clock, log } = deps
  const hash = tokenHash(link.token)
  try {
    await mailer.send(await linkMail(deps, link))
  } catch (error) {
    const { isFinal } = failureOf(error)
    log.warn(
      { err: error },
      isFinal ? 'a mail with a link was refused' : 'a mail with a link could not be sent; it is tried again',
    )
    const waitMs = isFinal ? null : Math.min(waitAfter(link.failures + 1, 0, Math.random), longestWaitMs)
    await linkMailFailed(db, hash, waitMs, clock)
    return isFinal ? 'unsent' : 'waits'
  }
  await linkMailSent(db, hash, link.purpose, clock)
  return 'sent'
}

async function linkMail({ config, db }: MailDeps, { account, purpose, token }: LinkToMail): Promise<Mail> {
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
