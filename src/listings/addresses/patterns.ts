/**
 * The short phrases of an address, each recognised at one index of the tokens (api.md 12.4): `s/n`, `Nº`,
 * `km 50`, `9 de Julio`, `e/ 7 y 8`, `Mz 4`. Each looks only a few tokens ahead, or only moves forward.
 */
import { blockWords, dayWords, lotWords, months, typeByWord } from './abbreviations.ts'
import { wordSet } from './fold.ts'
import {
  hasLetter,
  isLetter,
  isMark,
  isNumber,
  isWord,
  kilometreWords,
  madeToken,
  type NumberToken,
  type Token,
  type Tokens,
  wordToken,
} from './tokens.ts'

export type Read<T> = Readonly<{ value: T; next: number }>

const numberWords = wordSet('n no nr nro nros num numero')
const heightWords = wordSet('altura alt al')
const betweenWords = wordSet('entre ent')
const cornerWords = wordSet('esq esqu esquina casi ex')
export const ofWords = wordSet('de del')
/** Words for the numbered parts of an estate. */
export const houseWords: ReadonlyMap<string, string> = new Map(
  Object.entries({ casa: 'Casa', chalet: 'Chalet', unidad: 'Unidad', parcela: 'Parcela', uf: 'UF' }),
)
/** Words that end the street when a number or letter follows: `Mitre piso 3` has no house number. */
const floorWords = new Set([
  ...lotWords,
  ...wordSet(`piso depto dpto dto departamento oficina ofic of local uf unidad cochera casa block monoblock
  monobloc torre timbre`),
])
/** Before a floor's word, which is then part of a name: `de la Torre`. */
const beforeName = wordSet('la las el los de del')
/** Dates whose year is part of street names. */
const knownYears: ReadonlySet<string> = new Set(
  `12 Octubre 1492, 12 Agosto 1806, 25 Mayo 1810, 27 Febrero 1812, 24 Septiembre 1812, 3 Febrero 1813, 20 Febrero 1813,
  9 Julio 1816, 12 Febrero 1817, 5 Abril 1818, 20 Junio 1820, 20 Noviembre 1845, 17 Agosto 1850, 3 Febrero 1852,
  1 Mayo 1853, 11 Septiembre 1888, 17 Octubre 1945, 24 Marzo 1976, 2 Abril 1982, 10 Diciembre 1983`.split(
    /,\s+/u,
  ),
)

/** `s/n`, `S/Nº`, `s/nro`, `sin número`, `S.N.`: the index after it, or null. */
export function afterNoNumber(tokens: Tokens, at: number): number | null {
  const first = tokens[at]
  let next: number
  const second = tokens[at + 1]
  if (isWord(first, 'sn') && (second?.kind !== 'word' || isWord(second, numberWords))) next = at + 1
  else if (isWord(first, 's') && isMark(second, '/') && isWord(tokens[at + 2], numberWords)) next = at + 3
  else if (isWord(first, 's') && isWord(second, 'n') && !follows(tokens, at + 2)) next = at + 2
  else if (isWord(first, 'sin') && isWord(second, numberWords)) next = at + 2
  else return null
  return isMark(tokens[next], 'º') ? next + 1 : next
}

/** `Nº 100`, `Nro. 100`, `# 100`, `al 100`, `altura 100`: the number, or null. */
export function readLabelled(tokens: Tokens, at: number): Read<NumberToken> | null {
  const next = afterLabel(tokens, at)
  const number = tokens[next]
  return next > at && isNumber(number) ? { value: number, next: next + 1 } : null
}

/** `al`, `altura`. */
export function isHeight(token: Token | undefined): boolean {
  return isWord(token, heightWords)
}

/** The index after `Nº` or a similar sign, or `at`. */
export function afterLabel(tokens: Tokens, at: number): number {
  let next = at
  if (isWord(tokens[next], heightWords)) {
    next += 1
    if (isWord(tokens[next], ofWords)) next += 1
  }
  if (isWord(tokens[next], numberWords) || isMark(tokens[next], '#')) {
    next += 1
    while (isMark(tokens[next], 'º') || isMark(tokens[next], '#')) next += 1
  }
  return next
}

