/** The sitemaps (sitemaps.org): an index, and for each agency files of its published listings, with the times of their last changes. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findSuccessor } from '../../../agencies/former-slugs.ts'
import { findPublicAgencies, findPublicAgency, type PublicAgency } from '../../../agencies/public-agency.ts'
import { countPublished, findPublishedCodes } from '../../../listings/reading/public.ts'
import { type CompressedText, sendCompressed, sendValidated } from '../../framework/send-cacheable.ts'
import { cachedOrMade } from '../frame/page-cache.ts'
import { agencyPath, listingPath, readsOf, type Site } from '../frame/site.ts'
import { overAllNodes } from '../../../platform/db/citus/nodes.ts'
import { ApiError } from '../../../platform/errors/errors.ts'
import { type RevisionMemory, revisionMemory } from '../../../platform/memory/revision-memory.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { languages } from '../../../platform/web/language/language.ts'

const xmlType = 'application/xml; charset=utf-8'
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'
/** URLs in a file. The format allows 50,000; a smaller file blocks the process for only a few milliseconds. */
export const urlsInFile = 2_000
const listingsInFile = urlsInFile / languages.length

export function registerSitemaps(app: FastifyInstance, site: Site): void {
  const totals = revisionMemory<number>(10_000, () => 1)
  app.get('/sitemap.xml', (request, reply) => sendIndex(site, totals, request, reply))
  // Beside the index, because a file may list only URLs below its own.
  app.get('/sitemap-:file', (request, reply) => sendFile(site, request, reply))
}

async function sendIndex(
  site: Site,
  totals: RevisionMemory<number>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const index = await site.gate(request.ip, null, async () => {
    const agencies = await findPublicAgencies(await overAllNodes(site.deps.db), site.deps.clock)
    // Only agencies that have changed are counted again.
    const known = agencies.map(({ id, revision }) => totals.find(id, revision, ''))
    const changed = agencies.filter((_agency, index) => known[index] === null)
    const ids = changed.map(({ id }) => id)
    const counted = ids.length === 0 ? new Map<string, number>() : await countPublished(site.deps.db, ids)
    for (const { id, revision } of changed) totals.keep(id, revision, '', counted.get(id) ?? 0)
    const files = agencies.flatMap(({ id, slug, changed_at: lastmod }, index) => {
      const total = known[index] ?? counted.get(id) ?? 0
      return Array.from({ length: Math.ceil(total / listingsInFile) }, (_, part) => ({
        loc: `${site.deps.config.publicBaseUrl}/sitemap-${slug}-${part + 1}.xml`,
        lastmod,
      }))
    })
    return xmlDocument('sitemapindex', 'sitemap', files)
  })
  return sendValidated(request, reply, xmlType, index.markup)
}

async function sendFile(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { db, clock } = site.deps
  const { file } = request.params as { file: string }
  const [, slug = '', number = ''] = /^(.+)-([1-9]\d{0,5})\.xml$/.exec(file) ?? []
  const agency = await findPublicAgency(db, slug, clock)
  const successor = agency === null ? await findSuccessor(db, slug) : null
  if (successor !== null) {
    const location = `${site.basePath}/sitemap-${successor}-${number}.xml`
    return reply.code(301).header('cache-control', 'no-store').header('location', location).send()
  }
  if (agency === null || !agency.active || agency.test) throw missing()
  const read = (agencyId: string, work: () => Promise<CompressedText>) =>
    site.gate(request.ip, agencyId, work)
  const make = () => makeFile(site, agency, Number(number))
  const sitemap = await cachedOrMade(site.pages, agency, `sitemap ${number}`, read, make, xmlType)
  return sendCompressed(request, reply, sitemap)
}

async function makeFile(site: Site, agency: PublicAgency, number: number): Promise<Html> {
  const page = { limit: listingsInFile, offset: (number - 1) * listingsInFile }
  const listings = await findPublishedCodes(await readsOf(site.deps, agency), agency.id, page)
  if (listings.length === 0) throw missing()
  const pages = listings.map(({ public_id, updated_at }) => ({
    path: listingPath(agency.slug, public_id),
    lastmod: updated_at,
  }))
  // The agency's own page changes with each of its listings.
  if (page.offset === 0) pages.unshift({ path: agencyPath(agency.slug), lastmod: agency.changed_at })
  const urls = pages.flatMap(({ path, lastmod }) =>
    site.editions.map(({ url }) => ({ loc: url(path), lastmod })),
  )
  return xmlDocument('urlset', 'url', urls)
}

function xmlDocument(
  root: string,
  entry: string,
  entries: readonly { loc: string; lastmod: string }[],
): Html {
  const lines = entries.map(
    ({ loc, lastmod }) =>
      html`<${entry}><loc>${loc}</loc><lastmod>${lastmod}</lastmod></${entry}>
`,
  )
  return html`<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="${namespace}">
${lines}</${root}>
`
}

function missing(): ApiError {
  return new ApiError('not_found', { message: 'There is no such sitemap.' })
}
