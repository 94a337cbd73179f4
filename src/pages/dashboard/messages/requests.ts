/** Texts of the request log, and of the first steps with a key. */
import { filled, text } from '../../../platform/web/language/both-languages.ts'

export const requests = {
  title: text('Solicitudes', 'Requests'),
  text: filled((days: number, refusals: number) => [
    `Las de los últimos ${days} días, con su ID. De las rechazadas (401, 403 y 429) se guardan unas ${refusals} por minuto, clave y error; los totales por día las cuentan todas.`,
    `Requests of the last ${days} days, with their IDs. Of those refused (401, 403 and 429), about ${refusals} a minute are kept for each key and error; the daily totals count them all.`,
  ]),
  list: text('Lista', 'List'),
  kinds: text('Errores por tipo', 'Errors by kind'),
  search: text('Buscar por ID (X-Request-Id)', 'Find by ID (X-Request-Id)'),
  find: text('Buscar', 'Find'),
  request: text('Solicitud', 'Request'),
  id: text('ID', 'ID'),
  any: text('Todos', 'All'),
  allKeys: text('Todas las claves', 'All keys'),
  method: text('Método', 'Method'),
  path: text('Ruta', 'Path'),
  pathHint: text('Cómo empieza. * vale por cualquier texto.', 'How it begins. * stands for any text.'),
  classes: {
    '2': text('2xx: correctas', '2xx: succeeded'),
    '3': text('3xx: sin cambios', '3xx: unchanged'),
    '4': text('4xx: rechazadas', '4xx: refused'),
    '5': text('5xx: fallas del servicio', '5xx: service failures'),
  },
  code: text('Código de error', 'Error code'),
  parameter: text('Parámetro', 'Parameter'),
  took: text('Duración', 'Duration'),
  none: text('No hay solicitudes', 'No requests'),
  noneText: text(
    'Ninguna coincide. De las rechazadas, algunas solo se cuentan, no se guardan.',
    'None match. Some of the refused ones are only counted, not kept.',
  ),
  partly: filled((moment: string) => [`Se buscó hasta el ${moment}.`, `Searched back to ${moment}.`]),
  goOn: text('Seguir buscando hacia atrás', 'Search further back'),
  earlier: text('Anteriores', 'Earlier'),
  latest: text('Volver a las últimas', 'Back to the latest'),
  kind: text('Error', 'Error'),
  times: text('Veces', 'Times'),
  last: text('Última vez', 'Last time'),
  example: text('Ver la última', 'View the latest'),
  response: text('Respuesta', 'Response'),
  noDetail: text('La respuesta tuvo solo su código de estado.', 'The response had only its status.'),
  success: text('La solicitud se completó.', 'The request succeeded.'),
  someFailed: filled((failed: number, all: number) => [
    `${failed === 1 ? 'Falló' : 'Fallaron'} ${failed} de ${all} ${all === 1 ? 'operación' : 'operaciones'}.`,
    `${failed} of ${all} ${all === 1 ? 'operation' : 'operations'} failed.`,
  ]),
  docs: text('Qué significa y cómo resolverlo', 'What it means and how to fix it'),
  english: text('Los mensajes de la API están en inglés.', 'The API’s messages are in English.'),
  message: text('Mensaje', 'Message'),
  errors: text('Parámetros con error', 'Invalid parameters'),
  warnings: text('Advertencias', 'Warnings'),
  items: text('Operaciones del lote', 'Operations of the batch'),
  item: text('Operación', 'Operation'),
  missing: text('Falta para publicar', 'Still needed to publish'),
  limits: text('Límites alcanzados', 'Limits reached'),
  sender: text('Enviada por (User-Agent)', 'Sent by (User-Agent)'),
  replay: text(
    'Repetida: se devolvió la respuesta guardada con su Idempotency-Key.',
    'Repeated: the response stored under its Idempotency-Key was returned.',
  ),
  dryRun: text('Ensayo (dry_run): no se guardó nada.', 'Dry run: nothing was stored.'),
  leftOut: filled((count: number) => [
    count === 1
      ? 'Hay 1 más que no se guardó, por su extensión.'
      : `Hay ${count} más que no se guardaron, por su extensión.`,
    count === 1
      ? '1 more was not kept because of its length.'
      : `${count} more were not kept because of their length.`,
  ]),
  notKept: text(
    'El cuerpo y los parámetros de la URL no se guardan.',
    'Bodies and URL parameters are not kept.',
  ),
  goneText: filled((days: number) => [
    `Las solicitudes se guardan ${days} días. De las rechazadas, algunas solo se cuentan.`,
    `Requests are kept for ${days} days, and some of the refused ones are only counted.`,
  ]),
  firstSteps: text('Primeros pasos', 'First steps'),
  firstStepsText: text(
    'Copiá y ejecutá esta solicitud. La clave ya está puesta.',
    'Copy and run this request. The key is already in it.',
  ),
  inVariable: text(
    'Antes de guardar el código, pasá la clave a una variable de entorno.',
    'Before you commit the code, move the key to an environment variable.',
  ),
  waiting: text('Esperando la primera solicitud…', 'Waiting for the first request…'),
  waitingText: text('Esta página avisa cuando llega.', 'This page tells you when it arrives.'),
  seeRequests: text('Ver las solicitudes de esta clave', 'View the requests of this key'),
  arrived: filled((request: string) => [
    `Llegó la primera solicitud: ${request}`,
    `The first request arrived: ${request}`,
  ]),
  refused: filled((request: string) => [
    `Llegó una solicitud, pero fue rechazada: ${request}`,
    `A request arrived but was refused: ${request}`,
  ]),
  seeRequest: text('Ver la solicitud', 'View the request'),
  guide: text(
    'Guía: de la clave a la primera propiedad publicada',
    'Guide: from a key to the first published listing',
  ),
  signing: text('Guía: cómo firmar solicitudes', 'Guide: how to sign requests'),
  reference: text('Documentación de la API', 'API documentation'),
}
