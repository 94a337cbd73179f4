/**
 * Español (Argentina): la cuenta propia, la verificación en dos pasos, las personas y el correo por confirmar.
 */
import { keyReminderDays } from '../../../limits/table.ts'

export const account = {
  account: {
    profile: 'Perfil',
    currentPassword: 'Contraseña actual',
    nextPassword: 'Contraseña nueva',
    changePassword: 'Cambiar contraseña',
    factorOff:
      'Para entrar, además de la contraseña, se pide un código de tu teléfono. Así, nadie entra solo con tu contraseña.',
    factorOn: 'Activada',
    codesLeft: (count: number) =>
      count === 1 ? 'Queda 1 código de recuperación.' : `Quedan ${count} códigos de recuperación.`,
    turnOn: 'Activar',
    turnOff: 'Desactivar',
    newCodes: 'Códigos de recuperación nuevos',
    sessions: 'Sesiones abiertas',
    device: 'Dispositivo',
    unknownDevice: 'Dispositivo desconocido',
    address: 'Dirección IP',
    since: 'Desde',
    thisOne: 'Esta sesión',
    end: 'Cerrar',
    endOthers: 'Cerrar las demás',
    keyReminders: 'Recordarme por correo las claves que están por vencer',
    keyRemindersHint: `${keyReminderDays.first} y ${keyReminderDays.last} días antes.`,
  },
  factor: {
    title: 'Activar la verificación en dos pasos',
    why: 'Con ella, nadie entra solo con tu contraseña.',
    step1: '1. Escaneá el código',
    step1Text:
      'Con Google Authenticator, Microsoft Authenticator, 1Password o cualquier aplicación de códigos.',
    picture: 'Código QR de la verificación en dos pasos',
    openApp: 'Abrir en la aplicación de este teléfono',
    byHand: 'O cargá este código en la aplicación:',
    step2: '2. Confirmá',
    code: 'Código que muestra la aplicación',
    later: 'Más tarde',
    required:
      'En este servicio, los operadores necesitan la verificación en dos pasos. Activala para seguir.',
    codesTitle: 'Tus códigos de recuperación',
    codesText:
      'Guardalos en un lugar seguro: se muestran solo ahora. Si perdés el teléfono, cada uno sirve para entrar una vez.',
    codesKept: 'Ya los guardé',
    renew: [
      'Códigos de recuperación nuevos',
      'Los anteriores dejan de servir.',
      'Crear códigos nuevos',
    ] as readonly [string, string, string],
    remove: [
      'Desactivar la verificación en dos pasos',
      'Tu cuenta queda protegida solo por la contraseña.',
      'Desactivar',
    ] as readonly [string, string, string],
  },
  people: {
    subtitle: 'Las personas que pueden entrar al panel de la inmobiliaria.',
    operators: 'Operadores',
    operatorsText: 'Las personas que administran todas las inmobiliarias.',
    role: 'Rol',
    factor: 'Verificación en dos pasos',
    lastSignIn: 'Último ingreso',
    you: 'Vos',
    invited: 'Invitada',
    disabled: 'Desactivada',
    manage: 'Administrar',
    invite: 'Invitar a alguien',
    inviteNow: 'Invitar',
    inviteAgain: 'Invitar de nuevo',
    rolesHint:
      'Los integrantes gestionan las propiedades y ven las claves. Los titulares, además, crean claves, invitan a otras personas y cambian los ajustes.',
    ownersMay: (owners: readonly string[]) =>
      `Las claves, las personas y los ajustes los cambian los titulares${owners.length > 0 ? `: ${owners.join(', ')}` : ''}.`,
    noMail:
      'Este servicio todavía no envía correos. Cuando invites a alguien, te vamos a mostrar un enlace para que se lo pases.',
    resetLink: 'Enlace para cambiar la contraseña',
    makeOwner: 'Hacer titular',
    makeMember: 'Hacer integrante',
    removeFactor: 'Quitar la verificación en dos pasos',
    disable: 'Desactivar',
    enable: 'Reactivar',
    notYourself: 'Tu propia cuenta la puede cambiar otra persona.',
    linkTitle: 'Pasale este enlace',
    linkText: (email: string) =>
      `No se pudo enviar por correo. Pasáselo vos a ${email}. Sirve una sola vez y se muestra solo ahora.`,
    linkWaits: (email: string) =>
      `El servidor de correo no acepta mensajes en este momento. Vamos a reintentar el envío a ${email}. Si es urgente, pasale vos el enlace: sirve una sola vez y se muestra solo ahora.`,
    linkDone: 'Listo',
    tooMany: (wait: string) =>
      `Se enviaron demasiadas invitaciones desde esta inmobiliaria o a ese correo. Podés enviar otra en ${wait}.`,
  },
  confirmEmail: {
    title: 'Confirmar el correo',
    text: (email: string, agency: string, service: string) =>
      `${agency} quiere usar ${email} en ${service}. Ahí van a llegar las consultas de los visitantes y los avisos de cambios, y va a aparecer en sus páginas públicas.`,
    press: 'Confirmar',
    otherwise: 'Si no lo esperabas, cerrá esta página: no cambia nada.',
    done: 'Correo confirmado',
    doneText: (email: string, agency: string) => `${agency} ya usa ${email}.`,
    dead: 'Ya se usó, venció o lo reemplazó uno más nuevo. La inmobiliaria puede mandar otro desde sus ajustes.',
  },
}
