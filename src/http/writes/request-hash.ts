/** Identifies a request by its content: a retry with the same Idempotency-Key must have the same (api.md 7). */
import { createHash } from 'node:crypto'

/** Hash of method, path and canonical body. Requests with the same hash are the same (api.md 7). */
export function requestHash(method: string, path: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${method}\n${path}\n${canonicalJson(body)}`)
    .digest()
}

/** JSON with the names of every object sorted. A number too large for a double is written as `Infinity`, not as null. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  let text = ''
  if (Array.isArray(value)) {
    for (const element of value) text += `${text === '' ? '[' : ','}${canonicalJson(element)}`
    return text === '' ? '[]' : `${text}]`
  }
  const members = value as Record<string, unknown>
  for (const name of Object.keys(members).sort())
    text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${canonicalJson(members[name])}`
  return text === '' ? '{}' : `${text}}`
}
