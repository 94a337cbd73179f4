/** An agency's page with its search, and the pins of its map (api.md 18.1); also when the agency is gone or never existed. */
import type { PublicAgency } from '../../../agencies/public-agency.ts'
import { ApiError } from '../../../platform/errors/errors.ts'
import { maxRelaxed } from '../../../limits/sizes.ts'
import { lastListPage } from '../../../listings/reading/list/list-parameters.ts'
import { countListings, listListings } from '../../../listings/reading/list/list.ts'
import { countKinds, publicRow, toPublic } from '../../../listings/reading/public.ts'
import type { Html } from '../../../platform/web/html.ts'
import { agencyPage } from './agency-view.ts'
import {
  isFiltered,
  relaxable,
  readSearch,
  type Search,
  searchQuery,
  visitorFilters,
  withoutFilter,
} from './filters.ts'
import { cachedOrMade } from '../frame/page-cache.ts'
import { getPins, mapPath } from './listings-map.ts'
import { goneAgencyPage, missingPage } from '../general/error-page-views.ts'
import type { PublicResponse, PublicPage, PublicRequest } from '../frame/public-page.ts'
import type { Relaxed } from './search-view.ts'
import { agencyPath, changeOf, type Edition, readsOf } from '../frame/site.ts'
import { hasCapitals, toCurrentSlug, withoutSlash } from '../frame/slug-redirects.ts'

const perPage = 24

export const agencyPages: readonly PublicPage[] = [
  { method: 'GET', path: '/inmobiliarias/:slug', handle: showAgency },
  { method: 'GET', path: '/inmobiliarias/:slug/', handle: withoutSlash },
  { method: 'GET', path: '/inmobiliarias/:slug/mapa.json', isData: true, handle: showPins },
]

async function showAgency(request: PublicRequest): Promise<PublicResponse> {
  const { edition, params, query, search: sent, read } = request
  const { site } = edition
  const { slug = '' } = params
  if (hasCapitals(slug)) return { to: agencyPath(slug.toLowerCase()), status: 301, search: sent }
  const agency = await request.findAgency()
  if (agency === null)
    return (await toCurrentSlug(request, agencyPath)) ?? { page: missingPage(request), status: 404 }
  const isTest = agency.test
  if (!agency.active) return { page: goneAgencyPage(request), status: 410, isTest }
  const search = readSearch(query)
  const changed = changeOf(site, agency)
  const make = () => findAndShow(edition, agency, search)
  // The page repeats the typed text, which is not part of its name.
  if (search.refused.size > 0) return { page: await read(agency.id, make), changed, isTest }
  const pages = isFiltered(search) ? site.searches : site.pages
  const name = `${edition.language} ${searchQuery(search)}`
  return { cached: await cachedOrMade(pages, agency, name, read, make), changed, isTest }
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
  const listings = rows.map((row) => toPublic(row, deps.blurredPlace))
  const relaxed: Relaxed[] = []
  if (total === 0)
    for (const name of relaxable(search).slice(0, maxRelaxed)) {
      const { filters } = withoutFilter(search, name)
      relaxed.push({ name, total: await countListings(db, agency.id, visitorFilters(filters)) })
    }
  const { id, revision } = agency
  const kinds = memory.find(id, revision, '') ?? (await countKinds(db, id))
  memory.keep(id, revision, '', kinds)
  return agencyPage(edition, agency, { ...search, page }, { listings, total, totalPages, kinds, relaxed })
}

/** The pins of the agency's map, for its script. */
async function showPins(request: PublicRequest): Promise<PublicResponse> {
  const { edition, query, read } = request
  const agency = await request.findAgency()
  const redirect = agency === null ? await toCurrentSlug(request, mapPath) : null
  if (redirect !== null) return redirect
  if (agency === null || !agency.active)
    throw new ApiError('not_found', { message: 'There is no such agency.' })
  const json = await read(agency.id, () => getPins(edition, agency, readSearch(query)))
  return { json, changed: changeOf(edition.site, agency), isTest: agency.test }
}
