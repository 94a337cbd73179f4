/**
 * Where the links lead with which readers of mails stop getting more of the kind (delivery/mails/stop-links.ts): a question for people, and for
 * mail programs the one press of RFC 8058. Asking changes nothing, because programs follow links on their own. Whoever has the link may
 * send the form: there is no session, and so nothing that another site's form could misuse.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { findStop, readStop, type Stop, stopMails, type Stoppable } from '../../delivery/mails/stop-links.ts'
import { html, type Html } from '../../platform/web/html.ts'
import { sendUnkept } from './error-pages.ts'
import { layout } from './layout.ts'
import { missingPage } from './message-view.ts'
import { notOfForms, refuseMethods, registerForms } from './routes.ts'
import type { Edition, Site } from './site.ts'

/** What mail programs send is a line. */
const bodyLimit = 10_000

/** Where each kind of mail is turned on again. */
const settingsOf: Readonly<Record<Stoppable, string>> = {
  changes: '/dashboard/settings/mails',
  key_reminders: '/dashboard/account',
}

export async function registerUnsubscribe(app: FastifyInstance, deps: Deps, site: Site): Promise<void> {
  await registerForms(app, site, (pages) => {
    // A form, or one with parts: what is in it says no more than that it was sent.
    pages.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, _body, done) => done(null))
    for (const edition of site.editions) {
      const url = `${edition.prefix}/unsubscribe/:token`
      const answer = (request: FastifyRequest, reply: FastifyReply, stops: boolean) =>
        show(deps, edition, request, reply, stops)
      pages.get(url, (request, reply) => answer(request, reply, false))
      pages.post(url, { bodyLimit }, (request, reply) => answer(request, reply, true))
      refuseMethods(pages, url, notOfForms)
    }
  })
}

async function show(
  { db, clock, secretBox }: Deps,
  edition: Edition,
  request: FastifyRequest,
  reply: FastifyReply,
  stops: boolean,
): Promise<FastifyReply> {
  const { token = '' } = request.params as { token?: string }
  const path = `/unsubscribe/${encodeURIComponent(token)}`
  const stop = readStop(secretBox, token)
  const found = stop === null ? null : await findStop(db, stop)
  // The same for a link that is void and for what never was one.
  if (stop === null || found === null) return sendUnkept(request, reply, 404, missingPage({ edition, path }))
  const isOn = found.isOn && !(stops && (await stopMails({ db, clock }, stop, request.id)))
  return sendUnkept(request, reply, 200, page(edition, path, stop, isOn))
}

function page(edition: Edition, path: string, { kind, email }: Stop, isOn: boolean): Html {
  const { site, words, path: pathOf } = edition
  const texts = words.stop
  const title = isOn ? texts.title : texts.done
  return layout(edition, {
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
