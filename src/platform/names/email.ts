/** Checks emails, strictly enough for a mail header, and folds them. Only sending shows whether one exists. */
import { emailLength } from '../../limits/sizes.ts'
import { invalid } from '../errors/errors.ts'

const part = String.raw`[^\s@<>",;:()[\]\\\p{Cc}]+`
const pattern = new RegExp(`^${part}@${part}\\.[^\\s@<>",;:()[\\]\\\\\\p{Cc}.]+$`, 'u')

/** The form in which emails are stored and compared. */
export function foldEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** @throws ApiError 400 `email` */
export function checkEmail(email: string): string {
  if (email.length > emailLength || !pattern.test(email)) {
    throw invalid('email', `"${email}" is not an email address.`, 'email_odd')
  }
  return email
}
