/**
 * What is served beside the API: stored photos, sample pictures, the terms, security.txt and readiness.
 */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { attributions } from '../geocoding/geocoder.ts'
import { registerDocs } from './docs.ts'
import { registerPhotos } from './photos.ts'
import { registerSamples } from './samples.ts'
import { termsPage } from './terms.ts'

const dayMs = 86_400_000

/** Registers the pages, each outside the table of endpoints. */
export async function registerPages(app: FastifyInstance, deps: Deps): Promise<void> {
  const { config } = deps
  registerPhotos(app, deps)
  if (config.demo) registerSamples(app)
  await registerDocs(app, deps)

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

  app.get('/terms', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(termsPage(config.serviceName, config.publicBaseUrl, attributions[config.geocoder])),
  )

  app.get('/.well-known/security.txt', async (_request, reply) => {
    // RFC 9116 wants a date in the future, and less than a year away.
    const expires = new Date(Math.ceil(Date.now() / dayMs) * dayMs + 180 * dayMs).toISOString()
    const lines = [
      `Contact: ${config.publicBaseUrl}/terms#contact`,
      `Expires: ${expires}`,
      'Preferred-Languages: es, en',
      `Canonical: ${config.publicBaseUrl}/.well-known/security.txt`,
      '',
    ]
    return reply.type('text/plain; charset=utf-8').send(lines.join('\n'))
  })
}
