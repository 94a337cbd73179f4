/** Texts of the to-do list, on the first page and at each listing. */
import { counted, filled, text } from '../../../platform/web/language/both-languages.ts'
import { listingWords } from '../../../platform/web/language/listing-words.ts'

const { listingCount, publishedCount } = listingWords

export const work = {
  page: {
    title: text('Para hacer', 'To do'),
    subtitle: text(
      'Lo que hay que resolver, lo más útil primero.',
      'What needs attention, most useful first.',
    ),
    done: text('Todo al día', 'All done'),
    doneText: text(
      'No hay nada pendiente. Si una foto, una dirección o una clave necesita atención, aparece acá.',
      'Nothing is waiting. When a photo, an address or a key needs attention, you will see it here.',
    ),
    moreThan: filled((count: string) => [`más de ${count}`, `more than ${count}`]),
    photos: {
      title: filled((count: string) => [
        `${listingCount.es(count)} con fotos que no se guardaron`,
        `${listingCount.en(count)} with photos that were not saved`,
      ]),
      heading: text('Fotos que no se guardaron', 'Photos that were not saved'),
      review: text('Revisar las fotos', 'Review the photos'),
      none: text('No hay fotos con problemas', 'No photos with problems'),
    },
    pins: {
      title: counted(
        ['# pin lejos de la Argentina', '# pines lejos de la Argentina'],
        ['# pin far from Argentina', '# pins far from Argentina'],
      ),
      text: text(
        'Las coordenadas parecen invertidas, o les falta el signo menos.',
        'The coordinates seem to be swapped, or lack a minus sign.',
      ),
      use: filled((lat: string, lng: string) => [`Mover a ${lat}, ${lng}`, `Move it to ${lat}, ${lng}`]),
    },
    unplaced: {
      title: counted(
        ['# dirección sin ubicar en el mapa', '# direcciones sin ubicar en el mapa'],
        ['# address not found on the map', '# addresses not found on the map'],
      ),
      text: text(
        'Sin pin, la propiedad no aparece en el mapa. Corregí la dirección o poné el pin a mano.',
        'Without a pin, the listing is not on the map. Correct the address or place the pin by hand.',
      ),
      heading: text('Direcciones sin ubicar en el mapa', 'Addresses not found on the map'),
      review: text('Ubicarlas', 'Place them'),
      place: text('Ubicar', 'Place it'),
      none: text('Todas las direcciones tienen su pin', 'Every address has its pin'),
    },
    drafts: {
      ready: counted(
        ['# borrador listo para publicar', '# borradores listos para publicar'],
        ['# draft ready to publish', '# drafts ready to publish'],
      ),
      nearly: counted(
        ['# borrador casi listo', '# borradores casi listos'],
        ['# draft nearly ready', '# drafts nearly ready'],
      ),
      isReady: text('Listo para publicar', 'Ready to publish'),
      lacks: text('Falta:', 'Missing:'),
      see: text('Ver los borradores', 'View the drafts'),
    },
    keys: {
      failing: filled((name: string) => [`La clave «${name}» está fallando`, `The key “${name}” is failing`]),
      failingText: filled((failures: string, requests: string) => [
        `Fallaron ${failures} de ${requests} solicitudes desde ayer. El error más frecuente:`,
        `${failures} of ${requests} requests have failed since yesterday. The most frequent error:`,
      ]),
      last: text('El último:', 'The last one:'),
      ended: filled((name: string) => [
        `Un sistema sigue usando la clave «${name}», que ya no sirve`,
        `A system still uses the key “${name}”, which no longer works`,
      ]),
      endedText: counted(
        [
          'Rechazamos # solicitud desde ayer. Poné una clave vigente en ese sistema.',
          'Rechazamos # solicitudes desde ayer. Poné una clave vigente en ese sistema.',
        ],
        [
          '# request has been refused since yesterday. Give that system a key that works.',
          '# requests have been refused since yesterday. Give that system a key that works.',
        ],
      ),
      silent: filled((name: string) => [
        `La clave «${name}» dejó de usarse`,
        `The key “${name}” has gone silent`,
      ]),
      silentText: filled((date: string) => [
        `La última solicitud fue el ${date}. Fijate si el sistema que la usa se detuvo.`,
        `Its last request was on ${date}. Check whether the system that uses it has stopped.`,
      ]),
      errors: text('Ver sus errores', 'View its errors'),
      requests: text('Ver sus solicitudes', 'View its requests'),
      see: text('Ver la clave', 'View key'),
    },
    mails: {
      title: text(
        'No pudimos enviarle correos a la inmobiliaria',
        'Emails to the agency could not be delivered',
      ),
      text: counted(
        ['# notificación sin entregar.', '# notificaciones sin entregar.'],
        ['# notification was not delivered.', '# notifications were not delivered.'],
      ),
      fix: text('Corregir el correo', 'Correct the email'),
    },
    stale: {
      title: filled((count: string, days: number) => [
        `${publishedCount.es(count)} sin cambios en ${days} días`,
        `${publishedCount.en(count)} unchanged for ${days} days`,
      ]),
      text: text(
        'Revisá que sigan disponibles y con el precio al día.',
        'Check that they are still available and their prices up to date.',
      ),
      see: text('Ver las propiedades', 'View the listings'),
    },
    start: {
      title: text('Para empezar', 'Getting started'),
      listing: text('Cargá la primera propiedad', 'Create the first listing'),
      listingText: text(
        'Precio, dirección, fotos. Queda como borrador hasta que la publiques.',
        'Price, address, photos. It stays a draft until you publish it.',
      ),
      key: text('O conectá un sistema', 'Or connect a system'),
    },
    figures: text('En números', 'In figures'),
  },
  warnings: {
    title: text('Necesita atención', 'Needs attention'),
    photos: counted(
      ['Una foto no se guardó', '# fotos no se guardaron'],
      ['A photo was not saved', '# photos were not saved'],
    ),
    sent: text('Enviada por:', 'Sent by:'),
    since: filled((moment: string) => [`Falla desde el ${moment}.`, `Failing since ${moment}.`]),
    retryAll: text('Reintentar todas', 'Try all again'),
    dismiss: text('Descartar', 'Dismiss'),
    dismissAll: text('Descartar todas', 'Dismiss all'),
    others: filled((count: number) => [`Ver ${count} más`, `View ${count} more`]),
    kept: counted(
      ['Quedó una foto de más', 'Quedaron # fotos de más'],
      ['One extra photo was kept', '# extra photos were kept'],
    ),
    keptText: text(
      'Un sistema envió una lista de fotos más corta, pero una de ellas no se guardó. Por eso no se quitó ninguna.',
      'A system sent a shorter list of photos, but one of them was not saved, so none was removed.',
    ),
    removeKept: counted(
      ['Quitar esa foto', 'Quitar esas fotos'],
      ['Remove that photo', 'Remove those photos'],
    ),
    leaveKept: text('Dejar como está', 'Leave as it is'),
    seePhotos: text('Ver las fotos', 'View the photos'),
    unresolved: text('La dirección no está ubicada en el mapa', 'The address was not found on the map'),
    unresolvedText: text(
      'Sin pin, la propiedad no aparece en el mapa de la página pública.',
      'Without a pin, the listing is not on the map of its public page.',
    ),
    editAddress: text('Corregir la dirección', 'Correct the address'),
    lookUp: text('Buscarla de nuevo', 'Look it up again'),
    misplaced: filled((lat: string, lng: string) => [
      `El pin está lejos de la Argentina: ${lat}, ${lng}`,
      `The pin is far from Argentina: ${lat}, ${lng}`,
    ]),
    approximate: text(
      'El pin está en la calle, no en el número',
      'The pin is on the street, not at the number',
    ),
    abroad: text(
      'El pin está fuera de la Argentina. Si es correcto, no hace falta hacer nada.',
      'The pin is outside Argentina. If that is right, there is nothing to do.',
    ),
    movePin: text('Mover el pin', 'Move the pin'),
  },
}
