/** Checks names, which have one line. Mails contain the names of people and agencies, so those must not look like a URL. */
import { nameLength } from '../../limits/sizes.ts'
import { invalid } from '../errors/errors.ts'

/** A scheme, `www.`, an email, or a host with a path: never part of a name. */
const urlPart = /:\/\/|\bwww\.|[^\s@]@[^\s@]|[\p{L}\p{N}-]\.\p{L}{2,}[/:?]\S|\d{1,3}(?:\.\d{1,3}){3}/iu
/** Mail programs turn even a bare host into a link. */
const host = /([\p{L}\p{N}-]+)\.(\p{L}{2,})/gu
/** `Ma.Laura`, `Lic.Ana`: an abbreviation without the space after it. */
const isAbbreviated = ([, left = '', right = '']: RegExpMatchArray): boolean =>
  left.length <= 3 && /^\p{Lu}\p{Ll}+$/u.test(right)

/** A name of 1 to 120 characters. @param forbidden characters that it must not have @throws ApiError 400 `name` */
export function checkPlainName(name: string, forbidden: RegExp, ifEmpty = 'name must not be empty.'): string {
  const trimmed = name.trim()
  if (trimmed === '') throw invalid('name', ifEmpty, 'name_empty')
  if ([...trimmed].length > nameLength)
    throw invalid('name', `name must have at most ${nameLength} characters.`, 'name_long')
  if (forbidden.test(trimmed) || !trimmed.isWellFormed())
    throw invalid('name', 'name must not have control characters.', 'name_odd')
  return trimmed
}

/** The name of an agency, which may be its domain. @throws ApiError 400 `name` */
export function checkAgencyName(name: string): string {
  // Format characters hide text or change its direction.
  const trimmed = checkPlainName(name, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  if (urlPart.test(asRead(trimmed))) throw holdsUrl()
  return trimmed
}

/** @throws ApiError 400 `name` */
export function checkPersonName(name: string): string {
  const checked = checkAgencyName(name)
  if ([...asRead(checked).matchAll(host)].some((match) => !isAbbreviated(match))) throw holdsUrl()
  return checked
}

/** The name for a mail to a stranger: no part of it becomes a link. */
export function withoutLinks(name: string): string {
  return asRead(name)
    .replaceAll(/\.(?=\p{L}{2})/gu, '. ')
    .replaceAll('://', ': ')
    .replaceAll('@', ' @ ')
}

/** Look-alikes: full-width letters and ideographic full stops work in URLs. */
function asRead(name: string): string {
  return name.normalize('NFKC').replaceAll('。', '.')
}

function holdsUrl() {
  return invalid('name', 'name must not contain a URL or an email.', 'name_contact')
}
