/**
 * The mail about changes to an agency's listings (api.md 17.1): one change, or several in order.
 */
import type { Closing, ListingView, MailChanges, PendingEvent } from '../notifications/event.ts'
import type { MailLanguage } from '../notifications/preferences.ts'
import { type Format, formats } from '../../platform/web/format.ts'
import { colour } from '../../platform/web/design.ts'
import { html, joined } from '../../platform/web/html.ts'
import { endsWithCity, oneLine } from '../../platform/web/text.ts'
import { stopUrl } from './stop-links.ts'
import { framed, type MailLink, mailTexts } from './write-mail.ts'
import type { Mail, MailDeps } from './mailer.ts'
import type { MailTexts } from './phrases-es.ts'

type Texts = MailTexts['changes']

type ChangesDeps = Pick<MailDeps, 'config' | 'mailer' | 'secretBox'>

type MailInput = Readonly<{
  to: string
  /** Stops these mails. */
  stopUrl: string
  agency: string
  language: MailLanguage
  serviceName: string
  publicBaseUrl: string
  /** In order, at least one. */
  changes: readonly { event: PendingEvent; view: ListingView }[]
}>

/** The courier's function to send mails, or null if mail is not configured. */
export function changesMailer({ config, mailer, secretBox }: ChangesDeps): MailChanges | null {
  if (mailer === null) return null
  const { serviceName, publicBaseUrl } = config
  return async ({ id, email, name, language }, changes) => {
    const to = email ?? ''
    const stop = stopUrl(
      { secretBox, config },
      { kind: 'changes', id, email: to },
      mailTexts(language).language,
    )
    const input = { to, stopUrl: stop, agency: name, language, serviceName, publicBaseUrl, changes }
    await mailer.send(composeMail(input))
  }
}

/** The message id is made from the first and the last event, so a repeat of the mail has the same. */
export function composeMail(input: MailInput): Mail {
  const { agency, serviceName, publicBaseUrl } = input
  const { language, texts: all } = mailTexts(input.language)
  const texts = all.changes
  const changes = input.changes.map((change) => describe(change, texts, formats[language], publicBaseUrl))
  const [first] = changes
  const subject =
    changes.length === 1 && first !== undefined
      ? `${first.what}: ${first.title}`
      : texts.subject(changes.length)
  const ids = [input.changes[0], input.changes.at(-1)].map((change) => change?.event.event_id ?? '')
  const head = {
    to: input.to,
    subject: oneLine(subject).slice(0, 200),
    messageId: `<${[...new Set(ids)].join('.')}@${new URL(publicBaseUrl).hostname}>`,
    stopUrl: input.stopUrl,
  }
  const foot = {
    text: all.foot.changes(serviceName),
    links: [
      { text: all.foot.chooseMails, url: `${publicBaseUrl}/dashboard/settings/mails` },
      { text: all.foot.stop, url: input.stopUrl },
    ],
  }
  const opening = [texts.greeting(agency), texts.opening(changes.length, serviceName)]
  return framed(
    head,
    { language, service: serviceName, foot },
    [
      ...opening,
      ...changes.map(({ what, title, lines, links }) =>
        [`${what}: ${title}`, ...lines, ...links.map(({ text, url }) => `${text}: ${url}`)].join('\n  '),
      ),
    ],
    html`${opening.map((line) => html`<p style="margin:0 0 16px">${line}</p>`)}
      <ul style="list-style:none;margin:0;padding:0">
        ${changes.map(
          ({ what, title, lines, links }) =>
            html`<li style="margin:20px 0 0">
              <strong>${what}: ${title}</strong>${lines.map((line) => html`<br />${line}`)} <br />${joined(
                links.map(
                  ({ text, url }) => html`<a href="${url}" style="color:${colour('accent')}">${text}</a>`,
                ),
                ' · ',
              )}
            </li>`,
        )}
      </ul>`,
  )
}

/** `links`: to the dashboard, and to its page where the listing is published. */
type Described = { what: string; title: string; lines: string[]; links: MailLink[] }

function describe(
  { event, view: { listing, closing } }: MailInput['changes'][number],
  texts: Texts,
  format: Format,
  publicBaseUrl: string,
): Described {
  const { city } = (listing['location'] ?? {}) as { city?: string | null }
  const closed = event.type === 'disabled' ? closing : null
  const reason = closed?.reason == null ? null : (texts.reason[closed.reason] ?? closed.reason)
  const address = typeof listing['address'] === 'string' ? listing['address'] : null
  const place = [address, endsWithCity(address, city ?? null) ? null : city].filter(
    (part) => typeof part === 'string',
  )
  const name = texts.systems.get(event.actor_name) ?? oneLine(event.actor_name)
  const author = name === '' ? '' : `, ${texts.by(name)}`
  const isShown = event.type !== 'deleted' && listing['status'] === 'published'
  return {
    what: `${texts.event[event.type]}${reason === null ? '' : ` (${reason.charAt(0).toLowerCase()}${reason.slice(1)})`}`,
    title: oneLine(String(listing['title'] ?? '')) || texts.untitled,
    lines: [
      ...(place.length === 0 ? [] : [place.map(oneLine).join(', ')]),
      ...(closed === null ? [] : closingLines(closed, texts, format)),
      `${format.plainMoment(event.at)}${author}`,
    ],
    links: [
      {
        text: texts.inDashboard,
        url: `${publicBaseUrl}/dashboard/listings/${encodeURIComponent(String(listing['id']))}`,
      },
      ...(isShown ? [{ text: texts.publicPage, url: String(listing['url'] ?? '') }] : []),
    ],
  }
}

function closingLines(
  { close_price: price, closed_at: at }: Closing,
  texts: Texts,
  format: Format,
): string[] {
  return [
    ...(price === null ? [] : [texts.closedFor(format.money(price.amount, price.currency))]),
    ...(at === null ? [] : [texts.closedOn(format.longDate(at))]),
  ]
}
