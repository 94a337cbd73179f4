/** A listing's history: actor, time and changed values of each entry, and the notifications that were sent. */
import { dayMs } from '../../../../../platform/time/days.ts'
import { html, type Html, nothing } from '../../../../../platform/web/html.ts'
import { fields } from '../../../../../listings/fields/fields.ts'
import { type DeliveredEntry, withDeliveries } from '../../../../../listings/history/events.ts'
import { afterAll, type Changes } from '../../../../../listings/history/history.ts'
import { logDays } from '../../../../../access/request-log/request-log.ts'
import type { Listing } from '../../../../../listings/listing.ts'
import { deliveryBadge, deliveryPath, whyText } from '../../operator/delivery-parts.ts'
import { listingPath } from '../../../requested-listing.ts'
import type { AgencyRequest, PageRequest } from '../../../serving/page.ts'
import { actionOf, changesOf, findSittings, type Sitting } from './sittings.ts'
import { fieldLabel } from '../../../forms/field-labels.ts'
import { actorText, valueText } from '../listing-parts.ts'

const perPage = 20
/** Longer values open on a click. */
const longest = 160

/**
 * Pages begin at a revision instead of a number, so that changes in between neither repeat nor hide an entry. With the parameter `each`,
 * every change is an entry; without it, every sitting.
 */
export async function historyPart(request: AgencyRequest, listing: Listing): Promise<Html> {
  const { t, deps, agency, base } = request
  const isEach = request.query.get('each') === 'yes'
  const path = `${base}${listingPath(request, listing)}`
  const link = (query: Readonly<Record<string, string>>): string => {
    const all = new URLSearchParams({ ...(isEach && { each: 'yes' }), ...query }).toString()
    return `${path}${all === '' ? '' : `?${all}`}#history`
  }
  const { sittings, newer, older } = await pageOf(request, listing, isEach)
  const shown = sittings.map(([latest]) => latest)
  const delivered = await withDeliveries(deps.db, agency.id, listing.id, shown)
  const items = sittings.map((sitting, index) => {
    const each = link({ each: 'yes', before: String(sitting[0].revision + 1) })
    return html`<li>${sittingPart(request, sitting, delivered[index] ?? sitting[0].entry, each)}</li>`
  })
  return html`<section class="card" id="history">
    <div class="card-head">
      <h2>${t.listings.history}</h2>
      ${isEach && html`<a href="${path}#history">${t.listings.eachLess}</a>`}
    </div>
    <ol class="timeline">
      ${items}
    </ol>
    ${
      (newer !== null || older !== null) &&
      html`<nav class="pager" aria-label="${t.common.pages}">
        <div class="row">
          ${newer !== null && html`<a class="button button-small" rel="prev" href="${link(newer)}">${t.listings.newer}</a>`}
          ${older !== null && html`<a class="button button-small" rel="next" href="${link(older)}">${t.listings.older}</a>`}
        </div>
      </nav>`
    }
  </section>`
}

/** A page of sittings, and the query of the pages before and after it; null if there is none. */
async function pageOf({ deps, agency, query }: AgencyRequest, listing: Listing, isEach: boolean) {
  const find = (window: { before: number } | { after: number }) =>
    findSittings(deps.db, agency.id, listing.id, { ...window, limit: perPage, isEach })
  const after = revisionIn(query, 'after')
  const later = after === null ? null : await find({ after })
  // The latest page is filled up with older entries.
  const isBack = later?.hasMore === true
  const before = (later === null ? revisionIn(query, 'before') : null) ?? afterAll
  const { sittings, hasMore } = isBack ? later : await find({ before })
  const newest = sittings[0]?.[0].revision
  const oldest = sittings.at(-1)?.at(-1)?.revision
  const hasNewer = newest !== undefined && (isBack || newest < listing.version)
  const hasOlder = oldest !== undefined && (isBack || hasMore)
  return {
    sittings,
    newer: hasNewer ? { after: String(newest) } : null,
    older: hasOlder ? { before: String(oldest) } : null,
  }
}

