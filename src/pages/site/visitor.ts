/**
 * Who visits a page, as far as visits are counted: nobody who asks not to be, no program, and nothing fetched ahead.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findPublicAgency } from '../../agencies/public-agency.ts'
import { contactKinds, type VisitKind, type Visitor } from '../../agencies/visits.ts'
import type { Config } from '../../platform/config/config.ts'
import { readFrom } from '../../platform/db/replica.ts'
import { atAgency } from '../../platform/db/citus/at-agency.ts'
import type { Deps } from '../../deps.ts'
import { crawlerGate } from '../../http/admission/crawlers.ts'
import { asPublicId } from '../../platform/ids.ts'
import { subjectOf } from '../../limits/keyless.ts'
import { findPublicListing } from '../../listings/public.ts'
import type { Site } from './site.ts'

/** Who it is; null for those who are not counted. */
export function visitorOf({ headers, ip, method }: FastifyRequest): Visitor | null {
  // Both say: do not track me.
  if (headers['sec-gpc'] === '1' || headers['dnt'] === '1') return null
  const ahead = `${String(headers['sec-purpose'] ?? '')} ${String(headers['purpose'] ?? '')}`
  if (method === 'HEAD' || /prefetch|preview/i.test(ahead)) return null
  return { network: subjectOf(ip), device: headers['user-agent'] ?? '' }
}

/** Whether the client is a crawler, as the API would refuse it. */
export function crawlerTest(
  config: Pick<Config, 'crawlersAllow' | 'crawlersDeny'>,
): (request: FastifyRequest) => boolean {
  const gate = crawlerGate({ allow: config.crawlersAllow, deny: config.crawlersDeny })
  return ({ headers }) => {
    try {
      gate(headers['user-agent'], false)
      return false
    } catch {
      return true
    }
  }
}

const kinds: readonly VisitKind[] = [...contactKinds.filter((kind) => kind !== 'enquiries'), 'shared']

/** What the page's script tells: the visitor pressed the telephone, WhatsApp, email or a button that passes the page on. */
export async function registerContacts(app: FastifyInstance, deps: Deps, site: Site): Promise<void> {
  const isCrawler = crawlerTest(deps.config)
  await app.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 100 }, (_request, body, done) =>
      done(null, body),
    )
    for (const { prefix } of site.editions) {
      pages.post(
        `${prefix}/inmobiliarias/:slug/:code/contacto`,
        { bodyLimit: 100 },
        async (request, reply) => {
          const { slug = '', code = '' } = request.params as { slug?: string; code?: string }
          const kind = kinds.find((one) => one === request.body)
          const visitor = visitorOf(request)
          reply.header('cache-control', 'no-store').code(204)
          const isElsewhere = ![undefined, 'same-origin'].includes(
            request.headers['sec-fetch-site'] as string | undefined,
          )
          if (
            kind === undefined ||
            visitor === null ||
            isElsewhere ||
            isCrawler(request) ||
            asPublicId(code) !== code
          )
            return reply.send()
          const agency = await findPublicAgency(deps.db, slug, deps.clock)
          if (agency === null || !agency.active) return reply.send()
          const db = readFrom(await atAgency(deps, agency.id), agency)
          const found = await site.gate(request.ip, agency.id, () =>
            findPublicListing(db, agency.id, code, deps.roughPlace),
          )
          if (found !== null && !found.isGone) deps.visits.count(agency.id, code, kind, visitor)
          return reply.send()
        },
      )
    }
  })
}
