/** A delivery's state, and why it failed. */
import type { ChannelName } from '../../../../delivery/notifications/outbox.ts'
import type { Why } from '../../../../delivery/notifications/failure.ts'
import type { Delivery } from '../../../../delivery/notifications/deliveries.ts'
import { html } from '../../../../platform/web/html.ts'
import type { PageRequest } from '../../serving/page.ts'

/** The path of the operators' queue. */
export const notificationsPath = '/dashboard/operator/notifications'

export function deliveryPath(eventId: string, channel: ChannelName): string {
  return `${notificationsPath}/${eventId}/${channel}`
}

export function deliveryBadge({ t }: PageRequest, { state, attempts }: Pick<Delivery, 'state' | 'attempts'>) {
  const kinds = {
    pending: attempts > 0 ? 'badge-warn' : 'badge-info',
    delivered: 'badge-good',
    skipped: '',
    not_configured: '',
    set_aside: 'badge-bad',
  } as const
  return html`<span class="badge badge-dot ${kinds[state]}">${t.notifications.states[state]}</span>`
}

/** The reason for a failure in the reader's language. Replies of servers are quoted. */
export function whyText(
  { t }: Pick<PageRequest, 't'>,
  { why, detail }: Readonly<{ why: Why | null; detail: string | null }>,
): string | null {
  if (why === null) return detail
  const texts = t.notifications
  const said = 'said' in why && why.said !== null ? ` ${texts.said(why.said)}` : ''
  switch (why.kind) {
    case 'silent':
    case 'late':
      return texts.why[why.kind](why.seconds)
    case 'redirected':
    case 'refused':
      return texts.why[why.kind](why.status) + said
    default:
      return texts.why[why.kind] + said
  }
}
