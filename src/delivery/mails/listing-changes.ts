/** The mail about changes to an agency's listings (api.md 17.1): one change, or several in order. */
import { asSystemName } from '../../writing/actor.ts'
import type { EventClosing, ListingView, MailChanges, PendingEvent } from '../notifications/event.ts'
import type { Format } from '../../platform/web/language/format.ts'
import { colour } from '../../platform/web/design/design.ts'
import { html, joined } from '../../platform/web/html.ts'
import { endsWithCity, oneLine } from '../../platform/web/language/text.ts'
import { stopUrl } from './stop-links.ts'
import { type MailLink, mailsIn } from './write-mail.ts'
import type { Mail, MailDeps } from './mailer.ts'
import type { MailTexts } from './phrases.ts'

type Texts = MailTexts['changes']
type Change = Readonly<{ event: PendingEvent; view: ListingView }>

/** The courier's function to send mails, or null if mail is not configured. */
export function changesMailer(deps: Pick<MailDeps, 'config' | 'mailer' | 'secretBox'>): MailChanges | null {
  const { mailer } = deps
  return mailer && ((agency, changes) => mailer.send(changesMail(deps, agency, changes)))
}

/**
 * The message id is made from the first and the last event, so a repeat of the mail has the same.
 * @param changes in order, at least one
 */
export function changesMail(
  deps: Pick<MailDeps, 'config' | 'secretBox'>,
  agency: Parameters<MailChanges>[0],
  changes: readonly Change[],
): Mail {
  const mails = mailsIn(deps.config, agency.language)
  const { service, format, dashboardUrl } = mails
  const texts = mails.texts.changes
  const to = agency.email ?? ''
  const stop = stopUrl(deps, { kind: 'changes', id: agency.id, email: to }, mails.language)
  const described = changes.map((change) => describe(change, texts, format, dashboardUrl))
  const [first] = described
  const subject =
    described.length === 1 && first !== undefined
      ? `${first.what}: ${first.title}`
      : texts.subject(described.length)
  const ids = [changes[0], changes.at(-1)].map((change) => change?.event.event_id ?? '')
  const head = {
    to,
    subject: oneLine(subject).slice(0, 200),
    messageId: mails.messageId([...new Set(ids)].join('.')),
    stopUrl: stop,
  }
  const { foot } = mails.texts
  const links = [
    { text: foot.chooseMails, url: dashboardUrl('/settings/mails') },
    { text: foot.stop, url: stop },
  ]
  const opening = [texts.greeting(agency.name), texts.opening(described.length, service)]
  return mails.frame(
    head,
    { text: foot.changes(service), links },
    [
      ...opening,
      ...described.map(({ what, title, lines, links }) =>
        [`${what}: ${title}`, ...lines, ...links.map(({ text, url }) => `${text}: ${url}`)].join('\n  '),
      ),
    ],
    html`${opening.map((line) => html`<p style="margin:0 0 16px">${line}</p>`)}
      <ul style="list-style:none;margin:0;padding:0">
        ${described.map(
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

/** Empty if the history has no entry for the event. */
function nameOf(actor: PendingEvent['actor'], texts: Texts): string {
  if (actor === null) return ''
  const system = asSystemName(actor)
  return system === null ? oneLine(actor.name ?? texts.erased) : texts.systems[system]
}

/** `links`: to the dashboard and, for a published listing, to its page. */
type Described = { what: string; title: string; lines: string[]; links: MailLink[] }

function describe(
  { event, view: { listing, closing } }: Change,
  texts: Texts,
  format: Format,
  dashboardUrl: (path: string) => string,
): Described {
  const { city } = (listing['location'] ?? {}) as { city?: string | null }
  const closed = event.type === 'disabled' ? closing : null
  const reason = closed?.reason == null ? null : (texts.reason[closed.reason] ?? closed.reason)
  const address = typeof listing['address'] === 'string' ? listing['address'] : null
  const place = [address, endsWithCity(address, city ?? null) ? null : city].filter(
    (part) => typeof part === 'string',
  )
  const name = nameOf(event.actor, texts)
  const by = name === '' ? '' : `, ${texts.by(name)}`
  const isShown = event.type !== 'deleted' && listing['status'] === 'published'
  return {
    what: `${texts.event[event.type]}${reason === null ? '' : ` (${reason.charAt(0).toLowerCase()}${reason.slice(1)})`}`,
    title: oneLine(String(listing['title'] ?? '')) || texts.untitled,
    lines: [
      ...(place.length === 0 ? [] : [place.map(oneLine).join(', ')]),
      ...(closed === null ? [] : closingLines(closed, texts, format)),
      `${format.plainMoment(event.at)}${by}`,
    ],
    links: [
      {
        text: texts.inDashboard,
        url: dashboardUrl(`/listings/${encodeURIComponent(String(listing['id']))}`),
      },
      ...(isShown ? [{ text: texts.publicPage, url: String(listing['url'] ?? '') }] : []),
    ],
  }
}

function closingLines({ close_price: price, closed_at: at }: EventClosing, texts: Texts, format: Format) {
  return [
    ...(price === null ? [] : [texts.closedFor(format.money(price.amount, price.currency))]),
    ...(at === null ? [] : [texts.closedOn(format.longDate(at))]),
  ]
}
