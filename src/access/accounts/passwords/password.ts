/** Accepts and hashes passwords: argon2id with OWASP's recommended parameters. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { invalid } from '../../../platform/errors/errors.ts'
import { passwordSizes } from '../../../limits/sizes.ts'
import type { Derive } from './hashing.ts'
import { helperProcess } from './helper-process.ts'

const memory = 19_456
const passes = 2
const parallelism = 1
const tagLength = 32

const { min: shortest, max: longest } = passwordSizes

/** @param about names of the person and the agency, which attackers try first @throws ApiError 400 `password` */
export async function checkPassword(password: string, about: readonly string[]): Promise<string> {
  const length = [...password].length
  if (length < shortest)
    throw invalid('password', `A password must have at least ${shortest} characters.`, 'password_short')
  if (length > longest)
    throw invalid('password', `A password must have at most ${longest} characters.`, 'password_long')
  if (!password.isWellFormed())
    throw invalid('password', 'This password is not valid Unicode.', 'password_odd')
  const verdict = await ratePassword(normal(password), about)
  if (verdict === 'names')
    throw invalid(
      'password',
      "This password is made of your name, email or agency's name. Choose another.",
      'password_names',
    )
  if (verdict === 'common')
    throw invalid('password', 'This password is easy to guess. Choose another.', 'password_common')
  return password
}

/** `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
export async function hashPassword(derive: Derive, password: string): Promise<string> {
  const nonce = randomBytes(16)
  const message = normal(password)
  const tag = Buffer.from(await derive({ message, nonce, memory, passes, parallelism, tagLength }))
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`
}

/** Takes the same time without a hash, so that it reveals nothing. */
export async function matchesHash(derive: Derive, password: string, hash: string | null): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash ?? nobodys)
  if (parts === null) throw new Error('a password hash has an unknown layout')
  const [, m = '', t = '', p = '', salt = '', expected = ''] = parts
  const known = Buffer.from(expected, 'base64')
  const tag = await derive({
    message: normal(password.slice(0, longest * 2)),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    tagLength: known.length,
  })
  return timingSafeEqual(tag, known) && hash !== null
}

/** The same text can be typed as different characters. */
function normal(password: string): string {
  return password.normalize('NFKC')
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

const nobodys = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(randomBytes(16))}$${base64(randomBytes(tagLength))}`

/** `words`: in lower case; a guesser tries them first. */
export type RatingRequest = { password: string; words: readonly string[] }
/** `score`: 0 to 4; 2 means a million guesses or more, 3 a hundred million. */
export type Rating = { score: number; usesWords: boolean }

type Verdict = 'good' | 'common' | 'names'

/** Characters required besides names: `AcmeAna2026!` has too few. */
const minOwn = 6
const mostlyLetters = 0.75
const idleMs = 10_000
const rate = helperProcess<RatingRequest, Rating>('rating-process.ts', idleMs)

/**
 * Rates how easily a password is guessed. The word lists take 40 MB and a rating hundredths of a second, so a helper process does it, which
 * runs only while passwords are chosen.
 */
async function ratePassword(password: string, about: readonly string[]): Promise<Verdict> {
  const words = wordsOf(about)
  if (isMadeOf(password, words)) return 'names'
  const whole = await rate({ password, words })
  if (whole.score < 3) return whole.usesWords ? 'names' : 'common'
  // Punctuation between words, `Mendoza.2025!`, raises the score by more than it costs a guesser.
  const letters = bare(password)
  if (letters.length < mostlyLetters * password.length) return 'good'
  const { score, usesWords } = await rate({ password: letters, words })
  if (score > 1) return 'good'
  return usesWords ? 'names' : 'common'
}

/** `Río Propiedades` → `riopropiedades`, `rio`, `propiedades`. */
function wordsOf(about: readonly string[]): string[] {
  const words = about.flatMap((text) => [bare(text), ...withoutCaseAndAccents(text).split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words)].filter((word) => word.length > 2)
}

/** Whether it consists mostly of the words, which may overlap. */
function isMadeOf(password: string, words: readonly string[]): boolean {
  const text = bare(password)
  const covered = new Set<number>()
  for (const word of words) {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
      for (let index = at; index < at + word.length; index += 1) covered.add(index)
  }
  return covered.size > 0 && text.length - covered.size < minOwn
}

function bare(text: string): string {
  return withoutCaseAndAccents(text).replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** Unlike the `fold` of searches, also turns full-width and similar letters into plain ones. */
function withoutCaseAndAccents(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
