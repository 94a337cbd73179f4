/**
 * What is served beside the API: the start page, the public pages of agencies and listings with what they load, stored photos, sample pictures,
 * the reference, the terms, what crawlers and finders of holes are told, and readiness.
 */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { htmlType, sendText, sendValidated } from './answer.ts'
import { registerAssets } from './assets.ts'
import { registerDocs } from './docs.ts'
import { registerPhotos } from './photos.ts'
import { robotsText } from './robots.ts'
import { answerOnlyGet, registerShown } from './routes.ts'
import { registerSamples } from './samples.ts'
import { securityText } from './security-txt.ts'
import { shownPages } from './shown.ts'
import { openSite, pathIn } from './site.ts'
import { showStart, startPath } from './start-view.ts'
import { registerSitemaps } from './sitemap.ts'
import { termsPage } from './terms.ts'

const textType = 'text/plain; charset=utf-8'

/** Registers the pages, each outside the table of endpoints. */
export async function registerPages(app: FastifyInstance, deps: Deps): Promise<void> {
  const { config } = deps
  const site = await openSite(deps)
  registerPhotos(app, deps)
  if (config.demo) registerSamples(app)
  await registerDocs(app, deps)
  registerAssets(app, site.assets)
  registerSitemaps(app, site)
  await registerShown(app, site, {
    ...shownPages(site),
    [startPath]: (visit) => showStart(site, visit),
    '/terms': async ({ request, reply, language }) => {
      const parts = [
        site.assets.version,
        config.publicBaseUrl,
        config.serviceName,
        config.securityContact,
        language,
      ]
      return sendValidated(request, reply, { parts, changedAt: null }, htmlType, () =>
        termsPage(site, language),
      )
    },
  })

  // Where no page names an icon: in front of JSON and pictures, and for bookmarks.
  answerOnlyGet(app, '/favicon.ico', async (_request, reply) =>
    reply
      .type('image/x-icon')
      .header('cache-control', 'public, max-age=86400')
      .header('x-content-type-options', 'nosniff')
      .send(site.assets.favicon),
  )
  answerOnlyGet(app, '/en', async (_request, reply) =>
    reply
      .code(308)
      .header('location', pathIn(site, 'en', startPath))
      .send(),
  )
  answerOnlyGet(app, '/robots.txt', async (request, reply) =>
    sendText(
      request,
      reply.header('cache-control', 'public, max-age=3600').header('vary', 'accept-encoding'),
      textType,
      robotsText(config, site.basePath),
    ),
  )
  answerOnlyGet(app, '/.well-known/security.txt', async (_request, reply) =>
    reply
      .type(textType)
      .header('cache-control', 'public, max-age=86400')
      .send(securityText(config, Date.now() + deps.clock.offsetMs)),
  )

  app.get('/healthz/ready', async (_request, reply) => {
    try {
      await sql`select 1`.execute(deps.db)
    } catch (error) {
      throw new ApiError('service_unavailable', {
        message: 'The database cannot be reached.',
        headers: { 'retry-after': '5' },
        cause: error,
      })
    }
    return reply.header('cache-control', 'no-store').send({ status: 'ready' })
  })
}
