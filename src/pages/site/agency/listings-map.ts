/** The map of an agency's listings: a fold on its page, closed at first, and its pins as JSON. The page's search applies to it too. */
import { photoFile } from '../../../listings/photos/names-and-urls.ts'
import { findPage } from '../../../listings/reading/list/list-sql.ts'
import type { Listing, Selection } from '../../../listings/listing.ts'
import { type PublicListing, publicly, toPublic } from '../../../listings/reading/public.ts'
import type { PublicAgency } from '../../../agencies/public-agency.ts'
import { ApiError } from '../../../platform/errors/errors.ts'
import { maxPins } from '../../../limits/sizes.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { isOnMap, mapBox } from '../../../platform/web/map/map.ts'
import { oneLine } from '../../../platform/web/language/text.ts'
import { offered, priceLine } from '../listing/facts.ts'
import { type Search, searchQuery, visitorFilters } from './filters.ts'
import { photoBase } from '../listing/gallery.ts'
import { agencyPath, type Edition, listingPath, readsOf } from '../frame/site.ts'

const columns = [
  'agency_id',
  'public_id',
  'title',
  'operation',
  'type',
  'price_amount',
  'price_currency',
  'price_period',
  'price_on_request',
  'lat',
  'lng',
] as const
type Pinned = Pick<Listing, (typeof columns)[number] | 'photos'>

const pinned = publicly<Pinned>({
  columns: `${columns.map((column) => `p.${column}`).join(', ')}, p.photos[1:1] as photos`,
} satisfies Selection<Pinned>)

/** The fold, or null without tiles. */
export function listingsMap(edition: Edition, agency: PublicAgency, search: Search): Html | null {
  const { site, words } = edition
  const { mapTiles } = site.deps.config
  if (mapTiles === null) return null
  const pins = `${edition.path(mapPath(agency.slug))}${searchQuery({ ...search, page: 1 })}`
  const box = mapBox({
    kind: 'listings',
    base: site.basePath,
    tiles: mapTiles,
    words,
    label: words.mapOfListings,
    data: { pins, several: words.listingsHere(0).replace('0', '{n}'), 'blurred-note': words.blurredArea },
  })
  return html`<details class="map-fold" data-map-fold>
    <summary>${words.showMap}</summary>
    ${box}
    <p
      class="note"
      role="status"
      data-map-said
      data-none="${words.noPins}"
      data-some="${words.somePins(maxPins)}"
      data-failed="${words.mapFailed}"
    ></p>
  </details>`
}

export function mapPath(slug: string): string {
  return `${agencyPath(slug)}/mapa.json`
}

/** Pins of the search's first listings, without those that the map does not show. `more`: the search has further listings. */
export async function getPins(edition: Edition, agency: PublicAgency, { filters, sort }: Search) {
  const { deps } = edition.site
  if (deps.config.mapTiles === null) throw new ApiError('not_found', { message: 'There are no maps.' })
  const db = await readsOf(deps, agency)
  const first = { filters: visitorFilters(filters), sort, limit: maxPins + 1, offset: 0 }
  const { listings } = await findPage(db, agency.id, first, pinned)
  const pins = listings
    .slice(0, maxPins)
    .flatMap((row) => pinOf(edition, agency, toPublic(row, deps.blurredPlace)) ?? [])
  return { pins, more: listings.length > maxPins }
}

/** Null if the map does not show its location. */
function pinOf(edition: Edition, agency: PublicAgency, listing: Pinned & Pick<PublicListing, 'radius'>) {
  const { lat, lng } = listing
  if (lat === null || lng === null || !isOnMap(lat, lng)) return null
  const { amount, period } = priceLine(listing, edition)
  const [cover] = listing.photos
  return {
    lat,
    lng,
    /** Whether the place is blurred. */
    isBlurred: listing.radius !== null,
    title: oneLine(listing.title ?? ''),
    price: period === null ? amount : `${amount} ${period}`,
    what: offered(listing, edition),
    path: edition.path(listingPath(agency.slug, listing.public_id)),
    photo: cover === undefined ? null : `${photoBase(edition.site, listing)}${photoFile(cover, 'small')}`,
  }
}
