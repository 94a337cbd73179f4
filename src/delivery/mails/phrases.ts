/** Every text of the mails, by language. */
import { linkSeconds } from '../../limits/sizes.ts'
import { filled, inBothLanguages, type Text, text } from '../../platform/web/both-languages.ts'
import { formats } from '../../platform/web/format.ts'
import { listingWords } from '../../platform/web/listing-words.ts'

type NoticeText = readonly [subject: string, what: string, whatElse: string]
type NoticeTexts = readonly [es: NoticeText, en: NoticeText]

const notYours = text(
  'Si fuiste vos, no tenés que hacer nada. Si no, cambiá ya la contraseña y avisale al operador del servicio.',
  'If this was you, you can ignore this email. If not, change your password now and tell the operator of the service.',
)

/** A person who was erased, in the middle of a sentence. */
const erased = text('alguien cuya cuenta se eliminó', 'someone whose account was erased')

const notices = {
  erased,
  hello: filled((name: string) => [`Hola, ${name}:`, `Hello ${name},`]),
  password_changed: filled((service: string, when: string): NoticeTexts => [
    [
      `Cambió la contraseña de tu cuenta de ${service}`,
      `La contraseña de tu cuenta de ${service} se cambió el ${when}.`,
      notYours.es,
    ],
    [
      `The password of your ${service} account has changed`,
      `The password of your ${service} account was changed on ${when}.`,
      notYours.en,
    ],
  ]),
  factor_on: filled((service: string, when: string): NoticeTexts => [
    [
      `Se activó la verificación en dos pasos de tu cuenta de ${service}`,
      `La verificación en dos pasos de tu cuenta de ${service} se activó el ${when}. Ahora, para entrar, también vas a necesitar un código.`,
      notYours.es,
    ],
    [
      `Two-step verification is on for your ${service} account`,
      `Two-step verification was turned on for your ${service} account on ${when}. Signing in now also asks for a code.`,
      notYours.en,
    ],
  ]),
  factor_off: filled((service: string, when: string, by: string | null): NoticeTexts => [
    [
      `Se desactivó la verificación en dos pasos de tu cuenta de ${service}`,
      by === null
        ? `La verificación en dos pasos de tu cuenta de ${service} se desactivó el ${when}. Ahora, para entrar, alcanza con la contraseña.`
        : `El ${when}, ${by}, del equipo que opera ${service}, quitó la verificación en dos pasos de tu cuenta. Ahora, para entrar, alcanza con la contraseña.`,
      by === null
        ? notYours.es
        : 'Si lo pediste, volvé a activarla cuando puedas. Si no, cambiá ya la contraseña y avisale al operador del servicio.',
    ],
    [
      `Two-step verification is off for your ${service} account`,
      by === null
        ? `Two-step verification was turned off for your ${service} account on ${when}. Your password alone now signs you in.`
        : `On ${when}, ${by}, an operator of ${service}, turned off two-step verification for your account. Your password alone now signs you in.`,
      by === null
        ? notYours.en
        : 'If you asked for this, turn it on again when you can. If not, change your password now and tell the operator of the service.',
    ],
  ]),
  recovery_codes: filled((service: string, when: string): NoticeTexts => [
    [
      `Códigos de recuperación nuevos para tu cuenta de ${service}`,
      `El ${when} se crearon códigos de recuperación nuevos para tu cuenta de ${service}. Los anteriores dejaron de servir.`,
      notYours.es,
    ],
    [
      `New recovery codes for your ${service} account`,
      `New recovery codes were created for your ${service} account on ${when}. The old ones no longer work.`,
      notYours.en,
    ],
  ]),
  writing_key: filled(
    (key: string, prefix: string, agency: string, by: string | null, when: string): NoticeTexts => [
      [
        `Clave nueva con permiso de escritura: «${key}»`,
        by === null
          ? `El ${when} se creó la clave «${key}» (${prefix}…) para ${agency} desde la línea de comandos del servicio. Tiene permiso de escritura.`
          : `El ${when}, ${by} creó la clave «${key}» (${prefix}…) para ${agency}. Tiene permiso de escritura.`,
        'Si no la esperabas, revocala y averiguá quién la creó y para qué.',
      ],
      [
        `New key with write access: “${key}”`,
        by === null
          ? `On ${when}, the key “${key}” (${prefix}…) was created for ${agency} from the command line of the service. It has write access.`
          : `On ${when}, ${by} created the key “${key}” (${prefix}…) for ${agency}. It has write access.`,
        'If you did not expect it, revoke it and find out who created it and why.',
      ],
    ],
  ),
  agency_email: filled(
    (agency: string, service: string, from: string | null, to: string | null, when: string): NoticeTexts => [
      [
        `Cambió el correo de ${agency}`,
        to === null
          ? `El correo de ${agency} en ${service}, ${from}, se quitó el ${when}. La inmobiliaria ya no recibe consultas ni avisos por correo.`
          : from === null
            ? `Desde el ${when}, el correo de ${agency} en ${service} es ${to}. Ahí llegan las consultas y los avisos.`
            : `El correo de ${agency} en ${service} cambió el ${when}: era ${from} y ahora es ${to}. Ahí llegan las consultas y los avisos.`,
        'Si no esperabas este cambio, averiguá con los titulares de la inmobiliaria quién lo hizo: figura en el registro de actividad. Si nadie lo reconoce, avisale al operador del servicio.',
      ],
      [
        `The email of ${agency} has changed`,
        to === null
          ? `The email of ${agency} on ${service}, ${from}, was removed on ${when}. The agency no longer gets enquiries or notifications by email.`
          : from === null
            ? `Since ${when}, the email of ${agency} on ${service} is ${to}. Enquiries and notifications go there.`
            : `The email of ${agency} on ${service} changed on ${when} from ${from} to ${to}. Enquiries and notifications go there.`,
        'If you did not expect this, ask the agency’s owners who did it: the activity log shows it. If nobody knows, tell the operator of the service.',
      ],
    ],
  ),
}

