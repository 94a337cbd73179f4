/** The pages of agencies and listings (api.md 18.1), with their responses for pages that are gone or never existed. */
import { findSuccessor } from '../../agencies/former-slugs.ts'
import type { PublicAgency } from '../../agencies/public-agency.ts'
import { isSlug } from '../../agencies/slugs.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import { asPublicId } from '../../platform/ids.ts'
import { mostRelaxed, mostSimilar } from '../../limits/sizes.ts'
import { lastListPage } from '../../listings/reading/list/list-parameters.ts'
import { countListings, listListings } from '../../listings/reading/list/list.ts'
import { countKinds, findPublicListing, publicRow, toPublic } from '../../listings/reading/public.ts'
import { findSimilar } from '../../listings/reading/similar.ts'
import type { Html } from '../../platform/web/html.ts'
import type { Changed } from '../framework/send.ts'
import { agencyPage } from './agency/agency-view.ts'
import {
  isFiltered,
  relaxable,
  readSearch,
  type Search,
  searchQuery,
  visitorFilters,
  without,
} from './agency/filters.ts'
import { findKept, keepPage, keptOrMade } from './frame/kept-pages.ts'
import { listingPage } from './listing/listing-view.ts'
import { findPins, mapPath } from './agency/listings-map.ts'
import { goneAgencyPage, goneListingPage, missingPage } from './general/error-page-views.ts'
import type { PublicAnswer, PublicPage, PublicRequest } from './frame/public-page.ts'
import type { Relaxed } from './agency/search-view.ts'
import { agencyPath, type Edition, listingPath, readsOf, type Site } from './frame/site.ts'

const perPage = 24

export const agencyPages: readonly PublicPage[] = [
  { method: 'GET', path: '/inmobiliarias/:slug', answer: showAgency },
  { method: 'GET', path: '/inmobiliarias/:slug/', answer: withoutSlash },
  { method: 'GET', path: '/inmobiliarias/:slug/mapa.json', isData: true, answer: showPins },
  { method: 'GET', path: '/inmobiliarias/:slug/:code', answer: showListing },
  { method: 'GET', path: '/inmobiliarias/:slug/:code/', answer: withoutSlash },
]

async function showAgency(request: PublicRequest): Promise<PublicAnswer> {
  const { edition, params, query, search: sent, read } = request
  const { site } = edition
  const { slug = '' } = params
  if (hasCapitals(slug)) return { to: agencyPath(slug.toLowerCase()), status: 301, search: sent }
  const agency = await request.findAgency()
  if (agency === null)
    return (await moved(request, agencyPath)) ?? { page: missingPage(request), status: 404 }
  const isTest = agency.test
  if (!agency.active) return { page: goneAgencyPage(request), status: 410, isTest }
  const search = readSearch(query)
  const changed = changeOf(site, agency)
  const make = () => findAndShow(edition, agency, search)
  // The page repeats the typed text, which is not part of its name.
  if (search.refused.size > 0) return { page: await read(agency.id, make), changed, isTest }
  const pages = isFiltered(search) ? site.searches : site.pages
  const name = `${edition.language} ${searchQuery(search)}`
  return { kept: await keptOrMade(pages, agency, name, read, make), changed, isTest }
}

async function findAndShow(edition: Edition, agency: PublicAgency, search: Search): Promise<Html> {
  const { deps, totals, kinds: memory } = edition.site
  const db = await readsOf(deps, agency)
  const find = ({ filters, sort }: Search, page: number) =>
    listListings(db, totals, agency, { filters: visitorFilters(filters), sort, page, perPage }, publicRow)
  const first = await find(search, search.page)
  const totalPages = Math.min(Math.ceil(first.total / perPage), lastListPage)
  // Past the last page, the last one is shown.
  const page = Math.max(1, Math.min(search.page, totalPages))
  const { listings: rows, total } = page === search.page ? first : await find(search, page)
  const listings = rows.map((row) => toPublic(row, deps.roughPlace))
  const relaxed: Relaxed[] = []
  if (total === 0)
    for (const name of relaxable(search).slice(0, mostRelaxed)) {
      const { filters } = without(search, name)
      relaxed.push({ name, total: await countListings(db, agency.id, visitorFilters(filters)) })
    }
  const { id, revision } = agency
  const kinds = memory.find(id, revision, '') ?? (await countKinds(db, id))
  memory.keep(id, revision, '', kinds)
  return agencyPage(edition, agency, { ...search, page }, { listings, total, totalPages, kinds, relaxed })
}

