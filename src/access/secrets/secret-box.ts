/** Encryption at rest of secrets that must be read again (api.md 3): AES-256-GCM under a key derived from SECRET_KEY. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export type SecretBox = Readonly<{
  /** Encrypts with the current key; the result differs each time. */
  seal: (text: string) => Buffer
  /** Decrypts what `seal` returned. @throws Error when it was changed, or encrypted with a key that is neither of the two */
  open: (sealed: Buffer) => string
  /** The key that decrypts it; null if none does. */
  keyOf: (sealed: Buffer) => 'current' | 'previous' | null
}>

// Layout: version (one byte, so that others can follow), nonce, tag, ciphertext.
const version = 1
const nonceLength = 12
const tagLength = 16
const headLength = 1 + nonceLength + tagLength

/**
 * Derives the encryption keys once.
 * @param current encrypts and decrypts
 * @param previous only decrypts
 */
export function openSecretBox(current: string, previous: string | null = null): SecretBox {
  const key = encryptionKey(current)
  const older = previous === null ? null : encryptionKey(previous)
  const find = (sealed: Buffer): { by: 'current' | 'previous'; text: string } | null => {
    if (sealed.length < headLength || sealed[0] !== version) return null
    const text = openWith(key, sealed)
    if (text !== null) return { by: 'current', text }
    const before = older === null ? null : openWith(older, sealed)
    return before === null ? null : { by: 'previous', text: before }
  }
  return Object.freeze({
    seal: (text: string) => sealWith(key, text),
    open(sealed: Buffer) {
      const found = find(sealed)
      if (found !== null) return found.text
      throw new Error(
        'A secret cannot be decrypted: it was changed, or it was encrypted with another SECRET_KEY.',
      )
    },
    keyOf: (sealed: Buffer) => find(sealed)?.by ?? null,
  })
}

function encryptionKey(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'signing secrets, AES-256-GCM', 32))
}

function sealWith(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext])
}

/** Null if the key is another one, or the sealed bytes were changed. */
function openWith(key: Buffer, sealed: Buffer): string | null {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + nonceLength), {
    authTagLength: tagLength,
  })
  decipher.setAuthTag(sealed.subarray(1 + nonceLength, headLength))
  try {
    return String(Buffer.concat([decipher.update(sealed.subarray(headLength)), decipher.final()]))
  } catch {
    return null
  }
}
