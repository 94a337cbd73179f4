/**
 * Secrets that are handed out once and stored as a hash: of sessions, of links in mails.
 */
import { hash, randomBytes } from 'node:crypto'

/** 256 random bits, as 43 characters that can stand in an address. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}

/** All that is stored of it. Nothing can be guessed, so a fast hash suffices. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
