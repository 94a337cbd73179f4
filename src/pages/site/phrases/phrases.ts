/** Every text of the public pages, by language. */
import { filled, inBothLanguages, type Text, text } from '../../../platform/web/language/both-languages.ts'
import { listingWords } from '../../../platform/web/language/listing-words.ts'
import { enquiry } from './enquiry.ts'
import { search } from './search.ts'

/** `9:30`, `13:00` */
const hour = (time: string) => time.replace(/^0/, '')

/** `9:30`, `13` */
const wholeHour = (time: string) => hour(time).replace(/:00$/, '')

/** `Lunes`, `Sábado y domingo`, `Monday to Friday` */
function weekdays(names: readonly string[], and: string, to: string) {
  return (first: number, last: number): string => {
    const [from = '', until = ''] = [names[first], names[last]]
    const days = first === last ? from : `${from} ${last === first + 1 ? and : to} ${until}`
    return days.charAt(0).toUpperCase() + days.slice(1)
  }
}

export const phrases = inBothLanguages({
  ...listingWords,
  enquiry,
  ...search,
  locale: text('es-AR', 'en-US'),
  openGraphLocale: text('es_AR', 'en_US'),
  /** In its own language. */
  languageName: text('Español', 'English'),
  skipToContent: text('Ir al contenido', 'Skip to content'),
  operations: {
    sale: text('Venta', 'For sale'),
    rent: text('Alquiler', 'For rent'),
    temporary: text('Alquiler temporario', 'Short-term rental'),
  } as Record<string, Text<string>>,
  offered: filled((type: string, operation: string) => [
    `${type} en ${operation.toLowerCase()}`,
    operation === 'Short-term rental' ? `${type}, short-term rental` : `${type} ${operation.toLowerCase()}`,
  ]),
  property: text('Propiedad', 'Property'),
  expenses: filled((amount: string) => [`+ ${amount} de expensas`, `+ ${amount} building fees`]),
  previousPhoto: text('Foto anterior', 'Previous photo'),
  nextPhoto: text('Foto siguiente', 'Next photo'),
  enlarge: text('Ver en pantalla completa', 'View full screen'),
  close: text('Cerrar', 'Close'),
  mainFacts: text('Datos principales', 'Key facts'),
  details: text('Características', 'Details'),
  yes: text('Sí', 'Yes'),
  no: text('No', 'No'),
  rentalTerms: text('Condiciones del alquiler', 'Rental terms'),
  media: text('Video y recorrido', 'Video and tour'),
  video: filled((position: number, total: number) => [
    total === 1 ? 'Ver el video' : `Ver el video ${position}`,
    total === 1 ? 'Watch the video' : `Watch video ${position}`,
  ]),
  zoomIn: text('Acercar', 'Zoom in'),
  zoomOut: text('Alejar', 'Zoom out'),
  mapOfListing: text('Mapa con la ubicación de la propiedad', 'Map of the property’s location'),
  mapOfListings: text('Mapa de las propiedades', 'Map of the properties'),
  showMap: text('Ver en el mapa', 'Show on the map'),
  blurredArea: text(
    'La propiedad está dentro de esta zona. Pedile la dirección exacta a la inmobiliaria.',
    'The property is within this area. Ask the agency for the exact address.',
  ),
  listingsHere: filled((count: number) => [`${count} propiedades acá`, `${count} properties here`]),
  noPins: text(
    'Ninguna de estas propiedades está ubicada en el mapa.',
    'None of these properties is on the map.',
  ),
  somePins: filled((count: number) => [
    `El mapa muestra las primeras ${count}. Acotá la búsqueda para ver las demás.`,
    `The map shows the first ${count}. Narrow the search to see the others.`,
  ]),
  mapFailed: text(
    'No se pudo cargar el mapa. Probá de nuevo en un rato.',
    'The map could not be loaded. Try again in a while.',
  ),
  seeOnMap: text('Ver en OpenStreetMap', 'View on OpenStreetMap'),
  approximate: text('La posición en el mapa es aproximada.', 'The position on the map is approximate.'),
  contact: text('Contacto', 'Contact'),
  ask: text('Consultar', 'Contact'),
  email: text('Correo', 'Email'),
  writeEmail: text('Consultar por correo', 'Ask by email'),
  writeWhatsApp: text('Consultar por WhatsApp', 'Ask on WhatsApp'),
  call: filled((number: string) => [`Llamar al ${number}`, `Call ${number}`]),
  website: text('Sitio web', 'Website'),
  mailSubject: filled((title: string, code: string) => [
    `Consulta por ${title} (${code})`,
    `Enquiry about ${title} (${code})`,
  ]),
  greeting: filled((title: string) => [
    `Hola, quiero consultar por «${title}».`,
    `Hello, I’m interested in “${title}”.`,
  ]),
  allOfAgency: text('Ver todas sus propiedades', 'View all their listings'),
  agencyOffers: text('Publica', 'Listed by'),
  similar: text('También te puede interesar', 'You may also like'),
  breadcrumbs: text('Estás en', 'Breadcrumb'),
  pricePer: {
    covered_m2: text('/m² cubierto', '/m² covered'),
    total_m2: text('/m² total', '/m² total'),
    land_m2: text('/m²', '/m²'),
    hectare: text('/hectárea', '/hectare'),
  },
  code: filled((code: string) => [`Código ${code}`, `Code ${code}`]),
  publishedOn: filled((date: string) => [`Publicada el ${date}`, `Published on ${date}`]),
  share: {
    title: text('Compartir', 'Share'),
    copied: text('Enlace copiado', 'Link copied'),
    whatsApp: text('Compartir por WhatsApp', 'Share on WhatsApp'),
    email: text('Compartir por correo', 'Share by email'),
    print: text('Imprimir', 'Print'),
  },
  agencySummary: filled((agency: string) => [
    `Propiedades en venta y alquiler de ${agency}.`,
    `Properties for sale and rent by ${agency}.`,
  ]),
  aboutAgency: filled((agency: string) => [`Sobre ${agency}`, `About ${agency}`]),
  office: text('Oficina', 'Office'),
  hours: text('Horarios de atención', 'Office hours'),
  days: text(
    weekdays(['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo'], 'y', 'a'),
    weekdays(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'], 'and', 'to'),
  ),
  spans: filled((spans: readonly (readonly [string, string])[]) => [
    `${spans.map(([from, until]) => `${wholeHour(from)} a ${wholeHour(until)}`).join(' y ')} h`,
    spans.map(([from, until]) => `${hour(from)} to ${hour(until)}`).join(', '),
  ]),
  licence: filled((college: string, number: string) => [
    `Matrícula ${college} ${number}`,
    `Licence ${college} ${number}`,
  ]),
  broker: filled((name: string) => [`Corredor responsable: ${name}`, `Licensed broker: ${name}`]),
  stop: {
    title: text('¿Dejar de recibir estos correos?', 'Stop these emails?'),
    ask: {
      changes: filled((email: string) => [
        `Vamos a dejar de avisarle a ${email} los cambios de estado de las propiedades.`,
        `We will no longer email ${email} about changes to the state of listings.`,
      ]),
      key_reminders: filled((email: string) => [
        `Vamos a dejar de recordarle a ${email} qué claves están por vencer.`,
        `We will no longer remind ${email} of keys that expire soon.`,
      ]),
    },
    press: text('Dejar de recibirlos', 'Stop these emails'),
    done: text('Listo', 'Done'),
    stopped: {
      changes: filled((email: string) => [
        `${email} ya no recibe correos sobre cambios de estado de las propiedades.`,
        `${email} no longer gets emails about changes to the state of listings.`,
      ]),
      key_reminders: filled((email: string) => [
        `${email} ya no recibe recordatorios de claves.`,
        `${email} no longer gets reminders of expiring keys.`,
      ]),
    },
    again: text('Volver a activarlos en el panel', 'Turn them on again in the dashboard'),
  },
  logoOf: filled((agency: string) => [`Logo de ${agency}`, `Logo of ${agency}`]),
  nothingPublished: text(
    'Por ahora no hay propiedades publicadas.',
    'There are no published listings at the moment.',
  ),
  pages: text('Páginas', 'Pages'),
  page: filled((page: number, total: number) => [`Página ${page} de ${total}`, `Page ${page} of ${total}`]),
  previous: text('Anterior', 'Previous'),
  next: text('Siguiente', 'Next'),
  terms: text('Términos de uso', 'Terms of use'),
  testPlace: text(
    'Entorno de prueba: las propiedades de esta página no son reales.',
    'Test environment: the listings on this page are not real.',
  ),
  start: {
    title: text(
      'Las propiedades de cada inmobiliaria, desde sus propios sistemas',
      'Each agency’s listings, straight from its own systems',
    ),
    text: filled((service: string) => [
      `Con ${service}, una inmobiliaria administra sus propiedades desde un panel o por API, y las muestra en páginas públicas.`,
      `With ${service}, a real-estate agency manages its listings in a dashboard or by API, and shows them on public pages.`,
    ]),
    dashboard: text('Entrar al panel', 'Sign in to the dashboard'),
    dashboardText: text(
      'Para el equipo de cada inmobiliaria: propiedades, claves y uso.',
      'For agency staff: listings, keys and usage.',
    ),
    docs: text('Documentación de la API', 'API documentation'),
    docsText: text(
      'Para desarrolladores: guías y todas las operaciones, con ejemplos para probar ahí mismo. En inglés.',
      'For developers: guides and every operation, with examples you can try right there.',
    ),
    visitors: text(
      '¿Buscás una propiedad? Cada inmobiliaria tiene su propia página y comparte el enlace.',
      'Looking for a property? Each agency has its own page and shares the link.',
    ),
  },
  missing: text('No encontramos esta página', 'We could not find this page'),
  missingText: text(
    'Puede que el enlace tenga un error, o que la página ya no exista.',
    'The link may be wrong, or the page may no longer exist.',
  ),
  gone: text('Esta propiedad ya no está publicada', 'This property is no longer listed'),
  goneText: text(
    'Se vendió, se alquiló o la inmobiliaria la retiró.',
    'It was sold or rented, or the agency withdrew it.',
  ),
  agencyGone: text('Esta inmobiliaria ya no publica acá', 'This agency no longer publishes here'),
  agencyGoneText: text(
    'Su página y sus propiedades dejaron de estar disponibles.',
    'Its page and its listings are no longer available.',
  ),
  toStart: text('Ir al inicio', 'Go to the home page'),
  toAgency: filled((agency: string) => [`Ver las propiedades de ${agency}`, `View ${agency}’s listings`]),
  failed: text('Algo salió mal', 'Something went wrong'),
  failedText: text(
    'Probá de nuevo en un momento. Si sigue pasando, avisanos con este ID:',
    'Try again in a moment. If it keeps happening, send us this ID:',
  ),
  busy: text('El servicio está ocupado', 'The service is busy'),
  busyText: text(
    'Hay muchas visitas en este momento. Esperá unos segundos y volvé a intentar.',
    'There are many visitors right now. Wait a few seconds and try again.',
  ),
  limited: text('Demasiadas páginas en poco tiempo', 'Too many pages in a short time'),
  limitedText: text(
    'Desde tu conexión se pidieron demasiadas páginas. Esperá un minuto y volvé a intentar.',
    'Your connection has requested too many pages. Wait a minute and try again.',
  ),
  tryAgain: text('Volver a intentar', 'Try again'),
  refused: text('Esto no se puede hacer acá', 'This cannot be done here'),
  refusedText: text(
    'Volvé a la página anterior y probá de nuevo desde ahí.',
    'Go back to the previous page, and try again from there.',
  ),
})

export type Phrases = typeof phrases.es
