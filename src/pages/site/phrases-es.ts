/**
 * The texts of the public pages in Argentine Spanish. The other languages have the same names.
 */
import { listingWords } from '../../platform/web/listing-words.ts'
import { enquirySpanish } from './phrases-es-enquiry.ts'

const days = ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo']

/** `9:30`, `13` */
const hour = (time: string) => time.replace(/^0/, '').replace(/:00$/, '')

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const spanish = {
  ...listingWords.es,
  enquiry: enquirySpanish,
  locale: 'es-AR',
  openGraphLocale: 'es_AR',
  /** In its own language. */
  languageName: 'Español',
  skipToContent: 'Ir al contenido',
  operations: { sale: 'Venta', rent: 'Alquiler', temporary: 'Alquiler temporario' } as Record<string, string>,
  offered: (type: string, operation: string) => `${type} en ${operation.toLowerCase()}`,
  property: 'Propiedad',
  expenses: (amount: string) => `+ ${amount} de expensas`,
  photoOf: (place: number, total: number) => `Foto ${place} de ${total}`,
  photoCount: (count: string, one: boolean) => (one ? '1 foto' : `${count} fotos`),
  previousPhoto: 'Foto anterior',
  nextPhoto: 'Foto siguiente',
  enlarge: 'Ver en pantalla completa',
  close: 'Cerrar',
  mainFacts: 'Datos principales',
  details: 'Características',
  yes: 'Sí',
  no: 'No',
  rentalTerms: 'Condiciones del alquiler',
  media: 'Video y recorrido',
  video: (place: number, total: number) => (total === 1 ? 'Ver el video' : `Ver el video ${place}`),
  zoomIn: 'Acercar',
  zoomOut: 'Alejar',
  mapOfListing: 'Mapa con la ubicación de la propiedad',
  mapOfListings: 'Mapa de las propiedades',
  showMap: 'Ver en el mapa',
  approximateArea: 'La propiedad está dentro de esta zona. Pedile la dirección exacta a la inmobiliaria.',
  listingsHere: (count: number) => `${count} propiedades acá`,
  noPins: 'Ninguna de estas propiedades está ubicada en el mapa.',
  somePins: (count: number) =>
    `El mapa muestra las primeras ${count}. Filtrá la búsqueda para ver las demás.`,
  mapFailed: 'No se pudo cargar el mapa. Probá de nuevo en un rato.',
  seeOnMap: 'Ver en OpenStreetMap',
  approximate: 'La posición en el mapa es aproximada.',
  contact: 'Contacto',
  ask: 'Consultar',
  email: 'Correo',
  writeEmail: 'Consultar por correo',
  writeWhatsApp: 'Consultar por WhatsApp',
  call: (number: string) => `Llamar al ${number}`,
  website: 'Sitio web',
  mailSubject: (title: string, code: string) => `Consulta por ${title} (${code})`,
  greeting: (title: string) => `Hola, quiero consultar por «${title}».`,
  allOfAgency: 'Ver todas sus propiedades',
  agencyOffers: 'Publica',
  similar: 'También te puede interesar',
  breadcrumbs: 'Dónde estás',
  pricePer: { covered_m2: '/m² cubierto', total_m2: '/m² total', land_m2: '/m²', hectare: '/hectárea' },
  code: (code: string) => `Código ${code}`,
  publishedOn: (date: string) => `Publicada el ${date}`,
  share: {
    title: 'Compartir',
    copied: 'Enlace copiado',
    whatsApp: 'Compartir por WhatsApp',
    email: 'Compartir por correo',
    print: 'Imprimir',
  },
  agencyTagline: (count: string, one: boolean) =>
    one ? '1 propiedad publicada' : `${count} propiedades publicadas`,
  agencySummary: (agency: string) => `Propiedades en venta y alquiler de ${agency}.`,
  aboutAgency: (agency: string) => `Sobre ${agency}`,
  office: 'Oficina',
  hours: 'Horarios de atención',
  days: (first: number, last: number) => {
    const [from = '', until = ''] = [days[first], days[last]]
    if (first === last) return capital(from)
    return capital(last === first + 1 ? `${from} y ${until}` : `${from} a ${until}`)
  },
  spans: (spans: readonly (readonly [string, string])[]) =>
    `${spans.map(([from, until]) => `${hour(from)} a ${hour(until)}`).join(' y ')} h`,
  licence: (college: string, number: string) => `Matrícula ${college} ${number}`,
  broker: (name: string) => `Corredor responsable: ${name}`,
  stop: {
    title: '¿Dejar de recibir estos correos?',
    ask: {
      changes: (email: string) =>
        `Vamos a dejar de avisar a ${email} los cambios de estado de las propiedades.`,
      key_reminders: (email: string) => `Vamos a dejar de recordar a ${email} qué claves están por vencer.`,
    },
    press: 'Dejar de recibirlos',
    done: 'Listo',
    stopped: {
      changes: (email: string) => `${email} ya no recibe correos sobre cambios de estado de las propiedades.`,
      key_reminders: (email: string) => `${email} ya no recibe recordatorios de claves.`,
    },
    again: 'Volver a activarlos en el panel',
  },
  logoOf: (agency: string) => `Logo de ${agency}`,
  search: 'Buscar',
  filters: 'Buscar entre las propiedades',
  filterLabels: {
    q: 'Qué buscás',
    min_m2: 'Superficie desde',
    max_m2: 'Superficie hasta',
    min_price: 'Precio desde',
    max_price: 'Precio hasta',
  } as Partial<Record<string, string>>,
  wordsHint: 'Título, calle o zona',
  area: 'Superficie en m²',
  from: 'Desde',
  to: 'Hasta',
  moreFilters: 'Filtros',
  /** On the button below the filters. */
  show: 'Ver resultados',
  /** For nouns of each gender. */
  any: 'Todas',
  anyOne: 'Todos',
  orMore: (count: string) => `${count} o más`,
  chips: {
    chosen: 'Filtros elegidos',
    remove: (label: string) => `Quitar el filtro ${label}`,
    q: (words: string) => `“${words}”`,
    bedrooms: (count: string) => `${count} o más dormitorios`,
    bathrooms: (count: string) => `${count} o más baños`,
    currency: (currency: string) => `Precio en ${currency}`,
    from: (least: string) => `Desde ${least}`,
    to: (most: string) => `Hasta ${most}`,
  },
  filterRefused: (name: string, value: string) =>
    `No usamos el filtro «${name}: ${value}»: no es un valor válido.`,
  pricesCrossed: 'El precio mínimo es mayor que el máximo.',
  areasCrossed: 'La superficie mínima es mayor que la máxima.',
  sort: 'Ordenar por',
  sorts: {
    recent: 'Más recientes',
    price_asc: 'Menor precio',
    price_desc: 'Mayor precio',
  } as Record<string, string>,
  clear: 'Quitar filtros',
  found: (count: string, one: boolean) => (one ? '1 resultado' : `${count} resultados`),
  nothingFound: 'No hay propiedades con esos filtros.',
  nothingFoundHint: 'Probá con menos filtros o con otra palabra.',
  loosen: 'Si quitás un filtro:',
  loosened: (label: string, count: string, one: boolean) =>
    `${one ? '1 propiedad' : `${count} propiedades`} sin «${label}»`,
  nothingPublished: 'Por ahora no hay propiedades publicadas.',
  pages: 'Páginas',
  page: (page: number, total: number) => `Página ${page} de ${total}`,
  previous: 'Anterior',
  next: 'Siguiente',
  terms: 'Términos de uso',
  testPlace: 'Entorno de prueba: las propiedades de esta página no son reales.',
  start: {
    title: 'Las propiedades de cada inmobiliaria, desde sus propios sistemas',
    text: (service: string) =>
      `Con ${service}, una inmobiliaria administra sus propiedades desde un panel o por API, y las muestra en páginas públicas.`,
    dashboard: 'Entrar al panel',
    dashboardText: 'Para el equipo de cada inmobiliaria: propiedades, claves y uso.',
    docs: 'Documentación de la API',
    docsText: 'Para desarrolladores: guías y cada operación, con ejemplos para probar ahí mismo. En inglés.',
    visitors: '¿Buscás una propiedad? Cada inmobiliaria tiene su propia página y comparte el enlace.',
  },
  missing: 'No encontramos esta página',
  missingText: 'Puede que el enlace tenga un error, o que la página ya no exista.',
  gone: 'Esta propiedad ya no está publicada',
  goneText: 'Se vendió, se alquiló o la inmobiliaria la retiró.',
  agencyGone: 'Esta inmobiliaria ya no publica acá',
  agencyGoneText: 'Su página y sus propiedades dejaron de estar disponibles.',
  toStart: 'Ir al inicio',
  toAgency: (agency: string) => `Ver las propiedades de ${agency}`,
  failed: 'Algo salió mal',
  failedText: 'Probá de nuevo en un momento. Si sigue pasando, avisanos con este ID:',
  busy: 'El servicio está ocupado',
  busyText: 'Hay muchas visitas en este momento. Esperá unos segundos y volvé a intentar.',
  limited: 'Demasiadas páginas en poco tiempo',
  limitedText: 'Desde tu conexión se pidieron demasiadas páginas. Esperá un minuto y volvé a intentar.',
  tryAgain: 'Volver a intentar',
  refused: 'Esto no se puede hacer acá',
  refusedText: 'Volvé a la página anterior y probá de nuevo desde ahí.',
}

export type Phrases = typeof spanish
