/** Texts of signing in with a passkey, and of a person's own passkeys. */
import { maxPasskeys } from '../../../limits/sizes.ts'
import { counted, text } from '../../../platform/web/language/both-languages.ts'

type Words = readonly [title: string, text: string, button: string]

export const passkeys = {
  signIn: text('Entrar con passkey', 'Sign in with a passkey'),
  title: text('Passkeys', 'Passkeys'),
  why: text(
    'Con una passkey entrás con tu huella, tu cara o el PIN del dispositivo, sin contraseña ni código.',
    'A passkey signs you in with your fingerprint, face or device PIN, without a password or code.',
  ),
  count: counted(['Tenés # passkey.', 'Tenés # passkeys.'], ['You have # passkey.', 'You have # passkeys.']),
  manage: text('Administrar passkeys', 'Manage passkeys'),
  none: text('Todavía no tenés passkeys', 'No passkeys yet'),
  noneText: text(
    'Una passkey se guarda en un dispositivo, en un administrador de contraseñas o en una llave de seguridad.',
    'A passkey lives on a device, in a password manager or on a security key.',
  ),
  required: text(
    'En este servicio, los operadores necesitan una passkey. Agregá una para seguir.',
    'Operators of this service need a passkey. Add one to continue.',
  ),
  notOffered: text(
    'Los navegadores solo ofrecen passkeys en sitios con https y un nombre de dominio. En esta URL no se pueden usar.',
    'Browsers offer passkeys only on sites with https and a host name. They cannot be used at this URL.',
  ),
  add: text('Agregar una passkey', 'Add a passkey'),
  addNow: text('Agregar', 'Add'),
  nameHint: text(
    'Para reconocerla después: el dispositivo o el administrador de contraseñas que la guarda.',
    'To recognise it later: the device or password manager that keeps it.',
  ),
  rename: text('Cambiar el nombre', 'Rename'),
  remove: text<Words>(
    [
      'Quitar la passkey',
      'Deja de servir para entrar, y se cierran tus demás sesiones. Después podés borrarla también del dispositivo.',
      'Quitar',
    ],
    [
      'Remove the passkey',
      'It no longer signs you in, and your other sessions are signed out. You can then delete it from the device too.',
      'Remove',
    ],
  ),
  withoutPassword: text<Words>(
    [
      'Quitar la contraseña',
      'Con dos passkeys no la necesitás. Una contraseña que no existe no se puede adivinar ni robar. Si perdés las passkeys, con un enlace por correo podés elegir una contraseña nueva.',
      'Quitar la contraseña',
    ],
    [
      'Remove the password',
      'With two passkeys you do not need it. A password that does not exist cannot be guessed or stolen. If you lose the passkeys, you can set a new password through a link by email.',
      'Remove the password',
    ],
  ),
  noPassword: text(
    'Tu cuenta no tiene contraseña: entrás con tus passkeys. Si querés, podés elegir una.',
    'Your account has no password: you sign in with your passkeys. You can choose one if you like.',
  ),
  setPassword: text('Elegir una contraseña', 'Set a password'),
  unsupported: text(
    'Este navegador no puede usar passkeys. Probá con la última versión.',
    'This browser cannot use passkeys. Try its latest version.',
  ),
  needsScript: text('Las passkeys necesitan JavaScript.', 'Passkeys need JavaScript.'),
  failed: text(
    'No se pudo usar la passkey: se canceló o pasó demasiado tiempo. Probá de nuevo.',
    'The passkey could not be used: it was cancelled or took too long. Try again.',
  ),
  there: text('Este dispositivo ya tiene una passkey tuya.', 'This device already has one of your passkeys.'),
}

/** Reasons why a passkey was refused. */
export const passkeyReasons = {
  wrong_passkey: text(
    'No aceptamos esa passkey. Si la quitaste de tu cuenta, usá otra o tu contraseña.',
    'This passkey was not accepted. If you removed it from your account, use another or your password.',
  ),
  stale_challenge: text('Pasó demasiado tiempo. Probá de nuevo.', 'It took too long. Try again.'),
  passkey_copied: text(
    'Rechazamos esa passkey, porque puede que alguien la haya copiado. Quitala de tu cuenta.',
    'This passkey was refused because someone may have copied it. Remove it from your account.',
  ),
  passkey_there: text('Esa passkey ya estaba agregada.', 'This passkey was added already.'),
  passkeys_full: text(
    `Podés tener hasta ${maxPasskeys} passkeys. Para agregar otra, antes quitá una.`,
    `You can have up to ${maxPasskeys} passkeys. To add another, first remove one.`,
  ),
  passkeys_needed: text(
    'Sin contraseña necesitás dos passkeys. Antes agregá otra, o elegí una contraseña.',
    'Without a password you need two passkeys. First add another, or set a password.',
  ),
}