function revisionIn(query: URLSearchParams, name: 'before' | 'after'): number | null {
  const text = query.get(name) ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** The id of a request, with a link if it is a key's and still in the log. */
function requestPart({ deps, base, agency }: AgencyRequest, at: string, kind: string, id: string): Html {
  const isLogged = kind === 'key' && Date.parse(at) > Date.now() + deps.clock.offsetMs - logDays * dayMs
  if (!isLogged) return html`<code>${id}</code>`
  return html`<a href="${base}${agency.path}/requests/${id}"><code>${id}</code></a>`
}

/**
 * @param latest its latest entry
 * @param each the URL of all of its entries
 */
function sittingPart(request: AgencyRequest, sitting: Sitting, latest: DeliveredEntry, each: string): Html {
  const { at, actor, request_id: requestId, notification } = latest
  const { t, format } = request
  const texts = t.listings
  const isOne = sitting.length === 1
  const action = actionOf(sitting)
  const changes = changesOf(sitting)
  const first = sitting.at(-1)?.entry.at ?? at
  return html`<p>
      <span class="strong">${texts.actions[action] ?? action}</span>
      <span class="muted">· ${actorText(request, actor)}</span>
    </p>
    <p class="small muted">
      ${isOne ? format.moment(at) : format.span(first, at)}${isOne && requestId !== null && html` · ${requestPart(request, at, actor.kind, requestId)}`}
    </p>
    ${notification === null && html`<p class="small muted">${texts.noLongerKept}</p>`}
    ${notification && notificationPart(request, notification)}
    ${changesPart(request, changes, isOne ? nothing : html`<p><a href="${each}">${texts.each(sitting.length)}</a></p>`)}`
}

const order = Object.keys(fields)
/** The order of the table of fields. Other recorded facts come last. */
const orderOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length)

/** The changed fields, each with its old and new value. @param more shown below them */
function changesPart(request: AgencyRequest, changes: Changes, more: Html): Html {
  const texts = request.t.listings
  const changed = Object.entries(changes).toSorted(([one], [other]) => orderOf(one) - orderOf(other))
  if (changed.length === 0)
    return more === nothing
      ? nothing
      : html`<div class="small">
          <p class="muted">${texts.changedBack}</p>
          ${more}
        </div>`
  return html`<details class="disclosure small">
    <summary>${texts.changed(changed.length)}</summary>
    <table class="changes">
      <thead>
        <tr>
          <th scope="col">${texts.field}</th>
          <th scope="col">${texts.from}</th>
          <th scope="col">${texts.to}</th>
        </tr>
      </thead>
      <tbody>
        ${changed.map(
          ([name, { from, to }]) =>
            html`<tr>
              <td>${fieldLabel(request, name)}</td>
              <td data-label="${texts.from}"><div>${shown(request, name, from)}</div></td>
              <td data-label="${texts.to}">
                <div>${shown(request, name, to)}${name === 'photos' && photosMoved(request, from, to)}</div>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${more}
  </details>`
}

/** The notification's state on each channel, and the reason if the agency's mail was not sent. Operators get a link. */
function notificationPart(
  request: PageRequest,
  { event_id, deliveries }: NonNullable<DeliveredEntry['notification']>,
): Html {
  const { t, base, session } = request
  const isOperator = session?.account.role === 'operator'
  return html`<p class="row small">
    ${deliveries.map((delivery) => {
      const { channel } = delivery
      const name = t.notifications.channels[channel]
      const path = `${base}${deliveryPath(event_id, channel)}`
      const why = channel === 'mail' && delivery.state === 'set_aside' ? whyText(request, delivery) : null
      return html`<span
        >${isOperator ? html`<a href="${path}">${name}</a>` : name} ${deliveryBadge(request, delivery)}
        ${why !== null && html`<span class="muted">${why}</span>`}</span
      >`
    })}
  </p>`
}

function photosMoved({ t }: PageRequest, from: unknown, to: unknown): Html | null {
  const before: readonly unknown[] = Array.isArray(from) ? from : []
  const after: readonly unknown[] = Array.isArray(to) ? to : []
  const added = after.filter((photo) => !before.includes(photo)).length
  const removed = before.filter((photo) => !after.includes(photo)).length
  const text = t.listings.photosMoved(added, removed)
  return before.length === 0 || after.length === 0 ? null : html` <span class="muted">(${text})</span>`
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function shown(request: PageRequest, name: string, value: unknown): Html {
  if (typeof value === 'string' && time.test(value)) return request.format.moment(value)
  if (name === 'photos' && Array.isArray(value) && value.length > 0)
    return html`${request.t.listings.photoCount(value.length)}`
  const text = valueText(request, name, value)
  return text === null ? html`<span class="muted">–</span>` : long(request, text)
}

function long({ t }: PageRequest, text: string): Html {
  if (text.length <= longest) return html`${text}`
  const start = text.slice(0, longest).toWellFormed()
  return html`<details class="long-value">
    <summary><span class="long-start">${start}… </span><span class="link">${t.listings.whole}</span></summary>
    <p class="prose">${text}</p>
  </details>`
}
