/**
 * Español (Argentina): los ajustes de la inmobiliaria.
 */
import { slugKeptDays } from '../../../limits/table.ts'

export const settings = {
  settings: {
    subtitle: 'Lo que ven los visitantes de las páginas públicas, y los correos que recibe la inmobiliaria.',
    publicPage: 'Ver la página pública',
    tabs: {
      profile: 'Datos',
      hours: 'Horarios',
      look: 'Logo y color',
      address: 'URL',
      mails: 'Correos',
    },
    nameHint: 'Como se muestra en las páginas públicas y en la API.',
    contact: 'Contacto',
    emailHint: 'Recibe las consultas de los visitantes y las notificaciones de cambios.',
    pendingEmail: {
      title: 'Correo sin confirmar',
      text: (email: string, current: string | null) =>
        current === null
          ? `Mandamos un enlace a ${email}. Ese correo empieza a usarse cuando alguien lo confirme ahí.`
          : `Mandamos un enlace a ${email}. Hasta que alguien lo confirme ahí, sigue en uso ${current}.`,
      again: 'Mandar otro enlace',
      cancel: 'Cancelar el cambio',
      tooMany: (wait: string) =>
        `Ya se mandaron demasiados correos desde esta inmobiliaria o a ese correo. Vas a poder mandar otro en ${wait}.`,
    },
    phone: 'Teléfono',
    phoneHint: 'Por ejemplo: 11 5555-0142.',
    whatsapp: 'WhatsApp',
    whatsappHint: 'Por ejemplo: 11 5555-0142, sin 0 ni 15.',
    website: 'Sitio web',
    websiteHint: 'Por ejemplo: www.inmobiliaria.com.ar.',
    office: 'Dirección de la oficina',
    officeHint: 'Calle, número y localidad.',
    licence: 'Matrícula',
    licenceText:
      'La ley exige mostrarla con cada propiedad publicada. Aparece al pie de las páginas públicas.',
    number: 'Número',
    numberHint: 'Por ejemplo: 1234.',
    college: 'Colegio',
    collegeHint: 'Por ejemplo: CUCICBA.',
    broker: 'Corredor responsable',
    brokerHint: 'Nombre y apellido.',
    about: 'Sobre la inmobiliaria',
    aboutHint: (most: string) =>
      `Hasta ${most} caracteres, sin formato. Aparece en la página de la inmobiliaria.`,
    hoursText: 'Dejá vacíos los días en que no se atiende. El segundo turno es opcional.',
    weekdays: ['Lunes', 'Martes', 'Miércoles', 'Jueves', 'Viernes', 'Sábado', 'Domingo'],
    opens: (day: string, turn: number) => `${day}, turno ${turn}: abre`,
    closes: (day: string, turn: number) => `${day}, turno ${turn}: cierra`,
    until: 'a',
    logo: 'Logo',
    logoText: (megabytes: number) =>
      `JPEG, PNG o WebP, de hasta ${megabytes} MB. Se muestra en la página de la inmobiliaria y en las de sus propiedades, sobre fondo blanco.`,
    logoNow: 'Logo actual',
    logoFile: 'Archivo del logo',
    logoUpload: 'Subir el logo',
    logoRemove: 'Quitar el logo',
    colour: 'Color',
    colourText:
      'Se usa en los botones y enlaces de las páginas públicas. Si hace falta, lo aclaramos u oscurecemos para que se lea bien.',
    ownColour: 'Usar un color propio',
    chosenColour: 'Color elegido',
    sample: { light: 'Así se ve de día', dark: 'Así se ve en modo oscuro', text: 'Consultar' },
    addressNow: 'La URL de la página es:',
    addressText:
      'Si cambiás el nombre, cambian la URL de la página y las de todas las propiedades. Las anteriores siguen funcionando: llevan a las nuevas.',
    addressLimit: (most: number, text: string, days: number) =>
      `Podés cambiarlo ${most === 1 ? 'una vez' : `${text} veces`} cada ${days} días. Nadie más puede usar el nombre anterior durante ${slugKeptDays} días.`,
    addressSystems:
      'Si un sistema o un sitio web guarda estas URL, o las del entorno de prueba, actualizalas ahí también.',
    change: 'Cambiar la URL',
    addressTooOften: (wait: string) =>
      `Ya la cambiaste varias veces. Vas a poder cambiarla de nuevo en ${wait}.`,
    former: 'URL anteriores que llevan a la página',
    formerSince: 'En uso hasta',
    formerKept: 'Reservada para esta inmobiliaria',
    formerFree: 'Otra inmobiliaria la puede usar',
    changesTitle: 'Cambios de estado',
    changesText: 'De qué cambios de las propiedades se manda un correo.',
    mailsAlways:
      'Los correos de seguridad (contraseñas, verificación en dos pasos, claves de escritura) se envían siempre. Los recordatorios de claves que vencen se configuran en «Mi cuenta», cada titular los suyos.',
  },
  mailPreference: {
    to: (email: string) => `Se envían a ${email}.`,
    noEmail: 'No se envía nada: falta el correo de la inmobiliaria. Cargalo en «Datos».',
    mail: 'Avisar los cambios de estado por correo',
    language: 'Idioma de los correos',
    languages: { 'es-AR': 'Español', en: 'Inglés' },
  },
}
