/** Español (Argentina): los textos de los correos; su forma es la de todos los idiomas. */
import { linkSeconds } from '../../limits/table.ts'
import type { EventType } from '../notifications/outbox.ts'
import { formats } from '../../platform/web/format.ts'
import { listingWords } from '../../platform/web/listing-words.ts'

type NoticeText = readonly [subject: string, what: string, whatElse: string]

const notYours =
  'Si fuiste vos, no tenés que hacer nada. Si no, cambiá ya la contraseña y avisale al operador del servicio.'

const notices = {
  hello: (name: string) => `Hola, ${name}:`,
  password_changed: (service: string, when: string): NoticeText => [
    `Cambió la contraseña de tu cuenta de ${service}`,
    `La contraseña de tu cuenta de ${service} se cambió el ${when}.`,
    notYours,
  ],
  factor_on: (service: string, when: string): NoticeText => [
    `Se activó la verificación en dos pasos de tu cuenta de ${service}`,
    `La verificación en dos pasos de tu cuenta de ${service} se activó el ${when}. Ahora, para entrar, también vas a necesitar un código.`,
    notYours,
  ],
  factor_off: (service: string, when: string, by: string | null): NoticeText => [
    `Se desactivó la verificación en dos pasos de tu cuenta de ${service}`,
    by === null
      ? `La verificación en dos pasos de tu cuenta de ${service} se desactivó el ${when}. Ahora, para entrar, alcanza con la contraseña.`
      : `${by}, del equipo que opera ${service}, quitó la verificación en dos pasos de tu cuenta el ${when}. Ahora, para entrar, alcanza con la contraseña.`,
    by === null
      ? notYours
      : 'Si lo pediste, volvé a activarla cuando puedas. Si no, cambiá ya la contraseña y avisale al operador del servicio.',
  ],
  recovery_codes: (service: string, when: string): NoticeText => [
    `Códigos de recuperación nuevos para tu cuenta de ${service}`,
    `El ${when} se crearon códigos de recuperación nuevos para tu cuenta de ${service}. Los anteriores dejaron de servir.`,
    notYours,
  ],
  writing_key: (key: string, prefix: string, agency: string, by: string | null, when: string): NoticeText => [
    `Clave nueva con permiso de escritura: «${key}»`,
    by === null
      ? `El ${when} se creó la clave «${key}» (${prefix}…) para ${agency} desde la línea de comandos del servicio. Tiene permiso de escritura.`
      : `El ${when}, ${by} creó la clave «${key}» (${prefix}…) para ${agency}. Tiene permiso de escritura.`,
    'Si no la esperabas, revocala y averiguá quién la creó y para qué.',
  ],
  agency_email: (
    agency: string,
    service: string,
    from: string | null,
    to: string | null,
    when: string,
  ): NoticeText => [
    `Cambió el correo de ${agency}`,
    to === null
      ? `El correo de ${agency} en ${service}, ${from}, se quitó el ${when}. La inmobiliaria ya no recibe consultas ni avisos por correo.`
      : from === null
        ? `Desde el ${when}, el correo de ${agency} en ${service} es ${to}. Ahí llegan las consultas y los avisos.`
        : `El correo de ${agency} en ${service} cambió el ${when}: era ${from} y ahora es ${to}. Ahí llegan las consultas y los avisos.`,
    'Si no esperabas este cambio, averiguá con los titulares de la inmobiliaria quién lo hizo: figura en el registro de actividad. Si nadie lo reconoce, avisale al operador del servicio.',
  ],
}