/** With a link: an invitation, a new password, a key that expires. */
const links = {
  invitationSubject: filled((service: string) => [
    `Te invitaron a ${service}`,
    `You have been invited to ${service}`,
  ]),
  invitation: filled((agency: string, service: string) => [
    [
      'Hola:',
      `${agency} te invita a su panel de ${service}. Elegí tu contraseña con este enlace. Sirve una sola vez y vence en ${formats.es.wait(linkSeconds.invitation)}.`,
      'Si no esperabas esta invitación, podés ignorarla.',
    ],
    [
      'Hello,',
      `${agency} has invited you to its dashboard on ${service}. Use this link to choose your password. It works once and expires in ${formats.en.wait(linkSeconds.invitation)}.`,
      'If you did not expect this invitation, you can ignore it.',
    ],
  ]),
  invitationLink: text('Aceptar la invitación', 'Accept the invitation'),
  invitedElsewhere: filled((agency: string, service: string) => [
    [
      'Hola:',
      `${agency} te invita a su panel de ${service}, pero este correo ya tiene una cuenta, y cada cuenta entra a un solo panel. Tu cuenta no cambia.`,
      'Si querés sumarte, pedile a la inmobiliaria que te invite a otro correo. No le dijimos que este ya está en uso. Si no esperabas esta invitación, podés ignorarla.',
    ],
    [
      'Hello,',
      `${agency} has invited you to its dashboard on ${service}, but this email already has an account, and each account opens only one dashboard. Your account has not changed.`,
      'If you want to join, ask the agency to invite another email of yours. We did not tell them that this one is in use. If you did not expect this invitation, you can ignore it.',
    ],
  ]),
  signInLink: text('Entrar a tu cuenta', 'Sign in to your account'),
  resetSubject: filled((service: string) => [
    `Contraseña nueva para ${service}`,
    `Reset your ${service} password`,
  ]),
  reset: filled((name: string, service: string) => [
    [
      `Hola, ${name}:`,
      `Alguien pidió una contraseña nueva para tu cuenta de ${service}. Si fuiste vos, elegila con este enlace. Sirve una sola vez y vence en ${formats.es.wait(linkSeconds.reset)}. Si no, no hace falta que hagas nada.`,
    ],
    [
      `Hello ${name},`,
      `Someone asked to reset the password of your ${service} account. If it was you, use this link to choose a new one. It works once and expires in ${formats.en.wait(linkSeconds.reset)}. If it was not you, you can ignore this email.`,
    ],
  ]),
  resetLink: text('Elegir otra contraseña', 'Choose a new password'),
  agencyEmailSubject: filled((agency: string, service: string) => [
    `Confirmá el correo de ${agency} en ${service}`,
    `Confirm the email of ${agency} on ${service}`,
  ]),
  agencyEmail: filled((agency: string, service: string) => [
    [
      'Hola:',
      `${agency} quiere usar este correo en ${service}: para recibir las consultas de los visitantes y los avisos de cambios, y para mostrarlo en sus páginas públicas. Confirmalo con este enlace. Sirve una sola vez y vence en ${formats.es.wait(linkSeconds.agency_email)}.`,
      'Mientras no lo confirmes, no se usa. Si no esperabas este correo, podés ignorarlo.',
    ],
    [
      'Hello,',
      `${agency} wants to use this email on ${service}: to get visitors’ enquiries and notifications of changes, and to show it on its public pages. Confirm it with this link. It works once and expires in ${formats.en.wait(linkSeconds.agency_email)}.`,
      'Until you confirm it, it is not used. If you did not expect this email, you can ignore it.',
    ],
  ]),
  agencyEmailLink: text('Confirmar el correo', 'Confirm the email'),
  settingsLink: text('Ver los datos de la inmobiliaria', 'View the agency’s details'),
  keyEndsSubject: filled((key: string, days: number) => [
    `La clave «${key}» vence en ${days} días`,
    `The key “${key}” expires in ${days} days`,
  ]),
  keyEnds: filled((name: string, key: string, prefix: string, agency: string, date: string) => [
    [
      `Hola, ${name}:`,
      `La clave «${key}» (${prefix}…) de ${agency} vence el ${date}. Desde ese momento, los sistemas que la usan dejan de funcionar.`,
      'Rotala en el panel. La clave nueva tiene la misma configuración, y la anterior sigue funcionando hasta que la revoques.',
    ],
    [
      `Hello ${name},`,
      `The key “${key}” (${prefix}…) of ${agency} expires on ${date}. The systems that use it will stop working then.`,
      'Rotate it in the dashboard. The new key has the same configuration, and the old one keeps working until you revoke it.',
    ],
  ]),
  keyEndsLink: text('Ver la clave', 'View key'),
}

