/**
 * The pages of agencies and listings (spec 'Property', `url`, `agency.url`): who is shown, what is gone and what was never there.
 */
import type { FastifyReply } from 'fastify'
import { findPublicAgency, type PublicAgency } from '../agencies/public-agency.ts'
import { readFrom } from '../db/replica.ts'
import { asPublicId } from '../ids.ts'
import { listListings } from '../properties/list.ts'
import { findPage } from '../properties/list-query.ts'
import type { Listing } from '../properties/listing.ts'
import { findPublicListing } from '../properties/public.ts'
import { agencyPage, type Found } from './agency-view.ts'
import { htmlType, sendText, sendValidated, type Validity } from './answer.ts'
import { readSearch, type Search } from './filters.ts'
import { listingPage } from './listing-view.ts'
import { goneAgencyPage, goneListingPage, missingPage } from './message-view.ts'
import type { Show, Visit } from './routes.ts'
import { agencyPath, listingPath, pathIn, type Site } from './site.ts'

const perPage = 24
const shownBeside = 3

/** By path: the Spanish ones, which the other languages prefix. */
export function shownPages(site: Site): Record<string, Show> {
  return {
    '/inmobiliarias/:slug': (visit) => showAgency(site, visit),
    '/inmobiliarias/:slug/': (visit) => redirect(site, visit, agencyPath(visit.params['slug'] ?? '')),
    '/inmobiliarias/:slug/:code': (visit) => showListing(site, visit),
    '/inmobiliarias/:slug/:code/': (visit) =>
      redirect(site, visit, listingPath(visit.params['slug'] ?? '', visit.params['code'] ?? '')),
  }
}

async function showAgency(site: Site, visit: Visit): Promise<FastifyReply> {
  const { request, reply, language, params, query } = visit
  const agency = await findPublicAgency(site.deps.db, params['slug'] ?? '', site.deps.clock)
  if (agency === null) return explain(visit, 404, missingPage(site, language))
  if (!agency.active) return explain(visit, 410, goneAgencyPage(site, language))
  const search = readSearch(query)
  return sendValidated(request, reply, validity(site, visit, agency, search), htmlType, async () =>
    agencyPage(site, language, agency, search, await find(site, agency, search)),
  )
}

async function find(site: Site, agency: PublicAgency, search: Search): Promise<Found> {
  const { filters, sort, page } = search
  const { listings, total } = await listListings(
    readFrom(site.deps, agency),
    site.totals,
    agency,
    filters,
    sort,
    page,
    perPage,
  )
  return { listings, total, totalPages: Math.ceil(total / perPage) }
}

async function showListing(site: Site, visit: Visit): Promise<FastifyReply> {
  const { request, reply, language, params } = visit
  const { slug = '', code = '' } = params
  const publicId = asPublicId(code)
  if (publicId !== null && publicId !== code) return redirect(site, visit, listingPath(slug, publicId))
  const agency = await findPublicAgency(site.deps.db, slug, site.deps.clock)
  const listing =
    agency === null ? null : await findPublicListing(readFrom(site.deps, agency), agency.id, code)
  if (agency === null || listing === null) {
    return explain(visit, 404, missingPage(site, language, agency?.active === true ? agency : null))
  }
  if (!agency.active) return explain(visit, 410, goneAgencyPage(site, language))
  if (listing === 'gone') return explain(visit, 410, goneListingPage(site, language, agency))
  // Only what is shown gets this far, so that 304 tells nothing of what is not.
  return sendValidated(request, reply, validity(site, visit, agency, publicId), htmlType, async () =>
    listingPage(site, language, agency, listing, await findBeside(site, agency, listing)),
  )
}

/** The newest others of the agency, of the same operation. */
async function findBeside(site: Site, agency: PublicAgency, listing: Listing): Promise<Listing[]> {
  const filters = {
    status: 'published' as const,
    ...(listing.operation === null ? {} : { operation: listing.operation }),
  }
  const { listings: newest } = await findPage(readFrom(site.deps, agency), agency.id, filters, 'recent', {
    limit: shownBeside + 1,
    offset: 0,
  })
  return newest.filter(({ id }) => id !== listing.id).slice(0, shownBeside)
}

/** A page follows from the sources, the agency's revision and profile, and what was asked for. */
function validity(site: Site, { language }: Visit, agency: PublicAgency, asked: unknown): Validity {
  const { publicBaseUrl, serviceName } = site.deps.config
  const { id, revision, profile_changed_at } = agency
  return {
    parts: [
      site.assets.version,
      publicBaseUrl,
      serviceName,
      language,
      id,
      revision,
      profile_changed_at,
      asked,
    ],
    changedAt: {
      ms: Math.max(Date.parse(agency.changed_at), site.startedAt),
      nowMs: Date.parse(agency.now),
    },
  }
}

/** A page in place of the one asked for. It may be back at any moment, so nobody keeps it. */
async function explain({ request, reply }: Visit, status: 404 | 410, page: string): Promise<FastifyReply> {
  return sendText(request, reply.code(status).header('cache-control', 'no-store'), htmlType, page)
}

/** To the one spelling that a page has. */
async function redirect(site: Site, { reply, language }: Visit, path: string): Promise<FastifyReply> {
  const safe = path.split('/').map(encodeURIComponent).join('/')
  return reply
    .code(308)
    .header('cache-control', 'no-store')
    .header('location', pathIn(site, language, safe))
    .send()
}
