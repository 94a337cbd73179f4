/** Texts of the map, on a listing's page and in its form. */
import { blurRadius } from '../../../listings/geocoding/blurred-place.ts'
import { filled, text } from '../../../platform/web/language/both-languages.ts'

export const map = {
  zoomIn: text('Acercar', 'Zoom in'),
  zoomOut: text('Alejar', 'Zoom out'),
  place: text('Ubicación en el mapa', 'Location on the map'),
  mapOfPlace: text('Mapa con la ubicación de la propiedad', 'Map of the listing’s location'),
  dragHint: text('Arrastrá el pin hasta la propiedad.', 'Drag the pin to the property.'),
  pressHint: text(
    'Buscá la dirección, o tocá el mapa donde está la propiedad.',
    'Find the address, or click or tap the map where the property is.',
  ),
  pin: text('Pin de la propiedad. Se mueve con las flechas.', 'The listing’s pin. Arrow keys move it.'),
  byHand: text('El pin está donde lo pusiste.', 'The pin is where you put it.'),
  byAddress: text('El pin está donde indica la dirección.', 'The pin is where the address points.'),
  unplaced: text('Todavía no tiene un pin.', 'There is no pin yet.'),
  onSave: text('Al guardar la ubicamos por la dirección.', 'When you save, we place it by the address.'),
  find: text('Buscar la dirección', 'Find the address'),
  removePin: text('Quitar el pin', 'Remove the pin'),
  coordinates: text('Escribir las coordenadas', 'Type the coordinates'),
  coordinatesHint: text(
    'Con el campo vacío, la ubicamos por la dirección.',
    'If this is empty, we place it by the address.',
  ),
  addressFirst: text('Primero escribí la dirección.', 'Fill in the address first.'),
  foundNumber: text('Encontramos la dirección.', 'Address found.'),
  foundStreet: text(
    'Encontramos la calle, pero no el número: revisá el pin.',
    'We found the street but not the number: check the pin.',
  ),
  notFound: text(
    'No encontramos esa dirección. Revisala, o poné el pin vos.',
    'We could not find that address. Check it, or place the pin yourself.',
  ),
  cannotFind: text(
    'Ahora no podemos buscar direcciones. Probá de nuevo en un rato, o poné el pin vos.',
    'Addresses cannot be looked up now. Try again later, or place the pin yourself.',
  ),
  failed: text('No se pudo buscar. Probá de nuevo.', 'The lookup failed. Try again.'),
  tooOften: filled((wait: string) => [
    `Buscaste muchas direcciones seguidas. Podés volver a buscar en ${wait}.`,
    `You looked up many addresses in a row. You can look up more in ${wait}.`,
  ]),
  shown: text('Qué se ve en las páginas públicas', 'What public pages show'),
  exact: text('La ubicación exacta', 'The exact location'),
  exactHint: text('El pin y la dirección con su número.', 'The pin, and the address with its number.'),
  blurred: text('Solo la zona', 'The area only'),
  blurredHint: text(
    `Un círculo de ${blurRadius} metros de radio, y la calle sin el número exacto.`,
    `A circle with a radius of ${blurRadius} metres, and the street without the exact number.`,
  ),
  showExact: text('Mostrar la ubicación exacta', 'Show the exact location'),
  showBlurred: text('Mostrar solo la zona', 'Show the area only'),
  isExact: text(
    'Las páginas públicas muestran la ubicación exacta.',
    'Public pages show the exact location.',
  ),
  isBlurred: filled((address: string | null) => [
    address === null
      ? 'Las páginas públicas muestran solo la zona, sin la dirección.'
      : `Las páginas públicas muestran solo la zona: «${address}».`,
    address === null
      ? 'Public pages show the area only, without the address.'
      : `Public pages show the area only: “${address}”.`,
  ]),
  revealsNumber: text(
    'El título o la descripción contienen el número de la dirección, y se muestran tal cual.',
    'The title or description contains the street number, and both are shown as written.',
  ),
}
