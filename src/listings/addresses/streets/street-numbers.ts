/** Reads the numbers of an address (api.md 12.4): the house number with its range, `bis` or cardinal point, and numbers in names. */
import { wordSet } from '../fold.ts'
import { ordinalNames } from '../abbreviations.ts'
import {
  afterCrossing,
  afterNoNumber,
  isFlatLetter,
  isFloor,
  isHeight,
  readBlock,
  readDate,
  readKilometre,
  readLabelled,
  readLot,
  type Read,
  readName,
} from '../patterns.ts'
import { readUnit } from './units.ts'
import { hasLetter, isMark, isNumber, isWord, type Token, type Tokens, wordToken } from '../tokens.ts'

/** No house number has this many digits if another number follows. */
export const codeDigits = 6
/** Postal codes, too, have this many. */
const doorDigits = 4
const estateDoors = wordSet('casa uf unidad chalet parcela')
const beforeNameNumber = wordSet('de del los las y regimiento batallon escuadron')
const cardinals = new Map(
  Object.entries({ norte: ' Norte', sur: ' Sur', sud: ' Sur', este: ' Este', oeste: ' Oeste' }),
)

/** The house number that begins with `number`; `next` is the index after it. Null for 0, which is not a house number. */
export function houseNumber(
  tokens: Tokens,
  number: Token,
  next: number,
): Read<{ number: string | null; letter: Token | null }> {
  const letter = hasLetter(number) ? wordToken(number.ending.toUpperCase()) : null
  if (number.folded === '0') return { value: { number: null, letter }, next }
  let end = afterRange(tokens, number, next)
  let shown = number.folded
  if (isWord(tokens[end], 'bis')) {
    shown += ' bis'
    end = afterRange(tokens, number, end + 1)
  }
  const cardinal = tokens[end]?.kind === 'word' ? cardinals.get(tokens[end]?.folded ?? '') : undefined
  if (cardinal !== undefined) {
    shown += cardinal
    end += 1
  }
  return { value: { number: shown, letter }, next: end }
}

/** `1234/36`, `1234-1236`, `1234 y 1236`, `1234 al 1240`: the index after the numbers that follow the first. */
function afterRange(tokens: Tokens, first: Token, at: number): number {
  let next = at
  for (;;) {
    const separator = tokens[next]
    const other = tokens[next + 1]
    if (!isNumber(other) || other.ending !== '' || readDate(tokens, next + 1)) return next
    const { length } = other.folded
    const near = length >= 2 && length <= first.folded.length
    const higher = length === first.folded.length && Number(other.folded) > Number(first.folded)
    const dash = isMark(separator, '-') && near && !isFlatLetter(tokens, next + 2)
    const slash = isMark(separator, '/') && near
    const word = (isWord(separator, 'y') || isWord(separator, 'al') || isWord(separator, 'a')) && higher
    if (!dash && !slash && !word) return next
    next += 2
  }
}

/** The name of a numbered street from its number on, with the `bis` or letter that belongs to it: `Calle 14 C`. */
export function readNumberedName(tokens: Tokens, number: Token, next: number, typed: boolean): Read<Token[]> {
  const value: Token[] = [{ ...number, text: number.folded, ending: '' }]
  if (hasLetter(number)) value.push(wordToken(number.ending.toUpperCase()))
  const suffix = tokens[next]
  if (suffix && isWord(suffix, 'bis')) return { value: [...value, suffix], next: next + 1 }
  if (!suffix || value.length > 1 || !isFlatLetter(tokens, next)) return { value, next }
  const continues =
    isNumber(tokens[next + 1]) ||
    readLabelled(tokens, next + 1) !== null ||
    afterNoNumber(tokens, next + 1) !== null ||
    afterCrossing(tokens, next + 1, true) !== null
  const belongs = continues || (typed && tokens[next + 1] === undefined)
  return belongs ? { value: [...value, suffix], next: next + 1 } : { value, next }
}

/**
 * Whether the number at `at` belongs to the name because another is the house number: `Batalla de 1812 300`, `Prueba 1888
 * 4000`, `Los 33 Orientales 200`. A short second number is a flat; one before a town is its postal code.
 */
export function isInnerNumber(tokens: Tokens, at: number, next: number): boolean {
  const number = tokens[next - 1]
  if (!isNumber(number) || number.ending !== '') return false
  if (isWord(tokens[at - 1], beforeNameNumber)) return true
  const door = tokens[next]
  // `Mitre 1888 Nº 40`, but `Mitre 1800 al 1900`.
  if (!isNumber(door)) return readLabelled(tokens, next) !== null && !isHeight(door)
  if (!hasDoor(tokens.slice(next), 1)) return false
  const digits = number.folded.length
  if (digits >= codeDigits) return true
  // `Rivadavia 12345 678`: 12345 is too high for a house number with a flat.
  if (digits === codeDigits - 1 && door.folded.length === doorDigits - 1) return true
  return door.folded.length >= doorDigits
}

/** Whether `rest` begins with a house number; without a sign such as `Nº` it needs a minimum of digits. */
export function hasDoor(rest: Tokens, minDigits: number): boolean {
  const [number] = rest
  if (number === undefined || isMark(number, ',') || !startsDoor(rest, false)) return false
  if (!isNumber(number)) return !isFloor(rest, 0) && readUnit(rest, 0) === null
  if (number.ending !== '' || number.folded.length < minDigits) return false
  return number.folded.length > 2 || !isFlatLetter(rest, 1)
}

/** Whether the number at `at` is an ordinal inside a name: `1ra Junta`, but neither `3º B` nor `4to piso`. */
export function isOrdinal(tokens: Tokens, at: number): boolean {
  const word = tokens[at + 1]
  if (!isNumber(tokens[at]) || tokens[at]?.ending === '' || word?.kind !== 'word' || word.folded.length < 2)
    return false
  return (
    !isWord(word, 'bis') && !isWord(word, 'piso') && !isFloor(tokens, at + 1) && !readLabelled(tokens, at + 1)
  )
}

/** `1ra` as the word `Primera`. */
export function ordinalToken(number: Token): Token {
  const name = ordinalNames[Number(number.folded) - 1]
  if (name === undefined) return { ...number, ending: '' }
  return wordToken(/[aª]$/u.test(number.ending) ? name.replace(/o$/, 'a') : name)
}

/** Whether a part after a comma is the number of the street before it. A postal code before a town is not. */
export function startsDoor(part: Tokens, inEstate: boolean): boolean {
  if (readLabelled(part, 0) ?? readKilometre(part, 0) ?? readLot(part, 0, true) ?? readBlock(part, 0))
    return true
  if (afterNoNumber(part, 0) !== null) return true
  if (inEstate && isWord(part[0], estateDoors)) return readName(part, 1) !== null
  if (!isNumber(part[0]) || readDate(part, 0) || part[0].ending === 'º') return false
  if (part[1]?.kind !== 'word' || part[1].folded.length === 1 || isWord(part[1], 'bis')) return true
  return (
    readUnit(part, 1) !== null || afterCrossing(part, 1, false) !== null || afterRange(part, part[0], 1) > 1
  )
}
