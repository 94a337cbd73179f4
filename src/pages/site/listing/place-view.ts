/** A listing's place on its page: the address, a map, and a note if the pin is approximate. */
import type { PublicListing } from '../../../listings/reading/public.ts'
import { html, type Html, nothing } from '../../../platform/web/html.ts'
import { isOnMap, mapBox } from '../../../platform/web/map/map.ts'
import { endsWithCity, oneLine } from '../../../platform/web/language/text.ts'
import { outsideLink } from '../agency/contact.ts'
import { localityOf } from './facts.ts'
import type { Edition } from '../frame/site.ts'

/** Null if nothing is known about the location. */
export function placeSection(edition: Edition, listing: PublicListing): Html | null {
  const { words, label } = edition
  const { lat, lng, radius } = listing
  const where = whereText(listing)
  if (where === '' && lat === null) return null
  const isApproximate = listing.location_status === 'approximate'
  return html`<section>
    <h2>${label('location')}</h2>
    ${where !== '' && html`<p class="where" dir="auto">${where}</p>`}
    ${lat !== null && lng !== null && placeMap(edition, { lat, lng, radius })}
    ${isApproximate && html`<p class="note">${radius === null ? words.approximate : words.blurredArea}</p>`}
  </section> `
}

function whereText(listing: PublicListing): string {
  const { city, province } = listing
  const address = oneLine(listing.address ?? '')
  const hasCity = endsWithCity(address, city)
  const place = localityOf(hasCity ? { city: null, province: province === city ? null : province } : listing)
  return [address, place].filter((text) => text !== '').join(hasCity ? ', ' : ' · ')
}

/** Whether the page has a map and needs its script. */
export function hasMap({ site }: Edition, { lat, lng }: Pick<PublicListing, 'lat' | 'lng'>): boolean {
  return site.deps.config.mapTiles !== null && lat !== null && lng !== null && isOnMap(lat, lng)
}

function placeMap(edition: Edition, place: { lat: number; lng: number; radius: number | null }): Html {
  const { site, words } = edition
  const { mapTiles } = site.deps.config
  const { lat, lng, radius } = place
  const elsewhere =
    radius === null
      ? `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`
      : `https://www.openstreetmap.org/#map=15/${lat}/${lng}`
  const box =
    mapTiles !== null && hasMap(edition, place)
      ? mapBox({
          kind: 'place',
          base: site.basePath,
          tiles: mapTiles,
          words,
          label: words.mapOfListing,
          data: { lat, lng, radius },
        })
      : nothing
  return html`${box}
    <p>${outsideLink(elsewhere, words.seeOnMap)}</p>`
}
