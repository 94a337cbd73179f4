/** English: maps. */
import type { mapSpanish } from './phrases-es-map.ts'

export const mapEnglish: typeof mapSpanish = {
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  mapOfListing: 'Map of the property’s location',
  mapOfListings: 'Map of the properties',
  showMap: 'Show on the map',
  approximateArea: 'The property is within this area. Ask the agency for the exact address.',
  listingsHere: (count) => `${count} properties here`,
  noPins: 'None of these properties is on the map.',
  somePins: (count) => `The map shows the first ${count}. Narrow the search to see the others.`,
  mapFailed: 'The map could not be loaded. Try again in a while.',
}
