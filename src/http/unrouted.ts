/**
 * Methods that the router does not know at all (PROPFIND, LOCK, …) on paths that exist: 405 like any other.
 */
import type { Endpoint } from './endpoint.ts'
import { allowedMethods } from './routes.ts'

/** The methods of the path, HEAD with GET, or null when there is no such path. */
export function methodsOfUnrouted(
  endpoints: readonly Endpoint[],
  prefix: string,
  url: string,
): string[] | null {
  const path = url.split('?', 1)[0] ?? ''
  if (!path.startsWith(prefix)) return null
  const below = path.slice(prefix.length)
  // The table lists static paths before those with parameters, so the first match is the one the router would take.
  for (const [template, allowed] of allowedMethods(endpoints)) {
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    if (pattern.test(below) || (template === '/' && below === '')) return allowed
  }
  return null
}
