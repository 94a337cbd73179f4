/**
 * Registers everything outside the API and the dashboard: public pages, photos, tiles, the documentation, sitemaps, robots.txt,
 * security.txt and readiness.
 */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { ping } from '../../platform/db/citus/all-nodes.ts'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { mapAssets } from '../../platform/web/map.ts'
import { sendText } from '../framework/send.ts'
import { registerAccents } from './accent.ts'
import { agencyPages } from './agency-pages.ts'
import { registerDocs } from './docs.ts'
import { registerPhotos } from './photos.ts'
import { robotsText } from './robots.ts'
import { type PublicPage, registerPublicPages } from './public-page.ts'
import { registerSamples } from './samples.ts'
import { securityText } from './security-txt.ts'
import type { Site } from './site.ts'
import { startPage } from './start-view.ts'
import { registerSitemaps } from './sitemap.ts'
import { registerTiles } from './tiles.ts'
import { termsPage } from './terms.ts'
import { enquiryPages } from './enquiry.ts'
import { unsubscribePages } from './unsubscribe.ts'
import { contactPresses } from './contact-presses.ts'

const textType = 'text/plain; charset=utf-8'

const pages: readonly PublicPage[] = [
  { method: 'GET', path: '/', answer: async ({ edition }) => ({ page: startPage(edition) }) },
  { method: 'GET', path: '/terms', answer: async ({ edition }) => ({ page: termsPage(edition) }) },
  ...agencyPages,
]

/** @param endpoints the API's, for the reference */
export async function registerSite(
  app: FastifyInstance,
  deps: Deps,
  endpoints: readonly Endpoint[],
  site: Site,
): Promise<void> {
  const { config } = deps
  registerPhotos(app, deps)
  registerTiles(app, deps)
  if (config.demo) registerSamples(app)
  registerDocs(app, deps, endpoints)
  site.assets.register(app)
  registerAccents(app)
  mapAssets.register(app)
  registerSitemaps(app, site)
  await registerPublicPages(app, site, pages)
  await registerPublicPages(app, site, enquiryPages, {
    type: 'application/x-www-form-urlencoded',
    bytes: 65_536,
    parse: (body) => new URLSearchParams(body),
  })
  // Mail programs send one line, in one of two encodings. The request alone counts.
  await registerPublicPages(app, site, unsubscribePages, { type: '*', bytes: 10_000, parse: () => null })
  await registerPublicPages(app, site, contactPresses, { type: '*', bytes: 100, parse: (body) => body })

  // For pages that name no icon, such as JSON and pictures, and for bookmarks. scripts/favicon.ts draws it.
  const favicon = readFileSync(new URL('assets/favicon.ico', import.meta.url))
  app.get('/favicon.ico', async (_request, reply) =>
    reply
      .type('image/x-icon')
      .header('cache-control', 'public, max-age=86400')
      .header('x-content-type-options', 'nosniff')
      .send(favicon),
  )
  app.get('/en', async (_request, reply) => reply.code(308).header('location', `${site.basePath}/en/`).send())
  app.get('/robots.txt', async (request, reply) =>
    sendText(
      request,
      reply.header('cache-control', 'public, max-age=3600').header('vary', 'accept-encoding'),
      textType,
      robotsText(config, site.basePath),
    ),
  )
  app.get('/.well-known/security.txt', async (_request, reply) =>
    reply
      .type(textType)
      .header('cache-control', 'public, max-age=86400')
      .send(securityText(config, Date.now() + deps.clock.offsetMs)),
  )

  app.get('/healthz/ready', async (_request, reply) => {
    try {
      // With Citus one node is enough: a node that is away affects its own agencies alone.
      await ping(deps.db.anywhere)
    } catch (error) {
      throw new ApiError('service_unavailable', {
        message: 'The database cannot be reached.',
        retryAfter: 5,
        cause: error,
      })
    }
    return reply.header('cache-control', 'no-store').send({ status: 'ready' })
  })
}
