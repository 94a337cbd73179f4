/**
 * The format of keys (api.md 2.2): a prefix, 34 random characters and a checksum of 6, which rejects a mistyped key without the database.
 * Signing secrets have the same format.
 */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// 34 × log2(62) = 202 random bits; 6 characters hold the 32 bits of a CRC.
const randomLength = 34
const checksumLength = 6
const keyPattern = /^([a-z][a-z0-9]{0,31}_(?:live|test)_)([0-9A-Za-z]{40})$/
const shownLength = 4

/** `test`: a key of an agency's test environment. */
export type KeyKind = 'live' | 'test'

/** A new key, such as `svc_live_…` or `svc_test_…`, with a prefix from the service's name. */
export function newApiKey(serviceName: string, kind: KeyKind): string {
  return newSecret(`${serviceName.toLowerCase()}_${kind}_`)
}

/** A new secret to sign requests with, such as `svc_sign_…`. The text itself is the key of the HMAC. */
export function newSigningSecret(serviceName: string): string {
  return newSecret(`${serviceName.toLowerCase()}_sign_`)
}

/**
 * Parses a key. Any service name is accepted, so that keys stay valid when the name changes.
 * @returns null when the text cannot be a key: wrong format or checksum.
 */
export function parseApiKey(text: string): { prefix: string; secret: string } | null {
  const match = keyPattern.exec(text)
  if (match === null) return null
  const [, prefix = '', secret = ''] = match
  if (!text.endsWith(checksum(text.slice(0, -checksumLength)))) return null
  return { prefix, secret }
}

/** Whether the text has the length of a whole key, even if it is mistyped. */
export function isWholeKey(text: string): boolean {
  return keyPattern.test(text)
}

/** SHA-256 of the whole key; only this is stored. */
export function fingerprint(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** Removes the secret part of everything in a text that looks like a key, complete or not. */
export function withoutKeys(text: string): string {
  return text.replaceAll(/(_(?:live|test|sign)_)[0-9A-Za-z]{8,}/g, '$1…')
}

/** A key in a text, such as a header pasted with it; null if there is none. */
export function findApiKey(text: string): string | null {
  const found = text.match(
    /(?<![0-9A-Za-z])[a-z][a-z0-9]{0,31}_(?:live|test)_[0-9A-Za-z]{40}(?![0-9A-Za-z])/g,
  )
  return found?.find((one) => parseApiKey(one) !== null) ?? null
}

/** The part of a key that may be shown after its creation: the prefix and 4 characters. */
export function displayPrefix(key: string): string {
  return key.slice(0, shownLength - randomLength - checksumLength)
}

function newSecret(prefix: string): string {
  const body = prefix + randomBase62(randomLength)
  return body + checksum(body)
}

function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the greatest multiple of 62 in a byte. Larger values are dropped: they would favour the first characters.
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  }
  return text
}

/** A CRC detects every single wrong character and every swap of neighbours. It is not a secret. */
function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < checksumLength; i++) {
    text = alphabet[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
