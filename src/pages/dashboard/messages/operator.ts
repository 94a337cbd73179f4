/** The operator’s console: agencies and their limits, notifications, the health of the service. */
import { filled, text } from '../../../platform/web/both-languages.ts'

export const operator = {
  operator: {
    activeAgencies: text('Inmobiliarias activas', 'Active agencies'),
    wrong: filled((names: string) => [`Algo no funciona: ${names}.`, `Not working: ${names}.`]),
  },
  agencies: {
    create: text('Crear una inmobiliaria', 'Create an agency'),
    slug: text('Nombre en la URL', 'Name in URLs'),
    slugHint: text(
      'Minúsculas, números y guiones: «rio-propiedades».',
      'Lowercase letters, digits and hyphens: “rio-propiedades”.',
    ),
    emailHint: text(
      'Recibe las notificaciones de cambios de estado. Es opcional.',
      'Receives notifications of state changes. Optional.',
    ),
    inactive: text('Desactivada', 'Deactivated'),
    activeKeys: text('Claves activas', 'Active keys'),
    requests: text('Solicitudes en 30 días', 'Requests in 30 days'),
    deactivate: text('Desactivar', 'Deactivate'),
    deactivateText: text(
      'Todas sus claves dejan de funcionar de inmediato. No se borra nada.',
      'All its keys stop working immediately. Nothing is deleted.',
    ),
    activate: text('Activar', 'Activate'),
    activateText: text('Sus claves vuelven a funcionar.', 'Its keys start working again.'),
  },
  notifications: {
    subtitle: text(
      'Cada cambio de estado se notifica a la inmobiliaria, por correo, y al portal.',
      'Every change of state is sent to the agency, by email, and to the marketplace.',
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
      untold: text('No enviadas', 'Not sent'),
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
  limitChanges: {
    title: text('Límites', 'Limits'),
    text: text(
      'Rigen desde la próxima solicitud. Los de lecturas y escrituras son de cada clave; los demás, de toda la inmobiliaria. «Usado» es lo del minuto, la hora o el día en curso; en lecturas y escrituras, de la clave que más usó.',
      'In force from the next request. Reads and writes are those of each key; the others are shared by the whole agency. “Used” is for the current minute, hour or day; for reads and writes, by the key that used most.',
    ),
    limit: text('Límite', 'Limit'),
    used: text('Usado', 'Used'),
    inForce: text('Vigente', 'In force'),
    usual: text('Habitual', 'Default'),
    until: text('Hasta', 'Until'),
    noEnd: text('Sin fecha de fin', 'No end date'),
    all: text('todos', 'all'),
    change: text('Cambiar', 'Change'),
    changeHint: text(
      'Completá solo los que quieras cambiar. Con 0 no se permite nada.',
      'Fill in only those you want to change. 0 allows none.',
    ),
    untilLabel: text('Hasta (opcional)', 'Until (optional)'),
    untilHint: text(
      'Termina a las 21 h del día anterior, hora argentina (0 h UTC), y vuelve el valor habitual. Sin fecha, queda hasta que lo cambies.',
      'At 00:00 UTC on that day: 21:00 the evening before in Argentina. Then the defaults are back. Without a date, it stays until you change it.',
    ),
    save: text('Guardar los límites', 'Save the limits'),
    clear: text('Volver al habitual', 'Back to the default'),
    clearAll: text('Volver todos al habitual', 'All back to the defaults'),
  },
}
