/** Messages on the page that follows an action. */
import { counted, filled, text } from '../../../platform/web/language/both-languages.ts'
import { map } from './map.ts'

export const flash = {
  profileSaved: text('Guardado.', 'Saved.'),
  passwordChanged: text(
    'Contraseña cambiada. Las demás sesiones se cerraron.',
    'Password changed. Your other sessions were signed out.',
  ),
  passwordRemoved: text(
    'Se quitó la contraseña. Las demás sesiones se cerraron.',
    'Password removed. Your other sessions were signed out.',
  ),
  passkeyAdded: filled((name: string) => [
    `Passkey «${name}» agregada. Las demás sesiones se cerraron.`,
    `Passkey “${name}” added. Your other sessions were signed out.`,
  ]),
  passkeyRenamed: text('Nombre guardado.', 'Name saved.'),
  passkeyRemoved: filled((name: string) => [
    `La passkey «${name}» ya no sirve para entrar.`,
    `The passkey “${name}” no longer signs you in.`,
  ]),
  sessionEnded: text('Sesión cerrada.', 'Session signed out.'),
  sessionsEnded: text('Se cerraron las demás sesiones.', 'Your other sessions were signed out.'),
  personSessionsEnded: filled((name: string) => [
    `Se cerraron las sesiones de ${name}.`,
    `All of ${name}’s sessions were signed out.`,
  ]),
  sessionOver: text('Tu sesión se cerró. Iniciá sesión de nuevo.', 'Your session has ended. Sign in again.'),
  factorRemoved: text('Verificación en dos pasos desactivada.', 'Two-step verification is off.'),
  keyRevoked: filled((name: string) => [
    `La clave «${name}» ya no funciona.`,
    `The key “${name}” no longer works.`,
  ]),
  keyEndSet: text('Fecha de revocación guardada.', 'Revocation date saved.'),
  keyEndTaken: text(
    'Revocación cancelada. La clave vale hasta que la revoques.',
    'Revocation cancelled. The key works until you revoke it.',
  ),
  linkSent: filled((email: string) => [`Enviamos un correo a ${email}.`, `We sent an email to ${email}.`]),
  personOwner: filled((name: string) => [`${name} ahora es titular.`, `${name} is now an owner.`]),
  personMember: filled((name: string) => [`${name} ahora es integrante.`, `${name} is now a member.`]),
  personDisabled: filled((name: string) => [`${name} ya no puede entrar.`, `${name} can no longer sign in.`]),
  personEnabled: filled((name: string) => [`${name} puede entrar de nuevo.`, `${name} can sign in again.`]),
  personFactorRemoved: filled((name: string) => [
    `${name} ya no tiene verificación en dos pasos.`,
    `${name} no longer has two-step verification.`,
  ]),
  published: text('Propiedad publicada.', 'Listing published.'),
  suspended: text('Propiedad suspendida.', 'Listing suspended.'),
  closingRecorded: text('Guardamos el motivo y el cierre.', 'Reason and closing saved.'),
  reserved: text('Propiedad reservada.', 'Listing reserved.'),
  released: text('Reserva liberada.', 'Reservation released.'),
  deleted: text(
    'Propiedad eliminada. Su historial se conserva acá.',
    'Listing removed. Its history is kept here.',
  ),
  restored: text('Propiedad restaurada.', 'Listing restored.'),
  refused: filled((why: string) => [why, why]),
  agencyCreated: filled((name: string) => [
    `Se creó ${name}. Ahora invitá a su titular.`,
    `${name} was created. Now invite its owner.`,
  ]),
  agencyActivated: filled((name: string) => [`${name} está activa.`, `${name} is active.`]),
  agencyDeactivated: filled((name: string) => [`${name} está desactivada.`, `${name} is deactivated.`]),
  retried: text('Se está enviando de nuevo.', 'Sending again.'),
  testReset: filled((count: string) => [
    `El entorno de prueba tiene de nuevo ${count} propiedades de ejemplo.`,
    `The test environment has its ${count} sample listings again.`,
  ]),
  limitsChanged: text('Límites cambiados.', 'Limits changed.'),
  slugChanged: text(
    'URL cambiada. La anterior lleva a la nueva.',
    'URL changed. The old one leads to the new one.',
  ),
  emailLinkSent: filled((email: string) => [
    `Guardado. Para empezar a usar ${email}, abrí el enlace que enviamos ahí.`,
    `Saved. To start using ${email}, open the link that we sent there.`,
  ]),
  emailWaits: filled((email: string) => [
    `Guardado. Todavía no pudimos enviar el enlace a ${email}: vamos a seguir intentando.`,
    `Saved. The link to ${email} could not be sent yet. We will keep trying.`,
  ]),
  emailUnsent: filled((email: string) => [
    `No se pudo enviar el enlace a ${email}. Revisá que esté bien escrito.`,
    `The link to ${email} could not be sent. Check that it is spelled correctly.`,
  ]),
  emailCancelled: filled((email: string) => [
    `Cambio cancelado: ${email} no se va a usar.`,
    `Change cancelled: ${email} will not be used.`,
  ]),
  placeExact: map.isExact,
  placeBlurred: text('Las páginas públicas muestran solo la zona.', 'Public pages show the area only.'),
  photoStored: text('Foto guardada.', 'Photo saved.'),
  photoDuplicate: text('La propiedad ya tenía esa foto.', 'The listing already had that photo.'),
  photoFailed: filled((name: string, why: string) => [
    `No se pudo guardar «${name}». ${why}`,
    `“${name}” could not be saved. ${why}`,
  ]),
  photosStored: counted(['Foto guardada.', '# fotos guardadas.'], ['Photo saved.', '# photos saved.']),
  photoMoved: text('Orden guardado.', 'Order saved.'),
  photoRemoved: text('Foto quitada.', 'Photo removed.'),
  photosFixed: counted(
    ['La foto se guardó.', 'Se guardaron # fotos.'],
    ['The photo was saved.', '# photos were saved.'],
  ),
  photosFailAgain: filled((stored: string, failed: string) => [
    `${failed === '1' ? '1 foto sigue sin guardarse' : `${failed} fotos siguen sin guardarse`}.${stored === '0' ? '' : stored === '1' ? ' Se guardó 1.' : ` Se guardaron ${stored}.`}`,
    `${failed === '1' ? '1 photo still fails' : `${failed} photos still fail`}.${stored === '0' ? '' : ` ${stored} saved.`}`,
  ]),
  warningDismissed: text('Listo, lo descartamos.', 'Dismissed.'),
  keptRemoved: text('Fotos quitadas.', 'Photos removed.'),
  pinMoved: text('Pin movido.', 'Pin moved.'),
  placeFound: text('La dirección ya está en el mapa.', 'The address is on the map now.'),
  placeUnknown: text(
    'Seguimos sin encontrar la dirección. Corregila o poné el pin a mano.',
    'We still cannot find the address. Correct it, or place the pin by hand.',
  ),
  placeLater: text(
    'El servicio de direcciones no responde. Vamos a probar de nuevo.',
    'The address service is not responding. We will try again.',
  ),
  listingCreated: text('Borrador guardado.', 'Draft saved.'),
  draftSaved: filled((moment: string) => [
    `Borrador guardado. Último cambio: ${moment}.`,
    `Draft saved. Last change: ${moment}.`,
  ]),
  listingSaved: text('Cambios guardados.', 'Changes saved.'),
  listingSame: text('No había nada que cambiar.', 'There was nothing to change.'),
  priceCorrected: text('Precio corregido.', 'Price corrected.'),
}