/** `km 50,5`: the kilometre, or null. */
export function readKilometre(tokens: Tokens, at: number): Read<NumberToken> | null {
  if (!isWord(tokens[at], kilometreWords)) return null
  const next = afterLabel(tokens, at + 1)
  const number = tokens[next]
  return isNumber(number) ? { value: number, next: next + 1 } : null
}

/** `9 de Julio`, `1º de Mayo`, `Nueve de Julio`, `2 de Abril de 1982`: its tokens in canonical form, or null. */
export function readDate(tokens: Tokens, at: number): Read<Token[]> | null {
  const first = tokens[at]
  const month = tokens[at + 2]
  if (first === undefined || !isWord(tokens[at + 1], 'de') || month?.kind !== 'word') return null
  const day = isNumber(first) ? first.folded : first.kind === 'word' ? dayWords.get(first.folded) : undefined
  const name = months.get(month.folded)
  if (day === undefined || name === undefined || Number(day) < 1 || Number(day) > 31) return null
  const value: Token[] = [
    madeToken('number', day === '1' ? '1º' : day, day),
    wordToken('de'),
    wordToken(name),
  ]
  const ofYear = isWord(tokens[at + 3], ofWords)
  const year = tokens[at + (ofYear ? 4 : 3)]
  if (isNumber(year) && year.folded.length === 4) {
    const next = at + (ofYear ? 5 : 4)
    if (ofYear || isYear(tokens, `${day} ${name}`, year, next))
      return { value: [...value, wordToken('de'), year], next }
  }
  return { value, next: at + 3 }
}

/**
 * Whether the number after a date is its year and the next one the house number: `11 de Septiembre 1888 4000`. If no number
 * follows, it is the house number itself. Without a sign such as `Nº`, the year must be the date's known one, and a second number of
 * fewer than three digits is a flat.
 */
function isYear(tokens: Tokens, date: string, year: NumberToken, next: number): boolean {
  const labelled = readLabelled(tokens, next)
  const door = labelled?.value ?? tokens[next]
  if (!isNumber(door) || door.ending !== '') return false
  if (labelled) return year.folded >= '1492' && year.folded <= '2030'
  return door.folded.length >= 3 && knownYears.has(`${date} ${year.folded}`)
}

/** The index after `e/`, `entre`, `esq.` …, where the cross streets begin, or null. */
function crossingStart(tokens: Tokens, at: number, numbered: boolean): number | null {
  const first = tokens[at]
  const second = tokens[at + 1]
  if (isWord(first, betweenWords) && !isWord(second, 'rios')) return at + 1
  if (isWord(first, 'e') && isMark(second, '/')) return at + 2
  if (isWord(first, cornerWords)) return at + 1
  if (isWord(first, 'y') && isWord(second, cornerWords)) return at + 2
  const pair = isNumber(second) && isWord(tokens[at + 2], 'y') && isNumber(tokens[at + 3])
  if (pair && (isWord(first, 'e') || isMark(first, '/'))) return at + 1
  return numbered && isWord(first, 'y') ? at + 1 : null
}

/**
 * The cross streets of `e/ 7 y 8`, `entre Mitre y Belgrano`, `esq. Canadá`, `casi Alem`: the index after them, or null. They give a
 * position on the street, never a number, and are skipped.
 * @param numbered the street has a number for a name, as in La Plata, where `7 y 50` and `50 / 7 y 8` are cross streets too
 */
export function afterCrossing(tokens: Tokens, at: number, numbered: boolean): number | null {
  const start = crossingStart(tokens, at, numbered)
  if (start === null) return null
  const next = afterStreet(tokens, start)
  return isWord(tokens[next], 'y') && follows(tokens, next + 1) ? afterStreet(tokens, next + 1) : next
}

function afterStreet(tokens: Tokens, at: number): number {
  let next = isMark(tokens[at], '/') ? at + 1 : at
  while (isWord(tokens[next], typeByWord)) next += 1
  next = afterLabel(tokens, next)
  const date = readDate(tokens, next)
  if (date) return date.next
  if (isNumber(tokens[next])) {
    next += 1
    return isWord(tokens[next], 'bis') || isFlatLetter(tokens, next) ? next + 1 : next
  }
  while (tokens[next]?.kind === 'word' && !isWord(tokens[next], 'y') && !endsName(tokens, next)) next += 1
  return next
}

