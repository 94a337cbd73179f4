/**
 * The secret that webhooks are signed with, as Standard Webhooks writes it: `whsec_` and base64; or as any text.
 */
const prefix = 'whsec_'
const minBytes = 16

/** The bytes that sign, or null where the secret is malformed or shorter than 16 bytes. */
export function signingBytes(secret: string): Buffer | null {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : null
  if (encoded !== null && !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null
  const bytes = encoded === null ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64')
  return bytes.length >= minBytes ? bytes : null
}
