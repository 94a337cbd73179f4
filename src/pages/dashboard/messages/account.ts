/** Texts of a person's account, two-step verification, an agency's people, and the page that confirms an email. */
import { keyReminderDays } from '../../../limits/sizes.ts'
import { counted, filled, text } from '../../../platform/web/language/both-languages.ts'

type Words = readonly [title: string, text: string, button: string]

export const account = {
  account: {
    profile: text('Perfil', 'Profile'),
    currentPassword: text('Contraseña actual', 'Current password'),
    nextPassword: text('Contraseña nueva', 'New password'),
    changePassword: text('Cambiar contraseña', 'Change password'),
    factorOff: text(
      'Para entrar con la contraseña, se pide además un código de tu teléfono. Así, con la contraseña sola no alcanza.',
      'Signing in with the password also asks for a code from your phone, so the password alone is not enough.',
    ),
    factorOn: text('Activada', 'On'),
    codesLeft: counted(
      ['Queda # código de recuperación.', 'Quedan # códigos de recuperación.'],
      ['# recovery code left.', '# recovery codes left.'],
    ),
    turnOn: text('Activar', 'Turn on'),
    sessions: text('Sesiones abiertas', 'Active sessions'),
    device: text('Dispositivo', 'Device'),
    unknownDevice: text('Dispositivo desconocido', 'Unknown device'),
    ip: text('Dirección IP', 'IP address'),
    since: text('Desde', 'Since'),
    thisOne: text('Esta sesión', 'This session'),
    end: text('Cerrar', 'Sign out'),
    endOthers: text('Cerrar las demás', 'Sign out all others'),
    keyReminders: text(
      'Recordarme por correo las claves que están por vencer',
      'Email me about keys that expire soon',
    ),
    keyRemindersHint: text(
      `${keyReminderDays.first} y ${keyReminderDays.last} días antes.`,
      `${keyReminderDays.first} and ${keyReminderDays.last} days before.`,
    ),
  },
  factor: {
    title: text('Activar la verificación en dos pasos', 'Turn on two-step verification'),
    why: text(
      'Con ella, la contraseña sola no alcanza para entrar.',
      'With it, nobody can get in with your password alone.',
    ),
    step1: text('1. Escaneá el código', '1. Scan the code'),
    step1Text: text(
      'Con Google Authenticator, Microsoft Authenticator, 1Password o cualquier aplicación de códigos.',
      'Use Google Authenticator, Microsoft Authenticator, 1Password or any other authenticator app.',
    ),
    picture: text('Código QR de la verificación en dos pasos', 'QR code for two-step verification'),
    openApp: text('Abrir en la aplicación de este teléfono', 'Open in the app on this phone'),
    byHand: text('O cargá este código en la aplicación:', 'Or enter this code in the app:'),
    step2: text('2. Confirmá', '2. Confirm'),
    code: text('Código que muestra la aplicación', 'Code from the app'),
    later: text('Más tarde', 'Later'),
    required: text(
      'En este servicio, los operadores necesitan la verificación en dos pasos. Activala para seguir.',
      'Operators of this service need two-step verification. Turn it on to continue.',
    ),
    codesTitle: text('Tus códigos de recuperación', 'Your recovery codes'),
    codesText: text(
      'Guardalos en un lugar seguro: se muestran solo ahora. Si perdés el teléfono, cada uno sirve para entrar una vez.',
      'Keep them somewhere safe: they are shown only now. If you lose your phone, each signs you in once.',
    ),
    codesKept: text('Ya los guardé', 'I have saved them'),
    renew: text<Words>(
      ['Códigos de recuperación nuevos', 'Los anteriores dejan de servir.', 'Crear códigos nuevos'],
      ['New recovery codes', 'The old ones stop working.', 'Create new codes'],
    ),
    remove: text<Words>(
      [
        'Desactivar la verificación en dos pasos',
        'Después, para entrar con la contraseña, no hace falta un código.',
        'Desactivar',
      ],
      [
        'Turn off two-step verification',
        'Signing in with the password will no longer ask for a code.',
        'Turn off',
      ],
    ),
  },
  people: {
    subtitle: text(
      'Las personas que pueden entrar al panel de la inmobiliaria.',
      'People who can sign in to the agency’s dashboard.',
    ),
    operators: text('Operadores', 'Operators'),
    operatorsText: text(
      'Las personas que administran todas las inmobiliarias.',
      'People who manage all agencies.',
    ),
    role: text('Rol', 'Role'),
    factor: text('Verificación en dos pasos', 'Two-step verification'),
    lastSignIn: text('Último ingreso', 'Last sign-in'),
    you: text('Vos', 'You'),
    invited: text('Invitada', 'Invited'),
    disabled: text('Desactivada', 'Disabled'),
    manage: text('Administrar', 'Manage'),
    invite: text('Invitar a alguien', 'Invite someone'),
    inviteNow: text('Invitar', 'Invite'),
    inviteAgain: text('Invitar de nuevo', 'Invite again'),
    rolesHint: text(
      'Los integrantes gestionan las propiedades y ven las claves. Los titulares, además, crean claves, invitan a otras personas y cambian los ajustes.',
      'Members manage listings and see keys. Owners also create keys, invite people and change the settings.',
    ),
    ownersMay: filled((owners: readonly string[]) => [
      `Las claves, las personas y los ajustes los cambian los titulares${owners.length > 0 ? `: ${owners.join(', ')}` : ''}.`,
      `Keys, people and settings are changed by the owners${owners.length > 0 ? `: ${owners.join(', ')}` : ''}.`,
    ]),
    noMail: text(
      'Este servicio todavía no envía correos. Cuando invites a alguien, te vamos a mostrar un enlace para que se lo pases.',
      'This service does not send email yet. When you invite someone, we will show you a link to pass on.',
    ),
    resetLink: text('Enlace para cambiar la contraseña', 'Password reset link'),
    makeOwner: text('Hacer titular', 'Make owner'),
    makeMember: text('Hacer integrante', 'Make member'),
    sessions: text('Sesiones', 'Sessions'),
    sessionsOf: filled((name: string) => [`Sesiones de ${name}`, `${name}’s sessions`]),
    noSessions: text('No tiene sesiones abiertas', 'No active sessions'),
    noSessionsText: text(
      'Cuando la persona entre, su sesión va a aparecer acá.',
      'A session appears here when they sign in.',
    ),
    endAll: text('Cerrar todas', 'Sign out all'),
    removeFactor: text('Quitar la verificación en dos pasos', 'Remove two-step verification'),
    disable: text('Desactivar', 'Disable'),
    enable: text('Reactivar', 'Enable'),
    notYourself: text(
      'Tu propia cuenta la tiene que cambiar otra persona.',
      'Someone else has to change your own account.',
    ),
    linkTitle: text('Pasale este enlace', 'Pass this link on'),
    linkText: filled((email: string) => [
      `No se pudo enviar por correo. Pasáselo vos a ${email}. Sirve una sola vez y se muestra solo ahora.`,
      `It could not be sent by email. Pass it on to ${email} yourself. It works once and is shown only now.`,
    ]),
    linkWaits: filled((email: string) => [
      `El servidor de correo no acepta mensajes en este momento. Vamos a reintentar el envío a ${email}. Si es urgente, pasale vos el enlace: sirve una sola vez y se muestra solo ahora.`,
      `The mail server is not accepting messages right now. We will keep trying to email ${email}. If it is urgent, pass the link on yourself: it works once and is shown only now.`,
    ]),
    linkDone: text('Listo', 'Done'),
    tooMany: filled((wait: string) => [
      `Se enviaron demasiadas invitaciones desde esta inmobiliaria o a ese correo. Podés enviar otra en ${wait}.`,
      `Too many invitations were sent from this agency or to that email. You can send another in ${wait}.`,
    ]),
  },
  confirmEmail: {
    title: text('Confirmar el correo', 'Confirm the email'),
    text: filled((email: string, agency: string, service: string) => [
      `${agency} quiere usar ${email} en ${service}. Ahí van a llegar las consultas de los visitantes y las notificaciones de cambios, y va a aparecer en sus páginas públicas.`,
      `${agency} wants to use ${email} on ${service}. Visitors’ enquiries and notifications of changes will go there, and its public pages will show it.`,
    ]),
    press: text('Confirmar', 'Confirm'),
    otherwise: text(
      'Si no lo esperabas, cerrá esta página: no cambia nada.',
      'If you did not expect this, close this page. Nothing changes.',
    ),
    done: text('Correo confirmado', 'Email confirmed'),
    doneText: filled((email: string, agency: string) => [
      `${agency} ya usa ${email}.`,
      `${agency} now uses ${email}.`,
    ]),
    dead: text(
      'Ya se usó, venció o lo reemplazó uno más nuevo. La inmobiliaria puede enviar otro desde sus ajustes.',
      'It was used, has expired or was replaced by a newer one. The agency can send another from its settings.',
    ),
  },
}
