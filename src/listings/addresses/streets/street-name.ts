/**
 * A street's name in canonical form, to show and to compare (api.md 12.4): abbreviations are written out, and the street type
 * comes first. `Calle` is left out before a name, but kept before a bare number, so that `50 Nº 620` and `Calle 50 Nº 620`
 * agree. Other types are kept: `San Martín` and `Avenida San Martín` are two streets in many towns.
 */
import { leadingOnly, routeKindByWord, titleByWord, trailingTypes, typeByWord } from '../abbreviations.ts'
import { foldForAddress, wordSet } from '../fold.ts'
import { isWord, type Tokens } from '../tokens.ts'

export type Name = Readonly<{
  shown: string
  /** Folded words without spaces, because spaces never distinguish two streets. */
  compared: string
}>

type Word = {
  shown: string
  folded: string
  type: boolean
  number: boolean
  /** Keep the case: a number, or a form written out by the rules. */
  settled: boolean
}

const calle: Word = { shown: 'Calle', folded: 'calle', type: true, number: false, settled: true }
const lowerWords = wordSet('de del y da do di von van der')
const articles = wordSet('la las los el lo')

/** The canonical name of a street; null without tokens. */
export function streetName(tokens: Tokens): Name | null {
  const words = expand(tokens, true)
  const last = words.at(-1)
  if (words.length > 1 && last && trailingTypes.has(last.shown) && !words[0]?.type) {
    words.pop()
    words.unshift({ ...last, type: true })
  }
  const named = words[0]?.shown === 'Calle' ? words.slice(1) : words
  if (named.length === 0 || !words[0]) return toName(words)
  if (!isBare(named)) return toName(named)
  return toName(named[0]?.number ? [calle, ...named] : words)
}

/** A number or letter for a name: `50`, `9 bis`, `14 C`, `A`. */
function isBare(words: readonly Word[]): boolean {
  const [first, second] = words
  if (first === undefined || words.length > 2) return false
  if (!first.number) return words.length === 1 && first.folded.length === 1
  return second === undefined || second.folded === 'bis' || second.folded.length === 1
}

/** The canonical name of a city or neighbourhood; null without tokens. */
export function localityName(tokens: Tokens): Name | null {
  return toName(expand(tokens, false))
}

function toName(words: readonly Word[]): Name | null {
  if (words.length === 0) return null
  let [shown, compared] = ['', '']
  for (const [i, word] of words.entries()) {
    shown += (i > 0 ? ' ' : '') + showWord(word, words[i - 1], words[i + 1])
    compared += word.folded
  }
  return { shown, compared }
}

function expand(tokens: Tokens, street: boolean): Word[] {
  const words: Word[] = []
  /** Only street types so far. */
  let leads = true
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'mark') continue
    if (token.kind === 'number') {
      words.push({ shown: token.text, folded: token.folded, type: false, number: true, settled: true })
      leads = false
      continue
    }
    const type: string | undefined =
      street && (leads || !leadingOnly.has(token.folded)) ? typeByWord.get(token.folded) : undefined
    const kind = words.at(-1)?.shown === 'Ruta' ? routeKindByWord.get(token.folded) : undefined
    const full = type ?? kind ?? buenosAires(tokens, i) ?? titleByWord.get(token.folded)
    words.push({
      shown: full ?? token.text,
      folded: full === undefined ? token.folded : foldForAddress(full),
      type: type !== undefined && leads,
      number: false,
      settled: full !== undefined,
    })
    leads &&= type !== undefined
  }
  return words
}

/** `Bs. As.` is the one abbreviation of two words. */
function buenosAires(tokens: Tokens, i: number): string | undefined {
  if (isWord(tokens[i], 'bs') && isWord(tokens[i + 1], 'as')) return 'Buenos'
  return isWord(tokens[i], 'as') && isWord(tokens[i - 1], 'bs') ? 'Aires' : undefined
}

/** A word in its usual case, unless that would change the word, as it can outside the Latin alphabet. */
function showWord(word: Word, previous: Word | undefined, next: Word | undefined): string {
  if (word.settled) return word.shown
  const shown = inUsualCase(word, previous, next)
  return shown === word.shown || foldForAddress(shown) === word.folded ? shown : word.shown
}

function inUsualCase(word: Word, previous: Word | undefined, next: Word | undefined): string {
  const { folded, shown } = word
  if (folded.length === 1) {
    const initials = previous === undefined || next === undefined || previous.folded.length === 1
    return folded === 'y' && !initials ? 'y' : shown.toUpperCase()
  }
  if (previous && lowerWords.has(folded)) return shown.toLowerCase()
  if (previous && articles.has(folded)) {
    return previous.folded === 'de' || previous.folded === 'en' ? shown.toLowerCase() : titleCase(shown)
  }
  if (/^(?:[ivx]+|[^aeiouy]+)$/u.test(folded)) return shown.toUpperCase()
  const mixed = shown !== shown.toUpperCase() && shown !== shown.toLowerCase()
  return mixed ? shown : titleCase(shown)
}

/** `O'HIGGINS` → `O'Higgins`. */
function titleCase(word: string): string {
  return word
    .toLowerCase()
    .replace(/(^|')(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}
