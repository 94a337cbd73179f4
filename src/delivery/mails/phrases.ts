/** Every text of the mails, by language; notices have their own file. */
import type { SystemName } from '../../writing/actor.ts'
import { linkSeconds } from '../../limits/sizes.ts'
import { filled, inBothLanguages, type Text, text } from '../../platform/web/language/both-languages.ts'
import { formats } from '../../platform/web/language/format.ts'
import { listingWords } from '../../platform/web/language/listing-words.ts'
import { erased, notices } from './notice-phrases.ts'

/** Mails with a link: invitations, password resets, confirmations of an agency's email, expiring keys. */
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
  passkeysLink: text('Ver mis passkeys', 'View my passkeys'),
  sessionsLink: text('Ver mis sesiones', 'View my sessions'),
  agencyEmailSubject: filled((agency: string, service: string) => [
    `Confirmá el correo de ${agency} en ${service}`,
    `Confirm ${agency}’s email on ${service}`,
  ]),
  agencyEmail: filled((agency: string, service: string) => [
    [
      'Hola:',
      `${agency} quiere usar este correo en ${service}: para recibir las consultas de los visitantes y las notificaciones de cambios, y para mostrarlo en sus páginas públicas. Confirmalo con este enlace. Sirve una sola vez y vence en ${formats.es.wait(linkSeconds.agency_email)}.`,
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
      `${agency}’s key “${key}” (${prefix}…) expires on ${date}. The systems that use it will stop working then.`,
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
  systems: {
    'command line': text('el operador del servicio', 'the operator of the service'),
    geocoder: text('el geocodificador', 'the geocoder'),
    demonstration: text('los datos de demostración', 'the demonstration data'),
    'test environment': text('el entorno de prueba', 'the test environment'),
  } satisfies Record<SystemName, Text<string>>,
  inDashboard: text('Ver en el panel', 'View in the dashboard'),
  publicPage: text('Ver la página pública', 'View the public page'),
}

/** The reason for the mail, and links to the settings. */
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
    `${name} sent an enquiry from your page:`,
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
