/**
 * Español (Argentina): lo que hay para hacer, en el inicio y en cada propiedad.
 */

const listings = (count: string): string => (count === '1' ? '1 propiedad' : `${count} propiedades`)

export const work = {
  page: {
    title: 'Para hacer',
    subtitle: 'Lo que hay que resolver, lo más útil primero.',
    done: 'Todo al día',
    doneText: 'No hay nada pendiente. Si una foto, una dirección o una clave necesita atención, aparece acá.',
    moreThan: (count: string) => `más de ${count}`,
    photos: {
      title: (count: string) => `${listings(count)} con fotos que no se guardaron`,
      heading: 'Fotos que no se guardaron',
      review: 'Revisar las fotos',
      none: 'No hay fotos con problemas',
    },
    pins: {
      title: (count: string) =>
        count === '1' ? '1 pin lejos de la Argentina' : `${count} pines lejos de la Argentina`,
      text: 'Las coordenadas parecen invertidas, o les falta el signo menos.',
      use: (lat: string, lng: string) => `Mover a ${lat}, ${lng}`,
    },
    places: {
      title: (count: string) =>
        count === '1' ? '1 dirección sin ubicar en el mapa' : `${count} direcciones sin ubicar en el mapa`,
      text: 'Sin pin, la propiedad no aparece en el mapa. Corregí la dirección o poné el pin a mano.',
      heading: 'Direcciones sin ubicar en el mapa',
      review: 'Ubicarlas',
      place: 'Ubicar',
      none: 'Todas las direcciones tienen su pin',
    },
    drafts: {
      ready: (count: string) =>
        count === '1' ? '1 borrador listo para publicar' : `${count} borradores listos para publicar`,
      nearly: (count: string) =>
        count === '1' ? '1 borrador casi listo' : `${count} borradores casi listos`,
      isReady: 'Listo para publicar',
      lacks: 'Falta:',
      see: 'Ver los borradores',
    },
    keys: {
      failing: (name: string) => `La clave «${name}» está fallando`,
      failingText: (failures: string, requests: string) =>
        `Fallaron ${failures} de ${requests} solicitudes desde ayer. El error más frecuente:`,
      last: 'El último:',
      ended: (name: string) => `Un sistema sigue usando la clave «${name}», que ya no sirve`,
      endedText: (count: string) =>
        count === '1'
          ? 'Rechazamos 1 solicitud desde ayer. Poné una clave vigente en ese sistema.'
          : `Rechazamos ${count} solicitudes desde ayer. Poné una clave vigente en ese sistema.`,
      silent: (name: string) => `La clave «${name}» dejó de usarse`,
      silentText: (date: string) =>
        `La última solicitud fue el ${date}. Fijate si el sistema que la usa se detuvo.`,
      errors: 'Ver sus errores',
      requests: 'Ver sus solicitudes',
      see: 'Ver la clave',
    },
    mails: {
      title: 'No pudimos enviarle correos a la inmobiliaria',
      text: (count: string) =>
        count === '1' ? '1 notificación sin entregar.' : `${count} notificaciones sin entregar.`,
      mend: 'Corregir el correo',
    },
    stale: {
      title: (count: string, days: number) =>
        count === '1'
          ? `1 propiedad publicada sin cambios en ${days} días`
          : `${count} propiedades publicadas sin cambios en ${days} días`,
      text: 'Revisá que sigan disponibles y con el precio al día.',
      see: 'Ver las propiedades',
    },
    start: {
      title: 'Para empezar',
      listing: 'Cargá la primera propiedad',
      listingText: 'Precio, dirección, fotos. Queda como borrador hasta que la publiques.',
      key: 'O conectá un sistema',
    },
    figures: 'En números',
  },
  warnings: {
    title: 'Necesita atención',
    photos: (count: number) => (count === 1 ? 'Una foto no se guardó' : `${count} fotos no se guardaron`),
    sent: 'Enviada por:',
    since: (moment: string) => `Falla desde el ${moment}.`,
    retryAll: 'Reintentar todas',
    dismiss: 'Descartar',
    dismissAll: 'Descartar todas',
    others: (count: number) => (count === 1 ? 'Ver 1 más' : `Ver ${count} más`),
    kept: (count: number) => (count === 1 ? 'Quedó una foto de más' : `Quedaron ${count} fotos de más`),
    keptText:
      'Un sistema mandó una lista de fotos más corta, pero una de ellas no se guardó. Por eso no se quitó ninguna.',
    removeKept: (count: number): string => (count === 1 ? 'Quitar esa foto' : 'Quitar esas fotos'),
    leaveKept: 'Dejar como está',
    seePhotos: 'Ver las fotos',
    unresolved: 'La dirección no está ubicada en el mapa',
    unresolvedText: 'Sin pin, la propiedad no aparece en el mapa de la página pública.',
    editAddress: 'Corregir la dirección',
    lookUp: 'Buscarla de nuevo',
    misplaced: (lat: string, lng: string) => `El pin está lejos de la Argentina: ${lat}, ${lng}`,
    approximate: 'El pin está en la calle, no en el número',
    abroad: 'El pin está fuera de la Argentina. Si es correcto, no hace falta hacer nada.',
    movePin: 'Mover el pin',
  },
}
