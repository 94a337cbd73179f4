/**
 * Español (Argentina): las fotos de una propiedad, desde archivos o por URL, y su orden.
 */

export const photos = {
  photos: {
    of: (count: number, most: number) => `${count} de ${most}`,
    rules: (megabytes: number) =>
      `JPEG, PNG o WebP, de hasta ${megabytes} MB cada una. La primera es la portada.`,
    toPublish: (count: number) =>
      count === 1 ? 'Falta 1 foto para poder publicar.' : `Faltan ${count} fotos para poder publicar.`,
    fewest: (count: number) =>
      `Una propiedad publicada necesita al menos ${count} fotos. Para quitar una, antes agregá otra.`,
    full: (most: number) => `Ya tiene ${most} fotos, el máximo. Para agregar otra, antes quitá una.`,
    none: 'Todavía no hay fotos',
    cover: 'Portada',
    keys: 'Para cambiar el orden, arrastrá la foto o usá las flechas del teclado sobre este botón.',
    move: (index: number, count: number) => `Mover la foto ${index} de ${count}`,
    earlier: (index: number) => `Poner antes la foto ${index}`,
    later: (index: number) => `Poner después la foto ${index}`,
    makeCover: (index: number) => `Usar la foto ${index} como portada`,
    remove: (index: number) => `Quitar la foto ${index}`,
    removeNow: 'Sí, quitar',
    addOne: 'Agregar una foto',
    choose: 'Elegir fotos',
    takePicture: 'Sacar una foto',
    drop: 'o arrastralas hasta acá',
    upload: 'Subir la foto',
    waiting: 'En espera',
    preparing: 'Preparando…',
    sending: (percent: string) => `Subiendo: ${percent}%`,
    dismiss: 'Quitar de la lista',
    noRoom: (most: number) => `No entra: una propiedad puede tener hasta ${most} fotos.`,
    tooSlow:
      'La conexión era demasiado lenta y la foto no terminó de subir. Probá de nuevo con una mejor conexión o con una foto más chica.',
    heic: 'Este navegador no puede leer fotos HEIC. Subila desde el iPhone, que la convierte solo, o guardala antes como JPEG.',
    offline: 'Se cortó la conexión. Probá de nuevo.',
    sessionOver: 'Tu sesión terminó. Iniciá sesión en otra pestaña y probá de nuevo acá.',
    summary: (stored: string, all: string) => `Fotos subidas: ${stored} de ${all}.`,
    statuses: {
      stored: 'Guardada',
      duplicate: 'La propiedad ya tiene esta foto',
      failed: 'No se pudo guardar',
    },
    movedTo: (place: number, count: number) => `La foto quedó en el lugar ${place} de ${count}.`,
    removed: (count: number) => `Foto quitada. ${count === 1 ? 'Queda 1' : `Quedan ${count}`}.`,
    conflict:
      'Las fotos cambiaron mientras las mirabas. Las mostramos como están ahora: tu último cambio no se guardó.',
    notSaved: 'El cambio no se guardó. Probá de nuevo.',
    byUrl: 'Agregar por URL',
    urls: 'URL de las fotos',
    urlsHint: 'Una por línea, con https://. El servicio las descarga.',
    urlsAdd: 'Descargar y agregar',
    urlsNone: 'Escribí al menos una URL.',
    urlsOdd: (lines: string) =>
      `Revisá estas líneas: ${lines}. Cada una debe ser una URL pública con https://.`,
    urlsMany: (most: number) => `Son demasiadas: una propiedad puede tener hasta ${most} fotos.`,
  },
  photoWhy: {
    empty: 'El archivo está vacío. Elegí otro.',
    no_picture: 'No es una foto JPEG, PNG o WebP. Si es una foto HEIC del iPhone, subila como JPEG.',
    damaged: 'La foto está dañada o incompleta. Usá otra copia.',
    too_many_pixels: (megapixels: number) =>
      `Tiene más de ${megapixels} megapíxeles. Usá una versión más chica.`,
    too_much_memory: 'Abrirla necesita demasiada memoria. Guardala como JPEG RGB de 8 bits.',
    too_large: (megabytes: number) => `Pesa más de ${megabytes} MB. Usá una versión más chica.`,
    status: (status: number) => `El sitio respondió con el código ${status} en lugar de la foto.`,
    redirects: 'El sitio redirige demasiadas veces. Usá la URL final de la foto.',
    refused: 'El servicio no descarga de esa URL. Usá una pública, con https://.',
    no_public_ip: 'El sitio de la URL no existe o no es público. Revisá la URL.',
    no_dns: 'No se pudo encontrar el sitio a tiempo. Probá de nuevo.',
    slow: 'El sitio tardó demasiado en mandar la foto. Probá de nuevo más tarde.',
    no_location: 'El sitio redirige sin decir adónde. Usá la URL final de la foto.',
    no_certificate: 'El sitio no tiene un certificado válido. Usá otra URL, o subí la foto desde un archivo.',
    unreachable: 'No se pudo llegar al sitio, o se cortó la conexión. Probá de nuevo más tarde.',
    gone: 'Esa foto ya no es de la propiedad.',
    ours: 'No pudimos guardarla. Probá de nuevo.',
  },
}