/** Whether a street's name ends before `at`, because a number or a part of the building begins. */
function endsName(tokens: Tokens, at: number): boolean {
  return (
    readLabelled(tokens, at) !== null ||
    readKilometre(tokens, at) !== null ||
    afterNoNumber(tokens, at) !== null ||
    isFloor(tokens, at)
  )
}

/** `Manzana 4`, `Mz. A`: the block's name, or null. */
export function readBlock(tokens: Tokens, at: number): Read<string> | null {
  return isWord(tokens[at], blockWords) ? readName(tokens, afterLabel(tokens, at + 1)) : null
}

/** `Lote 12`, `Lt. 12 B`; after a block also `L 12`: the lot's name, or null. */
export function readLot(tokens: Tokens, at: number, afterBlock: boolean): Read<string> | null {
  const lot = isWord(tokens[at], lotWords) || (afterBlock && isWord(tokens[at], 'l'))
  return lot ? readName(tokens, afterLabel(tokens, at + 1)) : null
}

/** `M 4 L 12`, where only the following lot shows that `M` is a block: the block's name, or null. */
export function readShortBlock(tokens: Tokens, at: number): Read<string> | null {
  if (!isWord(tokens[at], 'm')) return null
  const block = readName(tokens, at + 1)
  return block && readLot(tokens, isMark(tokens[block.next], '-') ? block.next + 1 : block.next, true)
    ? block
    : null
}

/** `4`, `4 B`, `A`, `12 bis`: the short name of a block, lot or flat, or null. */
export function readName(tokens: Tokens, at: number): Read<string> | null {
  const first = tokens[at]
  if (isLetter(first) && !isWord(first, 'y')) {
    if (isMark(tokens[at + 1], '/')) return null
    const number = tokens[at + 1]
    if (isNumber(number) && number.folded.length <= 2 && !readDate(tokens, at + 1)) {
      return { value: `${letter(first)} ${number.text}`, next: at + 2 }
    }
    return { value: letter(first), next: at + 1 }
  }
  if (!isNumber(first) || readDate(tokens, at)) return null
  if (hasLetter(first)) {
    return { value: `${first.text} ${first.ending.toUpperCase()}`, next: at + 1 }
  }
  const half = tokens[at + 2]
  if (
    isMark(tokens[at + 1], '/') &&
    isNumber(half) &&
    half.folded.length <= 2 &&
    !isWord(tokens[at + 3], 'y')
  ) {
    return { value: `${first.text}/${half.text}`, next: at + 3 }
  }
  if (isWord(tokens[at + 1], 'bis')) return { value: `${first.text} bis`, next: at + 2 }
  const second = tokens[at + 1]
  const lotNext = isWord(second, 'l') && isNumber(tokens[at + 2])
  if (isFlatLetter(tokens, at + 1) && second && !lotNext)
    return { value: `${first.text} ${letter(second)}`, next: at + 2 }
  return { value: first.text, next: at + 1 }
}

/** A single letter that names something, and does not begin `e/`, `s/n`, `y …` or `n 100`. */
export function isFlatLetter(tokens: Tokens, at: number): boolean {
  const token = tokens[at]
  if (!isLetter(token) || isWord(token, 'y')) return false
  if (isMark(tokens[at + 1], '/') || isMark(tokens[at + 1], 'º')) return false
  return (
    readLabelled(tokens, at) === null &&
    afterNoNumber(tokens, at) === null &&
    crossingStart(tokens, at, false) === null
  )
}

/** Whether a token of the same part of the address is here. */
function follows(tokens: Tokens, at: number): boolean {
  const token = tokens[at]
  return token !== undefined && !isMark(token, ',') && !isMark(token, '-')
}

function letter(token: Token): string {
  return token.text.toUpperCase()
}

/** Whether a floor, flat, tower … begins at `at`; `Lisandro de la Torre 500` has none. */
export function isFloor(tokens: Tokens, at: number): boolean {
  if (!isWord(tokens[at], floorWords) || isWord(tokens[at - 1], beforeName)) return false
  return readName(tokens, afterLabel(tokens, at + 1)) !== null
}
