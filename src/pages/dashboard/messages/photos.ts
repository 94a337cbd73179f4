/** Texts of a listing's photos, from files or by URL, and of their order. */
import { counted, filled, text } from '../../../platform/web/language/both-languages.ts'

export const photos = {
  photos: {
    of: filled((count: number, max: number) => [`${count} de ${max}`, `${count} of ${max}`]),
    rules: filled((megabytes: number) => [
      `JPEG, PNG o WebP, de hasta ${megabytes} MB cada una. La primera es la portada.`,
      `JPEG, PNG or WebP, up to ${megabytes} MB each. The first one is the cover.`,
    ]),
    toPublish: counted(
      ['Falta # foto para poder publicar.', 'Faltan # fotos para poder publicar.'],
      ['# more photo is needed to publish.', '# more photos are needed to publish.'],
    ),
    fewest: filled((count: number) => [
      `Una propiedad publicada necesita al menos ${count} fotos. Para quitar una, antes agregá otra.`,
      `A published listing needs at least ${count} photos. To remove one, first add another.`,
    ]),
    full: filled((max: number) => [
      `Ya tiene ${max} fotos, el máximo. Para agregar otra, antes quitá una.`,
      `It has ${max} photos, the maximum. To add another, first remove one.`,
    ]),
    none: text('Todavía no hay fotos', 'There are no photos yet'),
    cover: text('Portada', 'Cover'),
    keys: text(
      'Para cambiar el orden, arrastrá la foto o usá las flechas del teclado sobre este botón.',
      'To change the order, drag the photo or press the arrow keys on this button.',
    ),
    move: filled((index: number, count: number) => [
      `Mover la foto ${index} de ${count}`,
      `Move photo ${index} of ${count}`,
    ]),
    earlier: filled((index: number) => [`Poner antes la foto ${index}`, `Move photo ${index} earlier`]),
    later: filled((index: number) => [`Poner después la foto ${index}`, `Move photo ${index} later`]),
    makeCover: filled((index: number) => [
      `Usar la foto ${index} como portada`,
      `Make photo ${index} the cover`,
    ]),
    remove: filled((index: number) => [`Quitar la foto ${index}`, `Remove photo ${index}`]),
    removeNow: text('Sí, quitar', 'Yes, remove it'),
    addOne: text('Agregar una foto', 'Add a photo'),
    choose: text('Elegir fotos', 'Choose photos'),
    takePicture: text('Sacar una foto', 'Take a picture'),
    drop: text('o arrastralas hasta acá', 'or drag them here'),
    upload: text('Subir la foto', 'Upload the photo'),
    waiting: text('En espera', 'Waiting'),
    preparing: text('Preparando…', 'Preparing…'),
    sending: filled((percent: string) => [`Subiendo: ${percent}%`, `Uploading: ${percent}%`]),
    dismiss: text('Quitar de la lista', 'Remove from the list'),
    noRoom: filled((max: number) => [
      `No entra: una propiedad puede tener hasta ${max} fotos.`,
      `No room for it: a listing can have up to ${max} photos.`,
    ]),
    tooSlow: text(
      'La conexión era demasiado lenta y la foto no terminó de subir. Probá de nuevo con una mejor conexión o con una foto más chica.',
      'The connection was too slow, and the photo did not finish uploading. Try again with a better connection or a smaller photo.',
    ),
    heic: text(
      'Este navegador no puede leer fotos HEIC. Subila desde el iPhone, que la convierte solo, o guardala antes como JPEG.',
      'This browser cannot read HEIC photos. Upload it from the iPhone, which converts it, or save it as JPEG first.',
    ),
    offline: text('Se cortó la conexión. Probá de nuevo.', 'The connection was lost. Try again.'),
    sessionOver: text(
      'Tu sesión terminó. Iniciá sesión en otra pestaña y probá de nuevo acá.',
      'Your session has ended. Sign in in another tab, then try again here.',
    ),
    summary: filled((stored: string, all: string) => [
      `Fotos subidas: ${stored} de ${all}.`,
      `Photos uploaded: ${stored} of ${all}.`,
    ]),
    statuses: {
      stored: text('Guardada', 'Saved'),
      duplicate: text('La propiedad ya tiene esta foto', 'The listing already has this photo'),
      failed: text('No se pudo guardar', 'Could not be saved'),
    },
    movedTo: filled((position: number, count: number) => [
      `La foto quedó en el lugar ${position} de ${count}.`,
      `The photo is now number ${position} of ${count}.`,
    ]),
    removed: filled((count: number) => [
      `Foto quitada. ${count === 1 ? 'Queda 1' : `Quedan ${count}`}.`,
      `Photo removed. ${count} left.`,
    ]),
    conflict: text(
      'Las fotos cambiaron mientras las mirabas. Las mostramos como están ahora: tu último cambio no se guardó.',
      'The photos changed while you were looking at them. Here they are as they are now: your last change was not saved.',
    ),
    notSaved: text('El cambio no se guardó. Probá de nuevo.', 'The change was not saved. Try again.'),
    byUrl: text('Agregar por URL', 'Add by URL'),
    urls: text('URL de las fotos', 'Photo URLs'),
    urlsHint: text(
      'Una por línea, con https://. El servicio las descarga.',
      'One per line, with https://. The service downloads them.',
    ),
    urlsAdd: text('Descargar y agregar', 'Download and add'),
    urlsOdd: filled((lines: string) => [
      `Revisá estas líneas: ${lines}. Cada una debe ser una URL pública con https://.`,
      `Check these lines: ${lines}. Each must be a public URL with https://.`,
    ]),
    urlsMany: filled((max: number) => [
      `Son demasiadas: una propiedad puede tener hasta ${max} fotos.`,
      `Too many: a listing can have up to ${max} photos.`,
    ]),
  },
  photoWhy: {
    empty: text('El archivo está vacío. Elegí otro.', 'The file is empty. Choose another.'),
    no_picture: text(
      'No es una foto JPEG, PNG o WebP. Si es una foto HEIC del iPhone, subila como JPEG.',
      'It is not a JPEG, PNG or WebP photo. If it is a HEIC photo from an iPhone, upload it as JPEG.',
    ),
    damaged: text(
      'La foto está dañada o incompleta. Usá otra copia.',
      'The photo is damaged or incomplete. Use another copy.',
    ),
    too_many_pixels: filled((megapixels: number) => [
      `Tiene más de ${megapixels} megapíxeles. Usá una versión más chica.`,
      `It has more than ${megapixels} megapixels. Use a smaller version.`,
    ]),
    too_much_memory: text(
      'Abrirla necesita demasiada memoria. Guardala como JPEG RGB de 8 bits.',
      'It takes too much memory to open. Save it as an 8-bit RGB JPEG.',
    ),
    too_large: filled((megabytes: number) => [
      `Pesa más de ${megabytes} MB. Usá una versión más chica.`,
      `It is larger than ${megabytes} MB. Use a smaller version.`,
    ]),
    status: filled((status: number) => [
      `El sitio respondió con el código ${status} en lugar de la foto.`,
      `The site answered with status ${status} instead of the photo.`,
    ]),
    redirects: text(
      'El sitio redirige demasiadas veces. Usá la URL final de la foto.',
      'The site redirects too many times. Use the final URL of the photo.',
    ),
    refused: text(
      'El servicio no descarga de esa URL. Usá una pública, con https://.',
      'The service does not download from that URL. Use a public one with https://.',
    ),
    no_public_ip: text(
      'El sitio de la URL no existe o no es público. Revisá la URL.',
      'The site in the URL does not exist or is not public. Check the URL.',
    ),
    no_dns: text(
      'No se pudo encontrar el sitio a tiempo. Probá de nuevo.',
      'The site could not be found in time. Try again.',
    ),
    slow: text(
      'El sitio tardó demasiado en enviar la foto. Probá de nuevo más tarde.',
      'The site took too long to send the photo. Try again later.',
    ),
    no_location: text(
      'El sitio redirige sin decir adónde. Usá la URL final de la foto.',
      'The site redirects without saying where. Use the final URL of the photo.',
    ),
    no_certificate: text(
      'El sitio no tiene un certificado válido. Usá otra URL, o subí la foto desde un archivo.',
      'The site has no valid certificate. Use another URL, or upload the photo from a file.',
    ),
    unreachable: text(
      'No se pudo conectar con el sitio, o se cortó la conexión. Probá de nuevo más tarde.',
      'The site could not be reached, or the connection was lost. Try again later.',
    ),
    gone: text('Esa foto ya no es de la propiedad.', 'That photo no longer belongs to the listing.'),
    ours: text('No pudimos guardarla. Probá de nuevo.', 'We could not save it. Try again.'),
  },
}
