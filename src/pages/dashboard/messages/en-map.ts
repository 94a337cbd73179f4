/**
 * Texts of the map, on a listing’s page and in its form.
 */
import { roughRadius } from '../../../listings/geocoding/rough-place.ts'
import type { map as spanish } from './es-map.ts'

export const map: typeof spanish = {
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  place: 'Location on the map',
  mapOfPlace: 'Map of the listing’s location',
  dragHint: 'Drag the pin to the property.',
  pressHint: 'Find the address, or press the map where the property is.',
  pin: 'The listing’s pin. Arrow keys move it.',
  byHand: 'The pin is where you put it.',
  byAddress: 'The pin is where the address points.',
  unplaced: 'There is no pin yet.',
  onSave: 'When you save, we place it by the address.',
  find: 'Find the address',
  removePin: 'Remove the pin',
  coordinates: 'Type the coordinates',
  coordinatesHint: 'If this is empty, we place it by the address.',
  addressFirst: 'Fill in the address first.',
  foundNumber: 'Address found.',
  foundStreet: 'We found the street but not the number: check the pin.',
  notFound: 'We could not find that address. Check it, or place the pin yourself.',
  cannotFind: 'Addresses cannot be looked up now. Try again later, or place the pin yourself.',
  failed: 'The lookup failed. Try again.',
  tooOften: (wait) => `You looked up many addresses in a row. You can look up more in ${wait}.`,
  shown: 'What public pages show',
  exact: 'The exact location',
  exactHint: 'The pin, and the address with its number.',
  approximate: 'The area only',
  approximateHint: `A circle with a radius of ${roughRadius} metres, and the street without the exact number.`,
  showExact: 'Show the exact location',
  showApproximate: 'Show the area only',
  isExact: 'Public pages show the exact location.',
  isApproximate: (address) =>
    address === null
      ? 'Public pages show the area only, without the address.'
      : `Public pages show the area only: “${address}”.`,
  revealsNumber: 'The title or description contains the street number, and both are shown as written.',
}
