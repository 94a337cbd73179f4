/**
 * Addresses as the router can take them: percent-encoding that is no UTF-8 must not keep a request from being judged in its order
 * (spec 'Errors': path, method, key, and only then the parameters).
 */

const unreadable = '%EF%BF%BD'

/**
 * Puts U+FFFD in place of every segment of the path that cannot be decoded; no id and no external id has that character. The
 * query stays as it is: the endpoint reads it strictly.
 */
export function routableAddress(address: string): string {
  if (!address.includes('%')) return address
  const end = address.indexOf('?')
  const path = end === -1 ? address : address.slice(0, end)
  if (isDecodable(path)) return address
  const segments = path.split('/').map((segment) => (isDecodable(segment) ? segment : unreadable))
  return segments.join('/') + address.slice(path.length)
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
