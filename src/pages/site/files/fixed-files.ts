/** Small responses at fixed URLs: robots.txt, security.txt, the favicon, sample pictures, and readiness. */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { aiAgents } from '../../../http/admission/crawlers.ts'
import { readDemoJpeg, samplePictures } from '../../../samples/pictures.ts'
import { opensNothing } from '../../../access/secrets/stored-secrets.ts'
import { sendText } from '../../framework/send-cacheable.ts'
import type { Site } from '../frame/site.ts'
import type { Config } from '../../../platform/config/config.ts'
import { dayMs } from '../../../platform/time/days.ts'
import { ping } from '../../../platform/db/citus/nodes.ts'
import { ApiError } from '../../../platform/errors/errors.ts'

const textType = 'text/plain; charset=utf-8'

export function registerFixedFiles(app: FastifyInstance, { deps, basePath }: Site): void {
  const { config, clock, db, storedSecrets } = deps
  if (config.demo) registerSamples(app)
  // For responses that name no icon, such as JSON and pictures, and for bookmarks. scripts/favicon.ts draws it.
  const favicon = readFileSync(new URL('../assets/favicon.ico', import.meta.url))
  app.get('/favicon.ico', async (_request, reply) =>
    reply
      .type('image/x-icon')
      .header('cache-control', 'public, max-age=86400')
      .header('x-content-type-options', 'nosniff')
      .send(favicon),
  )
  app.get('/robots.txt', async (request, reply) => {
    reply.header('cache-control', 'public, max-age=3600').header('vary', 'accept-encoding')
    return sendText(request, reply, textType, robotsText(config, basePath))
  })
  app.get('/.well-known/security.txt', async (_request, reply) =>
    reply
      .type(textType)
      .header('cache-control', 'public, max-age=86400')
      .send(securityText(config, Date.now() + clock.offsetMs)),
  )
  app.get('/healthz/ready', async (_request, reply) => {
    if (opensNothing(storedSecrets)) {
      const message = 'SECRET_KEY is not the key that the stored secrets were encrypted with.'
      throw new ApiError('service_unavailable', { message })
    }
    try {
      // With Citus one node is enough: an unreachable node affects only its own agencies.
      await ping(db.anywhere)
    } catch (cause) {
      const message = 'The database cannot be reached.'
      throw new ApiError('service_unavailable', { message, cause })
    }
    return reply.header('cache-control', 'no-store').send({ status: 'ready' })
  })
}

/** Sample pictures for trying out the API in demonstration mode. */
function registerSamples(app: FastifyInstance): void {
  const made = new Map<string, Promise<Buffer>>()
  app.get<{ Params: { file: string } }>('/samples/:file', async (request, reply) => {
    const number = /^(\d{1,2})\.jpg$/.exec(request.params.file)?.[1]
    const name = samplePictures[Number(number) - 1]
    if (name === undefined) {
      const message = `There are ${samplePictures.length} samples, from /samples/1.jpg on.`
      throw new ApiError('not_found', { message })
    }
    const picture = made.get(name) ?? readDemoJpeg(name)
    made.set(name, picture)
    return reply
      .type('image/jpeg')
      .header('cache-control', 'public, max-age=86400')
      .send(await picture)
  })
}

/**
 * robots.txt (api.md 1.3, RFC 9309): the crawler gate's policy, also for paths where it is not enforced. Search engines and previews may
 * read the public pages, AI agents nothing. No crawler may read the API and the dashboard.
 */
export function robotsText(
  config: Pick<Config, 'publicBaseUrl' | 'crawlersAllow' | 'crawlersDeny'>,
  basePath: string,
): string {
  const allowed = config.crawlersAllow.map((part) => part.toLowerCase())
  // A name must not end its line or begin a comment.
  const denied = config.crawlersDeny.filter((name) => /^[\w .-]+$/.test(name))
  const refused = [...aiAgents(), ...denied].filter(
    (name) => !allowed.some((part) => name.toLowerCase().includes(part)),
  )
  return [
    '# Search engines and link previews may read the public pages. AI agents are not admitted.',
    ...[...new Set(refused)].map((name) => `User-agent: ${name}`),
    'Disallow: /',
    '',
    'User-agent: *',
    ...['/api/', '/dashboard', '/docs', '/map/'].map((path) => `Disallow: ${basePath}${path}`),
    '',
    `Sitemap: ${config.publicBaseUrl}/sitemap.xml`,
    '',
  ].join('\n')
}

/** The RFC recommends less than a year. */
const securityTextDays = 180

/** security.txt: where to report a vulnerability (RFC 9116). It is valid for half a year from the day of `nowMs`. */
export function securityText(
  { publicBaseUrl, securityContact }: Pick<Config, 'publicBaseUrl' | 'securityContact'>,
  nowMs: number,
): string {
  const expires = new Date((Math.floor(nowMs / dayMs) + securityTextDays) * dayMs).toISOString()
  return [
    `Contact: ${securityContact ?? `${publicBaseUrl}/terms#contact`}`,
    `Expires: ${expires}`,
    'Preferred-Languages: es, en',
    `Canonical: ${publicBaseUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}
