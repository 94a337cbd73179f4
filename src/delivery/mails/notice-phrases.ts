/** The texts of notices: the mails about changes to a person's account, or to their agency's keys or email. */
import { filled, text } from '../../platform/web/language/both-languages.ts'

type NoticeText = readonly [subject: string, what: string, whatElse: string]
type NoticeTexts = readonly [es: NoticeText, en: NoticeText]

const notYours = text(
  'Si fuiste vos, no tenés que hacer nada. Si no, elegí ya una contraseña nueva y avisale al operador del servicio.',
  'If this was you, you can ignore this email. If not, set a new password now and tell the operator of the service.',
)

/** For changes that may let someone else in. A new password ends their sessions, but their passkeys stay. */
const notYourWayIn = text(
  'Si fuiste vos, no tenés que hacer nada. Si no, elegí ya una contraseña nueva y después quitá las passkeys que no reconozcas. Avisale también al operador del servicio.',
  'If this was you, you can ignore this email. If not, set a new password now and then remove any passkeys that you do not recognise. Also tell the operator of the service.',
)

/** A person who was erased, in the middle of a sentence. */
export const erased = text('alguien cuya cuenta se eliminó', 'someone whose account was erased')

export const notices = {
  erased,
  hello: filled((name: string) => [`Hola, ${name}:`, `Hello ${name},`]),
  password_changed: filled((service: string, when: string): NoticeTexts => [
    [
      `Cambió la contraseña de tu cuenta de ${service}`,
      `La contraseña de tu cuenta de ${service} se cambió el ${when}.`,
      notYourWayIn.es,
    ],
    [
      `The password of your ${service} account has changed`,
      `The password of your ${service} account was changed on ${when}.`,
      notYourWayIn.en,
    ],
  ]),
  factor_on: filled((service: string, when: string): NoticeTexts => [
    [
      `Se activó la verificación en dos pasos de tu cuenta de ${service}`,
      `La verificación en dos pasos de tu cuenta de ${service} se activó el ${when}. Ahora, para entrar con la contraseña, también hace falta un código.`,
      notYours.es,
    ],
    [
      `Two-step verification is on for your ${service} account`,
      `Two-step verification was turned on for your ${service} account on ${when}. Signing in with the password now also asks for a code.`,
      notYours.en,
    ],
  ]),
  factor_off: filled((service: string, when: string, by: string | null): NoticeTexts => [
    [
      `Se desactivó la verificación en dos pasos de tu cuenta de ${service}`,
      by === null
        ? `La verificación en dos pasos de tu cuenta de ${service} se desactivó el ${when}. Ahora, para entrar con la contraseña, no hace falta un código.`
        : `${by}, del equipo que opera ${service}, quitó la verificación en dos pasos de tu cuenta el ${when}. Ahora, para entrar con la contraseña, no hace falta un código.`,
      by === null
        ? notYours.es
        : 'Si lo pediste, volvé a activarla cuando puedas. Si no, elegí ya una contraseña nueva y avisale al operador del servicio.',
    ],
    [
      `Two-step verification is off for your ${service} account`,
      by === null
        ? `Two-step verification was turned off for your ${service} account on ${when}. Signing in with the password no longer asks for a code.`
        : `${by}, an operator of ${service}, turned off two-step verification for your account on ${when}. Signing in with the password no longer asks for a code.`,
      by === null
        ? notYours.en
        : 'If you asked for this, turn it on again when you can. If not, set a new password now and tell the operator of the service.',
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
  password_removed: filled((service: string, when: string): NoticeTexts => [
    [
      `Se quitó la contraseña de tu cuenta de ${service}`,
      `La contraseña de tu cuenta de ${service} se quitó el ${when}. Ahora entrás solo con tus passkeys.`,
      notYourWayIn.es,
    ],
    [
      `The password of your ${service} account was removed`,
      `The password of your ${service} account was removed on ${when}. Only your passkeys sign you in now.`,
      notYourWayIn.en,
    ],
  ]),
  passkey_added: filled((service: string, when: string, name: string): NoticeTexts => [
    [
      `Se agregó una passkey a tu cuenta de ${service}`,
      `La passkey «${name}» se agregó a tu cuenta de ${service} el ${when}. Con ella se entra sin contraseña ni código.`,
      notYourWayIn.es,
    ],
    [
      `A passkey was added to your ${service} account`,
      `The passkey “${name}” was added to your ${service} account on ${when}. It signs in without a password or code.`,
      notYourWayIn.en,
    ],
  ]),
  passkey_removed: filled((service: string, when: string, name: string): NoticeTexts => [
    [
      `Se quitó una passkey de tu cuenta de ${service}`,
      `La passkey «${name}» se quitó de tu cuenta de ${service} el ${when}. Ya no sirve para entrar.`,
      notYourWayIn.es,
    ],
    [
      `A passkey was removed from your ${service} account`,
      `The passkey “${name}” was removed from your ${service} account on ${when}. It no longer signs in.`,
      notYourWayIn.en,
    ],
  ]),
  passkey_copied: filled((service: string, when: string, name: string): NoticeTexts => [
    [
      `Rechazamos una passkey de tu cuenta de ${service}`,
      `Alguien usó la passkey «${name}» de tu cuenta de ${service} el ${when} y la rechazamos: parece una copia.`,
      'Quitá esa passkey de tu cuenta y avisale al operador del servicio.',
    ],
    [
      `A passkey of your ${service} account was refused`,
      `On ${when}, the passkey “${name}” of your ${service} account was refused because it looks like a copy.`,
      'Remove that passkey from your account and tell the operator of the service.',
    ],
  ]),
  new_browser: filled((service: string, when: string, browser: string | null): NoticeTexts => [
    [
      `Entraron a tu cuenta de ${service} desde otro navegador`,
      `El ${when} alguien entró a tu cuenta de ${service} desde un navegador que no conocíamos${browser === null ? '' : ` (${browser})`}.`,
      'Si fuiste vos, no tenés que hacer nada. Si no, cerrá esa sesión en «Mi cuenta», elegí ya una contraseña nueva y avisale al operador del servicio.',
    ],
    [
      `New browser signed in to your ${service} account`,
      `On ${when}, someone signed in to your ${service} account from a browser that we did not know${browser === null ? '' : ` (${browser})`}.`,
      'If this was you, you can ignore this email. If not, sign that session out under “My account”, set a new password now and tell the operator of the service.',
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
          ? `On ${when}, the key “${key}” (${prefix}…) was created for ${agency} from the service’s command line. It has write access.`
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
        'Si no esperabas este cambio, averiguá con los titulares de la inmobiliaria quién lo hizo: figura en «Auditoría», en el panel. Si nadie lo reconoce, avisale al operador del servicio.',
      ],
      [
        `${agency}’s email has changed`,
        to === null
          ? `${agency}’s email on ${service}, ${from}, was removed on ${when}. The agency no longer gets enquiries or notifications by email.`
          : from === null
            ? `Since ${when}, ${agency}’s email on ${service} is ${to}. Enquiries and notifications go there.`
            : `${agency}’s email on ${service} changed on ${when} from ${from} to ${to}. Enquiries and notifications go there.`,
        'If you did not expect this, ask the agency’s owners who did it: the audit log in the dashboard shows it. If nobody knows, tell the operator of the service.',
      ],
    ],
  ),
}
