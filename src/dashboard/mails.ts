/**
 * The dashboard's mails. Their texts are of the same catalogue as the pages, in the language of who gets them.
 */
import type { Account, Language } from '../accounts/accounts.ts'
import { linkMailFailed, linkMailSent, takeLinkMails } from '../accounts/link-mails.ts'
import { linkUrl, makeLink, type LinkPurpose } from '../accounts/links.ts'
import { leaseSeconds } from '../accounts/notices.ts'
import { tokenHash } from '../accounts/tokens.ts'
import type { Deps } from '../deps.ts'
import { failureOf } from '../notifications/failure.ts'
import { waitAfter } from '../notifications/waits.ts'
import { html } from '../pages/html.ts'
import { withoutLinks } from '../plain-name.ts'
import type { Mail, Mailer } from '../notifications/mailer.ts'
import { en } from './messages/en.ts'
import { es } from './messages/es.ts'
import type { Messages } from './messages/es.ts'

export function messagesFor(language: Language | null): Messages {
  return language === 'en' ? en : es
}

/** A mail of a few paragraphs and perhaps one link. */
export function mailOf(
  to: string,
  subject: string,
  paragraphs: readonly string[],
  link: Readonly<{ text: string; url: string }> | null,
): Mail {
  const text = [...paragraphs, ...(link === null ? [] : [link.url])].join('\n\n')
  const body = html`<!doctype html>
    <html>
      <body>
        <div
          style="max-width:34rem;margin:0 auto;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#17212b"
        >
          ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
          ${
            link !== null &&
            html`<p>
                <a
                  href="${link.url}"
                  style="display:inline-block;padding:12px 20px;border-radius:6px;background:#0a6a5c;color:#ffffff;text-decoration:none;font-weight:600"
                  >${link.text}</a
                >
              </p>
              <p style="font-size:13px;color:#566270">${link.url}</p>`
          }
        </div>
      </body>
    </html>`
  return { to, subject, text: `${text}\n`, html: body.markup }
}

/**
 * How a link reached its person: by mail; not yet, and it is tried again; or not at all. Unless it was sent, somebody may pass it on.
 */
export type Delivery = Readonly<{ outcome: LinkOutcome; url: string }>
export type LinkOutcome = 'sent' | 'waits' | 'unsent'

/** Between two attempts at most: a link is good for an hour, some of them. */
const longestWaitMs = 600_000

/** Makes a link and mails it. What the mail server does not take for the moment is tried again, by whatever worker comes first. */
export async function deliverLink(deps: Deps, account: Account, purpose: LinkPurpose): Promise<Delivery> {
  const { config, db, clock, mailer, secretBox } = deps
  const mail = mailer === null ? null : { seal: secretBox.seal, leaseSeconds }
  const token = await makeLink(db, account.id, purpose, clock, mail)
  const outcome =
    mailer === null ? 'unsent' : await mailLink(deps, mailer, { account, purpose, token, failures: 0 })
  return { outcome, url: linkUrl(config.publicBaseUrl, token) }
}

/** Tries again to send the links whose mails wait. @returns how many there were, up to `limit` */
export async function mailLinks(deps: Deps, limit: number): Promise<number> {
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

async function mailLink(deps: Deps, mailer: Mailer, link: LinkToMail): Promise<LinkOutcome> {
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

async function linkMail({ config, db }: Deps, { account, purpose, token }: LinkToMail): Promise<Mail> {
  const { mail } = messagesFor(account.language)
  const { serviceName: service } = config
  const url = linkUrl(config.publicBaseUrl, token)
  if (purpose === 'reset') {
    return mailOf(account.email, mail.resetSubject(service), mail.reset(account.name, service), {
      text: mail.resetLink,
      url,
    })
  }
  // Operators are invited by the service itself.
  const agency =
    account.agency_id === null
      ? undefined
      : await db.selectFrom('agencies').select('name').where('id', '=', account.agency_id).executeTakeFirst()
  if (account.elsewhere) {
    return mailOf(
      account.email,
      mail.invitationSubject(service),
      mail.invitedElsewhere(withoutLinks(agency?.name ?? service), service),
      { text: mail.signInLink, url: `${config.publicBaseUrl}/dashboard/sign-in` },
    )
  }
  return mailOf(
    account.email,
    mail.invitationSubject(service),
    mail.invitation(withoutLinks(agency?.name ?? service), service),
    { text: mail.invitationLink, url },
  )
}
