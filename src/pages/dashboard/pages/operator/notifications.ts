/** The queue of notifications to agencies and the marketplace, for operators: deliveries, why they failed, and retries. */
import { type ChannelName, channels } from '../../../../delivery/notifications/outbox.ts'
import {
  countSetAside,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryFilters,
  getDelivery,
  listDeliveries,
} from '../../../../delivery/notifications/deliveries.ts'
import { retryAll, retryEvent } from '../../../../delivery/notifications/retry-by-operator.ts'
import { ApiError } from '../../../../platform/errors/errors.ts'
import { html, type Html } from '../../../../platform/web/html.ts'
import { auditRequest } from '../../actor.ts'
import { succeeded } from '../../serving/flash.ts'
import { chosenValue } from '../../parts/filters.ts'
import { fieldForm, postForm } from '../../forms/forms.ts'
import { icon } from '../../../framework/icons.ts'
import { card, empty, framed, tabs } from '../../parts/page-parts.ts'
import { atEnd, factList, muted, tablePage, type TablePage } from '../../parts/tables.ts'
import { agenciesPath, personPage, type PersonRequest } from '../../serving/page.ts'
import { deliveryBadge, deliveryPath, notificationsPath, whyText } from './delivery-parts.ts'

const home = notificationsPath

const views = {
  all: {},
  pending: { states: ['pending'] },
  failing: { isFailing: true },
  set_aside: { states: ['set_aside'] },
  delivered: { states: ['delivered'] },
  not_sent: { states: ['skipped', 'not_configured'] },
} as const satisfies Record<string, DeliveryFilters>
type View = keyof typeof views

async function queue(request: PersonRequest): Promise<TablePage<Delivery>> {
  const { t, deps, base, query, format } = request
  const texts = t.notifications
  const names = Object.keys(views) as View[]
  const view = chosenValue(query, 'view', names) ?? 'all'
  const setAside = await countSetAside(deps.db)
  const retry = html`<button class="button">
    ${icon('rotate')}${texts.retryAll(format.number(setAside))}
  </button>`
  return {
    title: t.nav.notifications,
    section: 'notifications',
    path: home,
    subtitle: texts.subtitle,
    actions: setAside > 0 && postForm(request, `${home}/retry`, retry),
    tabs: tabs(
      request,
      t.common.status,
      names.map((name) => [texts.views[name], `${home}?view=${name}`, name === view]),
    ),
    parameters: ['view'],
    columns: [
      {
        title: texts.event,
        cell: (one) =>
          html`<a class="row-link" href="${base}${deliveryPath(one.event_id, one.channel)}"
              >${t.listings.stateChanges[one.type]} <code>${one.listing}</code></a
            >
            <p class="small muted">${one.agency}</p>`,
      },
      { title: texts.channel, cell: ({ channel }) => texts.channels[channel] },
      { title: t.common.status, cell: (one) => deliveryBadge(request, one) },
      { title: texts.attempts, cell: ({ attempts }) => attempts, className: atEnd },
      { title: t.common.at, cell: ({ at }) => format.ago(at), className: 'nowrap' },
    ],
    rowsPerPage: 50,
    find: async ({ limit, offset }) => {
      const found = await listDeliveries(deps.db, views[view], { limit: limit + 1, offset })
      return { rows: found.slice(0, limit), hasNext: found.length > limit }
    },
    none: empty('notifications', texts.none, texts.noneText),
  }
}

/** The channel that the path names. @throws ApiError `not_found` */
function channelOf({ params }: PersonRequest): ChannelName {
  const channel = channels.find((one) => one === params['channel'])
  if (channel === undefined) throw new ApiError('not_found', { message: 'There is no such channel.' })
  return channel
}

async function deliveryPage(request: PersonRequest) {
  const { t, deps, base, format, params } = request
  const texts = t.notifications
  const one = await getDelivery(deps.db, params['event'] ?? '', channelOf(request))
  const title = `${t.listings.stateChanges[one.type]} ${one.listing}`
  const path = deliveryPath(one.event_id, one.channel)
  const agency = `${base}${agenciesPath}/${one.agency}`
  const facts = [
    [t.common.status, deliveryBadge(request, one)],
    [texts.channel, texts.channels[one.channel]],
    [t.common.agency, html`<a href="${agency}">${one.agency}</a>`],
    [t.common.listing, html`<a href="${agency}/listings/${one.listing}"><code>${one.listing}</code></a>`],
    [t.common.at, format.moment(one.at)],
    [texts.next, one.next_attempt_at !== null && format.moment(one.next_attempt_at)],
    [texts.ended, one.ended_at !== null && format.moment(one.ended_at)],
    [texts.detail, whyText(request, one)],
    [texts.eventId, html`<code>${one.event_id}</code>`],
  ] as const
  const attempts = one.attempt_log.toReversed().map((attempt) => attemptEntry(request, attempt))
  return framed(
    request,
    { title, section: 'notifications', below: [[t.nav.notifications, home]] },
    html`<div class="columns">
      ${card(
        texts.attempts,
        attempts.length === 0
          ? muted(texts.noAttempts)
          : html`<ol class="timeline">
              ${attempts}
            </ol>`,
      )}
      <div class="stack-l">
        <section class="card">${factList(facts)}</section>
        ${card(texts.retry, fieldForm(request, `${path}/retry`, html`<p class="small">${texts.retryText}</p>`, html`${icon('rotate')}${texts.retry}`))}
      </div>
    </div>`,
  )
}

function attemptEntry(request: PersonRequest, attempt: DeliveryAttempt): Html {
  const { t, format } = request
  const [look, outcome] = attempt.succeeded
    ? ['badge-good', t.notifications.states.delivered]
    : ['badge-bad', t.notifications.failed]
  return html`<li>
    <p>
      <span class="badge ${look}">${outcome}</span>
      ${attempt.status !== null && html`<code>${attempt.status}</code>`}
    </p>
    <p class="small muted">${format.moment(attempt.at)} · ${format.number(attempt.duration_ms)} ms</p>
    ${attempt.detail !== null && html`<p class="small">${whyText(request, attempt)}</p>`}
  </li>`
}

export const notificationPages = [
  personPage('GET', '/operator/notifications', 'operator', async (request) =>
    tablePage(request, await queue(request)),
  ),
  personPage('POST', '/operator/notifications/retry', 'operator', async (request) => {
    const count = await retryAll(request.deps)
    await auditRequest(request.deps.db, request, 'notification_retried', null, String(count))
    return { to: home, flash: succeeded('retried') }
  }),
  personPage('GET', '/operator/notifications/:event/:channel', 'operator', deliveryPage),
  personPage('POST', '/operator/notifications/:event/:channel/retry', 'operator', async (request) => {
    const event = request.params['event'] ?? ''
    const channel = channelOf(request)
    await retryEvent(request.deps, event, channel)
    await auditRequest(request.deps.db, request, 'notification_retried', null, `${event} ${channel}`)
    return { to: `${home}/${event}/${channel}`, flash: succeeded('retried') }
  }),
]
