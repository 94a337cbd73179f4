/**
 * Makes every URL acceptable to the router. The router would refuse malformed percent-encoding at once, but the key has to be checked
 * before the parameters (api.md 1.4: path, method, key, parameters).
 */

const unreadable = '%EF%BF%BD'

/**
 * Replaces every segment of the path that cannot be decoded with U+FFFD, which no id and no external id contains. Leaves the query
 * alone: the endpoint parses it strictly.
 */
export function routableUrl(url: string): string {
  if (!url.includes('%')) return url
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (isDecodable(path)) return url
  const segments = path.split('/').map((segment) => (isDecodable(segment) ? segment : unreadable))
  return segments.join('/') + url.slice(path.length)
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
