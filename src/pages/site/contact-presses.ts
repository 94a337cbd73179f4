/**
 * Counts presses of the contact buttons on a listing's page: telephone, WhatsApp, email, and sharing. The page's script reports them.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findPublicAgency } from '../../agencies/public-agency.ts'
import { contactKinds, type VisitKind } from '../../agencies/visits.ts'
import type { Deps } from '../../deps.ts'
import { findPublicListing } from '../../listings/public.ts'
import { atAgency } from '../../platform/db/citus/nodes.ts'
import { readFrom } from '../../platform/db/replica.ts'
import { asPublicId } from '../../platform/ids.ts'
import type { Site } from './site.ts'
import { crawlerTest, visitorOf } from './visitor.ts'

const kinds: readonly VisitKind[] = [...contactKinds.filter((kind) => kind !== 'enquiries'), 'shared']
const bodyLimit = 100

export async function registerContactPresses(app: FastifyInstance, deps: Deps, site: Site): Promise<void> {
  const isCrawler = crawlerTest(deps.config)
  await app.register(async (presses) => {
    presses.removeAllContentTypeParsers()
    presses.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )
    for (const { prefix } of site.editions)
      presses.post(`${prefix}/inmobiliarias/:slug/:code/contacto`, { bodyLimit }, async (request, reply) => {
        reply.header('cache-control', 'no-store')
        await countPress(request)
        return reply.code(204).send()
      })
  })

  async function countPress(request: FastifyRequest): Promise<void> {
    const { slug = '', code = '' } = request.params as { slug?: string; code?: string }
    const kind = kinds.find((one) => one === request.body)
    const visitor = visitorOf(request)
    const origin = request.headers['sec-fetch-site'] ?? 'same-origin'
    if (kind === undefined || visitor === null || origin !== 'same-origin' || isCrawler(request)) return
    if (asPublicId(code) !== code) return
    const agency = await findPublicAgency(deps.db, slug, deps.clock)
    if (agency === null || !agency.active) return
    const db = readFrom(await atAgency(deps, agency.id), agency)
    const found = await site.gate(request.ip, agency.id, () =>
      findPublicListing(db, agency.id, code, deps.roughPlace),
    )
    if (found !== null && !found.isGone) deps.visits.count(agency.id, code, kind, visitor)
  }
}
