/**
 * The place of a listing in its form: a map with a pin to drag, a button that finds the address, and how public pages show it. Without
 * scripts there are two fields for the coordinates.
 *
 * Filled coordinates are the person's own pin; if they are empty, the address decides, as in the API. So a listing that was placed by its
 * address has them empty, and the map shows the listing's pin.
 */
import type { Listing } from '../../listings/listing.ts'
import { dataAttributes, flag, html, type Html } from '../../platform/web/html.ts'
import { isOnMap, mapBox } from '../../platform/web/map.ts'
import { fieldLabel } from './field-labels.ts'
import { choiceField, inputField, type Problems } from '../framework/fields.ts'
import { icon } from './icons.ts'
import { coordinates, outlineMap } from './map.ts'
import type { AgencyVisit } from './visit.ts'

const names = { lat: 'location.lat', lng: 'location.lng', shown: 'place_shown' } as const

/** The form's fields from which the address is looked up. */
const addressNames = { address: 'address', city: 'location.city', province: 'location.province' } as const

type PlaceForm = Readonly<{
  /** Null for a new one. */
  listing: Listing | null
  typed: Readonly<Record<string, string>>
  problems: Problems
}>

/**
 * The field set, for a form that has fields of the address by the API's names. Its page loads `place-field.js`.
 * @param isBlurred whether public pages show the place approximately
 */
export function placeField(visit: AgencyVisit, form: PlaceForm, isBlurred: boolean): Html {
  const { listing, typed, problems } = form
  const texts = visit.t.map
  const lat = typed[names.lat] ?? ''
  const lng = typed[names.lng] ?? ''
  const shown = visit.form.get(names.shown) ?? (isBlurred ? 'approximate' : 'exact')
  const pin = pinOf(typedDegrees(lat), typedDegrees(lng)) ?? pinOf(listing?.lat ?? null, listing?.lng ?? null)
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
function placeData({ t, base, agency }: AgencyVisit, listing: Listing | null): Html {
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

function pinOf(lat: number | null, lng: number | null): Pin | null {
  const isPin = lat !== null && lng !== null && Math.abs(lat) <= 90 && Math.abs(lng) <= 180
  return isPin ? { lat, lng } : null
}

/** `-34,6037`, `−34.6037`: with any minus, comma or point. Null for other texts. */
export function typedDegrees(text: string): number | null {
  const plain = text.trim().replace('−', '-').replace(',', '.')
  return /^[+-]?\d{1,3}(\.\d{1,20})?$/.test(plain) ? Number(plain) : null
}

/** Whether public pages must show the place approximately; null if the form does not say. */
export function readPlaceShown(form: URLSearchParams): boolean | null {
  const shown = form.get(names.shown)
  return shown === 'approximate' ? true : shown === 'exact' ? false : null
}
