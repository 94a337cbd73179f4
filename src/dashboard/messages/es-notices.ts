/**
 * Español (Argentina): correos de seguridad sobre una cuenta o las claves de la inmobiliaria.
 */
type NoticeText = readonly [subject: string, what: string, whatElse: string]

const notYours =
  'Si fuiste vos, no tenés que hacer nada. Si no, cambiá ya la contraseña y avisale a quien opera el servicio.'

export const notices = {
  hello: (name: string) => `Hola, ${name}:`,
  password_changed: (service: string, when: string): NoticeText => [
    `Cambió la contraseña de tu cuenta de ${service}`,
    `La contraseña de tu cuenta de ${service} se cambió el ${when}.`,
    notYours,
  ],
  factor_on: (service: string, when: string): NoticeText => [
    `Se activó el segundo factor de tu cuenta de ${service}`,
    `El segundo factor de tu cuenta de ${service} se activó el ${when}. Ahora, para entrar, también vas a necesitar un código.`,
    notYours,
  ],
  factor_off: (service: string, when: string, by: string | null): NoticeText => [
    `Se desactivó el segundo factor de tu cuenta de ${service}`,
    by === null
      ? `El segundo factor de tu cuenta de ${service} se desactivó el ${when}. Ahora, para entrar, alcanza con la contraseña.`
      : `${by}, que opera ${service}, quitó el segundo factor de tu cuenta el ${when}. Ahora, para entrar, alcanza con la contraseña.`,
    by === null
      ? notYours
      : 'Si lo pediste, volvé a activarlo cuando puedas. Si no, cambiá ya la contraseña y avisale a quien opera el servicio.',
  ],
  recovery_codes: (service: string, when: string): NoticeText => [
    `Códigos de recuperación nuevos para tu cuenta de ${service}`,
    `El ${when} se crearon códigos de recuperación nuevos para tu cuenta de ${service}. Los anteriores dejaron de servir.`,
    notYours,
  ],
  writing_key: (key: string, prefix: string, agency: string, by: string | null, when: string): NoticeText => [
    `Clave nueva que puede escribir: «${key}»`,
    by === null
      ? `El ${when} se creó la clave «${key}» (${prefix}…) para ${agency} desde la línea de comandos del servicio. Puede escribir.`
      : `El ${when}, ${by} creó la clave «${key}» (${prefix}…) para ${agency}. Puede escribir.`,
    'Si no la esperabas, revocala y averiguá quién la necesita.',
  ],
}
