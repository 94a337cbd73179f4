/**
 * Cuts an address into words, numbers and marks (api.md 12.4). Case, accents, dots after words and the amount of space make no difference,
 * so later steps need not handle them.
 */
import { foldForAddress, plainText, wordSet } from './fold.ts'

export type Token = Readonly<{
  kind: 'word' | 'number' | 'mark'
  /** A word as written; a number without thousand dots and leading zeros; the mark. */
  text: string
  /** The compared form: the folded word, the number's digits, or the mark, one of `, ( ) - / # º`. */
  folded: string
  /** The ending of a number of one or two digits: `º`, `ra`, `to` … or `a`, `o`, which may also be a flat's letter. */
  ending: string
  /** As written. */
  raw: string
  /** No space is between it and the token before. */
  joined: boolean
}>

export type Tokens = readonly Token[]
export type NumberToken = Token & Readonly<{ kind: 'number' }>
type WordToken = Token & Readonly<{ kind: 'word' }>

const thousands = String.raw`\d{1,3}(?:[.,]\d{3})+(?!\d)`
/** Endings that make a number of one or two digits an ordinal, as alternatives of a pattern. */
export const ordinalEndings = 'ero|era|ndo|er|ro|ra|do|da|to|ta|mo|ma|vo|va|no|na'
const numberPattern = new RegExp(
  String.raw`(${thousands}|\d+)(?:\.?\s*([ºª])|(${ordinalEndings}|o|a)(?![\p{L}\d]))?`,
  'iuy',
)
/** After `km` a dot or comma is the decimal sign. Four digits after a comma are a postal code. */
const kilometrePattern = /(\d+)(?:[.,](\d{1,3})(?!\d))?/uy
/** Unicode classifies the sign of `N.º` as a letter; at the beginning of a word it is not. */
const wordPattern = /(?![ºª])\p{L}[\p{L}\p{M}]*(?:'\p{L}[\p{L}\p{M}]*)*/uy
/** The long postal code, `C1043AAZ`: adds nothing to the locality. */
const longPostalCode = /[a-z]\d{4}[a-z]{3}(?![\p{L}\d])/iuy
/** Mark → the characters that mean it. */
const spellings = { ',': ',;|\n', '(': '([', ')': ')]', '-': '-–—−', '/': '/⁄', '#': '#', º: 'ºª' }
const marks: ReadonlyMap<string, string> = new Map(
  Object.entries(spellings).flatMap(([mark, all]) => [...all].map((one) => [one, mark] as const)),
)

export const kilometreWords = wordSet('km kms kilometro kilometros')

const directions = new Map(Object.entries({ n: 'Norte', s: 'Sur', e: 'Este', o: 'Oeste' }))

/** Cuts `text` into tokens, in linear time. Characters that mean nothing here are left out. */
export function tokenize(text: string): Token[] {
  const source = plainText(text)
  const tokens: Token[] = []
  let at = 0
  /** The end of the previous token. */
  let end = -1
  /** Whether a number or mark was found. Before that, `C1043AAZ` can only be a name, not a postal code. */
  let begun = false

  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(source)
  }
  const push = (kind: Token['kind'], raw: string, text: string, folded = text, ending = ''): void => {
    tokens.push({ kind, text, folded, ending, raw, joined: at === end })
    begun ||= kind !== 'word'
    at += raw.length
    end = at
  }
  const pushNumber = (): void => {
    const isKilometre = isWord(tokens.at(-1), kilometreWords)
    const [whole = '', written = '', sign, letters = ''] =
      match(isKilometre ? kilometrePattern : numberPattern) ?? []
    if (isKilometre) {
      const fraction = (sign ?? '').replace(/0+$/u, '')
      return push('number', whole, withoutZeros(written) + (fraction === '' ? '' : `.${fraction}`))
    }
    const digits = withoutZeros(written.replace(/[.,]/gu, ''))
    const isShort = digits.length <= 2
    const ending = isShort ? (sign ?? letters.toLowerCase()) : ''
    push('number', isShort || sign !== undefined ? whole : written, digits, digits, ending)
  }

  while (at < source.length) {
    const character = source.charAt(at)
    if (/\d/.test(character)) {
      pushNumber()
      continue
    }
    const postal = begun ? match(longPostalCode) : null
    const [word] = postal ?? match(wordPattern) ?? []
    const mark = marks.get(character)
    if (postal !== null) at += postal[0].length
    else if (word !== undefined) {
      const folded = foldForAddress(word)
      if (folded === '') at += word.length
      else push('word', word, word, folded)
    } else if (mark !== undefined) push('mark', character, mark)
    else {
      if (character === '&') tokens.push(wordToken('y'))
      // `T_1` is written together.
      if (character === '_' && end === at) end += 1
      at += 1
    }
  }
  return tokens
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/u, '')
}

/** A word token that the rules themselves insert. */
export function wordToken(text: string): Token {
  return madeToken('word', text, foldForAddress(text))
}

/** Any token that the rules themselves insert. */
export function madeToken(kind: Token['kind'], text: string, folded: string): Token {
  return { kind, text, folded, ending: '', raw: text, joined: false }
}

/** Whether the token is a word, and one of these (folded). */
export function isWord(token: Token | undefined, words: string | { has(word: string): boolean }): boolean {
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

/** Whether a number has a letter behind it that may be its ending or a flat's. */
export function hasLetter(token: Token | undefined): boolean {
  return token?.ending === 'a' || token?.ending === 'o'
}

/** The folded tokens together. */
export function foldedText(tokens: Tokens): string {
  return tokens.map(({ folded }) => folded).join('')
}

/** Takes out what is in brackets. A cardinal point in brackets, as in San Juan's `1234 (O)`, becomes its word and stays. */
export function withoutAsides(tokens: Tokens): { tokens: Token[]; asides: Token[][] } {
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
