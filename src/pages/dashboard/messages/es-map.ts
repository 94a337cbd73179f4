/**
 * Los textos del mapa: en la página de una propiedad y en su formulario.
 */
import { roughRadius } from '../../../listings/geocoding/rough-place.ts'

export const map = {
  zoomIn: 'Acercar',
  zoomOut: 'Alejar',
  place: 'Ubicación en el mapa',
  mapOfPlace: 'Mapa con la ubicación de la propiedad',
  dragHint: 'Arrastrá el pin hasta la propiedad.',
  pressHint: 'Buscá la dirección, o tocá el mapa donde está la propiedad.',
  pin: 'Pin de la propiedad. Se mueve con las flechas.',
  byHand: 'El pin está donde lo pusiste.',
  byAddress: 'El pin está donde indica la dirección.',
  unplaced: 'Todavía no tiene un pin.',
  onSave: 'Al guardar la ubicamos por la dirección.',
  find: 'Buscar la dirección',
  removePin: 'Quitar el pin',
  coordinates: 'Escribir las coordenadas',
  coordinatesHint: 'Con el campo vacío, la ubicamos por la dirección.',
  addressFirst: 'Primero escribí la dirección.',
  foundNumber: 'Encontramos la dirección.',
  foundStreet: 'Encontramos la calle, pero no el número: revisá el pin.',
  notFound: 'No encontramos esa dirección. Revisala, o poné el pin vos.',
  cannotFind: 'Ahora no podemos buscar direcciones. Probá de nuevo en un rato, o poné el pin vos.',
  failed: 'No se pudo buscar. Probá de nuevo.',
  tooOften: (wait: string) => `Buscaste muchas direcciones seguidas. Podés volver a buscar en ${wait}.`,
  shown: 'Qué se ve en las páginas públicas',
  exact: 'La ubicación exacta',
  exactHint: 'El pin y la dirección con su número.',
  approximate: 'Solo la zona',
  approximateHint: `Un círculo de ${roughRadius} metros de radio, y la calle sin el número exacto.`,
  showExact: 'Mostrar la ubicación exacta',
  showApproximate: 'Mostrar solo la zona',
  isExact: 'Las páginas públicas muestran la ubicación exacta.',
  isApproximate: (address: string | null) =>
    address === null
      ? 'Las páginas públicas muestran solo la zona, sin la dirección.'
      : `Las páginas públicas muestran solo la zona: «${address}».`,
  revealsNumber: 'El título o la descripción contienen el número de la dirección, y se muestran tal cual.',
}