const changes = {
  event: listingWords.stateChanges,
  reason: listingWords.closeReasons as Readonly<Record<string, Text<string>>>,
  untitled: text('Propiedad sin título', 'Untitled listing'),
  subject: filled((count: number) => [
    `${count} cambios en tus propiedades`,
    `${count} changes to your listings`,
  ]),
  greeting: filled((agency: string) => [`Hola, ${agency}:`, `Hello ${agency},`]),
  opening: filled((count: number, service: string) => [
    count === 1
      ? `Hubo un cambio en una de tus propiedades en ${service}.`
      : `Hubo ${count} cambios en tus propiedades en ${service}.`,
    count === 1
      ? `One of your listings on ${service} has changed.`
      : `There were ${count} changes to your listings on ${service}.`,
  ]),
  closedFor: filled((price: string) => [`Precio de cierre: ${price}`, `Closing price: ${price}`]),
  closedOn: filled((date: string) => [`Fecha de cierre: ${date}`, `Closing date: ${date}`]),
  by: filled((actor: string) => [`por ${actor}`, `by ${actor}`]),
  erased,
  /** The part of the service that acted. */
  systems: text(
    new Map([
      ['command line', 'el operador del servicio'],
      ['demonstration', 'los datos de demostración'],
    ]),
    new Map([
      ['command line', 'the operator of the service'],
      ['demonstration', 'the demonstration data'],
    ]),
  ),
  inDashboard: text('Ver en el panel', 'View in the dashboard'),
  publicPage: text('Ver la página pública', 'View the public page'),
}

/** The reason for the mail, and where to choose otherwise. */
const foot = {
  changes: filled((service: string) => [
    `${service} te avisa así los cambios de estado de tus propiedades.`,
    `This is how ${service} tells you about changes to the state of your listings.`,
  ]),
  chooseMails: text('Elegir qué correos recibir', 'Choose which emails to get'),
  stop: text('Dejar de recibirlos', 'Stop these emails'),
  keyReminder: text(
    'Recibís este recordatorio porque sos titular de la inmobiliaria.',
    'You get this reminder as an owner of the agency.',
  ),
  chooseReminders: text('Configurarlo en tu cuenta', 'Change this in your account'),
  always: text('Por seguridad, este correo se envía siempre.', 'For security, this email is always sent.'),
  sentBy: filled((service: string) => [
    `Este correo lo envía ${service}.`,
    `This email was sent by ${service}.`,
  ]),
}

const enquiries = {
  subjectListing: filled((name: string, title: string) => [
    `Consulta de ${name}: ${title}`,
    `Enquiry from ${name}: ${title}`,
  ]),
  subjectAgency: filled((name: string) => [`Consulta de ${name}`, `Enquiry from ${name}`]),
  askedListing: filled((name: string, title: string, code: string) => [
    `${name} consultó por «${title}» (código ${code}):`,
    `${name} asked about “${title}” (code ${code}):`,
  ]),
  askedAgency: filled((name: string) => [
    `${name} hizo una consulta desde tu página:`,
    `${name} asked from your page:`,
  ]),
  email: filled((email: string) => [`Correo: ${email}`, `Email: ${email}`]),
  phone: filled((phone: string) => [`Teléfono: ${phone}`, `Phone: ${phone}`]),
  reply: text('Para responder, contestá este correo.', 'To answer, reply to this email.'),
  callBack: text(
    'No dejó correo: llamá o escribí al teléfono.',
    'They left no email: call or text the phone number.',
  ),
  openListing: text('Ver la propiedad en el panel', 'View the listing in the dashboard'),
  openAgency: text('Abrir el panel', 'Open the dashboard'),
  publicPage: text('Ver la página pública', 'View the public page'),
  turnOff: text('Quitar el formulario de consultas', 'Remove the enquiry form'),
  foot: text(
    'Recibís este correo porque tus páginas públicas tienen un formulario de consultas. Los datos del visitante no se guardan en ningún otro lado.',
    'You get this email because your public pages have an enquiry form. The visitor’s details are kept nowhere else.',
  ),
}

export const phrases = inBothLanguages({ links, notices, changes, enquiries, foot })

export type MailTexts = typeof phrases.es
