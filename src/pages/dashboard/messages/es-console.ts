/**
 * Español (Argentina): búsqueda, tabla de inmobiliarias, tráfico y auditoría en la consola del operador.
 */

const agencies = (count: string): string => (count === '1' ? '1 inmobiliaria' : `${count} inmobiliarias`)

export const console = {
  find: {
    label: 'Buscar',
    placeholder: 'ID, código, correo, inmobiliaria, clave…',
    title: 'Búsqueda',
    kind: 'Qué es',
    hint: 'Encuentra solicitudes y notificaciones por su ID, propiedades por código o ID externo, personas, inmobiliarias, y claves por su comienzo o completas.',
    none: 'No se encontró nada',
    noneText: 'Probá con otra parte del nombre, o pegá el ID completo.',
    noneOfKey: 'Ninguna inmobiliaria tiene esa clave.',
    kinds: {
      request: 'Solicitud',
      listing: 'Propiedad',
      agency: 'Inmobiliaria',
      person: 'Persona',
      key: 'Clave',
      event: 'Notificación',
    },
  },
  table: {
    search: 'Nombre, o nombre en la URL',
    show: 'Mostrar',
    views: {
      all: 'Todas',
      active: 'Activas',
      inactive: 'Desactivadas',
      failing: 'Con errores',
      silent: 'Sin uso en 7 días',
      limits: 'Con límites propios',
    },
    listings: 'Publicadas / todas',
    requests: 'Solicitudes, 7 días',
    errors: 'Errores',
    lastUse: 'Último uso de la API',
    count: agencies,
    sortBy: (column: string) => `Ordenar por ${column}`,
    ownLimits: 'Límites propios',
    none: 'Ninguna coincide',
    noneText: 'Cambiá la búsqueda o mostrá todas.',
  },
  traffic: {
    subtitle: 'Las solicitudes de todas las inmobiliarias, con las de sus entornos de prueba.',
    most: 'Más solicitudes',
    failing: 'Más errores',
    limited: 'Más rechazadas por límites',
    none: 'Nada en este período.',
  },
  deactivate: {
    title: (name: string) => `Desactivar ${name}`,
    happens: 'Qué pasa',
    keys: (count: number) =>
      count === 0
        ? 'No tiene claves en uso.'
        : count === 1
          ? 'Su clave deja de funcionar de inmediato.'
          : `Sus ${count} claves dejan de funcionar de inmediato.`,
    listings: (count: string) =>
      `Sus páginas públicas dejan de mostrarse${count === '0' ? '' : `, con ${count === '1' ? '1 propiedad publicada' : `${count} propiedades publicadas`}`}, y también sus fotos.`,
    people: (count: number) =>
      count === 1
        ? '1 persona puede seguir viendo el panel, pero no cambiar nada.'
        : `${count} personas pueden seguir viendo el panel, pero no cambiar nada.`,
    kept: 'No se borra nada: al activarla, todo vuelve a estar como antes.',
    confirm: (slug: string) => `Para confirmar, escribí «${slug}»`,
    wrong: (slug: string) => `Escribí «${slug}» para confirmar.`,
    now: 'Desactivar la inmobiliaria',
  },
  audit: {
    what: 'Acción',
    anything: 'Todas',
    subject: 'Sobre qué',
    details: 'Detalles',
    noMatch: 'Nada coincide con los filtros',
    noMatchText: 'Probá con una parte del nombre, otras fechas o menos filtros.',
  },
  home: {
    nothing: 'Nada pendiente',
    nothingText: 'Todo funciona bien.',
    setAside: (count: string) =>
      count === '1' ? '1 notificación detenida' : `${count} notificaciones detenidas`,
    failing: (count: string) => `${agencies(count)} con más del 20% de errores en 7 días`,
    see: 'Ver',
    notNow: 'No disponible: una parte de la base de datos no responde.',
  },
}
