/** Texts of the operators' pages about the whole service: the first page, search, traffic, notifications and health. */
import { counted, filled, text } from '../../../platform/web/language/both-languages.ts'
import { agencyCount } from './agencies.ts'

export const operator = {
  operator: {
    activeAgencies: text('Inmobiliarias activas', 'Active agencies'),
    wrong: filled((names: string) => [`Algo no funciona: ${names}.`, `Not working: ${names}.`]),
    nothing: text('Nada pendiente', 'Nothing to do'),
    nothingText: text('Todo funciona bien.', 'All is well.'),
    setAside: counted(
      ['# notificación detenida', '# notificaciones detenidas'],
      ['# notification set aside', '# notifications set aside'],
    ),
    failing: filled((count: string) => [
      `${agencyCount.es(count)} con más del 20% de errores en 7 días`,
      `${agencyCount.en(count)} with more than 20% errors in 7 days`,
    ]),
    see: text('Ver', 'View'),
    notNow: text(
      'No disponible: una parte de la base de datos no responde.',
      'Not available: part of the database is not responding.',
    ),
    find: {
      placeholder: text('ID, código, correo, inmobiliaria, clave…', 'ID, code, email, agency, key…'),
      title: text('Búsqueda', 'Search'),
      kind: text('Qué es', 'What it is'),
      hint: text(
        'Encuentra solicitudes y notificaciones por su ID, propiedades por código o ID externo, personas, inmobiliarias, y claves por su comienzo o completas.',
        'Finds requests and notifications by ID, listings by code or external ID, people, agencies, and keys by their first characters or in full.',
      ),
      none: text('No se encontró nada', 'Nothing found'),
      noneText: text(
        'Probá con otra parte del nombre, o pegá el ID completo.',
        'Try another part of the name, or paste the full ID.',
      ),
      noneOfKey: text('Ninguna inmobiliaria tiene esa clave.', 'No agency has that key.'),
      kinds: {
        request: text('Solicitud', 'Request'),
        listing: text('Propiedad', 'Listing'),
        agency: text('Inmobiliaria', 'Agency'),
        person: text('Persona', 'Person'),
        key: text('Clave', 'Key'),
        event: text('Notificación', 'Notification'),
      },
    },
    traffic: {
      subtitle: text(
        'Las solicitudes de todas las inmobiliarias, con las de sus entornos de prueba.',
        'Requests from all agencies, including their test environments.',
      ),
      most: text('Más solicitudes', 'Most requests'),
      failing: text('Más errores', 'Most errors'),
      limited: text('Más rechazadas por límites', 'Most refused by a limit'),
      none: text('Nada en este período.', 'Nothing in this period.'),
    },
  },
  notifications: {
    subtitle: text(
      'Cada cambio de estado se notifica a la inmobiliaria, por correo, y al portal.',
      'Every state change is sent to the agency, by email, and to the marketplace.',
    ),
    none: text('No hay notificaciones', 'No notifications'),
    noneText: text(
      'Acá aparecen las notificaciones a las inmobiliarias y al portal.',
      'Notifications to agencies and the marketplace appear here.',
    ),
    views: {
      all: text('Todas', 'All'),
      pending: text('En espera', 'Waiting'),
      failing: text('Con errores', 'Failing'),
      set_aside: text('Detenidas', 'Set aside'),
      delivered: text('Entregadas', 'Delivered'),
      not_sent: text('No enviadas', 'Not sent'),
    },
    states: {
      pending: text('En espera', 'Waiting'),
      delivered: text('Entregada', 'Delivered'),
      skipped: text('Omitida', 'Skipped'),
      not_configured: text('Sin configurar', 'Not configured'),
      set_aside: text('Detenida', 'Set aside'),
    },
    channels: {
      mail: text('Correo', 'Email'),
      marketplace: text('Portal', 'Marketplace'),
    },
    event: text('Cambio', 'Change'),
    eventId: text('ID del evento', 'Event ID'),
    channel: text('Canal', 'Channel'),
    attempts: text('Intentos', 'Attempts'),
    noAttempts: text('Todavía no hubo intentos.', 'No attempts yet.'),
    failed: text('Falló', 'Failed'),
    next: text('Próximo intento', 'Next attempt'),
    ended: text('Finalizó', 'Ended'),
    detail: text('Detalle', 'Detail'),
    why: {
      silent: filled((seconds: number) => [
        `No respondió en ${seconds} segundos.`,
        `No answer within ${seconds} seconds.`,
      ]),
      late: filled((seconds: number) => [
        `Tardó más de ${seconds} segundos.`,
        `It took longer than ${seconds} seconds.`,
      ]),
      unreachable: text(
        'No se pudo conectar, o la conexión se cortó.',
        'Could not connect, or the connection broke.',
      ),
      redirected: filled((status: number) => [
        `Respondió con el código ${status}: las redirecciones no se siguen.`,
        `It answered with status ${status}. Redirects are not followed.`,
      ]),
      refused: filled((status: number) => [
        `Respondió con el código ${status}.`,
        `It answered with status ${status}.`,
      ]),
      mail_unreachable: text(
        'No se pudo conectar con el servidor de correo.',
        'Could not connect to the mail server.',
      ),
      mail_sign_in: text(
        'El servidor de correo rechazó el usuario o la contraseña.',
        'The mail server rejected the user name or password.',
      ),
      mail_refused: text(
        'El servidor de correo rechazó el mensaje.',
        'The mail server rejected the message.',
      ),
      error: text('Falló antes de enviarse.', 'It failed before it was sent.'),
      no_address: text('La inmobiliaria no tiene correo.', 'The agency has no email.'),
      unwanted: text(
        'La inmobiliaria desactivó las notificaciones por correo.',
        'The agency has turned off email notifications.',
      ),
    },
    said: filled((words: string) => [`Respuesta: «${words}»`, `Answer: “${words}”`]),
    retry: text('Enviar de nuevo', 'Send again'),
    retryText: text(
      'Se envía enseguida, aunque ya se haya entregado.',
      'It is sent right away, even if it was already delivered.',
    ),
    retryAll: filled((count: string) => [
      `Reintentar las detenidas (${count})`,
      `Retry all set aside (${count})`,
    ]),
  },
  health: {
    subtitle: text(
      'Cada componente del servicio, probado recién.',
      'Each component of the service, checked just now.',
    ),
    ok: text('Funciona', 'Working'),
    off: text('No se usa', 'Not in use'),
    wrong: text('Con fallas', 'Problem'),
    database: filled((version: string, size: string) => [
      `PostgreSQL ${version}, ${size}.`,
      `PostgreSQL ${version}, ${size}.`,
    ]),
    files: text('Escribe, lee y borra archivos.', 'Writes, reads and deletes files.'),
    bucket: filled((name: string) => [
      `Escribe, lee y borra en ${name}.`,
      `Writes, reads and deletes in ${name}.`,
    ]),
    secrets: text('Se descifran con SECRET_KEY.', 'Can be decrypted with SECRET_KEY.'),
    geocoder: filled((name: string) => [`${name} responde.`, `${name} answers.`]),
    geocoderDown: filled((name: string) => [
      `${name} no responde. Mientras tanto, las direcciones nuevas quedan sin pin.`,
      `${name} does not answer. New addresses have no pin until it is back.`,
    ]),
    noGeocoder: text(
      'No hay geocodificador configurado: las direcciones quedan sin pin.',
      'No geocoder is configured: addresses have no pin.',
    ),
    mail: text('El servidor de correo responde.', 'The mail server answers.'),
    noMail: text(
      'Sin configurar: los enlaces de invitación se muestran para que los pases vos.',
      'Not configured: invitation links are shown for you to pass on.',
    ),
    names: {
      database: text('Base de datos', 'Database'),
      storage: text('Fotos', 'Photos'),
      geocoder: text('Geocodificación', 'Geocoding'),
      secrets: text('Secretos cifrados', 'Encrypted secrets'),
      mail: text('Correo', 'Email'),
      tiles: text('Mapas', 'Maps'),
      backup: text('Copias de seguridad', 'Backups'),
    },
    backupAge: filled((hours: number) => [
      `La última copia verificada es de hace ${hours === 0 ? 'menos de una hora' : `${hours} h`}.`,
      `The newest verified backup is ${hours === 0 ? 'less than an hour' : `${hours} h`} old.`,
    ]),
    backupFailed: filled((error: string) => [
      `La última copia falló: ${error}`,
      `The last backup failed: ${error}`,
    ]),
    neverBackedUp: text('Todavía no hay ninguna copia verificada.', 'No backup has been verified yet.'),
    noBackups: text(
      'El servicio no hace copias: BACKUP_TO no está configurado.',
      'The service makes no backups: BACKUP_TO is not set.',
    ),
    tiles: filled((host: string) => [`${host} responde.`, `${host} answers.`]),
    tilesDown: filled((host: string) => [
      `${host} no entrega imágenes: los mapas muestran solo lo que estaba guardado.`,
      `${host} provides no tiles: maps show only tiles that were saved before.`,
    ]),
    noTiles: text(
      'No hay un servicio de mapas configurado: los mapas son un contorno con un enlace.',
      'No tile service is configured: maps are an outline with a link.',
    ),
  },
}
