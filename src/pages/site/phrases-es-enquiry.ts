/** Español (Argentina): el formulario de consulta. */
export const enquirySpanish = {
  ask: 'Enviar una consulta',
  askShort: 'Consulta',
  title: (agency: string) => `Consultale a ${agency}`,
  opening: (isListing: boolean): string =>
    isListing ? 'Hola, me interesa esta propiedad. ¿Podemos coordinar una visita?' : '',
  name: 'Tu nombre',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  oneWay: 'Dejá al menos uno de los dos, para que te respondan.',
  message: 'Consulta',
  leaveEmpty: 'No completes este campo',
  consent: (agency: string) =>
    `Lo que escribís le llega por correo a ${agency}, para que te responda. En este sitio no se guarda.`,
  send: 'Enviar',
  wrong: 'Revisá lo que sigue:',
  nameMissing: 'Escribí tu nombre.',
  nameOdd: 'Escribí un nombre más corto, sin caracteres especiales.',
  wayMissing: 'Dejá un correo o un teléfono.',
  emailOdd: 'Escribí un correo completo, como ana@example.com.',
  phoneOdd: 'Escribí un teléfono con números, como +54 11 5555-0142.',
  messageMissing: 'Escribí tu consulta.',
  messageOdd: (most: number) => `Escribí hasta ${most} caracteres de texto.`,
  stale: 'No pudimos comprobar el formulario. Enviá la consulta de nuevo.',
  gone: (agency: string) =>
    `Esta propiedad ya no está publicada. Podés enviarle igual tu consulta a ${agency}.`,
  limited: 'Se enviaron demasiadas consultas. Probá más tarde, o comunicate por otro medio.',
  sent: 'Consulta enviada',
  sentText: (agency: string) => `${agency} la recibe por correo y te responde directamente.`,
  back: 'Volver a la propiedad',
  test: 'Este es un entorno de prueba: la consulta no se envía a nadie.',
}
