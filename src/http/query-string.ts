/**
 * Reads a query string strictly (api.md 4.2): each parameter at most once, never empty, decoded as UTF-8.
 */
import { invalid } from '../errors.ts'
import { isStorable } from './strict-json.ts'

/**
 * `page=2&city=La%20Plata` → Map. `+` is a space.
 * @throws ApiError `invalid_parameter` naming the parameter that is repeated, empty or badly encoded
 */
export function parseQueryString(text: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const separator = pair.indexOf('=')
    const name = decode(separator === -1 ? pair : pair.slice(0, separator), null)
    if (name === '') throw invalid('query', 'The query string has a value without a parameter name.')
    const value = separator === -1 ? '' : decode(pair.slice(separator + 1), name)
    if (parameters.has(name)) throw invalid(name, `${name} is sent twice. Send it once.`)
    if (value.trim() === '') throw invalid(name, `${name} is empty. Give it a value or leave it out.`)
    parameters.set(name, value)
  }
  return parameters
}

function decode(text: string, name: string | null): string {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    if (isStorable(decoded)) return decoded
  } catch {
    // Malformed percent-encoding: refused below.
  }
  throw invalid(name ?? 'query', 'The query string must be valid percent-encoded UTF-8.')
}
