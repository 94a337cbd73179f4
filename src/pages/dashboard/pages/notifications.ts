/**
 * The queue of notifications to agencies and the marketplace, for operators: what was sent, what waits, why it failed, and retries.
 */
import { channels, type ChannelName } from '../../../delivery/notifications/outbox.ts'
import {
  countSetAside,
  type Delivery,
  type DeliveryFilters,
  getDelivery,
  listDeliveries,
} from '../../../delivery/notifications/deliveries.ts'
import { retryAll, retryEvent } from '../../../delivery/notifications/retry.ts'
import { ApiError } from '../../../platform/errors.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { note } from '../actor.ts'
import { succeeded } from '../flash.ts'
import { postForm } from '../forms.ts'
import { icon } from '../icons.ts'
import { empty, pageAsked, pageHead, pager, tabs } from '../page-parts.ts'
import { factList, tableHead } from '../tables.ts'
import { type Page, type PageAnswer, personPage, type Signed } from '../visit.ts'
import { deliveryBadge, deliveryPath, notificationsPath, whyText } from './delivery-parts.ts'

const home = notificationsPath
const perPage = 50

/** What the tabs show. */
const views = {
  all: {},
  pending: { states: ['pending'] },
  failing: { isFailing: true },
  set_aside: { states: ['set_aside'] },
  delivered: { states: ['delivered'] },
  untold: { states: ['skipped', 'not_configured'] },
} as const satisfies Record<string, DeliveryFilters>
type View = keyof typeof views

async function listPage(visit: Signed): Promise<PageAnswer> {
  const { t, deps, base, query, format } = visit
  const texts = t.notifications
  const asked = query.get('view') ?? ''
  const view: View = Object.hasOwn(views, asked) ? (asked as View) : 'all'
  const page = pageAsked(query)
  const window = { limit: perPage + 1, offset: (page - 1) * perPage }
  const [found, setAside] = await Promise.all([
    listDeliveries(deps.db, views[view], window),
    countSetAside(deps.db),
  ])
  const shown = found.slice(0, perPage)
  const entries = (Object.keys(views) as View[]).map(
    (name) => [texts.views[name], `${home}?view=${name}`, name === view] as const,
  )
  const retry =
    setAside > 0 &&
    postForm(
      visit,
      `${home}/retry`,
      html`<button class="button">${icon('rotate')}${texts.retryAll(format.number(setAside))}</button>`,
    )
  return {
    title: t.nav.notifications,
    section: 'notifications',
    body: html`${pageHead(visit, { title: t.nav.notifications, subtitle: texts.subtitle, actions: retry })}
      <div class="stack">
        ${tabs(visit, t.common.status, entries)}
        <section class="card card-flush">
          ${shown.length === 0 ? empty('notifications', texts.none, texts.noneText) : table(visit, shown)}
        </section>
        ${
          (page > 1 || found.length > perPage) &&
          pager(
            visit,
            page,
            found.length > perPage,
            t.common.page(page),
            (target) => `${base}${home}?view=${view}&page=${target}`,
          )
        }
      </div>`,
  }
}

