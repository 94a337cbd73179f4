/** A listing's page (api.md 18.1), and the responses for a listing that is suspended, removed or never existed. */
import { asPublicId } from '../../../platform/names/ids.ts'
import { maxSimilar } from '../../../limits/sizes.ts'
import { findPublicListing } from '../../../listings/reading/public.ts'
import { findSimilar } from '../../../listings/reading/similar.ts'
import { findCached, cachePage } from '../frame/page-cache.ts'
import type { PublicResponse, PublicPage, PublicRequest } from '../frame/public-page.ts'
import { changeOf, listingPath, readsOf } from '../frame/site.ts'
import { hasCapitals, toCurrentSlug, withoutSlash } from '../frame/slug-redirects.ts'
import { goneAgencyPage, goneListingPage, missingPage } from '../general/error-page-views.ts'
import { listingView } from './listing-view.ts'

export const listingPages: readonly PublicPage[] = [
  { method: 'GET', path: '/inmobiliarias/:slug/:code', handle: showListing },
  { method: 'GET', path: '/inmobiliarias/:slug/:code/', handle: withoutSlash },
]

async function showListing(request: PublicRequest): Promise<PublicResponse> {
  const { edition, params, read } = request
  const { site } = edition
  const { slug = '', code = '' } = params
  const publicId = asPublicId(code)
  if (publicId !== null && (publicId !== code || hasCapitals(slug)))
    return { to: listingPath(slug.toLowerCase(), publicId), status: 308 }
  const agency = await request.findAgency()
  if (agency === null) {
    const redirect =
      publicId === null ? null : await toCurrentSlug(request, (now) => listingPath(now, publicId))
    return redirect ?? { page: missingPage(request), status: 404 }
  }
  const isTest = agency.test
  const name = `${edition.language} ${code}`
  const changed = changeOf(site, agency)
  const known = agency.active ? findCached(site.pages, agency, name) : null
  const visited = { agencyId: agency.id, code }
  if (known !== null) return { cached: known, changed, isTest, visited }
  return await read(agency.id, async () => {
    const db = await readsOf(site.deps, agency)
    const { blurredPlace } = site.deps
    const found = await findPublicListing(db, agency.id, code, blurredPlace)
    if (found === null)
      return { page: missingPage(request, agency.active ? agency : null), status: 404, isTest }
    if (!agency.active) return { page: goneAgencyPage(request), status: 410, isTest }
    const { listing, isGone } = found
    const similar = await findSimilar(db, listing, maxSimilar, blurredPlace)
    if (isGone) return { page: goneListingPage(request, agency, similar), status: 410, isTest }
    const page = listingView(edition, agency, listing, similar)
    return { cached: await cachePage(site.pages, agency, name, page), changed, isTest, visited }
  })
}
