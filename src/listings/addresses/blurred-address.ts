/**
 * An address without its door, as Argentines say it: `Av. Corrientes 1234 3º B` → `Avenida Corrientes al 1200`. Uncertain parts are
 * omitted: showing too little is better than revealing the door.
 */
import { months } from './abbreviations.ts'
import { foldForAddress } from './fold.ts'
import { type NormalizedAddress, normalizeAddress, type LocalityOfListing } from './normalize.ts'

/** A longer one may be a description. The longest names of the country have about 55 characters. */
const maxStreetLength = 60
/** Years and codes: a street whose name has such a number may have been read wrongly. */
const longNumber = /\d{4}/
const monthNames = [...new Set(months.values())].map(foldForAddress).join('|')
/** Streets whose name begins with a number: `33 Orientales`, `9 de Julio`. */
const numberedName = new RegExp(
  String.raw`^(?:3 (?:arroyos|sargentos)|33 orientales|7 jefes|14 provincias|(?:[12]?\d|3[01])o? de (?:${monthNames}))(?!\p{L})`,
  'u',
)
/** A number in words, unless it begins the name of a street. */
const spelledNumber =
  /(?<!\p{L})(?:un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieci\p{L}+|veint\p{L}+|treinta(?! y tres orientales)|(?:cuare|cincue|sese|sete|oche|nove)nta|mil|\p{L}*cien|\p{L}*cient\p{L}*|quinient\p{L}*)(?!\p{L}| (?:arroyos|sargentos|orientales|jefes|provincias)(?!\p{L}))/iu
/** The mark of a corner. */
const corner = /^esq(uina)? |( y (?!tres orientales)| e (?=h?i)| esq(uina)? ).*$/giu
/** The same in the address as given: parsing drops the sign. */
const separated = /(?<=\p{L}{3})(?:\s*[/|]|\s+[-–]\s).*$/su
/** Words that reveal where on the street the door is: the building's name, or a landmark. */
const landmark =
  /(?:^| )(?:edif(?:icio)?|galer[ií]a|shopping|consorcio|altura|frente|al lado|intersecci[oó]n)(?!\p{L}).*$/iu

/**
 * The address as visitors see it. If a change here alters the stored search text, a migration must set `properties.rough_folded` to null.
 * @param read the address as normalised, if it is known
 * @returns null if nothing of it can be shown
 */
export function blurredAddress(
  address: string,
  locality: LocalityOfListing,
  read: NormalizedAddress = normalizeAddress(address, locality),
): string | null {
  // `57 33 Orientales` is read as number 33 of street 57.
  const [, second] = /^[^\p{L}\d]*\d+(?:\s+bis)?\s+(\d.*)$/isu.exec(address) ?? []
  if (second !== undefined && numberedName.test(foldForAddress(second)))
    return blurredAddress(second, locality)
  const { number } = read
  const street =
    read.street === null ? '' : withoutLeadingDoor(read.street, number, address).replace(landmark, '')
  if (street === '' || street.length > maxStreetLength) return null
  if (longNumber.test(street) || spelledNumber.test(street)) return null
  const [, door] = /^(\d{1,6})(?: bis)?(?: (?:Norte|Sur|Este|Oeste))?$/.exec(number ?? '') ?? []
  // A kilometre, a lot or a low number has no hundred.
  const hundred = Math.floor(Number(door ?? 0) / 100) * 100
  if (hundred > 0) return `${street} al ${hundred}`
  if (number === null && separated.test(address))
    return blurredAddress(address.replace(separated, ''), locality)
  if (number === null) return street.replaceAll(corner, '') || null
  const digits = /\d+/.exec(number)?.[0] ?? ''
  return street.split(/\D+/).includes(digits) ? null : street
}

/** The street without a number before it, as in `57 Av. Corrientes`. Empty where that number may be the door or the street's. */
function withoutLeadingDoor(street: string, number: string | null, address: string): string {
  const [, leading, end] = /^[^\p{L}\d]*(\d+)(?:\s*[-–/]\s*(\d+))?/u.exec(address) ?? []
  if (leading === undefined) return street
  // `57/59 Corrientes` is read as number 59 of street 57.
  if (end !== undefined && end === number) return ''
  if (!/^\d/.test(street)) {
    // `57 y 8` is on the numbered street 57; `50 Avenida 7` may be on either.
    return street.startsWith('Calle ') || !street.split(/\D+/).includes(leading) ? street : ''
  }
  let name = street
  while (/^\d/.test(name) && !numberedName.test(foldForAddress(name)))
    name = name.replace(/^\d+\S*(?: bis(?= |$))? ?/i, '')
  return name
}