function table(visit: Signed, deliveries: readonly Delivery[]): Html {
  const { t, base, format } = visit
  const texts = t.notifications
  return html`<table class="table table-fold">
    ${tableHead(t.nav.notifications, [texts.event, texts.channel, t.common.status, { label: texts.attempts, className: 'end' }, texts.at])}
    <tbody>
      ${deliveries.map(
        (one) =>
          html`<tr>
            <td class="lead">
              <a class="row-link" href="${base}${deliveryPath(one.event_id, one.channel)}"
                >${t.listings.stateChanges[one.type]} <code>${one.listing}</code></a
              >
              <p class="small muted">${one.agency}</p>
            </td>
            <td data-label="${texts.channel}">${texts.channels[one.channel]}</td>
            <td data-label="${t.common.status}">${deliveryBadge(visit, one)}</td>
            <td data-label="${texts.attempts}" class="end number">${one.attempts}</td>
            <td data-label="${texts.at}" class="nowrap">${format.ago(one.at)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

/** The channel that the path names. @throws ApiError `not_found` */
function channelOf({ params }: Signed): ChannelName {
  const channel = channels.find((one) => one === params['channel'])
  if (channel === undefined) throw new ApiError('not_found', { message: 'There is no such channel.' })
  return channel
}

async function deliveryPage(visit: Signed): Promise<PageAnswer> {
  const { t, deps, base, format, params } = visit
  const texts = t.notifications
  const one = await getDelivery(deps.db, params['event'] ?? '', channelOf(visit))
  const title = `${t.listings.stateChanges[one.type]} ${one.listing}`
  const path = deliveryPath(one.event_id, one.channel)
  const facts: readonly (readonly [string, Html | string | null])[] = [
    [t.common.status, deliveryBadge(visit, one)],
    [texts.channel, texts.channels[one.channel]],
    [t.audit.agency, html`<a href="${base}/dashboard/operator/agencies/${one.agency}">${one.agency}</a>`],
    [
      texts.listing,
      html`<a href="${base}/dashboard/operator/agencies/${one.agency}/listings/${one.listing}"
        ><code>${one.listing}</code></a
      >`,
    ],
    [texts.at, format.moment(one.at)],
    [texts.next, one.next_attempt_at === null ? null : format.moment(one.next_attempt_at)],
    [texts.ended, one.ended_at === null ? null : format.moment(one.ended_at)],
    [texts.detail, whyText(visit, one)],
    [texts.eventId, html`<code>${one.event_id}</code>`],
  ]
  return {
    title,
    section: 'notifications',
    body: html`${pageHead(visit, { title, crumbs: [[t.nav.notifications, home]] })}
      <div class="columns">
        <section class="card">
          <h2 class="card-head">${texts.attempts}</h2>
          ${
            one.attempt_log.length === 0
              ? html`<p class="muted">${texts.noAttempts}</p>`
              : html`<ol class="timeline">
                  ${[...one.attempt_log].reverse().map(
                    (attempt) =>
                      html`<li>
                        <p>
                          <span class="badge ${attempt.succeeded ? 'badge-good' : 'badge-bad'}"
                            >${attempt.succeeded ? texts.succeeded : texts.failed}</span
                          >
                          ${attempt.status !== null && html`<code>${attempt.status}</code>`}
                        </p>
                        <p class="small muted">
                          ${format.moment(attempt.at)} · ${format.number(attempt.duration_ms)} ms
                        </p>
                        ${attempt.detail !== null && html`<p class="small">${whyText(visit, attempt)}</p>`}
                      </li>`,
                  )}
                </ol>`
          }
        </section>
        <div class="stack-l">
          <section class="card">${factList(facts)}</section>
          <section class="card stack">
            <h2>${texts.retry}</h2>
            <p class="small">${texts.retryText}</p>
            ${postForm(visit, `${path}/retry`, html`<button class="button button-primary">${icon('rotate')}${texts.retry}</button>`)}
          </section>
        </div>
      </div>`,
  }
}

export const notificationPages: readonly Page[] = [
  personPage('GET', '/operator/notifications', 'operator', listPage),
  personPage('POST', '/operator/notifications/retry', 'operator', async (visit) => {
    const count = await retryAll(visit.deps)
    await note(visit.deps.db, visit, 'notification_retried', null, String(count))
    return { to: home, flash: succeeded('retried') }
  }),
  personPage('GET', '/operator/notifications/:event/:channel', 'operator', deliveryPage),
  personPage('POST', '/operator/notifications/:event/:channel/retry', 'operator', async (visit) => {
    const event = visit.params['event'] ?? ''
    const channel = channelOf(visit)
    await retryEvent(visit.deps, event, channel)
    await note(visit.deps.db, visit, 'notification_retried', null, `${event} ${channel}`)
    return { to: `${home}/${event}/${channel}`, flash: succeeded('retried') }
  }),
]
