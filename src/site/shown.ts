/**
 * The pages of agencies and listings (api.md 18.1): what is shown, what is gone and what never was.
 */
import { findSuccessor } from '../agencies/former-slugs.ts'
import { findPublicAgency, type PublicAgency } from '../agencies/public-agency.ts'
import { readFrom } from '../db/replica.ts'
import type { Executor } from '../db/statement.ts'
import { atAgency } from '../db/at-agency.ts'
import { asPublicId } from '../ids.ts'
import { listListings } from '../properties/list.ts'
import { findPage } from '../properties/list-sql.ts'
import type { Listing } from '../properties/listing.ts'
import { findPublicListing } from '../properties/public.ts'
import { agencyPage } from './agency-view.ts'
import type { Changed } from './answer.ts'
import { readSearch } from './filters.ts'
import { listingPage } from './listing-view.ts'
import { goneAgencyPage, goneListingPage, missingPage } from './message-view.ts'
import type { PageAnswer, PageRequest } from './routes.ts'
import { agencyPath, listingPath, type Site } from './site.ts'

const perPage = 24
const shownBeside = 3

export async function showAgency({ edition, params, query }: PageRequest): Promise<PageAnswer> {
  const { site } = edition
  const { deps, totals } = site
  const { slug = '' } = params
  const agency = await findPublicAgency(deps.db, slug, deps.clock)
  if (agency === null)
    return (await moved(site, slug, agencyPath)) ?? { page: missingPage(edition), status: 404 }
  const isTest = agency.test
  if (!agency.active) return { page: goneAgencyPage(edition), status: 410, isTest }
  const search = readSearch(query)
  const { filters, sort } = search
  const db = readFrom(await atAgency(deps, agency.id), agency)
  const find = (page: number) => listListings(db, totals, agency, filters, sort, page, perPage)
  const first = await find(search.page)
  const totalPages = Math.ceil(first.total / perPage)
  // Past the last page, the last one is shown.
  const page = Math.max(1, Math.min(search.page, totalPages))
  const { listings, total } = page === search.page ? first : await find(page)
  const found = { listings, total, totalPages }
  const shown = agencyPage(edition, agency, { ...search, page }, found)
  return { page: shown, changed: changeOf(site, agency), isTest }
}

export async function showListing({ edition, params }: PageRequest): Promise<PageAnswer> {
  const { site } = edition
  const { slug = '', code = '' } = params
  const publicId = asPublicId(code)
  if (publicId !== null && publicId !== code) return { to: listingPath(slug, publicId) }
  const agency = await findPublicAgency(site.deps.db, slug, site.deps.clock)
  const elsewhere = agency === null ? await moved(site, slug, (now) => listingPath(now, code)) : null
  if (elsewhere !== null) return elsewhere
  const db = agency === null ? null : readFrom(await atAgency(site.deps, agency.id), agency)
  const listing = agency === null || db === null ? null : await findPublicListing(db, agency.id, code)
  const isTest = agency?.test === true
  if (agency === null || db === null || listing === null)
    return { page: missingPage(edition, agency?.active === true ? agency : null), status: 404, isTest }
  if (!agency.active) return { page: goneAgencyPage(edition), status: 410, isTest }
  if (listing === 'gone') return { page: goneListingPage(edition, agency), status: 410, isTest }
  const beside = await findBeside(db, agency, listing)
  return { page: listingPage(edition, agency, listing, beside), changed: changeOf(site, agency), isTest }
}

/** To the page's one spelling, without the slash at the end. */
export async function withoutSlash({ params }: PageRequest): Promise<PageAnswer> {
  const { slug = '', code } = params
  return { to: code === undefined ? agencyPath(slug) : listingPath(slug, code) }
}

/** Where a page is now whose agency has another slug since; null where no agency had this one. */
async function moved(
  { deps }: Site,
  slug: string,
  path: (slug: string) => string,
): Promise<PageAnswer | null> {
  const successor = await findSuccessor(deps.db, slug)
  return successor === null ? null : { to: path(successor), hasMoved: true }
}

/** The newest others of the agency, of the same operation. */
async function findBeside(db: Executor, agency: PublicAgency, listing: Listing): Promise<Listing[]> {
  const filters = {
    status: 'published' as const,
    ...(listing.operation === null ? {} : { operation: listing.operation }),
  }
  const { listings: newest } = await findPage(db, agency.id, filters, 'recent', {
    limit: shownBeside + 1,
    offset: 0,
  })
  return newest.filter(({ id }) => id !== listing.id).slice(0, shownBeside)
}

/** Read before the listings: the page may be newer than the date, never older. */
function changeOf({ startedAt }: Site, { changed_at: changedAt, now }: PublicAgency): Changed {
  return { ms: Math.max(Date.parse(changedAt), startedAt), nowMs: Date.parse(now) }
}