/** The pins of the agency's map, for its script. */
async function showPins(request: PublicRequest): Promise<PublicAnswer> {
  const { edition, query, read } = request
  const agency = await request.findAgency()
  const redirect = agency === null ? await moved(request, mapPath) : null
  if (redirect !== null) return redirect
  if (agency === null || !agency.active)
    throw new ApiError('not_found', { message: 'There is no such agency.' })
  const json = await read(agency.id, () => findPins(edition, agency, readSearch(query)))
  return { json, changed: changeOf(edition.site, agency), isTest: agency.test }
}

async function showListing(request: PublicRequest): Promise<PublicAnswer> {
  const { edition, params, read } = request
  const { site } = edition
  const { slug = '', code = '' } = params
  const publicId = asPublicId(code)
  if (publicId !== null && (publicId !== code || hasCapitals(slug)))
    return { to: listingPath(slug.toLowerCase(), publicId), status: 308 }
  const agency = await request.findAgency()
  if (agency === null) {
    const redirect = publicId === null ? null : await moved(request, (now) => listingPath(now, publicId))
    return redirect ?? { page: missingPage(request), status: 404 }
  }
  const isTest = agency.test
  const name = `${edition.language} ${code}`
  const changed = changeOf(site, agency)
  const known = agency.active ? findKept(site.pages, agency, name) : null
  const visited = { agencyId: agency.id, code }
  if (known !== null) return { kept: known, changed, isTest, visited }
  return await read(agency.id, async () => {
    const db = await readsOf(site.deps, agency)
    const { roughPlace } = site.deps
    const found = await findPublicListing(db, agency.id, code, roughPlace)
    if (found === null)
      return { page: missingPage(request, agency.active ? agency : null), status: 404, isTest }
    if (!agency.active) return { page: goneAgencyPage(request), status: 410, isTest }
    const { listing, isGone } = found
    const similar = await findSimilar(db, listing, mostSimilar, roughPlace)
    if (isGone) return { page: goneListingPage(request, agency, similar), status: 410, isTest }
    const page = listingPage(edition, agency, listing, similar)
    return { kept: await keepPage(site.pages, agency, name, page), changed, isTest, visited }
  })
}

/** Phones capitalise the first letter of typed text. Anything that is not a slug stays unchanged and is not found. */
function hasCapitals(slug: string): boolean {
  return isSlug(slug) && slug !== slug.toLowerCase()
}

/** Redirects to the only spelling of the page, without a slash at the end. */
async function withoutSlash({ params }: PublicRequest): Promise<PublicAnswer> {
  const { slug = '', code } = params
  return { to: code === undefined ? agencyPath(slug) : listingPath(slug, code), status: 308 }
}

/** Redirects to the page under the current slug of its agency; null if no agency had the requested one. */
export async function moved(
  { edition, params, search, raw }: PublicRequest,
  path: (slug: string) => string,
): Promise<PublicAnswer> {
  const successor = await findSuccessor(edition.site.deps.db, params['slug'] ?? '')
  return successor === null
    ? null
    : { to: path(successor), status: raw.method === 'POST' ? 308 : 301, search }
}

/** The date is read before the listings, so the page may be newer than the date but never older. */
function changeOf({ startedAt }: Site, { changed_at: changedAt, now }: PublicAgency): Changed {
  return { ms: Math.max(Date.parse(changedAt), startedAt), nowMs: Date.parse(now) }
}
