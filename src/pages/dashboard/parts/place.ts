/**
 * The place of a listing, on its page and in its form: a pin on a map, or on an outline of the country if no tiles are set. Both also set
 * how precisely public pages show the place.
 */
import { blurredAddress } from '../../../listings/addresses/blurred-address.ts'
import type { Listing } from '../../../listings/listing.ts'
import { isPlaceBlurred } from '../../../listings/reading/public.ts'
import { fieldLabel } from '../forms/field-labels.ts'
import { buttonForm, notice } from '../forms/forms.ts'
import { listingPath } from '../requested-listing.ts'
import type { AgencyRequest, PageRequest } from '../serving/page.ts'
import { choiceField, inputField, type FieldProblems } from '../../framework/fields.ts'
import { icon } from '../../framework/icons.ts'
import { dataAttributes, flag, html, type Html } from '../../../platform/web/html.ts'
import { isOnMap, mapBox } from '../../../platform/web/map/map.ts'

type Pin = Readonly<{ lat: number; lng: number }>

/** A degree of longitude in degrees of latitude, in the middle of the country. */
const narrow = 0.78

/** Simplified border and coast in the picture's units: mainland, Tierra del Fuego, the islands. */
const outlines = [
  '6.86,1.3 7.33,1.6 8.27,1.6 8.35,2.3 8.66,1.5 9.52,1.5 9.98,1.9 10.92,3.1 11.7,3.6 12.95,4.3 13.49,4.8 13.1,6.1 12.79,6.8 14.04,6.9 14.9,6.8 15.68,6.2 15.91,5.1 16.46,5.2 16.61,6.1 16.46,6.7 15.37,7.6 14.74,8.4 13.57,9.7 13.18,11.4 13.03,12.7 12.87,13.6 13.03,14.1 13.88,14.5 14.2,15.8 14.04,16.7 13.65,17.6 12.48,18.2 10.53,18.4 10.06,19 9.98,20.1 9.2,20.6 7.8,20.3 7.8,21.6 8.81,21.7 8.11,22.3 7.64,22.9 7.49,24 6.55,24.6 5.77,25.7 7.18,26.6 7.1,27.4 6.08,28.2 5.15,29.6 4.68,31.2 5.15,31.8 2.42,31.5 2.11,30.2 1.33,29 2.03,27.8 2.5,26.2 2.81,24.9 2.89,24 2.42,23 2.5,21.6 2.57,19.9 2.89,18.4 3.04,16.5 3.59,14.9 3.98,13.7 3.82,12.4 3.51,10.7 3.98,8.9 4.76,7.4 5.15,6.1 5.15,4.1 6.16,2.4',
  '4.99,32.2 5.93,33.3 7.57,34.1 6.63,34.4 4.99,34.4',
  '11,30.8 11.78,31 11.31,31.7 10.84,31.4',
  '12.25,30.9 13.34,31 12.32,31.7 11.93,31.4',
]

const x = (lng: number): number => Math.round((lng + 75) * narrow * 100) / 100
const y = (lat: number): number => Math.round((-20.5 - lat) * 100) / 100
const land = outlines.map((points) => html`<polygon class="outline-land" points="${points}" />`)

/** The card on a listing's page. Its page loads `maps.js`. */
export async function mapPart(request: AgencyRequest, listing: Listing): Promise<Html> {
  const { t, deps, agency } = request
  const { lat, lng, location_status: status } = listing
  const how = status === null ? t.listings.noAddress : t.listings.locations[status]
  const isBlurred = await isPlaceBlurred(deps.db, agency.id, listing.id)
  const pin = lat === null || lng === null ? null : { lat, lng }
  return html`<section class="card stack" id="place">
    <h2>${fieldLabel(request, 'location')}</h2>
    ${pin && placeMap(request, pin, isBlurred)}
    <p ${pin === null && html`class="muted"`}>${how}</p>
    ${pin && coordinates(request, pin)}
    ${(listing.address !== null || pin !== null) && listing.deleted_at === null && shownPart(request, listing, isBlurred)}
  </section>`
}

