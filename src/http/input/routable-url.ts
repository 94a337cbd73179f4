/**
 * Makes every URL acceptable to the router and its parameters to PostgreSQL. The router would refuse malformed percent-encoding at once,
 * but the key has to be checked before the parameters (api.md 1.4: path, method, key, parameters). PostgreSQL stores no U+0000.
 */
import type { Problems } from '../../platform/errors/errors.ts'
import { pathOf } from '../../platform/web/request-target.ts'

/** Stands for a segment that cannot be decoded, and for U+0000. No id, external id, slug or code contains it, so it names nothing. */
const unreadable = '\uFFFD'
const encoded = encodeURIComponent(unreadable)

/**
 * Replaces every segment that cannot be decoded, and every U+0000 in the others, with U+FFFD. The endpoint checks the query. The target
 * `*`, which means the whole server (RFC 9110), becomes a path that does not exist: the router would read it as a wildcard.
 */
export function routableUrl(url: string): string {
  if (url === '*') return '/*'
  if (!url.includes('%')) return url
  const path = pathOf(url)
  const storable = path.replaceAll('%00', encoded)
  const segments = isDecodable(storable)
    ? [storable]
    : storable.split('/').map((segment) => (isDecodable(segment) ? segment : encoded))
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

/** Adds a problem for every parameter whose segment could not be decoded: `routableUrl` has replaced it with U+FFFD. */
export function checkReadable(params: Readonly<Record<string, string>>, problems: Problems): void {
  for (const [name, value] of Object.entries(params))
    if (value === unreadable)
      problems.add(name, `${name} has malformed percent-encoding. Send percent-encoded UTF-8.`)
}
