/**
 * What the settings of the marketplace may be: where its events go, and the secret that signs them, as Standard Webhooks writes it
 * (`whsec_` and base64) or as a text of the operator's own.
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

/**
 * What is wrong with the two settings, in a line that names one and repeats neither, or null. The address is the operator's own choice:
 * it may be private, and plain http.
 */
export function marketplaceProblem(url: string | null, secret: string | null): string | null {
  const { username, password, hash } = new URL(url ?? 'https://none.example')
  if (username !== '' || password !== '' || hash !== '')
    return 'MARKETPLACE_URL has credentials or a fragment: the signature is what identifies the service.'
  if (secret !== null && signingBytes(secret) === null)
    return 'MARKETPLACE_SECRET cannot be used: give whsec_ and base64, or a text, of 16 bytes or more.'
  return url !== null && secret === null ? 'MARKETPLACE_SECRET is missing: MARKETPLACE_URL needs it.' : null
}
