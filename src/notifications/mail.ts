/**
 * The mail that tells an agency of changes of state (spec 'What the service does' 7): one change or many, as text and as HTML.
 */
import { html } from 'ghtml'
import type { Closing, ListingView, PendingEvent } from './event.ts'
import type { Mail } from './mailer.ts'
import { type Language, type Phrases, phrases } from './phrases.ts'

export type MailInput = {
  to: string
  agency: string
  language: Language
  serviceName: string
  /** The service's own address, whose host names the mail. */
  publicBaseUrl: string
  /** In order, at least one. */
  changes: readonly { event: PendingEvent; view: ListingView }[]
}

const timeZone = 'America/Argentina/Buenos_Aires'

/** One change as it is told. */
type Told = { what: string; title: string; address: string; notes: string[]; when: string; url: string }

export function composeMail(input: MailInput): Mail {
  const words = phrases[input.language]
  const changes = input.changes.map((change) => tell(change, words, input.language))
  const [first] = changes
  const subject =
    changes.length === 1 && first !== undefined
      ? `${first.what}: ${first.title}`
      : words.subject(changes.length)
  const ids = [input.changes[0], input.changes.at(-1)].map((change) => change?.event.event_id ?? '')
  return {
    to: input.to,
    subject: oneLine(subject).slice(0, 200),
    text: asText(input, words, changes),
    html: asHtml(input, words, changes),
    messageId: `<${[...new Set(ids)].join('.')}@${new URL(input.publicBaseUrl).hostname}>`,
    language: input.language,
  }
}

function tell({ event, view }: MailInput['changes'][number], words: Phrases, language: Language): Told {
  const { listing, closing } = view
  const { city } = (listing['location'] ?? {}) as { city?: string | null }
  const closed = event.type === 'disabled' ? closing : null
  const reason = closed?.reason == null ? '' : ` (${words.reason[closed.reason] ?? closed.reason})`
  const address = [listing['address'], city].filter((part) => typeof part === 'string')
  const author = event.actor_name === '' ? '' : `, ${words.by(oneLine(event.actor_name))}`
  const isShown = event.type !== 'deleted' && listing['status'] === 'published'
  return {
    what: `${words.event[event.type]}${reason}`,
    title: oneLine(String(listing['title'] ?? '')) || words.untitled,
    address: address.map(oneLine).join(', '),
    notes: closed === null ? [] : tellClosing(closed, words, language),
    when: `${moment(event.at, language, 'short')}${author}`,
    // Only a published listing has a page.
    url: isShown ? String(listing['url'] ?? '') : '',
  }
}

function tellClosing(
  { close_price: price, closed_at: at }: Closing,
  words: Phrases,
  language: Language,
): string[] {
  const notes: string[] = []
  if (price !== null) {
    const amount = new Intl.NumberFormat(language).format(price.amount)
    notes.push(words.closedFor(`${price.currency ?? ''} ${amount}`.trim()))
  }
  if (at !== null) notes.push(words.closedOn(moment(at, language)))
  return notes
}

function moment(at: string, language: Language, timeStyle?: 'short'): string {
  const format = { dateStyle: 'long', timeStyle, hourCycle: 'h23', timeZone } as const
  return new Intl.DateTimeFormat(language, format).format(new Date(at))
}

function asText({ agency, serviceName }: MailInput, words: Phrases, changes: readonly Told[]): string {
  return [
    words.greeting(agency),
    words.opening(changes.length, serviceName),
    ...changes.map(({ what, title, address, notes, when, url }) =>
      [`${what}: ${title}`, address, ...notes, when, url].filter((line) => line !== '').join('\n  '),
    ),
    `-- \n${words.closing(serviceName)}`,
  ].join('\n\n')
}

function asHtml(
  { agency, serviceName, language }: MailInput,
  words: Phrases,
  changes: readonly Told[],
): string {
  const items = changes.map(
    ({ what, title, address, notes, when, url }) =>
      html`<li style="margin:0 0 20px">
        <strong>${what}: ${title}</strong><br />
        !${[address, ...notes]
          .filter((line) => line !== '')
          .map((line) => html`${line}<br />`)
          .join('\n')}
        <span style="color:#555">${when}</span>
        !${url === '' ? '' : html`<br /><a href="${url}">${words.open}</a>`}
      </li>`,
  )
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${serviceName}</title>
      </head>
      <body
        style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#222;max-width:640px;margin:0 auto;padding:16px"
      >
        <p>${words.greeting(agency)}</p>
        <p>${words.opening(changes.length, serviceName)}</p>
        <ul style="list-style:none;padding:0">
          !${items.join('\n')}
        </ul>
        <p style="color:#555;font-size:14px;border-top:1px solid #ccc;padding-top:12px">
          ${words.closing(serviceName)}
        </p>
      </body>
    </html> `
}

/** Titles and names may have line breaks; where a line is one thing they must not. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}
