/** Texts about visits to public pages, and about enquiries. */
import { counted, filled, text } from '../../../platform/web/language/both-languages.ts'

export const visits = {
  subtitle: filled((days: number) => [
    `A las páginas públicas de las propiedades, en los últimos ${days} días.`,
    `Visits to the public pages of listings, in the last ${days} days.`,
  ]),
  ofListing: filled((days: number) => [
    `Visitas de los últimos ${days} días`,
    `Visits in the last ${days} days`,
  ]),
  kinds: {
    views: text('Visitas', 'Visits'),
    phone: text('Llamadas', 'Calls'),
    whatsapp: text('WhatsApp', 'WhatsApp'),
    email: text('Correos', 'Emails'),
    shared: text('Veces compartida', 'Shares'),
    enquiries: text('Consultas', 'Enquiries'),
  },
  how: text(
    'Cada visitante cuenta una vez por día, aunque a veces se lo cuenta de nuevo si vuelve más tarde ese mismo día. Se cuenta sin cookies y sin guardar nada de los visitantes; quienes piden que no los rastreen no se cuentan.',
    'Each visitor counts once a day, though a later visit on that day is sometimes counted again. Visits are counted without cookies, and nothing about visitors is stored. Visitors who ask not to be tracked are not counted.',
  ),
  none: text('Todavía no hay visitas', 'No visits yet'),
  noneText: text(
    'Acá se ven las visitas de las propiedades publicadas y los contactos que generan.',
    'Visits to published listings, and the contacts they bring, appear here.',
  ),
  chart: {
    lower: text('Visitas', 'Visits'),
    upper: text('Contactos', 'Contacts'),
    inDays: filled((total: string, days: number) => [
      `${total} ${total === '1' ? 'visita o contacto' : 'visitas y contactos'} en ${days} días`,
      `${total} ${total === '1' ? 'visit or contact' : 'visits and contacts'} in ${days} days`,
    ]),
    day: text('Día', 'Day'),
  },
  csvNote: filled((max: string) => [
    `Hasta ${max} propiedades, las más visitadas.`,
    `Up to ${max} listings, the most visited.`,
  ]),
  seeAll: text('Ver las visitas de todas las propiedades', 'View visits of all listings'),
  enquiries: {
    title: text('Consultas de visitantes', 'Enquiries from visitors'),
    text: text(
      'Las páginas públicas pueden tener un formulario. Lo que un visitante escribe se envía al correo de la inmobiliaria. Se guarda, cifrado, solo hasta enviarlo: como máximo, 3 días.',
      'Public pages can have a form. What a visitor writes is sent to the agency’s email. It is kept, encrypted, only until it is sent: 3 days at most.',
    ),
    label: text('Mostrar el formulario de consultas', 'Show the enquiry form'),
    stuck: counted(
      [
        '# consulta espera: el servidor de correo todavía no la aceptó.',
        '# consultas esperan: el servidor de correo todavía no las aceptó.',
      ],
      [
        '# enquiry is waiting: the mail server has not accepted it yet.',
        '# enquiries are waiting: the mail server has not accepted them yet.',
      ],
    ),
    noMail: text(
      'Este servicio todavía no envía correos: el formulario no se muestra.',
      'This service does not send email yet: the form is not shown.',
    ),
  },
}
