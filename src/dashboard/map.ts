/**
 * Where a listing is: the pin on an outline of the country, its coordinates, and how it got them. Tiles would come from elsewhere; a
 * link leads to a street map.
 */
import { html, type Html } from '../web/html.ts'
import type { Listing } from '../properties/listing.ts'
import type { Visit } from './visit.ts'

/** A degree of longitude in degrees of latitude, in the middle of the country. */
const narrow = 0.78

/** Rough border and coast, [lat, lng]: mainland, Tierra del Fuego, the islands. */
const outlines: readonly (readonly (readonly [number, number])[])[] = [
  [
    [-21.8, -66.2],
    [-22.1, -65.6],
    [-22.1, -64.4],
    [-22.8, -64.3],
    [-22.0, -63.9],
    [-22.0, -62.8],
    [-22.4, -62.2],
    [-23.6, -61.0],
    [-24.1, -60.0],
    [-24.8, -58.4],
    [-25.3, -57.7],
    [-26.6, -58.2],
    [-27.3, -58.6],
    [-27.4, -57.0],
    [-27.3, -55.9],
    [-26.7, -54.9],
    [-25.6, -54.6],
    [-25.7, -53.9],
    [-26.6, -53.7],
    [-27.2, -53.9],
    [-28.1, -55.3],
    [-28.9, -56.1],
    [-30.2, -57.6],
    [-31.9, -58.1],
    [-33.2, -58.3],
    [-34.1, -58.5],
    [-34.6, -58.3],
    [-35.0, -57.2],
    [-36.3, -56.8],
    [-37.2, -57.0],
    [-38.1, -57.5],
    [-38.7, -59.0],
    [-38.9, -61.5],
    [-39.5, -62.1],
    [-40.6, -62.2],
    [-41.1, -63.2],
    [-40.8, -65.0],
    [-42.1, -65.0],
    [-42.2, -63.7],
    [-42.8, -64.6],
    [-43.4, -65.2],
    [-44.5, -65.4],
    [-45.1, -66.6],
    [-46.2, -67.6],
    [-47.1, -65.8],
    [-47.9, -65.9],
    [-48.7, -67.2],
    [-50.1, -68.4],
    [-51.7, -69.0],
    [-52.3, -68.4],
    [-52.0, -71.9],
    [-50.7, -72.3],
    [-49.5, -73.3],
    [-48.3, -72.4],
    [-46.7, -71.8],
    [-45.4, -71.4],
    [-44.5, -71.3],
    [-43.5, -71.9],
    [-42.1, -71.8],
    [-40.4, -71.7],
    [-38.9, -71.3],
    [-37.0, -71.1],
    [-35.4, -70.4],
    [-34.2, -69.9],
    [-32.9, -70.1],
    [-31.2, -70.5],
    [-29.4, -69.9],
    [-27.9, -68.9],
    [-26.6, -68.4],
    [-24.6, -68.4],
    [-22.9, -67.1],
  ],
  [
    [-52.7, -68.6],
    [-53.8, -67.4],
    [-54.6, -65.3],
    [-54.9, -66.5],
    [-54.9, -68.6],
  ],
  [
    [-51.3, -60.9],
    [-51.5, -59.9],
    [-52.2, -60.5],
    [-51.9, -61.1],
  ],
  [
    [-51.4, -59.3],
    [-51.5, -57.9],
    [-52.2, -59.2],
    [-51.9, -59.7],
  ],
]

const x = (lng: number): number => Math.round((lng + 75) * narrow * 100) / 100
const y = (lat: number): number => Math.round((-20.5 - lat) * 100) / 100
const land = outlines.map(
  (outline) =>
    html`<polygon
      class="map-land"
      points="${outline.map(([lat, lng]) => `${x(lng)},${y(lat)}`).join(' ')}"
    />`,
)

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
  const label = texts.mapOf(format.number(lat), format.number(lng))
  return html`<section class="card stack">
    <h2>${texts.location}</h2>
    <svg class="map" viewBox="0 0 17.5 35.5" role="img" aria-label="${label}">
      ${land}
      <circle class="map-pin" cx="${x(lng)}" cy="${y(lat)}" r="0.85" />
    </svg>
    <p>${how}</p>
    <p class="small">
      <span class="mono">${lat.toFixed(5)}, ${lng.toFixed(5)}</span> ·
      <a href="${place}" rel="noopener noreferrer">${texts.openMap}</a>
    </p>
  </section>`
}
