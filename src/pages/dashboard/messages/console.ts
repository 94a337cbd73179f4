/** Search, table of agencies, traffic and audit log in the operator’s console. */
import { filled, text } from '../../../platform/web/both-languages.ts'

const agencies = {
  es: (count: string): string => (count === '1' ? '1 inmobiliaria' : `${count} inmobiliarias`),
  en: (count: string): string => (count === '1' ? '1 agency' : `${count} agencies`),
}
export const console = {
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
    count: filled((count: string) => [agencies.es(count), agencies.en(count)]),
    sortBy: filled((column: string) => [`Ordenar por ${column}`, `Sort by ${column}`]),
    ownLimits: text('Límites propios', 'Own limits'),
    none: text('Ninguna coincide', 'None match'),
    noneText: text('Cambiá la búsqueda o mostrá todas.', 'Change the search, or show all.'),
  },
  traffic: {
    subtitle: text(
      'Las solicitudes de todas las inmobiliarias, con las de sus entornos de prueba.',
      'Requests of all agencies, their test environments included.',
    ),
    most: text('Más solicitudes', 'Most requests'),
    failing: text('Más errores', 'Most errors'),
    limited: text('Más rechazadas por límites', 'Most refused by a limit'),
    none: text('Nada en este período.', 'Nothing in this period.'),
  },
  deactivate: {
    title: filled((name: string) => [`Desactivar ${name}`, `Deactivate ${name}`]),
    happens: text('Qué pasa', 'What happens'),
    keys: filled((count: number) => [
      count === 0
        ? 'No tiene claves en uso.'
        : count === 1
          ? 'Su clave deja de funcionar de inmediato.'
          : `Sus ${count} claves dejan de funcionar de inmediato.`,
      count === 0
        ? 'It has no keys in use.'
        : count === 1
          ? 'Its key stops working immediately.'
          : `Its ${count} keys stop working immediately.`,
    ]),
    listings: filled((count: string) => [
      `Sus páginas públicas dejan de mostrarse${count === '0' ? '' : `, con ${count === '1' ? '1 propiedad publicada' : `${count} propiedades publicadas`}`}, y también sus fotos.`,
      `Its public pages are no longer shown${count === '0' ? '' : `, with ${count === '1' ? '1 published listing' : `${count} published listings`}`}, nor are its photos.`,
    ]),
    people: filled((count: number) => [
      count === 1
        ? '1 persona puede seguir viendo el panel, pero no cambiar nada.'
        : `${count} personas pueden seguir viendo el panel, pero no cambiar nada.`,
      count === 1
        ? '1 person can still view the dashboard, but change nothing.'
        : `${count} people can still view the dashboard, but change nothing.`,
    ]),
    kept: text(
      'No se borra nada: al activarla, todo vuelve a estar como antes.',
      'Nothing is deleted: activating it brings everything back as it was.',
    ),
    confirm: filled((slug: string) => [`Para confirmar, escribí «${slug}»`, `To confirm, type “${slug}”`]),
    wrong: filled((slug: string) => [`Escribí «${slug}» para confirmar.`, `Type “${slug}” to confirm.`]),
    now: text('Desactivar la inmobiliaria', 'Deactivate the agency'),
  },
  audit: {
    what: text('Acción', 'Action'),
    anything: text('Todas', 'All'),
    subject: text('Sobre qué', 'About'),
    details: text('Detalles', 'Details'),
    noMatch: text('Nada coincide con los filtros', 'Nothing matches the filters'),
    noMatchText: text(
      'Probá con una parte del nombre, otras fechas o menos filtros.',
      'Try a part of the name, other dates or fewer filters.',
    ),
  },
  home: {
    nothing: text('Nada pendiente', 'Nothing to do'),
    nothingText: text('Todo funciona bien.', 'All is well.'),
    setAside: filled((count: string) => [
      count === '1' ? '1 notificación detenida' : `${count} notificaciones detenidas`,
      count === '1' ? '1 notification set aside' : `${count} notifications set aside`,
    ]),
    failing: filled((count: string) => [
      `${agencies.es(count)} con más del 20% de errores en 7 días`,
      `${agencies.en(count)} with more than 20% errors in 7 days`,
    ]),
    see: text('Ver', 'View'),
    notNow: text(
      'No disponible: una parte de la base de datos no responde.',
      'Not available: part of the database is not responding.',
    ),
  },
}
