/**
 * The dashboard's mails. Their texts are of the same catalogue as the pages, in the language of who gets them.
 */
import type { Account, Language } from '../accounts/accounts.ts'
import { linkUrl, makeLink, type LinkPurpose } from '../accounts/links.ts'
import type { Deps } from '../deps.ts'
import { html } from '../pages/html.ts'
import type { Mail } from '../notifications/mailer.ts'
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

/** How a link reached its person: by mail, or not, and then somebody has to pass it on. */
export type Delivery = Readonly<{ sent: boolean; url: string }>

/**
 * Makes a link and mails it. Where mail is not configured or fails, the link itself has to be handed over.
 * @param agencyName of whom the person is invited to; null: as an operator
 */
export async function deliverLink(
  deps: Deps,
  account: Account,
  purpose: LinkPurpose,
  agencyName: string | null,
): Promise<Delivery> {
  const { config, db, clock, mailer, log } = deps
  const url = linkUrl(config.publicBaseUrl, await makeLink(db, account.id, purpose, clock))
  if (mailer === null) return { sent: false, url }
  const { mail } = messagesFor(account.language)
  const name = config.serviceName
  const message =
    purpose === 'invitation'
      ? mailOf(
          account.email,
          mail.invitationSubject(name),
          mail.invitation(account.name, agencyName ?? name, name),
          { text: mail.invitationLink, url },
        )
      : mailOf(account.email, mail.resetSubject(name), mail.reset(account.name, name), {
          text: mail.resetLink,
          url,
        })
  try {
    await mailer.send(message)
    return { sent: true, url }
  } catch (error) {
    log.warn({ err: error }, 'a mail could not be sent')
    return { sent: false, url }
  }
}
