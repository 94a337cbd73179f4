/**
 * The place of a listing in a form: a map with a pin to drag, a button that finds the address, and what public pages show. Without scripts
 * there are two fields for the coordinates.
 *
 * Filled coordinates are the person's own pin; empty ones leave the place to the address, as in the API. So a listing that was placed by
 * its address has them empty, and the pin is drawn from what the listing has.
 */
import type { Listing } from '../../listings/listing.ts'
import { dataAttributes, flag, html, type Html } from '../../platform/web/html.ts'
import { isOnMap, mapBox } from '../../platform/web/map.ts'
import { fieldLabel } from './field-labels.ts'
import { choiceField, inputField, type Problems } from '../framework/fields.ts'
import { icon } from '../framework/icons.ts'
import { coordinates, outlineMap } from './map.ts'
import type { AgencyVisit } from './visit.ts'

type Placed = Pick<Listing, 'public_id' | 'lat' | 'lng' | 'location_status'>

type PlaceOptions = Readonly<{
  /** Whether public pages show the place approximately. */
  isBlurred: boolean
  /** The form as typed, where it is shown again. */
  typed?: URLSearchParams | null
  problems?: Problems
}>

const names = { lat: 'location.lat', lng: 'location.lng', shown: 'place_shown' } as const

/** Names of the form's fields from which the address is looked up. */
const addressNames = { address: 'address', city: 'location.city', province: 'location.province' } as const

/**
 * The field set, for a form that has fields of the address by the API's names. Its page loads `place-field.js`.
 * @param listing null for a new one
 */
export function placeField(visit: AgencyVisit, listing: Placed | null, options: PlaceOptions): Html {
  const { isBlurred, typed = null, problems = {} } = options
  const texts = visit.t.map
  const isManual = listing?.location_status === 'manual'
  const own = (value: number | null | undefined) => (isManual && value != null ? String(value) : '')
  const lat = typed?.get(names.lat) ?? own(listing?.lat)
  const lng = typed?.get(names.lng) ?? own(listing?.lng)
  const shown = typed?.get(names.shown) ?? (isBlurred ? 'approximate' : 'exact')
  const pin = pinOf(lat, lng) ?? pinOf(listing?.lat, listing?.lng)
  const isOpen = problems[names.lat] !== undefined || problems[names.lng] !== undefined
  const said = lat !== '' ? texts.byHand : pin === null ? texts.unplaced : texts.byAddress
  return html`<fieldset class="place" data-place ${placeData(visit, listing)}>
    <legend class="legend">${texts.place}</legend>
    ${fieldMap(visit, pin)}
    <p class="place-said" role="status" data-place-said>${said}</p>
    <div class="form-actions" data-place-actions hidden>
      <button class="button" type="button" data-place-find>${icon('search')}${texts.find}</button>
      <button class="button" type="button" data-place-remove hidden>
        ${icon('cross')}${texts.removePin}
      </button>
    </div>
    <details class="disclosure" ${flag('open', isOpen)}>
      <summary>${texts.coordinates}</summary>
      <div class="form-row">
        ${inputField({ name: names.lat, label: fieldLabel(visit, names.lat), value: lat, problems, inputmode: 'text', autocomplete: 'off', maxlength: 60, hint: texts.coordinatesHint })}
        ${inputField({ name: names.lng, label: fieldLabel(visit, names.lng), value: lng, problems, inputmode: 'text', autocomplete: 'off', maxlength: 60 })}
      </div>
    </details>
    <fieldset class="place">
      <legend class="legend">${texts.shown}</legend>
      <div class="form-row">
        ${choiceField({ name: names.shown, value: 'exact', type: 'radio', label: texts.exact, hint: texts.exactHint, chosen: shown !== 'approximate' })}
        ${choiceField({ name: names.shown, value: 'approximate', type: 'radio', label: texts.approximate, hint: texts.approximateHint, chosen: shown === 'approximate' })}
      </div>
    </fieldset>
  </fieldset>`
}

/** Data for the script: its texts and URL. */
function placeData({ t, base, agency }: AgencyVisit, listing: Placed | null): Html {
  const { pin, byHand, byAddress, unplaced, onSave, addressFirst, failed } = t.map
  return dataAttributes({
    url: `${base}${agency.path}/find-place`,
    listing: listing?.public_id ?? '',
    ...addressNames,
    'pin-label': pin,
    'by-hand': byHand,
    'by-address': byAddress,
    unplaced,
    'on-save': onSave,
    'address-first': addressFirst,
    failed,
  })
}

function fieldMap(visit: AgencyVisit, pin: Pin | null): Html {
  const { t, base, deps } = visit
  const { mapTiles } = deps.config
  if (mapTiles === null)
    return html`${pin !== null && html`${outlineMap(visit, pin)}${coordinates(visit, pin)}`}`
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

type Pin = Readonly<{ lat: number; lng: number }>

function pinOf(lat: string | number | null | undefined, lng: string | number | null | undefined): Pin | null {
  const pin = { lat: degrees(lat, 90), lng: degrees(lng, 180) }
  return pin.lat === null || pin.lng === null ? null : { lat: pin.lat, lng: pin.lng }
}

/** `-34,6037`, `−34.6037`: with any minus, comma or point. */
function degrees(value: string | number | null | undefined, most: number): number | null {
  const text = String(value ?? '')
    .trim()
    .replace('−', '-')
    .replace(',', '.')
  const number = /^[+-]?\d{1,3}(\.\d{1,20})?$/.test(text) ? Number(text) : Number.NaN
  return Math.abs(number) <= most ? number : null
}

/** Whether public pages are to show the place approximately; null where the form does not say. */
export function readPlaceShown(form: URLSearchParams): boolean | null {
  const shown = form.get(names.shown)
  return shown === 'approximate' ? true : shown === 'exact' ? false : null
}
