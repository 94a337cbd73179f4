/**
 * The page at the address itself, for whoever has nothing but that: what this is, and the two doors. Integrations find the same at
 * `/api/v1` (spec 'GET /').
 */
import type { FastifyReply } from 'fastify'
import type { PageLanguage } from '../web/language.ts'
import { htmlType, sendValidated } from './answer.ts'
import { html } from './html.ts'
import { phrases } from './language.ts'
import { layout } from './layout.ts'
import type { Visit } from './routes.ts'
import { pathIn, type Site } from './site.ts'

export const startPath = '/'

export async function showStart(site: Site, { request, reply, language }: Visit): Promise<FastifyReply> {
  const { publicBaseUrl, serviceName } = site.deps.config
  const parts = [site.assets.version, publicBaseUrl, serviceName, language]
  return sendValidated(request, reply, { parts, changedAt: null }, htmlType, () => startPage(site, language))
}

export function startPage(site: Site, language: PageLanguage): string {
  const words = phrases(language).start
  const { serviceName } = site.deps.config
  const door = (path: string, title: string, text: string): string =>
    html`<li>
      <h2><a href="${pathIn(site, 'es', path)}">${title}</a></h2>
      <p>${text}</p>
    </li>`
  return layout(site, language, {
    title: `${serviceName} · ${words.title}`,
    description: words.text(serviceName),
    path: startPath,
    brand: null,
    body: html`<div class="start wide">
      <h1>${words.title}</h1>
      <p class="lead">${words.text(serviceName)}</p>
      <ul class="doors">
        !${door('/dashboard', words.dashboard, words.dashboardText)}!${door('/docs', words.docs, words.docsText)}
      </ul>
      <p class="note">${words.visitors}</p>
    </div> `,
  })
}
