/**
 * The mail that tells an agency what changed with its listings (api.md 17.1): one change, or many in their order.
 */
import type { Config } from '../config/config.ts'
import type { Closing, ListingView, MailChanges, PendingEvent } from '../notifications/event.ts'
import type { MailLanguage } from '../notifications/preferences.ts'
import { type Format, formats } from '../web/format.ts'
import { colour } from '../web/design.ts'
import { html } from '../web/html.ts'
import { oneLine } from '../web/text.ts'
import { framed, mailTexts } from './write-mail.ts'
import type { Mail, Mailer } from './mailer.ts'
import type { MailTexts } from './phrases-es.ts'

type Texts = MailTexts['changes']

type MailInput = Readonly<{
  to: string
  agency: string
  language: MailLanguage
  serviceName: string
  publicBaseUrl: string
  /** In order, at least one. */
  changes: readonly { event: PendingEvent; view: ListingView }[]
}>

/** What the courier sends mails with, or null where mail is not configured. */
export function changesMailer(
  { serviceName, publicBaseUrl }: Pick<Config, 'serviceName' | 'publicBaseUrl'>,
  mailer: Mailer | null,
): MailChanges | null {
  if (mailer === null) return null
  return ({ email, name, language }, changes) =>
    mailer.send(composeMail({ to: email ?? '', agency: name, language, serviceName, publicBaseUrl, changes }))
}

/** A repeat of the same mail has the same message id: that of its first and last event. */
export function composeMail(input: MailInput): Mail {
  const { agency, serviceName } = input
  const { language, texts: all } = mailTexts(input.language)
  const texts = all.changes
  const changes = input.changes.map((change) => describe(change, texts, formats[language]))
  const [first] = changes
  const subject =
    changes.length === 1 && first !== undefined
      ? `${first.what}: ${first.title}`
      : texts.subject(changes.length)
  const ids = [input.changes[0], input.changes.at(-1)].map((change) => change?.event.event_id ?? '')
  const mail = {
    to: input.to,
    subject: oneLine(subject).slice(0, 200),
    messageId: `<${[...new Set(ids)].join('.')}@${new URL(input.publicBaseUrl).hostname}>`,
  }
  const opening = [texts.greeting(agency), texts.opening(changes.length, serviceName)]
  const closing = texts.closing(serviceName)
  return framed(
    mail,
    language,
    [
      ...opening,
      ...changes.map(({ what, title, lines, url }) => [`${what}: ${title}`, ...lines, ...url].join('\n  ')),
      `-- \n${closing}`,
    ],
    html`${opening.map((line) => html`<p>${line}</p>`)}
      <ul style="list-style:none;padding:0">
        ${changes.map(
          ({ what, title, lines, url }) =>
            html`<li style="margin:0 0 20px">
              <strong>${what}: ${title}</strong>${lines.map((line) => html`<br />${line}`)}
              ${url.map((href) => html`<br /><a href="${href}">${texts.open}</a>`)}
            </li>`,
        )}
      </ul>
      <p
        style="color:${colour('muted')};font-size:14px;border-top:1px solid ${colour('line')};padding-top:12px"
      >
        ${closing}
      </p>`,
  )
}

/** `url`: one or none, because only a published listing has a page. */
type Described = { what: string; title: string; lines: string[]; url: string[] }

function describe(
  { event, view: { listing, closing } }: MailInput['changes'][number],
  texts: Texts,
  format: Format,
): Described {
  const { city } = (listing['location'] ?? {}) as { city?: string | null }
  const closed = event.type === 'disabled' ? closing : null
  const reason = closed?.reason == null ? '' : ` (${texts.reason[closed.reason] ?? closed.reason})`
  const place = [listing['address'], city].filter((part) => typeof part === 'string')
  const author = event.actor_name === '' ? '' : `, ${texts.by(oneLine(event.actor_name))}`
  const isShown = event.type !== 'deleted' && listing['status'] === 'published'
  return {
    what: `${texts.event[event.type]}${reason}`,
    title: oneLine(String(listing['title'] ?? '')) || texts.untitled,
    lines: [
      ...(place.length === 0 ? [] : [place.map(oneLine).join(', ')]),
      ...(closed === null ? [] : closingLines(closed, texts, format)),
      `${format.plainMoment(event.at)}${author}`,
    ],
    url: isShown ? [String(listing['url'] ?? '')] : [],
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
