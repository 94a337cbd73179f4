/** Tokens of sessions and of links in emails: handed out once, stored as a hash. */
import { hash, randomBytes } from 'node:crypto'

/** 256 random bits, as 43 characters that fit in a URL. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}

/** A fast hash suffices, as the token cannot be guessed. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