/** Con un enlace: invitación, contraseña nueva, clave que vence. */
const links = {
  invitationSubject: (service: string) => `Te invitaron a ${service}`,
  invitation: (agency: string, service: string) => [
    'Hola:',
    `${agency} te invita a su panel de ${service}. Elegí tu contraseña con este enlace. Sirve una sola vez y vence en ${formats.es.wait(linkSeconds.invitation)}.`,
    'Si no esperabas esta invitación, podés ignorarla.',
  ],
  invitationLink: 'Aceptar la invitación',
  invitedElsewhere: (agency: string, service: string) => [
    'Hola:',
    `${agency} te invita a su panel de ${service}, pero este correo ya tiene una cuenta, y cada cuenta entra a un solo panel. Tu cuenta no cambia.`,
    'Si querés sumarte, pedile a la inmobiliaria que te invite a otro correo. No le dijimos que este ya está en uso. Si no esperabas esta invitación, podés ignorarla.',
  ],
  signInLink: 'Entrar a tu cuenta',
  resetSubject: (service: string) => `Contraseña nueva para ${service}`,
  reset: (name: string, service: string) => [
    `Hola, ${name}:`,
    `Alguien pidió una contraseña nueva para tu cuenta de ${service}. Si fuiste vos, elegila con este enlace. Sirve una sola vez y vence en ${formats.es.wait(linkSeconds.reset)}. Si no, no hace falta que hagas nada.`,
  ],
  resetLink: 'Elegir otra contraseña',
  agencyEmailSubject: (agency: string, service: string) => `Confirmá el correo de ${agency} en ${service}`,
  agencyEmail: (agency: string, service: string) => [
    'Hola:',
    `${agency} quiere usar este correo en ${service}: para recibir las consultas de los visitantes y los avisos de cambios, y para mostrarlo en sus páginas públicas. Confirmalo con este enlace. Sirve una sola vez y vence en ${formats.es.wait(linkSeconds.agency_email)}.`,
    'Mientras no lo confirmes, no se usa. Si no esperabas este correo, podés ignorarlo.',
  ],
  agencyEmailLink: 'Confirmar el correo',
  settingsLink: 'Ver los datos de la inmobiliaria',
  keyEndsSubject: (key: string, days: number) => `La clave «${key}» vence en ${days} días`,
  keyEnds: (name: string, key: string, prefix: string, agency: string, date: string) => [
    `Hola, ${name}:`,
    `La clave «${key}» (${prefix}…) de ${agency} vence el ${date}. Desde ese momento, los sistemas que la usan dejan de funcionar.`,
    'Rotala en el panel. La clave nueva tiene la misma configuración, y la anterior sigue funcionando hasta que la revoques.',
  ],
  keyEndsLink: 'Ver la clave',
}

/** Lo que pasó con las propiedades de una inmobiliaria. */
const changes = {
  event: listingWords.es.stateChanges satisfies Record<EventType, string>,
  reason: listingWords.es.closeReasons as Readonly<Record<string, string>>,
  untitled: 'Propiedad sin título',
  subject: (count: number) => `${count} cambios en tus propiedades`,
  greeting: (agency: string) => `Hola, ${agency}:`,
  opening: (count: number, service: string) =>
    count === 1
      ? `Hubo un cambio en una de tus propiedades en ${service}.`
      : `Hubo ${count} cambios en tus propiedades en ${service}.`,
  closedFor: (price: string) => `Precio de cierre: ${price}`,
  closedOn: (date: string) => `Fecha de cierre: ${date}`,
  by: (actor: string) => `por ${actor}`,
  /** Qué parte del servicio actuó. */
  systems: new Map([
    ['command line', 'el operador del servicio'],
    ['demonstration', 'los datos de demostración'],
  ]),
  inDashboard: 'Ver en el panel',
  publicPage: 'Ver la página pública',
}

/** Por qué llega el correo, y dónde se elige otra cosa. */
const foot = {
  changes: (service: string) => `${service} te avisa así los cambios de estado de tus propiedades.`,
  chooseMails: 'Elegir qué correos recibir',
  stop: 'Dejar de recibirlos',
  keyReminder: 'Recibís este recordatorio porque sos titular de la inmobiliaria.',
  chooseReminders: 'Configurarlo en tu cuenta',
  always: 'Por seguridad, este correo se envía siempre.',
  asked: (service: string) => `Este correo lo envía ${service}.`,
}

/** Lo que un visitante de las páginas públicas le pregunta a la inmobiliaria. */
const enquiries = {
  subjectListing: (name: string, title: string) => `Consulta de ${name}: ${title}`,
  subjectAgency: (name: string) => `Consulta de ${name}`,
  askedListing: (name: string, title: string, code: string) =>
    `${name} consultó por «${title}» (código ${code}):`,
  askedAgency: (name: string) => `${name} hizo una consulta desde tu página:`,
  email: (email: string) => `Correo: ${email}`,
  phone: (phone: string) => `Teléfono: ${phone}`,
  reply: 'Para responder, contestá este correo.',
  callBack: 'No dejó correo: llamá o escribí al teléfono.',
  openListing: 'Ver la propiedad en el panel',
  openAgency: 'Abrir el panel',
  publicPage: 'Ver la página pública',
  turnOff: 'Quitar el formulario de consultas',
  foot: 'Recibís este correo porque tus páginas públicas tienen un formulario de consultas. Los datos del visitante no se guardan en ningún otro lado.',
}

export const spanish = { links, notices, changes, enquiries, foot }

export type MailTexts = typeof spanish
