/**
 * Reads street and number from one part of an address, from left to right (api.md 12.4).
 *
 * Interpretation of numbers:
 * - `Ruta 8 km 50`: the kilometre is the number of a route, as `Km 50`, so that it never equals `Ruta 8 Nº 50`.
 * - `Mz 4 Lote 12`: the block belongs to the street and the lot is the number. The neighbourhood or estate, when named,
 *   leads the street, because each numbers its blocks separately. Without one, only the city
 *   distinguishes two towns' equal blocks, as with equal streets. `Casa 5` inside an estate is like a lot.
 * - `1234/36`: the first number. `San Martín al 1200`: the number. `0` is not a number.
 * - `55 bis` and San Juan's `1234 Oeste` are different doors from `55` and `1234 Este`.
 * - Cross streets give a position on the street, not a number: `Calle 50 e/ 7 y 8` has none.
 */
import { estateWords, routeKindByWord, routeTypes, titleByWord, typeByWord } from '../abbreviations.ts'
import { wordSet } from '../fold.ts'
import { houseNumber, isInnerNumber, isOrdinal, ordinalToken, readNumberedName } from './street-numbers.ts'
import {
  afterCrossing,
  afterLabel,
  afterNoNumber,
  houseWords,
  isFloor,
  readBlock,
  readDate,
  readKilometre,
  readLabelled,
  readLot,
  readName,
  readShortBlock,
  type Read,
} from '../patterns.ts'
import {
  hasLetter,
  isMark,
  isNumber,
  isWord,
  type NumberToken,
  type Token,
  tokenize,
  type Tokens,
  wordToken,
} from '../tokens.ts'

export type Scan = Readonly<{
  /** The street's name as tokens, still abbreviated; empty when there is none. */
  name: Tokens
  /** The neighbourhood or estate before the street. */
  estate: Tokens
  number: string | null
  /** The number is a lot's or house's inside an estate, whose name then belongs to the street's name. */
  inEstate: boolean
  /** The address says that there is no number. */
  saysNone: boolean
  rest: Tokens
}>

/** The state of the scan. */
type State = {
  at: number
  name: Token[]
  estate: Tokens
  block: string | null
  /** The number of `Km 50 Ruta 8`, which precedes the street. */
  kilometre: string | null
  /** After cross streets or a block, only a number can follow. */
  closed: boolean
}

/** A number, after a sign such as `Nº` or without. */
type Found = Read<NumberToken> & Readonly<{ labelled: boolean }>

const looseWords = wordSet('de del la en')

/** Reads one part, which an estate may precede. Its rest is what follows the number, or the name when there is none. */
export function scanStreet(tokens: Tokens, estate: Tokens): Scan {
  const state: State = { at: 0, name: [], estate, block: null, kilometre: null, closed: false }
  while (state.at < tokens.length) {
    const found = readNumber(tokens, state.at)
    const named = found && numberOfName(tokens, state, found)
    const scan = finish(tokens, state, named ? null : found)
    if (scan) return scan
    advance(tokens, state, named)
  }
  return end(tokens, state, null, state.at)
}

export function isEstate(part: Tokens): boolean {
  return isWord(part[0], estateWords)
}

/**
 * Detects the end of the street: its number, `s/n`, a floor, or words outside the name. Null: the street continues.
 * `door` is a number here that is not the name's.
 */
function finish(tokens: Tokens, state: State, door: Found | null): Scan | null {
  const { at, name, block } = state
  const started = name.length > 0 || block !== null

  const none = afterNoNumber(tokens, at)
  if (none !== null) return end(tokens, state, null, none, { saysNone: true })

  const kilometre = started ? readKilometre(tokens, at) : null
  if (kilometre) return end(tokens, state, `Km ${kilometre.value.folded}`, kilometre.next)

  const lot = readLot(tokens, at, block !== null)
  if (lot) {
    const blockAfter = block === null ? readBlock(tokens, afterDash(tokens, lot.next)) : null
    const whole = blockAfter ? { ...state, block: blockAfter.value } : state
    return end(tokens, whole, `Lote ${lot.value}`, blockAfter?.next ?? lot.next, { inEstate: true })
  }
  const house = houseWords.get(tokens[at]?.folded ?? '')
  if (house !== undefined && (!started || block !== null || state.estate.length > 0 || isEstate(name))) {
    const door = readName(tokens, afterLabel(tokens, at + 1))
    if (door) return end(tokens, state, `${house} ${door.value}`, door.next, { inEstate: true })
  }
  if (isFloor(tokens, at)) return end(tokens, state, null, at)

  if (state.closed && tokens[at]?.kind === 'word' && isOutside(tokens, state))
    return end(tokens, state, null, at)
  return door && finishWithNumber(tokens, state, door)
}

/** `1234`, `Nº 1234` … unless a date begins with it. */
function finishWithNumber(tokens: Tokens, state: State, found: Found): Scan | null {
  const { at, name } = state
  if (!state.closed && readDate(tokens, at)) return null
  const { value: number, next, labelled } = found
  // `San Martín 3º B`: a floor, not a number.
  if (!labelled && number.ending !== '' && !hasLetter(number)) return end(tokens, state, null, at)
  if (name.length === 0 && state.block === null) return end(tokens, state, null, at)
  const door = houseNumber(tokens, number, next)
  const scan = end(tokens, state, door.value.number, door.next, { saysNone: door.value.number === null })
  return door.value.letter === null ? scan : { ...scan, rest: [door.value.letter, ...scan.rest] }
}

