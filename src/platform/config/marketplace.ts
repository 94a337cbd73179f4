/**
 * Checks the marketplace settings: the URL that receives the events, and the secret that signs them, either as Standard Webhooks
 * writes it (`whsec_` and base64) or any text.
 */
const prefix = 'whsec_'
const minBytes = 16

/** The signing key, or null if the secret is malformed or shorter than 16 bytes. */
export function signingBytes(secret: string): Buffer | null {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : null
  if (encoded !== null && !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null
  const bytes = encoded === null ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64')
  return bytes.length >= minBytes ? bytes : null
}

/**
 * The problem with the two settings, or null. The line names a setting and never repeats its value. The URL may be private and plain
 * http: it is the operator's choice.
 */
export function marketplaceProblem(url: string | null, secret: string | null): string | null {
  const { username, password, hash } = new URL(url ?? 'https://none.example')
  if (username !== '' || password !== '' || hash !== '')
    return 'MARKETPLACE_URL must not have credentials or a fragment: the signature identifies the service.'
  if (secret !== null && signingBytes(secret) === null)
    return 'MARKETPLACE_SECRET is malformed: use whsec_ and base64, or any text, of at least 16 bytes.'
  return url !== null && secret === null ? 'MARKETPLACE_SECRET is missing: MARKETPLACE_URL needs it.' : null
}
