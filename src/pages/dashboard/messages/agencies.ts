/** Texts of the operators' pages about agencies: their table, one agency, and its limits. */
import { counted, filled, text } from '../../../platform/web/language/both-languages.ts'

export const agencyCount = counted(['# inmobiliaria', '# inmobiliarias'], ['# agency', '# agencies'])

export const agencies = {
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
      'Sus claves, sus páginas públicas y sus fotos dejan de funcionar de inmediato. No se borra nada.',
      'Its keys, public pages and photos stop working immediately. Nothing is deleted.',
    ),
    activate: text('Activar', 'Activate'),
    activateText: text(
      'Sus claves, páginas y fotos vuelven a funcionar.',
      'Its keys, pages and photos work again.',
    ),
    table: {
      search: text('Nombre, o nombre en la URL', 'Name, or name in URLs'),
      show: text('Mostrar', 'Show'),
      views: {
        all: text('Todas', 'All'),
        active: text('Activas', 'Active'),
        inactive: text('Desactivadas', 'Deactivated'),
        failing: text('Con errores', 'With errors'),
        silent: text('Sin uso en 7 días', 'Unused for 7 days'),
        limits: text('Con límites propios', 'With their own limits'),
      },
      listings: text('Publicadas / todas', 'Published / all'),
      requests: text('Solicitudes, 7 días', 'Requests, 7 days'),
      errors: text('Errores', 'Errors'),
      lastUse: text('Último uso de la API', 'Last API use'),
      count: agencyCount,
      sortBy: filled((column: string) => [`Ordenar por ${column}`, `Sort by ${column}`]),
      ownLimits: text('Límites propios', 'Own limits'),
      none: text('Ninguna coincide', 'None match'),
      noneText: text('Cambiá la búsqueda o mostrá todas.', 'Change the search, or show all.'),
    },
    deactivation: {
      title: filled((name: string) => [`Desactivar ${name}`, `Deactivate ${name}`]),
      happens: text('Qué pasa', 'What happens'),
      noKeys: text('No tiene claves en uso.', 'It has no keys in use.'),
      keys: counted(
        ['Su clave deja de funcionar de inmediato.', 'Sus # claves dejan de funcionar de inmediato.'],
        ['Its key stops working immediately.', 'Its # keys stop working immediately.'],
      ),
      listings: filled((count: string) => [
        `Dejan de mostrarse sus páginas públicas${count === '0' ? '' : count === '1' ? ', su propiedad publicada' : `, sus ${count} propiedades publicadas`} y sus fotos.`,
        `Its public pages${count === '0' ? '' : count === '1' ? ', its published listing' : `, its ${count} published listings`} and its photos are no longer shown.`,
      ]),
      people: counted(
        [
          '# persona puede seguir viendo el panel, pero no cambiar nada.',
          '# personas pueden seguir viendo el panel, pero no cambiar nada.',
        ],
        [
          '# person can still view the dashboard, but change nothing.',
          '# people can still view the dashboard, but change nothing.',
        ],
      ),
      kept: text(
        'No se borra nada: al activarla, todo vuelve a estar como antes.',
        'Nothing is deleted: activating it brings everything back as it was.',
      ),
      confirm: filled((slug: string) => [`Para confirmar, escribí «${slug}»`, `To confirm, type “${slug}”`]),
      wrong: filled((slug: string) => [`Escribí «${slug}» para confirmar.`, `Type “${slug}” to confirm.`]),
      now: text('Desactivar la inmobiliaria', 'Deactivate the agency'),
    },
  },
  limitChanges: {
    title: text('Límites', 'Limits'),
    text: text(
      'Rigen desde la próxima solicitud. Los de lecturas y escrituras son de cada clave; los demás, de toda la inmobiliaria. «Usado» es lo del minuto, la hora o el día en curso. En lecturas y escrituras se muestra la clave que más usó.',
      'In force from the next request. Reads and writes are limited per key; the other limits are shared by the whole agency. “Used” is for the current minute, hour or day. For reads and writes it shows the key that used most.',
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
