/**
 * Rates how easily a password is guessed. The word lists take 40 MB and a rating hundredths of a second, so a helper process does it, which
 * runs only while passwords are chosen.
 */
import { helperProcess } from './helper-process.ts'

/** `words`: in lower case; a guesser tries them first. */
export type JudgeRequest = { password: string; words: readonly string[] }
/** `score`: 0 to 4; 2 means a million guesses or more, 3 a hundred million. */
export type JudgeAnswer = { score: number; usesWords: boolean }

type Verdict = 'good' | 'common' | 'names'

/** Characters required besides names: `AcmeAna2026!` has too few. */
const leastOwn = 6
const mostlyLetters = 0.75
const idleMs = 10_000
const judge = helperProcess<JudgeRequest, JudgeAnswer>(
  new URL('password-process.ts', import.meta.url),
  idleMs,
)

/** @param about names of the person and the agency, which attackers try first */
export async function judgePassword(password: string, about: readonly string[]): Promise<Verdict> {
  const words = wordsOf(about)
  if (isMadeOf(password, words)) return 'names'
  const whole = await judge({ password, words })
  if (whole.score < 3) return whole.usesWords ? 'names' : 'common'
  // Punctuation between words, `Mendoza.2025!`, raises the score by more than it costs a guesser.
  const letters = bare(password)
  if (letters.length < mostlyLetters * password.length) return 'good'
  const { score, usesWords } = await judge({ password: letters, words })
  if (score > 1) return 'good'
  return usesWords ? 'names' : 'common'
}

/** `Río Propiedades` → `riopropiedades`, `rio`, `propiedades`. */
function wordsOf(about: readonly string[]): string[] {
  const words = about.flatMap((text) => [bare(text), ...folded(text).split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words)].filter((word) => word.length > 2)
}

/** Whether it consists mostly of the words, which may overlap. */
function isMadeOf(password: string, words: readonly string[]): boolean {
  const text = bare(password)
  const covered = new Set<number>()
  for (const word of words) {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
      for (let place = at; place < at + word.length; place += 1) covered.add(place)
  }
  return covered.size > 0 && text.length - covered.size < leastOwn
}

function bare(text: string): string {
  return folded(text).replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** Without capitals and accents. */
function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
