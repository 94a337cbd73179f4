/** Texts of the listings' pages, beside the words that public pages share (`listingWords`). */
import type { SystemName } from '../../../writing/actor.ts'
import { counted, filled, type Text, text } from '../../../platform/web/language/both-languages.ts'

const photosAdded = counted(['# agregada', '# agregadas'], ['# added', '# added'])
const photosRemoved = counted(['# quitada', '# quitadas'], ['# removed', '# removed'])
const suspensions = counted(['# suspensión', '# suspensiones'], ['# suspension', '# suspensions'])
const publications = counted(['# publicación', '# publicaciones'], ['# publication', '# publications'])

export const listings = {
  subtitle: text(
    'Las que cargaron los sistemas de la inmobiliaria y las que se cargaron acá.',
    'Listings sent by the agency’s systems or created here.',
  ),
  untitled: text('Sin título', 'Untitled'),
  tabs: {
    all: text('Todas', 'All'),
    published: text('Publicadas', 'Published'),
    draft: text('Borradores', 'Drafts'),
    disabled: text('Suspendidas', 'Suspended'),
    removed: text('Eliminadas', 'Removed'),
  },
  statuses: {
    published: text('Publicada', 'Published'),
    draft: text('Borrador', 'Draft'),
    disabled: text('Suspendida', 'Suspended'),
    removed: text('Eliminada', 'Removed'),
  },
  operations: {
    sale: text('Venta', 'Sale'),
    rent: text('Alquiler', 'Rent'),
    temporary: text('Alquiler temporario', 'Short-term rental'),
  },
  noPrice: text('Sin precio', 'No price'),
  range: filled((first: string, last: string, total: string) => [
    `${first}–${last} de ${total}`,
    `${first}–${last} of ${total}`,
  ]),
  asCards: text('Ver como tarjetas', 'View as cards'),
  searchHint: text('Título, lugar o código', 'Title, place or code'),
  operation: text('Operación', 'Operation'),
  type: text('Tipo', 'Type'),
  anyOperation: text('Todas', 'Any'),
  anyType: text('Todos', 'Any'),
  anyCurrency: text('Todas', 'Any'),
  sort: text('Ordenar por', 'Sort by'),
  sorts: {
    recent: text('Más nuevas', 'Newest'),
    updated: text('Último cambio', 'Last updated'),
    price_asc: text('Menor precio', 'Lowest price'),
    price_desc: text('Mayor precio', 'Highest price'),
  },
  moreFilters: text('Más filtros', 'More filters'),
  city: text('Ciudad', 'City'),
  currency: text('Moneda', 'Currency'),
  needsCurrency: text('Elegí la moneda del precio.', 'Choose a currency for the price.'),
  minPrice: text('Precio desde', 'Min. price'),
  maxPrice: text('Precio hasta', 'Max. price'),
  minBedrooms: text('Dormitorios desde', 'Min. bedrooms'),
  minBathrooms: text('Baños desde', 'Min. bathrooms'),
  minArea: text('Superficie desde (m²)', 'Min. area (m²)'),
  maxArea: text('Superficie hasta (m²)', 'Max. area (m²)'),
  externalId: text('ID externo', 'External ID'),
  code: text('Código', 'Code'),
  none: text('Todavía no hay propiedades', 'No listings yet'),
  noneText: text(
    'Cargá la primera acá, o desde un sistema por la API.',
    'Create the first one here, or send it from a system through the API.',
  ),
  noneOfThese: text('No hay propiedades en este estado', 'No listings in this state'),
  noneOfTheseText: text('Elegí otro estado para ver las demás.', 'Choose another state to see the rest.'),
  noneFound: text('Ninguna propiedad coincide', 'No listings match'),
  noneFoundText: text(
    'Probá con menos filtros o con otras palabras.',
    'Try fewer filters or different words.',
  ),
  removedText: text(
    'La API ya no las muestra. Su historial se conserva acá, y el operador puede restaurarlas.',
    'The API no longer shows them. Their history is kept here, and the operator can restore them.',
  ),
  publicPage: text('Página pública', 'Public page'),
  isRemoved: filled((moment: string) => [`Eliminada el ${moment}.`, `Removed on ${moment}.`]),
  photosMoved: filled((added: number, removed: number) => [
    [added > 0 && photosAdded.es(added), removed > 0 && photosRemoved.es(removed)]
      .filter(Boolean)
      .join(', ') || 'otro orden',
    [added > 0 && photosAdded.en(added), removed > 0 && photosRemoved.en(removed)]
      .filter(Boolean)
      .join(', ') || 'reordered',
  ]),
  noPhotos: text('Sin fotos', 'No photos'),
  details: text('Características', 'Details'),
  videos: text('Videos y recorridos', 'Videos and tours'),
  lacks: counted(['Falta # dato', 'Faltan # datos'], ['# item missing', '# items missing']),
  noAddress: text('La propiedad no tiene dirección.', 'The listing has no address.'),
  locations: {
    resolved: text('El pin está en el número exacto.', 'The pin is at the exact street number.'),
    approximate: text(
      'El pin está en la calle: no se encontró el número.',
      'The pin is on the street; the number was not found.',
    ),
    manual: text(
      'El pin lo puso una persona, o lo envió un sistema.',
      'A person placed the pin, or a system sent it.',
    ),
    unresolved: text(
      'No pudimos ubicar la dirección en el mapa. Vamos a probar de nuevo.',
      'The address could not be placed on the map. We will try again.',
    ),
  },
  precisions: {
    resolved: text('Exacta', 'Exact'),
    approximate: text('Aproximada', 'Approximate'),
    manual: text('Pin puesto a mano', 'Pin placed by hand'),
    unresolved: text('Sin ubicar', 'Not placed'),
  },
  mapOf: filled((lat: string, lng: string) => [
    `Mapa de la Argentina con el pin en ${lat}, ${lng}`,
    `Map of Argentina with the pin at ${lat}, ${lng}`,
  ]),
  openMap: text('Abrir en OpenStreetMap', 'Open in OpenStreetMap'),
  publish: text('Publicar', 'Publish'),
  publishLater: text(
    'Vas a poder publicarla cuando esté completa.',
    'You can publish it once it is complete.',
  ),
  suspend: text('Suspender', 'Suspend'),
  suspendNow: text('Suspender la propiedad', 'Suspend the listing'),
  correctClosing: text('Corregir el motivo o el cierre', 'Correct the reason or closing'),
  closingKept: text(
    'Para «Vendida» y «Alquilada». Lo que dejes vacío queda como está.',
    'For “Sold” and “Rented”. What you leave empty stays as it is.',
  ),
  closingHint: text(
    'Opcional, para «Vendida» y «Alquilada»: el precio real y la fecha.',
    'Optional, for “Sold” and “Rented”: the actual price and date.',
  ),
  reserve: text('Reservar', 'Reserve'),
  release: text('Liberar la reserva', 'Release the reservation'),
  delete: text('Eliminar', 'Remove'),
  deleteText: text(
    'La propiedad desaparece de la API y de las páginas públicas. Solo el operador puede restaurarla.',
    'The listing disappears from the API and the public pages. Only the operator can restore it.',
  ),
  deleteNow: text('Sí, eliminar', 'Yes, remove it'),
  limitsHint: filled((changes: string, disables: string, enables: string) => [
    `Hasta ${changes} cambios de estado en 24 horas: entre ellos, ${suspensions.es(disables)} y ${publications.es(enables)} como máximo. Cuentan los del panel y los de la API.`,
    `Up to ${changes} state changes in 24 hours, with at most ${suspensions.en(disables)} and ${publications.en(enables)}. Changes in the dashboard and through the API both count.`,
  ]),
  operatorRestores: text(
    'El operador puede restaurarla: pedíselo con el código de la propiedad.',
    'The operator can restore it: give them the listing’s code.',
  ),
  restore: text('Restaurar', 'Restore'),
  restoreText: text(
    'Si era un borrador, vuelve como borrador. Si no, vuelve suspendida.',
    'A draft comes back as a draft; any other listing comes back suspended.',
  ),
  restoreChoice: text('Otra propiedad usa ahora su ID externo', 'Another listing now has its external ID'),
  restoreNone: text('Restaurar sin ID externo', 'Restore without an external ID'),
  restoreOther: text('Restaurar con este ID externo:', 'Restore with this external ID:'),
  history: text('Historial', 'History'),
  noLongerKept: text(
    'El detalle de las notificaciones de este cambio ya no se conserva.',
    'Notification details for this change are no longer kept.',
  ),
  changed: counted(['Cambió # campo', 'Cambiaron # campos'], ['# field changed', '# fields changed']),
  changedBack: text('Al final quedó todo como estaba.', 'In the end, everything was as before.'),
  each: filled((count: number) => [
    `Ver los ${count} cambios uno por uno`,
    `View the ${count} changes one by one`,
  ]),
  eachLess: text('Ver agrupado', 'View grouped'),
  newer: text('Más recientes', 'Newer'),
  older: text('Anteriores', 'Older'),
  whole: text('Todo el texto', 'Whole text'),
  field: text('Campo', 'Field'),
  from: text('Antes', 'Before'),
  to: text('Después', 'After'),
  actions: {
    created: text('Creada', 'Created'),
    updated: text('Editada', 'Edited'),
    closing_recorded: text('Cierre registrado', 'Closing recorded'),
    photos_added: text('Fotos agregadas', 'Photos added'),
  },
  by: {
    key: filled((name: string) => [`clave «${name}»`, `key “${name}”`]),
    person: filled((name: string) => [name, name]),
    operator: filled((name: string) => [`operador (${name})`, `operator (${name})`]),
    system: filled((name: string) => [`el servicio (${name})`, `the service (${name})`]),
  },
  /** The part of the service that acted. */
  systems: {
    'command line': text('línea de comandos', 'command line'),
    geocoder: text('geocodificador', 'geocoder'),
    demonstration: text('datos de demostración', 'demonstration data'),
    'test environment': text('entorno de prueba', 'test environment'),
  } satisfies Record<SystemName, Text<string>>,
  /** Facts that the history records besides fields. */
  recorded: {
    approximate_place: text('Solo la zona en páginas públicas', 'Area only on public pages'),
    close_reason: text('Motivo', 'Reason'),
    closed_at: text('Fecha de cierre', 'Closing date'),
    close_price: text('Precio de cierre', 'Closing price'),
    deleted: text('Eliminada', 'Removed'),
  },
}
