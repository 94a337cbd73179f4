/**
 * Cross streets (api.md 12.4). They give a position on the street, never a number, and are skipped.
 */
import { typeByWord } from './abbreviations.ts'
import {
  afterLabel,
  afterNoNumber,
  crossingStart,
  follows,
  isFlatLetter,
  isFloor,
  readDate,
  readKilometre,
  readLabelled,
} from './patterns.ts'
import { isMark, isNumber, isWord } from './tokens.ts'
import type { Token } from './tokens.ts'

type Tokens = readonly Token[]

/**
 * The cross streets of `e/ 7 y 8`, `entre Mitre y Belgrano`, `esq. Canadá`, `casi Alem`: the index after them, or null.
 * `numbered`: the street has a number for a name, as in La Plata,
 * where `7 y 50` and `50 / 7 y 8` are cross streets too.
 */
export function afterCrossing(tokens: Tokens, at: number, numbered: boolean): number | null {
  const start = crossingStart(tokens, at, numbered)
  if (start === null) return null
  const next = afterStreet(tokens, start)
  return isWord(tokens[next], 'y') && follows(tokens, next + 1) ? afterStreet(tokens, next + 1) : next
}

function afterStreet(tokens: Tokens, at: number): number {
  let next = isMark(tokens[at], '/') ? at + 1 : at
  while (tokens[next]?.kind === 'word' && typeByWord.has(tokens[next]?.folded ?? '')) next += 1
  next = afterLabel(tokens, next)
  const date = readDate(tokens, next)
  if (date) return date.next
  if (isNumber(tokens[next])) {
    next += 1
    if (isWord(tokens[next], 'bis')) return next + 1
    return isFlatLetter(tokens, next) ? next + 1 : next
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
