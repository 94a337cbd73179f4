/** Texts of a listing's form. */
import { listSizes, sizeLimits } from '../../../limits/sizes.ts'
import { filled, text } from '../../../platform/web/language/both-languages.ts'

export const form = {
  create: text('Nueva propiedad', 'New listing'),
  edit: text('Editar', 'Edit'),
  editOf: filled((title: string) => [`Editar: ${title}`, `Edit: ${title}`]),
  correctPrice: text('Corregir el precio', 'Correct the price'),
  priceOf: filled((title: string) => [`Precio de ${title}`, `Price of ${title}`]),
  sections: {
    operation: text('Operación y tipo', 'Operation and type'),
    price: text('Precio y expensas', 'Price and building fees'),
    place: text('Dirección', 'Address'),
    features: text('Ambientes y características', 'Rooms and features'),
    texts: text('Título y descripción', 'Title and description'),
    more: text('Comodidades y videos', 'Amenities and videos'),
    rental: text('Condiciones del alquiler', 'Rental terms'),
    system: text('Otros sistemas', 'Other systems'),
  },
  choose: text('Elegí una opción', 'Choose one'),
  chooseShort: text('Elegí', 'Choose'),
  notSaid: text('Sin indicar', 'Not stated'),
  /** Comes after «Moneda», for screen readers. */
  currencyOf: {
    'price.currency': text('del precio', 'of the price'),
    'expenses.currency': text('de las expensas', 'of the building fees'),
  },
  onRequestHint: text('Se publica sin importe.', 'Published without an amount.'),
  onlyForLots: filled((fields: string) => [
    `De un lote solo se publican: ${fields}.`,
    `A lot shows only: ${fields}.`,
  ]),
  onePerLine: text('Un elemento por línea.', 'One per line.'),
  suggestions: text('Agregar', 'Add'),
  photosLater: text('Guardá el borrador para agregar las fotos.', 'Save the draft to add photos.'),
  addPhotos: text('Agregar fotos', 'Add photos'),
  managePhotos: text('Ordenar y agregar', 'Reorder and add'),
  coordinates: text('Coordenadas', 'Coordinates'),
  hints: {
    address: text(
      'Con esta dirección ubicamos la propiedad en el mapa.',
      'Used to place the listing on the map.',
    ),
    description: text('Los saltos de línea se conservan.', 'Line breaks are kept.'),
    video_urls: text(
      `Una URL por línea, hasta ${sizeLimits.videos_per_listing}.`,
      `One URL per line, up to ${sizeLimits.videos_per_listing}.`,
    ),
    external_id: text(
      'El código de la propiedad en el sistema de la inmobiliaria, si usa uno.',
      'The listing’s code in the agency’s own system, if it uses one.',
    ),
  },
  examples: {
    address: text('Av. Corrientes 1234, 5.º B', 'Av. Corrientes 1234, 5.º B'),
    title: text(
      'Departamento de 3 ambientes con balcón en Palermo',
      '3-room apartment with balcony in Palermo',
    ),
  },
  autosave: text('Se guarda solo mientras escribís.', 'Saved as you type.'),
  byButton: text(
    'Los cambios se guardan cuando tocás el botón.',
    'Changes are saved when you press the button.',
  ),
  isPublic: text(
    'Está publicada: los cambios se ven cuando los guardás.',
    'It is published: changes show once you save them.',
  ),
  saving: text('Guardando…', 'Saving…'),
  saved: filled((time: string) => [`Guardado a las ${time}`, `Saved at ${time}`]),
  savedBut: filled((time: string) => [
    `Guardado a las ${time}, menos los campos marcados`,
    `Saved at ${time}, except the marked fields`,
  ]),
  unsaved: text('Hay cambios sin guardar.', 'There are unsaved changes.'),
  offline: text(
    'Sin conexión. Lo que escribiste sigue acá, y se guarda cuando vuelva la conexión.',
    'No connection. What you wrote is still here, and will be saved when the connection is back.',
  ),
  kept: text(
    'Recuperamos lo que habías escrito y todavía no se había guardado.',
    'We brought back what you had written but not saved.',
  ),
  keptDiscard: text('Descartarlo', 'Discard it'),
  failed: text('No se pudo guardar. Vamos a probar de nuevo.', 'Could not save. We will try again.'),
  signInAgain: text(
    'Tu sesión terminó. Iniciá sesión en otra pestaña y seguí escribiendo acá: no se pierde nada.',
    'Your session has ended. Sign in in another tab and keep writing here: nothing is lost.',
  ),
  missingText: text('Para publicarla, completá:', 'To publish it, fill in:'),
  nothingMissing: text('Está completa: ya podés publicarla.', 'It is complete: you can publish it.'),
  photosLeft: filled((count: number, min: number) => [
    `Fotos (${count} de ${min})`,
    `Photos (${count} of ${min})`,
  ]),
  saveDraft: text('Guardar borrador', 'Save draft'),
  saveChanges: text('Guardar los cambios', 'Save changes'),
  publish: text('Guardar y publicar', 'Save and publish'),
  empty: text('Completá al menos un campo.', 'Fill in at least one field.'),
  duplicate: text('Ya hay una propiedad en esta dirección.', 'There is already a listing at this address.'),
  duplicateText: text(
    'Tiene la misma calle y número. Si son dos unidades del mismo edificio, podés cargar las dos.',
    'It has the same street and number. If they are two units of one building, you can keep both.',
  ),
  duplicateSee: filled((title: string) => [`Ver ${title}`, `View ${title}`]),
  duplicateCreate: text('Cargarla igual', 'Save it anyway'),
  needed: text('Una propiedad publicada necesita este dato.', 'A published listing needs this.'),
  neededToPublish: text('Hace falta para publicarla.', 'Needed to publish it.'),
  conflict: text('Los mismos datos cambiaron en otro lado', 'The same fields were changed elsewhere'),
  conflictText: filled((who: string) => [
    `Esta propiedad cambió mientras escribías (${who}). Elegí qué queda en cada caso. Lo demás se combina solo.`,
    `This listing changed while you were writing (${who}). Choose what to keep in each case. Everything else is merged.`,
  ]),
  conflictOwn: text('vos, en otra pestaña o en otro equipo', 'you, in another tab or on another device'),
  conflictUnknown: text('otra persona o sistema', 'another person or system'),
  mine: text('Lo que escribiste vos', 'What you wrote'),
  theirs: text('El otro cambio', 'The other change'),
  conflictSave: text('Guardar lo elegido', 'Save what I chose'),
  wrong: {
    currency: text('Elegí la moneda.', 'Choose the currency.'),
    count: filled((max: number) => [
      `Escribí un número entero de 0 a ${max}.`,
      `Enter a whole number from 0 to ${max}.`,
    ]),
    area: text(
      'Escribí los metros cuadrados, por ejemplo 85 o 85,5.',
      'Enter square metres, such as 85 or 85.5.',
    ),
    choice: text('Elegí una opción.', 'Choose one of the options.'),
    expenses: text(
      'Escribí un importe, por ejemplo 90.000 o 1.234,56.',
      'Enter an amount, such as 90,000 or 1,234.56.',
    ),
    url: text(
      'Escribí una URL completa, que empiece con https://.',
      'Enter a full URL that starts with https://.',
    ),
    text: filled((max: number) => [`Usá ${max} caracteres como máximo.`, `Use at most ${max} characters.`]),
    list: text(
      `Escribí ${listSizes.items} elementos como máximo, de hasta ${listSizes.item} caracteres cada uno.`,
      `Enter at most ${listSizes.items} items of at most ${listSizes.item} characters each.`,
    ),
    urls: text(
      `Escribí ${sizeLimits.videos_per_listing} URL completas como máximo, que empiecen con https://.`,
      `Enter at most ${sizeLimits.videos_per_listing} full URLs that start with https://.`,
    ),
  },
  stale: filled((days: number) => [`Sin cambios en ${days} días`, `Unchanged for ${days} days`]),
  staleText: filled((days: number) => [
    `Publicadas que nadie cambió en los últimos ${days} días: revisá si el precio y los datos siguen vigentes.`,
    `Published listings that nobody has changed in the last ${days} days: check that the price and details are still correct.`,
  ]),
}
