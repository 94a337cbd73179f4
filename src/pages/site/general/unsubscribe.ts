/**
 * The pages behind the links that stop a kind of mail (delivery/mails/stop-links.ts): a confirmation for people, and the one-click
 * request of mail programs (RFC 8058). GET changes nothing, because programs follow links on their own. The link is the only permission:
 * there is no session that another site's form could misuse.
 */
import {
  findStop,
  readStop,
  type Stop,
  stopMails,
  type Stoppable,
} from '../../../delivery/mails/stop-links.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { siteDocument } from '../frame/site-document.ts'
import { missingPage } from './error-page-views.ts'
import type { PublicResponse, PublicPage, PublicRequest } from '../frame/public-page.ts'
import type { Edition } from '../frame/site.ts'

/** The page of the dashboard that turns each kind of mail on again. */
const settingsOf: Readonly<Record<Stoppable, string>> = {
  changes: '/dashboard/settings/mails',
  key_reminders: '/dashboard/account',
}

export const unsubscribePages: readonly PublicPage[] = (['GET', 'POST'] as const).map((method) => ({
  method,
  path: '/unsubscribe/:token',
  handle: (request) => unsubscribe(request, method === 'POST'),
}))

async function unsubscribe(request: PublicRequest, stops: boolean): Promise<PublicResponse> {
  const { edition, path, params, raw } = request
  const { db, clock, secretBox } = edition.site.deps
  const stop = readStop(secretBox, params['token'] ?? '')
  const found = stop === null ? null : await findStop(db, stop)
  // The same for a void link and for one that never existed.
  if (stop === null || found === null) return { page: missingPage(request), status: 404 }
  const isOn = found.isOn && !(stops && (await stopMails({ db, clock }, stop, raw.id)))
  return { page: pageOf(edition, path, stop, isOn), status: 200 }
}

function pageOf(edition: Edition, path: string, { kind, email }: Stop, isOn: boolean): Html {
  const { site, words } = edition
  const texts = words.stop
  const title = isOn ? texts.title : texts.done
  return siteDocument(edition, {
    title,
    path,
    indexed: false,
    body: html`<div class="message wide">
      <h1>${title}</h1>
      ${
        isOn
          ? html`<p>${texts.ask[kind](email)}</p>
              <form method="post" action="${edition.path(path)}">
                <input type="hidden" name="List-Unsubscribe" value="One-Click" />
                <p><button class="button">${texts.press}</button></p>
              </form>`
          : html`<p>${texts.stopped[kind](email)}</p>
              <p><a class="plain" href="${site.basePath}${settingsOf[kind]}">${texts.again}</a></p>`
      }
    </div>`,
  })
}
