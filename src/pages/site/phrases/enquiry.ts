/** Texts of the form for a visitor's enquiry. */
import { filled, text } from '../../../platform/web/language/both-languages.ts'

export const enquiry = {
  ask: text('Enviar una consulta', 'Send an enquiry'),
  askShort: text('Consulta', 'Enquiry'),
  title: filled((agency: string) => [`Consultale a ${agency}`, `Ask ${agency}`]),
  opening: filled((isListing: boolean) => [
    isListing ? 'Hola, me interesa esta propiedad. ¿Podemos coordinar una visita?' : '',
    isListing ? 'Hello, I am interested in this property. Could we arrange a viewing?' : '',
  ]),
  name: text('Tu nombre', 'Your name'),
  email: text('Correo electrónico', 'Email'),
  phone: text('Teléfono', 'Phone'),
  oneWay: text(
    'Dejá al menos uno de los dos, para que te respondan.',
    'Leave at least one of the two, so that they can reply.',
  ),
  message: text('Consulta', 'Message'),
  leaveEmpty: text('No completes este campo', 'Leave this field empty'),
  consent: filled((agency: string) => [
    `Lo que escribís le llega por correo a ${agency}, para que te responda. Este sitio lo guarda cifrado solo hasta enviarlo, como máximo 3 días.`,
    `What you write is sent by email to ${agency}, so that they can reply. This site keeps it, encrypted, only until it is sent: 3 days at most.`,
  ]),
  send: text('Enviar', 'Send'),
  wrong: text('Revisá lo que sigue:', 'Check the following:'),
  nameMissing: text('Escribí tu nombre.', 'Enter your name.'),
  nameOdd: text(
    'Escribí un nombre más corto, sin caracteres especiales.',
    'Enter a shorter name, without special characters.',
  ),
  wayMissing: text('Dejá un correo o un teléfono.', 'Leave an email or a phone number.'),
  emailOdd: text(
    'Escribí un correo completo, como ana@example.com.',
    'Enter a full email, such as ana@example.com.',
  ),
  phoneOdd: text(
    'Escribí un teléfono con números, como +54 11 5555-0142.',
    'Enter a phone number in digits, such as +54 11 5555-0142.',
  ),
  messageMissing: text('Escribí tu consulta.', 'Enter your message.'),
  messageOdd: filled((max: number) => [
    `Escribí hasta ${max} caracteres de texto.`,
    `Enter up to ${max} characters of text.`,
  ]),
  stale: text(
    'No pudimos comprobar el formulario. Enviá la consulta de nuevo.',
    'The form could not be verified. Send the enquiry again.',
  ),
  gone: filled((agency: string) => [
    `Esta propiedad ya no está publicada. Podés enviarle igual tu consulta a ${agency}.`,
    `This listing is no longer available. You can still send your enquiry to ${agency}.`,
  ]),
  limited: text(
    'Se enviaron demasiadas consultas. Probá más tarde, o comunicate por otro medio.',
    'Too many enquiries were sent. Try again later, or get in touch another way.',
  ),
  sent: text('Consulta enviada', 'Enquiry sent'),
  sentText: filled((agency: string) => [
    `${agency} la recibe por correo y te responde directamente.`,
    `${agency} gets it by email and will reply to you directly.`,
  ]),
  back: text('Volver a la propiedad', 'Back to the property'),
  test: text(
    'Este es un entorno de prueba: la consulta no se envía a nadie.',
    'This is a test environment: the enquiry is not sent to anyone.',
  ),
}
