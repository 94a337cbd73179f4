/**
 * Joins words with digits into one token (api.md 12.4): `Calle T1 100`, `Pasaje X3F9 450`, `Loteo 2024-05 1200`. Split at its digits,
 * such a word would give a false house number, the same one for the whole street.
 */
import { blockWords, lotWords, routeKindByWord, typeByWord } from '../abbreviations.ts'
import { foldForAddress, wordSet } from '../fold.ts'
import { readDate } from '../patterns.ts'
import { codeDigits, hasDoor } from './street-numbers.ts'
import {
  hasLetter,
  isMark,
  isNumber,
  isWord,
  madeToken,
  ordinalEndings,
  type Token,
  type Tokens,
} from '../tokens.ts'

/** Separate words even without a space before the number: `Mz4`, `Piso3`, `km50`, `55bis`. */
const ownWords = new Set([
  ...blockWords,
  ...lotWords,
  ...wordSet(`piso dpto dto dep depto departamento dept apto apt uf unidad torre block
  bloque casa local loc of ofic oficina cochera pb pa ph nivel int interno timbre puerta n nro nros num numero no
  km kms kilometro rn rp al alt altura bis este oeste norte sur entre esq cp cpa`),
])
/** `M4L12`, `P3D12`, `P3dB`, `7y8`, `e7y8`, `50e7y8`. */
const ownPatterns = /^(?:m\d+l\d+|p\d+d(?:\d+|\p{L})?|(?:\d*e)?\d+y\d+)$/u
/** `1900`, `B1638`, `C1043AAZ`. */
const anyPostalCode = /^[a-z]?\d{4}(?:[a-z]{3})?$/iu
const ordinal = new RegExp(String.raw`^\d{1,2}(?:${ordinalEndings})$`, 'u')

/** Words and numbers written together or with a hyphen: their indexes, and whether they are a code. */
type Run = Readonly<{ start: number; end: number; isCode: boolean }>

/** Joins each code into one word. Tokens after the first number stay: units are written in many ways. */
export function joinCodes(tokens: Tokens): Token[] {
  const joined: Token[] = []
  for (const { start, end, isCode } of runsOf(tokens)) {
    if (isCode) joined.push(toCode(tokens.slice(start, end)))
    else if (holdsDoor(tokens, start, end)) return joined.concat(tokens.slice(start))
    else joined.push(...tokens.slice(start, end))
  }
  return joined
}

/** The same for a locality name, which has no house number: every run with a digit is a word. Postal codes are omitted. */
export function joinLocalityCodes(tokens: Tokens): Token[] {
  const joined: Token[] = []
  for (let at = 0; at < tokens.length;) {
    const next = endOfRun(tokens, at)
    const run = tokens.slice(at, next)
    const text = textOf(run)
    const code = run.length > 1 && /\d/u.test(text) && !/(?<!\d)\d{4}(?!\d)/u.test(text)
    at = next
    if (anyPostalCode.test(text)) continue
    if (code) joined.push(toCode(run))
    else joined.push(...run)
  }
  return joined
}

/** All runs in order. They are judged from the last to the first, because one may be a code only if the next is. */
function runsOf(tokens: Tokens): Run[] {
  const starts: number[] = []
  for (let at = 0; at < tokens.length; at = endOfRun(tokens, at)) starts.push(at)
  let end = tokens.length
  let isNextCode = false
  const runs = starts.toReversed().map((start): Run => {
    const isMixed = end - start > 1 || hasLetter(tokens[start])
    const isCode = isMixed && looksLikeCode(tokens, start, end, isNextCode)
    const run = { start, end, isCode }
    isNextCode = isCode && end - start > 1
    end = start
    return run
  })
  return runs.toReversed()
}

function endOfRun(tokens: Tokens, start: number): number {
  if (tokens[start]?.kind === 'mark') return start + 1
  let at = start + 1
  for (;;) {
    const hyphen = isMark(tokens[at], '-') && tokens[at]?.joined === true
    const piece = tokens[hyphen ? at + 1 : at]
    if (piece === undefined || piece.kind === 'mark' || !piece.joined) return at
    at += hyphen ? 2 : 1
  }
}

function looksLikeCode(tokens: Tokens, start: number, end: number, isNextCode: boolean): boolean {
  const before = tokens[start - 1]
  const pieces = textOf(tokens.slice(start, end)).split('-').map(foldCode)
  const [first = ''] = pieces
  const leadsWithNumber = /^\d+$/u.test(first)
  if (leadsWithNumber && first.length < codeDigits && pieces.length < 3) return false
  // `x3f9`, `1a2b3c4d`: always a code.
  if (!leadsWithNumber && pieces.some((piece) => changes(piece) >= 2 && !isOwn(piece, before))) return true
  if (!pieces.some((piece) => /\d/u.test(piece))) return false
  if (pieces.length < 3 && pieces.some((piece) => /\D/u.test(piece) && isOwn(piece, before))) return false
  // It is a code if the house number follows. In `55B 3` the 3 is a flat.
  const digits = pieces.length > 1 ? undefined : /^(\d+)\p{L}$/u.exec(first)?.[1]?.length
  const min = digits === undefined || digits >= codeDigits ? 1 : digits === 4 ? 4 : 3
  return isNextCode || hasDoor(tokens.slice(end), min)
}

/** The number of changes between letters and digits. */
function changes(piece: string): number {
  return [...piece.matchAll(/\d+|\D+/gu)].length - 1
}

/** Whether a piece is words and numbers of an address that lack the space between them. */
function isOwn(piece: string, before: Token | undefined): boolean {
  if (ownPatterns.test(piece) || ordinal.test(piece)) return true
  const words = piece.match(/\D+/gu) ?? []
  if (words.length > 0 && words.every((word) => ownWords.has(word))) return true
  if (/^\D+\d{1,4}$/u.test(piece) && typeByWord.has(words[0] ?? '')) return true
  if (/^n\d{1,4}$/u.test(piece)) return true
  // `Calle 14C`, `Ruta 9A`.
  const typed = isWord(before, typeByWord) || isWord(before, routeKindByWord)
  return typed && /^\d{1,4}\p{L}$/u.test(piece)
}

/** Whether a number in the run may be the house number. Codes may follow a number that certainly belongs to the name of the street. */
function holdsDoor(tokens: Tokens, start: number, end: number): boolean {
  return tokens
    .slice(start, end)
    .some(
      (token, i) =>
        isNumber(token) && readDate(tokens, start + i) === null && !isWord(tokens[start + i - 1], 'de'),
    )
}

function textOf(run: Tokens): string {
  return run.map(({ raw }) => raw).join('')
}

function toCode(run: Tokens): Token {
  const text = textOf(run)
  return madeToken('word', text, foldCode(text))
}

function foldCode(text: string): string {
  return foldForAddress(text).replaceAll('-', '')
}
