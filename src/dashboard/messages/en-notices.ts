/**
 * English: security mails about an account or the agency's keys.
 */
import type { notices as spanish } from './es-notices.ts'

const notYours =
  'If this was you, there is nothing to do. If not, change your password now and tell the operator of the service.'

export const notices: typeof spanish = {
  hello: (name) => `Hello ${name},`,
  password_changed: (service, when) => [
    `The password of your ${service} account has changed`,
    `The password of your ${service} account was changed on ${when}.`,
    notYours,
  ],
  factor_on: (service, when) => [
    `The second factor of your ${service} account is on`,
    `The second factor of your ${service} account was activated on ${when}. Signing in now also asks for a code.`,
    notYours,
  ],
  factor_off: (service, when, by) => [
    `The second factor of your ${service} account is off`,
    by === null
      ? `The second factor of your ${service} account was deactivated on ${when}. Your password alone now signs you in.`
      : `${by}, an operator of ${service}, removed the second factor of your account on ${when}. Your password alone now signs you in.`,
    by === null
      ? notYours
      : 'If you asked for this, turn the second factor on again when you can. If not, change your password now and tell the operator of the service.',
  ],
  recovery_codes: (service, when) => [
    `New recovery codes for your ${service} account`,
    `New recovery codes were made for your ${service} account on ${when}. The old ones no longer work.`,
    notYours,
  ],
  writing_key: (key, prefix, agency, by, when) => [
    `New key that can write: “${key}”`,
    by === null
      ? `On ${when}, the key “${key}” (${prefix}…) was created for ${agency} on the command line of the service. It can write.`
      : `On ${when}, ${by} created the key “${key}” (${prefix}…) for ${agency}. It can write.`,
    'If you did not expect it, revoke it and ask who needs it.',
  ],
}
