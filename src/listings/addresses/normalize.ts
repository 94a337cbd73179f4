/**
 * The address normaliser (api.md 12.4): extracts street, number, unit, city and province from free text, and the key that is equal for
 * listings with the same address. Pure, never throws, linear in the text's length.
 *
 * No library is suitable: the maintained parsers of Argentine addresses are network services, Python or a 2 GB model, and the only npm
 * package covers just the city of Buenos Aires and downloads its street map.
 */
import { isDeepStrictEqual } from 'node:util'
import { joinCodes } from './streets/codes.ts'
import { foldNumber } from './fold.ts'
import { afterLabel, type Read } from './patterns.ts'
import { isKnownLocality, resolveLocality, showLocality } from './cities/localities.ts'
import { streetName } from './streets/street-name.ts'
import {
  isMark,
  isNumber,
  isWord,
  type Token,
  tokenize,
  type Tokens,
  withoutAsides,
  wordToken,
} from './tokens.ts'
import { readStreetLine, readTrailing } from './address-parts.ts'

/** Raise it with every change that changes a key. An index finds the keys of older versions, which are then recomputed. */
export const addressRulesVersion = 2

/** The parts that are compared between listings. Never shown. */
export type AddressKey = Readonly<{
  /** Street and number, canonical and folded: `avenidacorrientes 1234`. */
  streetKey: string
  /** The city, canonical and folded; null when unknown. */
  cityKey: string | null
}>

export type NormalizedAddress = Readonly<{
  /** Readable and written out, `Avenida Corrientes`; null when the address could not be read. */
  street: string | null
  /** `1234`, `55 bis`, `Km 50`, `Lote 12`; null when there is none. */
  number: string | null
  /** `3º B`, `Piso 3 Depto B`, `PB`. */
  unit: string | null
  city: string | null
  /** The jurisdiction's usual name, or the province as given. */
  province: string | null
  /** The whole address on one line; as given when it could not be read. Normalising it changes nothing. */
  text: string
  /** Null: this address matches no other, because it has no number or could not be read. */
  key: AddressKey | null
}>

export type LocalityOfListing = Readonly<{
  city?: string | null | undefined
  province?: string | null | undefined
}>

/** The address as its text gives it, before the listing's own city and province apply. */
type Part = Readonly<{
  street: string
  compared: string
  number: string | null
  unit: string | null
  /** Whether the text says that there is no number. */
  saysNone: boolean
  localities: readonly Tokens[]
}>

/** Longer texts are not parsed and are kept as given. */
const maxLength = 500

/**
 * Parses an Argentine address. `locality` has the listing's own city and province, which win over those in the text.
 * An address that cannot be parsed is kept as given and has no key.
 */
export function normalizeAddress(address: string, locality: LocalityOfListing = {}): NormalizedAddress {
  const part = read(address)
  const settled = part && settle(part, locality, address)
  if (settled) return settled
  const { city, province } = resolveLocality([], locality)
  return { street: null, number: null, unit: null, city, province, text: address, key: null }
}

/** A part that changes when parsed again is ambiguous: such a unit or locality is left out, such a street is not parsed. */
function settle(part: Part, locality: LocalityOfListing, address: string): NormalizedAddress | null {
  const whole = withLocality(part, locality)
  if (whole.text === address || isSettled(whole, locality)) return whole
  const withoutUnit = { ...part, unit: null }
  for (const attempt of [withoutUnit, { ...withoutUnit, localities: [] }]) {
    const normalized = withLocality(attempt, locality)
    if (isSettled(normalized, locality)) return normalized
  }
  return null
}

function isSettled(normalized: NormalizedAddress, locality: LocalityOfListing): boolean {
  const part = read(normalized.text)
  return part !== null && isDeepStrictEqual(withLocality(part, locality), normalized)
}

function withLocality(part: Part, locality: LocalityOfListing): NormalizedAddress {
  const { street, compared, number, unit } = part
  const { city, cityKey, province } = resolveLocality(part.localities, locality)
  const text = [showStreet(part), ...showLocality({ city, cityKey, province })].join(', ')
  const key = number === null ? null : { streetKey: `${compared} ${foldNumber(number)}`, cityKey }
  return { street, number, unit, city, province, text, key }
}

