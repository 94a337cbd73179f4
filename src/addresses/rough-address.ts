/**
 * An address without what names the door, as Argentines say it: `Av. Corrientes 1234 3º B` → `Avenida Corrientes al 1200`. What cannot be
 * told for certain is left out: whoever asks for this would rather show too little.
 */
import { normalizeAddress, type PlaceOfListing } from './normalize.ts'

/** Years and codes: a street whose name has such a number may have been read wrongly. */
const longNumber = /\d{4}/
/** A number in words. */
const spelledNumber = /\b(mil|\p{L}*cient\p{L}*|quinient\p{L}*)\b/iu
/** What tells a corner. */
const corner = /^esq(uina)? |( y | esq(uina)? ).*$/giu

/** Null: nothing of it can be shown. */
export function roughAddress(address: string, place: PlaceOfListing = {}): string | null {
  const { street, number } = normalizeAddress(address, place)
  if (street === null || longNumber.test(street)) return null
  const [, door] = /^(\d{1,6})(?: bis)?(?: (?:Norte|Sur|Este|Oeste))?$/.exec(number ?? '') ?? []
  // Of a kilometre, a lot or a low number there is no hundred.
  const hundred = Math.floor(Number(door ?? 0) / 100) * 100
  if (hundred > 0) return `${street} al ${hundred}`
  if (number === null) return spelledNumber.test(street) ? null : street.replaceAll(corner, '') || null
  const digits = /\d+/.exec(number)?.[0] ?? ''
  return street.split(/\D+/).includes(digits) ? null : street
}
