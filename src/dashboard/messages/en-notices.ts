/**
 * English: the mails that tell what was done to an account or with the agency's keys.
 */
import type { notices as spanish } from './es-notices.ts'

const notYours =
  'If it was you, you need not do anything. If not, choose another password now and tell whoever runs the service.'

export const notices: typeof spanish = {
  hello: (name) => `Hello ${name},`,
  password_changed: (service, when) => [
    `The password of your ${service} account has changed`,
    `The password of your ${service} account was changed on ${when}.`,
    notYours,
  ],
  factor_on: (service, when) => [
    `The second factor of your ${service} account is on`,
    `The second factor of your ${service} account was activated on ${when}. Since then, signing in asks for a code as well.`,
    notYours,
  ],
  factor_off: (service, when, by) => [
    `The second factor of your ${service} account is off`,
    by === null
      ? `The second factor of your ${service} account was deactivated on ${when}. The password alone lets one in.`
      : `${by}, who runs ${service}, removed the second factor of your account on ${when}. The password alone lets one in.`,
    by === null
      ? notYours
      : 'If you asked for it, turn it on again when you can. If not, choose another password now and tell whoever runs the service.',
  ],
  recovery_codes: (service, when) => [
    `There are new recovery codes for your ${service} account`,
    `On ${when}, new recovery codes were made for your ${service} account. The old ones no longer work.`,
    notYours,
  ],
  writing_key: (key, prefix, agency, by, when) => [
    `New key that can write: “${key}”`,
    by === null
      ? `On ${when}, the key “${key}” (${prefix}…) of ${agency}, which can write, was made on the command line of the service.`
      : `On ${when}, ${by} made the key “${key}” (${prefix}…) of ${agency}, which can write.`,
    'If you did not expect it, revoke it and ask who needs it.',
  ],
}
