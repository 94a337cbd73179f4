/**
 * Cuts an address into words, numbers and marks (api.md 12.4). Nothing here depends on case, accents, dots
 * after words or the amount of space, so nothing after it can.
 */
import { fold, plainText, wordSet } from './fold.ts'
import { wordToken } from './tokens.ts'
import type { Token } from './tokens.ts'

const thousands = String.raw`\d{1,3}(?:[.,]\d{3})+(?!\d)`
const endings = 'ero|era|ndo|er|ro|ra|do|da|to|ta|mo|ma|vo|va|no|na|o|a'
const numberPattern = new RegExp(
  String.raw`(${thousands}|\d+)(?:\.?\s*([ºª])|(${endings})(?![\p{L}\d]))?`,
  'iuy',
)
/** After `km` a dot or comma is the decimal sign. Four digits after a comma are a postal code. */
const kilometrePattern = /(\d+)(?:[.,](\d{1,3})(?!\d))?/uy
const wordPattern = /\p{L}[\p{L}\p{M}]*(?:'\p{L}[\p{L}\p{M}]*)*/uy
/** The long postal code, `C1043AAZ`: adds nothing to the place. */
const postalPattern = /[a-z]\d{4}[a-z]{3}(?![\p{L}\d])/iuy

const marks: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }),
)

const kilometreWords = wordSet('km kms kilometro kilometros')

/** The current index. */
type Cursor = {
  source: string
  at: number
  /** The end of the previous token. */
  end: number
  tokens: Token[]
  /** A number or mark was found: now a postal code may follow, which at the beginning can only be a name. */
  begun: boolean
}

/** Cuts `text` into tokens, in linear time. Characters that mean nothing here are left out. */
export function tokenize(text: string): Token[] {
  const source = plainText(text)
  const cursor: Cursor = { source, at: 0, end: -1, tokens: [], begun: false }
  while (cursor.at < source.length) {
    const code = source.charCodeAt(cursor.at)
    if (code === space) cursor.at += 1
    else if (isDigit(code)) cutNumber(cursor)
    else if (!(mayBeLetter(code) && (cutPostal(cursor) || cutWord(cursor)))) cutMark(cursor)
  }
  return cursor.tokens
}

function cutPostal(cursor: Cursor): boolean {
  const after = cursor.begun ? endOf(postalPattern, cursor) : null
  if (after !== null) cursor.at = after
  return after !== null
}

function cutWord(cursor: Cursor): boolean {
  const after = endOfWord(cursor)
  if (after === null) return false
  const word = cursor.source.slice(cursor.at, after)
  const folded = fold(word)
  if (folded === '') cursor.at = after
  else push(cursor, 'word', word, folded, '', after)
  return true
}

function cutNumber(cursor: Cursor): void {
  const { source, at, tokens } = cursor
  const plain = endOfPlainNumber(cursor)
  if (plain !== null) {
    const digits = withoutZeros(source.slice(at, plain))
    push(cursor, 'number', digits, digits, '', plain)
    return
  }
  const previous = tokens.at(-1)
  const kilometre = previous?.kind === 'word' && kilometreWords.has(previous.folded)
  const match = matchAt(kilometre ? kilometrePattern : numberPattern, cursor)
  const [whole = '', written = '', sign, letters = ''] = match ?? []
  if (kilometre) {
    const fraction = (sign ?? '').replace(/0+$/u, '')
    const digits = withoutZeros(written) + (fraction === '' ? '' : `.${fraction}`)
    push(cursor, 'number', digits, digits, '', at + whole.length)
  } else {
    const digits = withoutZeros(written.replace(/[.,]/gu, ''))
    const short = digits.length <= 2
    const ending = short ? (sign ?? letters.toLowerCase()) : ''
    const length = short || sign !== undefined ? whole.length : written.length
    push(cursor, 'number', digits, digits, ending, at + length)
  }
}

/** A mark, or a character that is not one. */
function cutMark(cursor: Cursor): void {
  const character = cursor.source.charAt(cursor.at)
  const mark = marks.get(character)
  if (mark !== undefined) {
    push(cursor, 'mark', mark, mark, '', cursor.at + 1)
    return
  }
  if (character === '&') cursor.tokens.push(wordToken('y'))
  // `T_1` is written together.
  if (character === '_' && cursor.end === cursor.at) cursor.end += 1
  cursor.at += 1
}

function push(
  cursor: Cursor,
  kind: Token['kind'],
  text: string,
  folded: string,
  ending: string,
  after: number,
): void {
  const { source, at, end } = cursor
  cursor.tokens.push({ kind, text, folded, ending, raw: source.slice(at, after), joined: at === end })
  cursor.begun ||= kind !== 'word'
  cursor.at = after
  cursor.end = after
}

/** The end of the word that begins here, or null. Most consist of plain letters and need no pattern. */
function endOfWord(cursor: Cursor): number | null {
  const { source, at } = cursor
  let after = at
  while (isPlainLetter(codeAt(source, after))) after += 1
  const next = codeAt(source, after)
  if (after > at && next < 0x80 && next !== apostrophe) return after
  return endOf(wordPattern, cursor)
}

/** The end of the digits here, if no dot, decimal or ending can follow, as is usual; otherwise null. */
function endOfPlainNumber({ source, at }: Cursor): number | null {
  let after = at + 1
  while (isDigit(codeAt(source, after))) after += 1
  const next = codeAt(source, after)
  const second = codeAt(source, after + 1)
  if (after === source.length || (next === comma && !isDigit(second))) return after
  // After more spaces an ordinal's sign may follow.
  return next === space && second > space && second < 0x80 ? after : null
}

function endOf(pattern: RegExp, { source, at }: Cursor): number | null {
  pattern.lastIndex = at
  return pattern.test(source) ? pattern.lastIndex : null
}

function matchAt(pattern: RegExp, { source, at }: Cursor): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}

const apostrophe = 0x27
const comma = 0x2c
const space = 0x20

/** 0 past the end. */
function codeAt(source: string, at: number): number {
  return at < source.length ? source.charCodeAt(at) : 0
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** `A` to `Z`, `a` to `z` and the letters of Western Europe. */
function isPlainLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
  return code >= 0xc0 && code <= 0xff && code !== 0xd7 && code !== 0xf7
}

/** Unicode classifies the sign of `N.º` as a letter; here it is not. */
function mayBeLetter(code: number): boolean {
  return isPlainLetter(code) || (code >= 0x80 && code !== 0xba && code !== 0xaa)
}

function withoutZeros(digits: string): string {
  return digits.startsWith('0') ? digits.replace(/^0+(?=\d)/u, '') : digits
}
