/**
 * Español (Argentina): los correos que cuentan qué pasó con una cuenta o con las claves de la inmobiliaria.
 */
type NoticeText = readonly [subject: string, what: string, whatElse: string]

const notYours =
  'Si fuiste vos, no hace falta que hagas nada. Si no, elegí ya otra contraseña y avisale a quien administra el servicio.'

export const notices = {
  hello: (name: string) => `Hola, ${name}:`,
  password_changed: (service: string, when: string): NoticeText => [
    `Cambió la contraseña de tu cuenta de ${service}`,
    `La contraseña de tu cuenta de ${service} se cambió el ${when}.`,
    notYours,
  ],
  factor_on: (service: string, when: string): NoticeText => [
    `Se activó el segundo factor de tu cuenta de ${service}`,
    `El segundo factor de tu cuenta de ${service} se activó el ${when}. Desde entonces, para entrar se pide también un código.`,
    notYours,
  ],
  factor_off: (service: string, when: string, by: string | null): NoticeText => [
    `Se desactivó el segundo factor de tu cuenta de ${service}`,
    by === null
      ? `El segundo factor de tu cuenta de ${service} se desactivó el ${when}. Para entrar alcanza con la contraseña.`
      : `${by}, que opera ${service}, quitó el segundo factor de tu cuenta el ${when}. Para entrar alcanza con la contraseña.`,
    by === null
      ? notYours
      : 'Si lo pediste, activalo de nuevo cuando puedas. Si no, elegí ya otra contraseña y avisale a quien administra el servicio.',
  ],
  recovery_codes: (service: string, when: string): NoticeText => [
    `Hay códigos de recuperación nuevos para tu cuenta de ${service}`,
    `El ${when} se crearon códigos de recuperación nuevos para tu cuenta de ${service}. Los anteriores dejaron de servir.`,
    notYours,
  ],
  writing_key: (key: string, prefix: string, agency: string, by: string | null, when: string): NoticeText => [
    `Clave nueva que puede escribir: «${key}»`,
    by === null
      ? `El ${when} se creó, desde la línea de comandos del servicio, la clave «${key}» (${prefix}…) de ${agency}, que puede escribir.`
      : `El ${when} ${by} creó la clave «${key}» (${prefix}…) de ${agency}, que puede escribir.`,
    'Si no la esperabas, revocala y preguntá quién la necesita.',
  ],
}
