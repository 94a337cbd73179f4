/**
 * An address cut into words, numbers and marks (spec 'POST /properties'). Nothing here depends on case, accents, dots
 * after words or the amount of space, so nothing after it can.
 */
import { fold, plainText, wordSet } from './fold.ts'

export type Token = Readonly<{
  kind: 'word' | 'number' | 'mark'
  /** A word as written; a number without thousand dots and leading zeros; the mark. */
  text: string
  /** What is compared: the folded word, the number's digits, the mark: one of `, ( ) - / # º`. */
  folded: string
  /** The ending of a number of one or two digits: `º`, `ra`, `to` … or `a`, `o`, which may also be a flat's letter. */
  ending: string
  /** As written, with nothing put right; none where the rules made the token. */
  raw?: string
  /** No space is between it and the token before. */
  joined?: boolean
}>

export type NumberToken = Token & Readonly<{ kind: 'number' }>
export type WordToken = Token & Readonly<{ kind: 'word' }>

const thousands = String.raw`\d{1,3}(?:[.,]\d{3})+(?!\d)`
const endings = 'ero|era|ndo|er|ro|ra|do|da|to|ta|mo|ma|vo|va|no|na|o|a'
const numberPattern = new RegExp(
  String.raw`(${thousands}|\d+)(?:\.?\s*([ºª])|(${endings})(?![\p{L}\d]))?`,
  'iuy',
)
/** After `km` a dot or comma is the decimal sign. Four digits after a comma are a postal code. */
const kilometrePattern = /(\d+)(?:[.,](\d{1,3})(?!\d))?/uy
const wordPattern = /\p{L}[\p{L}\p{M}]*(?:'\p{L}[\p{L}\p{M}]*)*/uy
/** The long postal code, `C1043AAZ`: says nothing that the place does not. */
const postalPattern = /[a-z]\d{4}[a-z]{3}(?![\p{L}\d])/iuy

const marks: Readonly<Record<string, string>> = {
  ',': ',',
  ';': ',',
  '|': ',',
  '\n': ',',
  '(': '(',
  '[': '(',
  ')': ')',
  ']': ')',
  '-': '-',
  '–': '-',
  '—': '-',
  '−': '-',
  '/': '/',
  '⁄': '/',
  '#': '#',
  º: 'º',
  ª: 'º',
}

const ordinalSign = new Set(['º', 'ª'])
const kilometreWords = wordSet('km kms kilometro kilometros')
const directions: ReadonlyMap<string, string> = new Map(
  Object.entries({ n: 'Norte', s: 'Sur', e: 'Este', o: 'Oeste' }),
)

/** Cuts `text` into tokens, in linear time. Characters that mean nothing here are left out. */
export function tokenize(text: string): Token[] {
  const source = plainText(text)
  const tokens: Token[] = []
  let at = 0
  /** Where the token before ends. */
  let end = -1
  let onlyWords = true
  const push = (token: Omit<Token, 'raw' | 'joined'>, length: number): void => {
    tokens.push({ ...token, raw: source.slice(at, at + length), joined: at === end })
    at += length
    end = at
  }
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(source)
  }
  while (at < source.length) {
    // In front of everything it can only be a name.
    onlyWords &&= tokens.at(-1)?.kind !== 'number' && tokens.at(-1)?.kind !== 'mark'
    const postal = onlyWords ? null : match(postalPattern)
    if (postal) {
      at += postal[0].length
      continue
    }
    // The sign of `N.º` is a letter to Unicode.
    const sign = ordinalSign.has(source.charAt(at))
    const word = sign ? null : match(wordPattern)
    if (word) {
      const folded = fold(word[0])
      if (folded === '') at += word[0].length
      else push({ kind: 'word', text: word[0], folded, ending: '' }, word[0].length)
      continue
    }
    const previous = tokens.at(-1)
    const kilometre =
      previous?.kind === 'word' && kilometreWords.has(previous.folded) ? match(kilometrePattern) : null
    if (kilometre) {
      const fraction = (kilometre[2] ?? '').replace(/0+$/u, '')
      const digits = withoutZeros(kilometre[1] ?? '') + (fraction === '' ? '' : `.${fraction}`)
      push({ kind: 'number', text: digits, folded: digits, ending: '' }, kilometre[0].length)
      continue
    }
    const number = match(numberPattern)
    if (number) {
      const written = number[1] ?? ''
      const digits = withoutZeros(written.replace(/[.,]/gu, ''))
      const short = digits.length <= 2
      const ending = number[2] === undefined ? (number[3] ?? '').toLowerCase() : number[2]
      const length = short || number[2] !== undefined ? number[0].length : written.length
      push({ kind: 'number', text: digits, folded: digits, ending: short ? ending : '' }, length)
      continue
    }
    const mark = marks[source.charAt(at)]
    if (mark !== undefined) push({ kind: 'mark', text: mark, folded: mark, ending: '' }, 1)
    else {
      if (source.charAt(at) === '&') tokens.push(wordToken('y'))
      // `T_1` is written together.
      if (source.charAt(at) === '_' && end === at) end += 1
      at += 1
    }
  }
  return tokens
}

/** A word token, for what the rules themselves put in. */
export function wordToken(text: string): Token {
  return { kind: 'word', text, folded: fold(text), ending: '' }
}

/** Whether the token is one of these words (folded). */
export function isWord(token: Token | undefined, words: ReadonlySet<string> | string): boolean {
  if (token?.kind !== 'word') return false
  return typeof words === 'string' ? token.folded === words : words.has(token.folded)
}

export function isMark(token: Token | undefined, mark: string): boolean {
  return token?.kind === 'mark' && token.folded === mark
}

export function isNumber(token: Token | undefined): token is NumberToken {
  return token?.kind === 'number'
}

/** A single letter, as in `3º B` or `Calle 14 C`. */
export function isLetter(token: Token | undefined): token is WordToken {
  return token?.kind === 'word' && token.folded.length === 1
}

/**
 * Takes out what is in brackets. A cardinal point in brackets, as in San Juan's `1234 (O)`, becomes its word and stays.
 */
export function withoutAsides(tokens: readonly Token[]): { tokens: Token[]; asides: Token[][] } {
  const kept: Token[] = []
  const asides: Token[][] = []
  let aside: Token[] | null = null
  for (const token of tokens) {
    if (isMark(token, '(')) {
      aside ??= []
    } else if (isMark(token, ')')) {
      const only = aside?.length === 1 ? aside[0] : undefined
      const direction = isLetter(only) ? directions.get(only.folded) : undefined
      if (direction !== undefined) kept.push(wordToken(direction))
      else if (aside && aside.length > 0) asides.push(aside)
      aside = null
    } else {
      ;(aside ?? kept).push(token)
    }
  }
  if (aside && aside.length > 0) asides.push(aside)
  return { tokens: kept, asides }
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/u, '')
}
