/** The contents of the enquiry form: the typed values, their problems, and the sealed token with the form's subject and age. */
import { dayMs } from '../../../platform/time/days.ts'
import type { Deps } from '../../../deps.ts'
import type { PublicAgency } from '../../../agencies/public-agency.ts'
import { checkEmail } from '../../../platform/names/email.ts'
import { isUuid, uuidv7 } from '../../../platform/names/ids.ts'
import { openToken, sealToken } from '../../../access/secrets/sealed-token.ts'
import { enquirySizes } from '../../../limits/sizes.ts'
import type { Listing } from '../../../listings/listing.ts'
import type { FieldProblems } from '../../framework/fields.ts'
import { agencyPath, type Edition, listingPath } from '../frame/site.ts'

const mark = 'enquiry'
/** A person takes longer than the least to fill in the form. A page may stay open for a day. */
const ageMs = { min: 2_000, max: dayMs }

/** The subject of an enquiry: the agency, or one of its listings. */
export type About = Readonly<{ agency: PublicAgency; listing: Listing | null }>

export type EnquiryForm = Readonly<Record<'name' | 'email' | 'phone' | 'message' | 'token', string>>

export function typedIn(sent: URLSearchParams): Omit<EnquiryForm, 'token'> {
  const typed = (name: string) => (sent.get(name) ?? '').replaceAll('\0', '').toWellFormed().trim()
  const message = typed('message').replaceAll('\r\n', '\n')
  return { name: typed('name'), email: typed('email'), phone: typed('phone'), message }
}

/** Whether the field that people do not see was filled in. */
export function isFilledBlindly(sent: URLSearchParams): boolean {
  return (sent.get('website') ?? '').trim() !== ''
}

export function problemsOf(form: EnquiryForm, { words }: Edition): FieldProblems {
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

/** Whether the agency's pages have the form. */
export function takesEnquiries({ mailer }: Pick<Deps, 'mailer'>, agency: PublicAgency): boolean {
  return mailer !== null && agency.email !== null && agency.takes_enquiries
}

/** The Spanish path of the form. */
export function enquiryPath(slug: string, code: string | undefined): string {
  return `${code === undefined ? agencyPath(slug) : listingPath(slug, code)}/consulta`
}

export function formPath({ agency, listing }: About): string {
  return enquiryPath(agency.slug, listing?.public_id)
}

export function newToken({ secretBox, clock }: Pick<Deps, 'secretBox' | 'clock'>, about: About): string {
  return sealToken(secretBox, mark, [formPath(about), uuidv7(), String(Date.now() + clock.offsetMs)])
}

/** @returns the id of the form; null for a token that is not this form's, too new or too old */
export function readToken(
  { secretBox, clock }: Pick<Deps, 'secretBox' | 'clock'>,
  about: About,
  token: string,
): string | null {
  const [path, id = '', at] = openToken(secretBox, mark, token) ?? []
  const age = Date.now() + clock.offsetMs - Number(at)
  const isOurs = path === formPath(about) && isUuid(id)
  return isOurs && age >= ageMs.min && age <= ageMs.max ? id : null
}
