/** Texts of an agency's settings. */
import { slugReservedDays } from '../../../limits/sizes.ts'
import { filled, text } from '../../../platform/web/language/both-languages.ts'

export const settings = {
  settings: {
    subtitle: text(
      'Lo que ven los visitantes de las páginas públicas, y los correos que recibe la inmobiliaria.',
      'What visitors to the public pages see, and the emails that the agency receives.',
    ),
    publicPage: text('Ver la página pública', 'View public page'),
    tabs: {
      profile: text('Datos', 'Details'),
      hours: text('Horarios', 'Hours'),
      look: text('Logo y color', 'Logo and colour'),
      slug: text('URL', 'URL'),
      mails: text('Correos', 'Emails'),
    },
    nameHint: text(
      'Como se muestra en las páginas públicas y en la API.',
      'As shown on the public pages and by the API.',
    ),
    contact: text('Contacto', 'Contact'),
    emailHint: text(
      'Recibe las consultas de los visitantes y las notificaciones de cambios.',
      'Gets visitors’ enquiries and notifications of changes.',
    ),
    pendingEmail: {
      title: text('Correo sin confirmar', 'Email not confirmed yet'),
      text: filled((email: string, current: string | null) => [
        current === null
          ? `Enviamos un enlace a ${email}. Ese correo empieza a usarse cuando alguien lo confirme ahí.`
          : `Enviamos un enlace a ${email}. Hasta que alguien lo confirme ahí, sigue en uso ${current}.`,
        current === null
          ? `We sent a link to ${email}. It will be used once someone confirms it there.`
          : `We sent a link to ${email}. Until someone confirms it there, ${current} stays in use.`,
      ]),
      again: text('Enviar otro enlace', 'Send another link'),
      cancel: text('Cancelar el cambio', 'Cancel the change'),
      tooMany: filled((wait: string) => [
        `Ya se enviaron demasiados correos desde esta inmobiliaria o a ese correo. Vas a poder enviar otro en ${wait}.`,
        `Too many emails were sent from this agency or to that email address. You can send another in ${wait}.`,
      ]),
    },
    phone: text('Teléfono', 'Phone'),
    phoneHint: text('Por ejemplo: 11 5555-0142.', 'For example 11 5555-0142.'),
    whatsapp: text('WhatsApp', 'WhatsApp'),
    whatsappHint: text(
      'Por ejemplo: 11 5555-0142, sin 0 ni 15.',
      'For example 11 5555-0142, without 0 or 15.',
    ),
    website: text('Sitio web', 'Website'),
    websiteHint: text('Por ejemplo: www.inmobiliaria.com.ar.', 'For example www.agency.com.ar.'),
    office: text('Dirección de la oficina', 'Office address'),
    officeHint: text('Calle, número y localidad.', 'Street, number and city.'),
    licence: text('Matrícula', 'Licence'),
    licenceText: text(
      'La ley exige mostrarla con cada propiedad publicada. Aparece al pie de las páginas públicas.',
      'The law requires it with every published listing. It appears at the foot of the public pages.',
    ),
    number: text('Número', 'Number'),
    numberHint: text('Por ejemplo: 1234.', 'For example 1234.'),
    college: text('Colegio', 'Professional college'),
    collegeHint: text('Por ejemplo: CUCICBA.', 'For example CUCICBA.'),
    broker: text('Corredor responsable', 'Licensed broker'),
    brokerHint: text('Nombre y apellido.', 'First and last name.'),
    about: text('Sobre la inmobiliaria', 'About the agency'),
    aboutHint: filled((max: string) => [
      `Hasta ${max} caracteres, sin formato. Aparece en la página de la inmobiliaria.`,
      `Up to ${max} characters, plain text. Shown on the agency’s page.`,
    ]),
    hoursText: text(
      'Dejá vacíos los días en que no se atiende. El segundo turno es opcional.',
      'Leave closed days empty. The second period is optional.',
    ),
    weekdays: text(
      ['Lunes', 'Martes', 'Miércoles', 'Jueves', 'Viernes', 'Sábado', 'Domingo'],
      ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
    ),
    opens: filled((day: string, span: number) => [
      `${day}, turno ${span}: abre`,
      `${day}, period ${span}: opens`,
    ]),
    closes: filled((day: string, span: number) => [
      `${day}, turno ${span}: cierra`,
      `${day}, period ${span}: closes`,
    ]),
    until: text('a', 'to'),
    logo: text('Logo', 'Logo'),
    logoText: filled((megabytes: number) => [
      `JPEG, PNG o WebP, de hasta ${megabytes} MB. Se muestra en la página de la inmobiliaria y en las de sus propiedades, sobre fondo blanco.`,
      `JPEG, PNG or WebP, up to ${megabytes} MB. Shown on the agency’s page and on those of its listings, on white.`,
    ]),
    logoNow: text('Logo actual', 'Current logo'),
    logoFile: text('Archivo del logo', 'Logo file'),
    logoUpload: text('Subir el logo', 'Upload logo'),
    logoRemove: text('Quitar el logo', 'Remove logo'),
    colour: text('Color', 'Colour'),
    colourText: text(
      'Se usa en los botones y enlaces de las páginas públicas. Si hace falta, lo aclaramos u oscurecemos para que se lea bien.',
      'Used for the buttons and links on the public pages. Where needed, we make it lighter or darker so that it is easy to read.',
    ),
    ownColour: text('Usar un color propio', 'Use the agency’s own colour'),
    chosenColour: text('Color elegido', 'Chosen colour'),
    sample: {
      light: text('Así se ve en modo claro', 'In the light scheme'),
      dark: text('Así se ve en modo oscuro', 'In the dark scheme'),
      text: text('Consultar', 'Contact'),
    },
    slugNow: text('La URL de la página es:', 'The page’s URL is:'),
    slugText: text(
      'Si cambiás el nombre, cambian la URL de la página y las de todas las propiedades. Las anteriores siguen funcionando: llevan a las nuevas.',
      'If you change the name, the URLs of the page and of all listings change. The old ones keep working: they lead to the new ones.',
    ),
    slugLimit: filled((max: number, text: string, days: number) => [
      `Podés cambiarlo ${max === 1 ? 'una vez' : `${text} veces`} cada ${days} días. Nadie más puede usar el nombre anterior durante ${slugReservedDays} días.`,
      `You can change it ${max === 1 ? 'once' : `${text} times`} every ${days} days. Nobody else can take the old name for ${slugReservedDays} days.`,
    ]),
    slugSystems: text(
      'Si un sistema o un sitio web guarda estas URL, o las del entorno de prueba, actualizalas ahí también.',
      'If a system or website stores these URLs, or those of the test environment, update them there too.',
    ),
    change: text('Cambiar la URL', 'Change the URL'),
    slugTooOften: filled((wait: string) => [
      `Ya la cambiaste varias veces. Vas a poder cambiarla de nuevo en ${wait}.`,
      `You have changed it several times. You can change it again in ${wait}.`,
    ]),
    former: text('URL anteriores que llevan a la página', 'Old URLs that lead to the page'),
    formerSince: text('En uso hasta', 'In use until'),
    formerReserved: text('Reservada para esta inmobiliaria', 'Reserved for this agency'),
    formerFree: text('Otra inmobiliaria la puede usar', 'Another agency may take it'),
    changesTitle: text('Cambios de estado', 'State changes'),
    changesText: text(
      'Elegí qué cambios de las propiedades se avisan por correo.',
      'Choose which listing changes are emailed.',
    ),
    mailsAlways: text(
      'Los correos de seguridad (contraseñas, verificación en dos pasos, claves de escritura) se envían siempre. Los recordatorios de claves que vencen se configuran en «Mi cuenta», cada titular los suyos.',
      'Security emails (passwords, two-step verification, keys with write access) are always sent. Each owner chooses reminders of expiring keys under “My account”.',
    ),
  },
  mailPreference: {
    to: filled((email: string) => [`Se envían a ${email}.`, `Sent to ${email}.`]),
    noEmail: text(
      'No se envía nada: falta el correo de la inmobiliaria. Cargalo en «Datos».',
      'Nothing is sent: the agency has no email. Add it under “Details”.',
    ),
    mail: text('Avisar los cambios de estado por correo', 'Email state changes'),
    language: text('Idioma de los correos', 'Email language'),
    languages: {
      'es-AR': text('Español', 'Spanish'),
      en: text('Inglés', 'English'),
    },
  },
}
