/** Reads a query string strictly (api.md 4.2): each parameter at most once, never empty, decoded as UTF-8. */
import type { Problems } from '../../platform/errors.ts'
import { isStorable } from './strict-json.ts'

/**
 * `page=2&city=La%20Plata` → Map. `+` is a space.
 * @param problems gets the parameters that are repeated, empty or badly encoded; the map is without them
 */
export function parseQueryString(text: string, problems: Problems): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const separator = pair.indexOf('=')
    const name = decode(separator === -1 ? pair : pair.slice(0, separator))
    const value = separator === -1 ? '' : decode(pair.slice(separator + 1))
    if (name === '') problems.add('query', 'The query string has a value without a parameter name.')
    else if (name === null || value === null)
      problems.add(name ?? 'query', 'The query string must be valid percent-encoded UTF-8.')
    else if (!isStorable(name)) problems.add('query', 'A parameter name contains U+0000. Remove it.')
    else if (!isStorable(value))
      problems.add(name, `${name} contains U+0000, which is not allowed. Remove it.`)
    else if (parameters.has(name)) problems.add(name, `${name} is sent twice. Send it once.`)
    else if (value.trim() === '') problems.add(name, `${name} is empty. Give it a value or leave it out.`)
    else parameters.set(name, value)
  }
  return parameters
}

/** The text, or null if it is not percent-encoded UTF-8. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