function read(address: string): Part | null {
  if (address.length > maxLength) return null
  const { tokens, asides } = withoutAsides(joinCodes(tokenize(address)))
  const parts = splitAtCommas(spellOut(tokens))
  const line = readStreetLine(parts, isKnownLocality)
  const loneNumber = parts[0]?.length === 1 && parts[0][0]?.kind === 'number' && line?.number === null
  if (line === null || loneNumber) return null
  const rest = readTrailing(line.rest, [...line.after, ...line.before])
  const estate = line.estate.length > 0 ? line.estate : (rest.neighbourhood ?? [])
  const name = streetName(line.inEstate ? [...estate, ...line.name] : line.name)
  if (name === null) return null
  return {
    street: name.shown,
    compared: name.compared,
    number: line.number,
    unit: rest.unit,
    saysNone: line.saysNone,
    localities: [...rest.localities, ...asides.filter(isKnownLocality)],
  }
}

function showStreet({ street, number, unit, saysNone }: Part): string {
  const door = number ?? (saysNone ? 's/n' : null)
  const plain = door !== null && /^\d/u.test(door)
  // A street name that ends in a number needs `Nº` before the house number.
  const sign = plain && /\d ?(?:bis|\p{L})?$/iu.test(street) ? 'Nº ' : ''
  const shown = door === null ? street : `${street} ${sign}${door}`
  return unit === null ? shown : `${shown} ${unit}`
}

function splitAtCommas(tokens: Tokens): Token[][] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (isMark(token, ',')) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.filter((part) => part.some((token) => token.kind !== 'mark'))
}

/** Spells out abbreviations whose meaning depends on their neighbours: `Bº`, `RN 8`, `R.P. 2`, `C 50`, `c/ Mitre`, `C.A.B.A.`. */
function spellOut(tokens: Tokens): Token[] {
  const spelt: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    // Longer abbreviations are unambiguous.
    if (token.folded.length > 2) {
      spelt.push(token)
      continue
    }
    const route = readRoute(tokens, at)
    if (route) {
      spelt.push(wordToken('Ruta'), wordToken(route.value))
      at = route.next - 1
    } else if (isSpelt(tokens, at, 'caba') || isSpelt(tokens, at, 'gba')) {
      const length = isWord(token, 'c') ? 4 : 3
      spelt.push(wordToken(length === 4 ? 'CABA' : 'GBA'))
      at += length - 1
    } else if (isWord(token, 'a') && isWord(tokens[at + 1], 'la') && isWord(tokens[at + 2], 'altura')) {
      at += 1
    } else if (isWord(token, 'b') && isMark(tokens[at + 1], 'º')) {
      spelt.push(wordToken('Barrio'))
      at += 1
    } else if (at === 0 && isWord(token, 'c') && (isNumber(tokens[1]) || isMark(tokens[1], '/'))) {
      spelt.push(wordToken('Calle'))
      if (isMark(tokens[1], '/')) at += 1
    } else {
      spelt.push(token)
    }
  }
  return spelt
}

function isSpelt(tokens: Tokens, at: number, initials: string): boolean {
  for (let i = 0; i < initials.length; i += 1) if (!isWord(tokens[at + i], initials.charAt(i))) return false
  return true
}

function readRoute(tokens: Tokens, at: number): Read<string> | null {
  const joined = isWord(tokens[at], 'rn') || isWord(tokens[at], 'rp')
  const apart = isWord(tokens[at], 'r') && (isWord(tokens[at + 1], 'n') || isWord(tokens[at + 1], 'p'))
  const next = joined ? at + 1 : at + 2
  if (!(joined || apart) || !isNumber(tokens[afterLabel(tokens, next)])) return null
  return { value: tokens[next - 1]?.folded.endsWith('n') ? 'Nacional' : 'Provincial', next }
}
