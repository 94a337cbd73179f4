/**
 * The queue of notifications, for operators.
 */
import { html } from '../../pages/html.ts'
import { empty, pageHead } from '../layout.ts'
import { type Page, personPage } from '../visit.ts'

export const notificationPages: readonly Page[] = [
  personPage('GET', '/operator/notifications', 'operator', async (visit) => {
    const { t } = visit
    return {
      title: t.nav.notifications,
      section: 'notifications',
      body: html`${pageHead(visit, { title: t.nav.notifications })}
        <section class="card">
          ${empty('notifications', t.notifications.none, t.notifications.noneText)}
        </section>`,
    }
  }),
]
