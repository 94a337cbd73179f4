/**
 * The pages behind the links that stop a kind of mail (delivery/mails/stop-links.ts): a question for people, and the one-click request
 * of mail programs (RFC 8058). GET changes nothing, because programs follow links on their own. The link alone permits the form: there
 * is no session that another site's form could misuse.
 */
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { findStop, readStop, type Stop, stopMails, type Stoppable } from '../../delivery/mails/stop-links.ts'
import { html, type Html } from '../../platform/web/html.ts'
import { siteDocument } from './site-document.ts'
import { missingPage } from './message-view.ts'
import {
  formHeaders,
  type PublicAnswer,
  type PublicPage,
  type PublicRequest,
  registerPublicPages,
} from './public-page.ts'
import type { Edition, Site } from './site.ts'

/** In bytes: mail programs send one line. */
const bodyLimit = 10_000

/** Where each kind of mail is turned on again. */
const settingsOf: Readonly<Record<Stoppable, string>> = {
  changes: '/dashboard/settings/mails',
  key_reminders: '/dashboard/account',
}

export async function registerUnsubscribe(app: FastifyInstance, deps: Deps, site: Site): Promise<void> {
  const path = '/unsubscribe/:token'
  const pages: PublicPage[] = [
    { method: 'GET', path, answer: (request) => answer(deps, request, false) },
    { method: 'POST', path, bodyLimit, answer: (request) => answer(deps, request, true) },
  ]
  await registerPublicPages(app, site, pages, {
    headers: formHeaders,
    // Programs send the form in either encoding. That it was sent is all that counts.
    parsers: (forms) =>
      forms.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, _body, done) =>
        done(null),
      ),
  })
}

async function answer(
  { db, clock, secretBox }: Deps,
  { edition, params, requestId }: PublicRequest,
  stops: boolean,
): Promise<PublicAnswer> {
  const { token = '' } = params
  const path = `/unsubscribe/${encodeURIComponent(token)}`
  const stop = readStop(secretBox, token)
  const found = stop === null ? null : await findStop(db, stop)
  // The same for a void link and for one that never existed.
  if (stop === null || found === null) return { page: missingPage({ edition, path }), status: 404 }
  const isOn = found.isOn && !(stops && (await stopMails({ db, clock }, stop, requestId)))
  return { page: page(edition, path, stop, isOn), status: 200 }
}

function page(edition: Edition, path: string, { kind, email }: Stop, isOn: boolean): Html {
  const { site, words, path: pathOf } = edition
  const texts = words.stop
  const title = isOn ? texts.title : texts.done
  return siteDocument(edition, {
    title,
    path,
    indexed: false,
    brand: null,
    body: html`<div class="message wide">
      <h1>${title}</h1>
      ${
        isOn
          ? html`<p>${texts.ask[kind](email)}</p>
              <form method="post" action="${pathOf(path)}">
                <input type="hidden" name="List-Unsubscribe" value="One-Click" />
                <p><button class="button">${texts.press}</button></p>
              </form>`
          : html`<p>${texts.stopped[kind](email)}</p>
              <p><a class="plain" href="${site.basePath}${settingsOf[kind]}">${texts.again}</a></p>`
      }
    </div>`,
  })
}
