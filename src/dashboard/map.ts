/**
 * Where a listing is: the pin on an outline of the country, its coordinates, and how it got them. No tiles from elsewhere: who wants
 * the street follows the link.
 */
import { html, type Html } from '../pages/html.ts'
import { countryOutline } from '../properties/country.ts'
import type { Listing } from '../properties/listing.ts'
import type { Visit } from './visit.ts'

/** Degrees of longitude are narrower than those of latitude, here in the middle of the country by so much. */
const narrow = 0.78

const x = (lng: number): number => Math.round((lng + 75) * narrow * 100) / 100
const y = (lat: number): number => Math.round((-20 - lat) * 100) / 100
const land = countryOutline.map(([lat, lng]) => `${x(lng)},${y(lat)}`).join(' ')

export function mapPart({ t, format }: Visit, listing: Listing): Html {
  const texts = t.listings
  const { lat, lng, location_status: status } = listing
  const how = status === null ? texts.noAddress : texts.locations[status]
  if (lat === null || lng === null) {
    return html`<section class="card stack-s">
      <h2>${texts.location}</h2>
      <p class="muted">${how}</p>
    </section>`
  }
  const place = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`
  return html`<section class="card stack">
    <h2>${texts.location}</h2>
    <svg
      class="map"
      viewBox="0 0 17.5 37"
      role="img"
      aria-label="${texts.mapOf(format.number(lat), format.number(lng))}"
    >
      <polygon class="map-land" points="${land}" />
      <circle class="map-pin" cx="${x(lng)}" cy="${y(lat)}" r="0.85" />
    </svg>
    <p>${how}</p>
    <p class="small">
      <span class="mono">${lat.toFixed(5)}, ${lng.toFixed(5)}</span> ·
      <a href="${place}" rel="noopener noreferrer">${texts.openMap}</a>
    </p>
  </section>`
}
