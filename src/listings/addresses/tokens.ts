/**
 * The words, numbers and marks of an address (api.md 12.4), and predicates on them.
 */
import { fold } from './fold.ts'

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

export type NumberToken = Token & Readonly<{ kind: 'number' }>
export type WordToken = Token & Readonly<{ kind: 'word' }>

const directions: ReadonlyMap<string, string> = new Map(
  Object.entries({ n: 'Norte', s: 'Sur', e: 'Este', o: 'Oeste' }),
)

/** A word token that the rules themselves insert. */
export function wordToken(text: string): Token {
  return madeToken('word', text, fold(text))
}

/** Any token that the rules themselves insert. */
export function madeToken(kind: Token['kind'], text: string, folded: string): Token {
  return { kind, text, folded, ending: '', raw: text, joined: false }
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
export function withoutAsides(tokens: Token[]): { tokens: Token[]; asides: Token[][] } {
  if (!tokens.some(isBracket)) return { tokens, asides: [] }
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

function isBracket(token: Token): boolean {
  return isMark(token, '(') || isMark(token, ')')
}
