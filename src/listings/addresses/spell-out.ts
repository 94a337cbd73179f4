/**
 * Spells out abbreviations whose meaning depends on their neighbours, before an address is parsed (api.md 12.4).
 */
import { afterLabel } from './patterns.ts'
import type { Read } from './patterns.ts'
import { isMark, isNumber, isWord, wordToken } from './tokens.ts'
import type { Token } from './tokens.ts'

type Tokens = readonly Token[]

/** Spells out `Bº`, `RN 8`, `R.P. 2`, `C 50`, `c/ Mitre`, `C.A.B.A.`. */
export function spellOut(tokens: Tokens): Token[] {
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
