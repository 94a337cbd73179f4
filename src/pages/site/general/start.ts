/** The start page, for people who know only the host's name. Programs find the same at `/api/v1` (api.md 15.2). */
import { html, type Html } from '../../../platform/web/html.ts'
import { siteDocument } from '../frame/site-document.ts'
import { servicePreview } from '../listing/preview.ts'
import type { PublicPage } from '../frame/public-page.ts'
import type { Edition } from '../frame/site.ts'

const path = '/'

export const startPage: PublicPage = {
  method: 'GET',
  path,
  handle: async ({ edition }) => ({ page: startView(edition) }),
}

function startView(edition: Edition): Html {
  const { basePath, deps } = edition.site
  const { serviceName } = deps.config
  const words = edition.words.start
  const door = (to: string, title: string, text: string) =>
    html`<li>
      <h2><a href="${basePath}${to}">${title}</a></h2>
      <p>${text}</p>
    </li>`
  return siteDocument(edition, {
    title: `${serviceName} · ${words.title}`,
    description: words.text(serviceName),
    path,
    image: servicePreview(edition.site),
    body: html`<div class="start wide">
      <h1>${words.title}</h1>
      <p class="lead">${words.text(serviceName)}</p>
      <ul class="doors">
        ${door('/dashboard', words.dashboard, words.dashboardText)}${door('/docs', words.docs, words.docsText)}
      </ul>
      <p class="note">${words.visitors}</p>
    </div> `,
  })
}
