/**
 * Checks emails: strict enough for a mail header. Only sending shows whether one exists.
 */
import { invalid } from './errors.ts'

const part = String.raw`[^\s@<>",;:()[\]\\\p{Cc}]+`
const pattern = new RegExp(`^${part}@${part}\\.[^\\s@<>",;:()[\\]\\\\\\p{Cc}.]+$`, 'u')

/** @throws ApiError 400 `email` */
export function checkEmail(email: string): string {
  if (email.length > 254 || !pattern.test(email)) {
    throw invalid('email', `"${email}" is no email address.`, 'email_odd')
  }
  return email
}