/** Consumes what continues the street: a block, cross streets, or a word or number of its name (`ofName`). */
function advance(tokens: Tokens, state: State, ofName: Read<Token[]> | null): void {
  const { at, name } = state
  const token = tokens[at]
  const started = name.length > 0 || state.block !== null

  const kilometre = started ? null : readKilometre(tokens, at)
  if (kilometre) {
    state.kilometre = `Km ${kilometre.value.folded}`
    state.at = kilometre.next
    while (isWord(tokens[state.at], looseWords)) state.at += 1
    return
  }
  const block = state.block === null ? (readBlock(tokens, at) ?? readShortBlock(tokens, at)) : null
  if (block) {
    state.block = block.value
    state.closed = true
    state.at = block.next
    return
  }
  const crossing = started ? afterCrossing(tokens, at, isWord(token, 'y') && isNumbered(name)) : null
  if (crossing !== null) {
    state.closed = true
    state.at = Math.max(crossing, at + 1)
    return
  }
  const named = (state.closed ? null : readDate(tokens, at)) ?? ofName
  if (named) {
    name.push(...named.value)
    state.at = named.next
  } else if (token?.kind === 'word') addToName(state, token)
  else state.at += 1
}

/** Adds a word to the street's name. After an estate's name, a street type begins the street's own. */
function addToName(state: State, token: Token): void {
  if (isWord(token, typeByWord) && isEstate(state.name)) {
    state.estate = [...state.estate, ...state.name]
    state.name = []
  }
  state.name.push(token)
  state.at += 1
}

function readNumber(tokens: Tokens, at: number): Found | null {
  const labelled = readLabelled(tokens, at)
  if (labelled) return { ...labelled, labelled: true }
  const token = tokens[at]
  return isNumber(token) ? { value: token, next: at + 1, labelled: false } : null
}

/** The tokens of a number that belongs to the street's name, or null: `Calle 50`, `1ra Junta`, `3 Sargentos`, `50 Nº 620`. */
function numberOfName(tokens: Tokens, state: State, found: Found): Read<Token[]> | null {
  const { name, closed } = state
  if (closed) return null
  const { value: number, next, labelled } = found
  if (!labelled && isOrdinal(tokens, state.at) && name.every(isTypeOrTitle)) {
    return { value: [ordinalToken(number)], next }
  }
  const leads = name.length === 0 && !labelled
  if (!labelled && !leads && !isNumbered(name) && isInnerNumber(tokens, state.at, next)) {
    return { value: [{ ...number, text: number.folded }], next }
  }
  return leads || takesNumber(name) ? readNumberedName(tokens, number, next, !leads) : null
}

function isTypeOrTitle(token: Token): boolean {
  return isWord(token, typeByWord) || isWord(token, titleByWord)
}

/** Whether a word after cross streets is neither one of theirs nor leads to a number. */
function isOutside(tokens: Tokens, state: State): boolean {
  const { at, name } = state
  return (
    readNumber(tokens, at) === null &&
    afterCrossing(tokens, at, isNumbered(name)) === null &&
    (state.block !== null || readBlock(tokens, at) === null)
  )
}

/** Whether a number that follows belongs to the name: `Calle 50`, `Ruta Nacional Nº 8`, `Colectora Este Ruta 9`. */
function takesNumber(name: Tokens): boolean {
  if (name.length === 0) return false
  if (
    name.every(
      (_, i) => typeAt(name, i) !== undefined || isRouteKind(name, i) || (i === 0 && beginsLocality(name)),
    )
  )
    return true
  const last = name.length - 1
  return routeTypes.has(typeAt(name, isRouteKind(name, last) ? last - 1 : last) ?? '')
}

function typeAt(name: Tokens, i: number): string | undefined {
  return typeByWord.get(name[i]?.folded ?? '')
}

/** `Nacional` after `Ruta`. */
function isRouteKind(name: Tokens, i: number): boolean {
  return routeKindByWord.has(name[i]?.folded ?? '') && typeAt(name, i - 1) === 'Ruta'
}

/** `Barrio`, `Country`, `Villa`. */
function beginsLocality(name: Tokens): boolean {
  return isEstate(name) || titleByWord.get(name[0]?.folded ?? '') === 'Villa'
}

/** Whether the street has a number for a name: `50`, `Calle 9 bis`, `Diagonal 74`. */
function isNumbered(name: Tokens): boolean {
  const number = name.findIndex(isNumber)
  const suffix = name[number + 1]
  if (number < 0 || name.length > number + 2) return false
  if (suffix && !isWord(suffix, 'bis') && suffix.folded.length > 1) return false
  return number === 0 || takesNumber(name.slice(0, number))
}

function afterDash(tokens: Tokens, at: number): number {
  return isMark(tokens[at], '-') ? at + 1 : at
}

function end(
  tokens: Tokens,
  state: State,
  number: string | null,
  next: number,
  more: Partial<Pick<Scan, 'inEstate' | 'saysNone'>> = {},
): Scan {
  const { name, estate, block } = state
  return {
    name: block === null ? name : [...name, wordToken('Manzana'), ...tokenize(block)],
    estate,
    number: number ?? state.kilometre,
    inEstate: more.inEstate ?? block !== null,
    saysNone: more.saysNone ?? false,
    rest: tokens.slice(next),
  }
}
