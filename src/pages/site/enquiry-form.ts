/**
 * What the form of an enquiry holds: what was typed and what is wrong with it, and the sealed token that says what the form is of and
 * since when.
 */
import { dayMs } from '../../platform/days.ts'
import type { Deps } from '../../deps.ts'
import type { PublicAgency } from '../../agencies/public-agency.ts'
import { checkEmail } from '../../platform/email-address.ts'
import { isUuid, uuidv7 } from '../../platform/ids.ts'
import { enquirySizes } from '../../limits/table.ts'
import type { Listing } from '../../listings/listing.ts'
import type { Problems } from '../framework/fields.ts'
import { enquiryPath } from './enquiry-path.ts'
import type { Edition } from './site.ts'

/** So that no other sealed text is taken for a form's. */
const mark = 'enquiry'
/** A person takes longer to fill in the form; a page may stay open for a day. */
const ageMs = { least: 2_000, most: dayMs }

/** What is asked about: the agency, or one of its listings. */
export type About = Readonly<{ agency: PublicAgency; listing: Listing | null }>

/** What visitors type. */
export type Typed = Readonly<{ name: string; email: string; phone: string; message: string }>

export function typedIn(sent: URLSearchParams): Typed {
  const typed = (name: string) => (sent.get(name) ?? '').replaceAll('\0', '').toWellFormed().trim()
  const message = typed('message').replaceAll('\r\n', '\n')
  return { name: typed('name'), email: typed('email'), phone: typed('phone'), message }
}

/** Whether the field that people do not see holds something. */
export function isFilledBlindly(sent: URLSearchParams): boolean {
  return (sent.get('website') ?? '').trim() !== ''
}

/** What is wrong, by field. */
export function problemsOf(form: Typed, { words }: Edition): Problems {
  const texts = words.enquiry
  const problems: Record<string, string> = {}
  const isOdd = (text: string, lines = '') => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text.replaceAll(lines, ''))
  if (form.name === '') problems['name'] = texts.nameMissing
  else if ([...form.name].length > enquirySizes.name || isOdd(form.name)) problems['name'] = texts.nameOdd
  if (form.email === '' && form.phone === '') problems['email'] = texts.wayMissing
  if (form.email !== '' && !isEmail(form.email)) problems['email'] = texts.emailOdd
  if (form.phone !== '' && !isPhone(form.phone)) problems['phone'] = texts.phoneOdd
  if (form.message === '') problems['message'] = texts.messageMissing
  else if ([...form.message].length > enquirySizes.message || isOdd(form.message, '\n'))
    problems['message'] = texts.messageOdd(enquirySizes.message)
  return problems
}

function isPhone(text: string): boolean {
  return /^\+?[\d ()./-]{6,30}$/.test(text) && text.replaceAll(/\D/g, '').length >= 6
}

function isEmail(text: string): boolean {
  try {
    checkEmail(text)
    return true
  } catch {
    return false
  }
}

/** The Spanish path of the form. */
export function formPath({ agency, listing }: About): string {
  return enquiryPath(agency.slug, listing?.public_id ?? null)
}

export function newToken({ secretBox, clock }: Deps, about: About): string {
  const parts = [mark, formPath(about), uuidv7(), String(Date.now() + clock.offsetMs)]
  return secretBox.seal(JSON.stringify(parts)).toString('base64url')
}

/** @returns the id of the form; null for whatever is no token of this form, too new or too old */
export function readToken({ secretBox, clock }: Deps, about: About, token: string): string | null {
  if (token.length > 1_000 || !/^[\w-]+$/.test(token)) return null
  try {
    const parts = JSON.parse(secretBox.open(Buffer.from(token, 'base64url'))) as string[]
    const [what, path, id = '', at] = parts
    const age = Date.now() + clock.offsetMs - Number(at)
    const isOurs = what === mark && path === formPath(about) && isUuid(id)
    return isOurs && age >= ageMs.least && age <= ageMs.most ? id : null
  } catch {
    return null
  }
}