function placeMap(request: PageRequest, pin: Pin, isBlurred: boolean): Html {
  const { t, deps, base } = request
  const { mapTiles } = deps.config
  if (mapTiles === null || !isOnMap(pin.lat, pin.lng)) return outlineMap(request, pin)
  const blurred = deps.blurredPlace(pin.lat, pin.lng)
  const circle = { radius: blurred.radius, 'blurred-lat': blurred.lat, 'blurred-lng': blurred.lng, pin: '' }
  return mapBox({
    kind: 'place',
    base,
    tiles: mapTiles,
    words: t.map,
    label: t.map.mapOfPlace,
    data: { ...pin, ...(isBlurred ? circle : {}) },
  })
}

function outlineMap({ t, format }: PageRequest, { lat, lng }: Pin): Html {
  const label = t.listings.mapOf(format.number(lat), format.number(lng))
  return html`<svg class="outline" viewBox="0 0 17.5 35.5" role="img" aria-label="${label}">
    ${land}
    <circle class="outline-pin" cx="${x(lng)}" cy="${y(lat)}" r="0.85" />
  </svg>`
}

/** The coordinates, with a link to a street map. */
function coordinates({ t }: PageRequest, { lat, lng }: Pin): Html {
  const map = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`
  return html`<p class="small">
    <span class="mono">${lat.toFixed(5)}, ${lng.toFixed(5)}</span> ·
    <a href="${map}" rel="noopener noreferrer">${t.listings.openMap}</a>
  </p>`
}

/** How precisely public pages show the place, and a button to change that. */
function shownPart(request: AgencyRequest, listing: Listing, isBlurred: boolean): Html {
  const texts = request.t.map
  const { address } = listing
  const blurred = address === null ? null : blurredAddress(address, listing)
  return html`<div class="stack-s">
    <p class="small">${isBlurred ? texts.isBlurred(blurred) : texts.isExact}</p>
    ${isBlurred && revealsNumber(listing) && notice('warn', texts.revealsNumber)}
    ${buttonForm(
      request,
      `${listingPath(request, listing)}/place`,
      { version: listing.version, place_shown: placeShownOf(!isBlurred) },
      html`${icon('pin')}${isBlurred ? texts.showExact : texts.showBlurred}`,
    )}
  </div>`
}

/** Whether title or description contain the street number. Numbers below three digits do not count, because any text may contain them. */
function revealsNumber({ address, title, description }: Listing): boolean {
  const numbers = (address ?? '').match(/\d{3,}/g) ?? []
  const words = `${title ?? ''} ${description ?? ''}`.replaceAll(/(?<=\d)[.\s](?=\d{3}\b)/g, '')
  return numbers.some((number) => new RegExp(`\\b${number}\\b`).test(words))
}

const names = { lat: 'location.lat', lng: 'location.lng', shown: 'place_shown' } as const

/** The values of `place_shown`. Forms that browsers have kept name them, so they stay as they are. */
const placeShown = { exact: 'exact', blurred: 'approximate' } as const

/** The value of `place_shown` for a listing. @param isBlurred whether public pages blur the place */
export function placeShownOf(isBlurred: boolean): string {
  return isBlurred ? placeShown.blurred : placeShown.exact
}

type PlaceForm = Readonly<{
  /** Null for a new one. */
  listing: Listing | null
  typed: Readonly<Record<string, string>>
  problems: FieldProblems
}>

/**
 * The fields of the place, for a form whose address fields have the API's names. Its page loads `place-field.js`; without scripts
 * there are two fields for the coordinates.
 *
 * Filled coordinates are the person's own pin; if they are empty, the address decides, as in the API. So a listing that was placed by its
 * address has them empty, and the map shows the listing's pin.
 * @param isBlurred whether public pages blur the place
 */
export function placeField(request: AgencyRequest, form: PlaceForm, isBlurred: boolean): Html {
  const { listing, typed, problems } = form
  const texts = request.t.map
  const lat = typed[names.lat] ?? ''
  const lng = typed[names.lng] ?? ''
  const shown = request.form.get(names.shown) ?? placeShownOf(isBlurred)
  const pin = pinOf(typedDegrees(lat), typedDegrees(lng)) ?? pinOf(listing?.lat ?? null, listing?.lng ?? null)
  const isOpen = problems[names.lat] !== undefined || problems[names.lng] !== undefined
  const message = lat !== '' ? texts.byHand : pin === null ? texts.unplaced : texts.byAddress
  return html`<fieldset class="place" data-place ${placeData(request, listing)}>
    <legend class="legend">${texts.place}</legend>
    ${fieldMap(request, pin)}
    <p class="place-message" role="status" data-place-message>${message}</p>
    <div class="form-actions" data-place-actions hidden>
      <button class="button" type="button" data-place-find>${icon('search')}${texts.find}</button>
      <button class="button" type="button" data-place-remove hidden>
        ${icon('cross')}${texts.removePin}
      </button>
    </div>
    <details class="disclosure" ${flag('open', isOpen)}>
      <summary>${texts.coordinates}</summary>
      <div class="form-row">
        ${inputField({ name: names.lat, label: fieldLabel(request, names.lat), value: lat, problems, inputmode: 'text', autocomplete: 'off', maxlength: 60, hint: texts.coordinatesHint })}
        ${inputField({ name: names.lng, label: fieldLabel(request, names.lng), value: lng, problems, inputmode: 'text', autocomplete: 'off', maxlength: 60 })}
      </div>
    </details>
    <fieldset class="place">
      <legend class="legend">${texts.shown}</legend>
      <div class="form-row">
        ${choiceField({ name: names.shown, value: placeShown.exact, type: 'radio', label: texts.exact, hint: texts.exactHint, chosen: shown !== placeShown.blurred })}
        ${choiceField({ name: names.shown, value: placeShown.blurred, type: 'radio', label: texts.blurred, hint: texts.blurredHint, chosen: shown === placeShown.blurred })}
      </div>
    </fieldset>
  </fieldset>`
}

/** Data for the script: its texts and URL. */
function placeData({ t, base, agency }: AgencyRequest, listing: Listing | null): Html {
  const { pin, byHand, byAddress, unplaced, onSave, addressFirst, failed } = t.map
  return dataAttributes({
    url: `${base}${agency.path}/find-place`,
    listing: listing?.public_id ?? '',
    'pin-label': pin,
    'by-hand': byHand,
    'by-address': byAddress,
    unplaced,
    'on-save': onSave,
    'address-first': addressFirst,
    failed,
  })
}

function fieldMap(request: AgencyRequest, pin: Pin | null): Html {
  const { t, base, deps } = request
  const { mapTiles } = deps.config
  if (mapTiles === null)
    return html`${pin !== null && html`${outlineMap(request, pin)}${coordinates(request, pin)}`}`
  const box = mapBox({
    kind: 'field',
    base,
    tiles: mapTiles,
    words: t.map,
    label: t.map.place,
    data: pin !== null && isOnMap(pin.lat, pin.lng) ? pin : {},
  })
  return html`${box}
    <p class="hint" data-place-hint data-press="${t.map.pressHint}" data-drag="${t.map.dragHint}" hidden></p>`
}

function pinOf(lat: number | null, lng: number | null): Pin | null {
  const isPin = lat !== null && lng !== null && Math.abs(lat) <= 90 && Math.abs(lng) <= 180
  return isPin ? { lat, lng } : null
}

/** `-34,6037`, `−34.6037`: with any minus, comma or point. Null for other texts. */
export function typedDegrees(text: string): number | null {
  const plain = text.trim().replace('−', '-').replace(',', '.')
  return /^[+-]?\d{1,3}(\.\d{1,20})?$/.test(plain) ? Number(plain) : null
}

/** Whether public pages must blur the place; null if the form does not say. */
export function readPlaceShown(form: URLSearchParams): boolean | null {
  const shown = form.get(names.shown)
  return shown === placeShown.blurred ? true : shown === placeShown.exact ? false : null
}
