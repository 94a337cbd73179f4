/** Rules for a key's scopes, lifetime and origins (api.md 2.3, 2.5, 2.6). Pure: the current time is a parameter. */
import { parseDateTime } from '../../platform/time/date-time.ts'
import { dayMs } from '../../platform/time/days.ts'
import { invalid } from '../../platform/errors/errors.ts'
import { keyDays, sizeLimits } from '../../limits/sizes.ts'
import { checkPlainName } from '../../platform/names/plain-name.ts'
import type { KeyKind } from './key-format.ts'

export const allScopes = ['properties:read', 'properties:write', 'leads:read', 'leads:write'] as const

export type Scope = (typeof allScopes)[number]

const leadsLifetimeMs = keyDays.leads * dayMs
const writeLifetimeMs = keyDays.write * dayMs
// Later years have five digits, which ISO 8601 and the database write differently.
const latestMoment = Date.UTC(9999, 11, 31)

/** The name of a key. @throws ApiError 400 `name`. */
export function checkName(name: string): string {
  return checkPlainName(name, /\p{Cc}/u, 'name is empty. Say what the key is for.')
}

/**
 * The scopes of a key, in the order of `allScopes`, each once. `properties:read` is added if none is chosen, or if
 * `properties:write` is. @throws ApiError 400 `scopes[n]`.
 */
export function checkScopes(scopes: readonly string[]): Scope[] {
  for (const [index, scope] of scopes.entries()) {
    if (!(allScopes as readonly string[]).includes(scope)) {
      throw invalid(`scopes[${index}]`, `There is no scope "${scope}". Use any of: ${allScopes.join(', ')}.`)
    }
  }
  if (scopes.length === 0) return ['properties:read']
  const reads = scopes.includes('properties:write')
  return allScopes.filter((scope) => scopes.includes(scope) || (reads && scope === 'properties:read'))
}

/** Whether a key can change anything: owners are notified of such keys. */
export function hasWriteScope(scopes: readonly string[]): boolean {
  return scopes.some((scope) => scope.endsWith(':write'))
}

/**
 * A key's expiry.
 * @param chosen ISO 8601 (UTC when it names no zone, the start of the day when it names no time), or null for none.
 * @returns null: never. Without a choice, 90 days with any `leads:*` scope and a year with write scope.
 * @throws ApiError 400 `expires_at`: no date, past, or beyond 90 days with a `leads:*` scope.
 */
export function checkExpiry(scopes: readonly Scope[], chosen: string | null, now: Date): Date | null {
  if (chosen === null) return defaultExpiry(scopes, now)
  const parsed = parseDateTime(chosen)
  if (parsed === null) {
    throw invalid(
      'expires_at',
      'expires_at must be a date such as 2027-03-31 or 2027-03-31T12:00:00Z.',
      'date_odd',
    )
  }
  const moment = new Date(parsed)
  if (moment.getTime() <= now.getTime())
    throw invalid('expires_at', 'expires_at must be in the future.', 'date_past')
  if (hasLeads(scopes) && moment.getTime() > now.getTime() + leadsLifetimeMs) {
    throw invalid(
      'expires_at',
      `A key with a leads scope can last ${keyDays.leads} days at most. Choose an earlier expires_at.`,
      'date_beyond_leads',
    )
  }
  return moment
}

/** The expiry of a key's successor: it gets the old key's lifetime (null: no end), within the rules. */
export function rotatedExpiry(scopes: readonly Scope[], lifetimeMs: number | null, now: Date): Date | null {
  const latest = defaultExpiry(scopes, now)
  if (lifetimeMs === null) return latest
  const same = new Date(Math.min(now.getTime() + lifetimeMs, latestMoment))
  return hasLeads(scopes) && latest !== null && latest < same ? latest : same
}

const hasLeads = (scopes: readonly Scope[]): boolean => scopes.some((scope) => scope.startsWith('leads:'))

function defaultExpiry(scopes: readonly Scope[], now: Date): Date | null {
  if (hasLeads(scopes)) return new Date(now.getTime() + leadsLifetimeMs)
  if (scopes.includes('properties:write')) return new Date(now.getTime() + writeLifetimeMs)
  return null
}

/**
 * The browser origins of a key, each once and in the order given. They are compared with what browsers send, so only that exact form
 * is accepted. Live keys that write have none. A test key may also have origins of the developer's own machine; one that writes has
 * only those.
 * @throws ApiError 400 `allowed_origins` or `allowed_origins[n]`.
 */
export function checkOrigins(scopes: readonly Scope[], origins: readonly string[], kind: KeyKind) {
  if (origins.length === 0) return []
  const writes = hasWriteScope(scopes)
  if (writes && kind === 'live') {
    throw invalid(
      'allowed_origins',
      'A key with a write scope is for servers only, so it cannot have origins.',
      'origins_of_writer',
    )
  }
  const taken: Taken = kind === 'live' ? 'sites' : writes ? 'own_machine' : 'both'
  for (const [index, origin] of origins.entries()) {
    const canonical = canonicalOrigin(origin, taken)
    if (canonical === origin) continue
    const hint = canonical === null ? originHints[taken] : `use ${canonical}`
    throw invalid(
      `allowed_origins[${index}]`,
      `"${origin}" is not an origin that this key can have: ${hint}, without a path or parameters.`,
      canonical === null ? originReasons[taken] : 'origin_odd',
    )
  }
  const distinct = [...new Set(origins)]
  if (distinct.length > sizeLimits.allowed_origins) {
    throw invalid(
      'allowed_origins',
      `A key can have up to ${sizeLimits.allowed_origins} origins.`,
      'origins_many',
    )
  }
  return distinct
}

/** The origins that a key may have. */
type Taken = 'sites' | 'own_machine' | 'both'

const originHints: Readonly<Record<Taken, string>> = {
  sites: 'use https://host or https://host:port',
  own_machine: 'a test key that writes takes only http://localhost:port or http://127.0.0.1:port',
  both: 'use https://host, https://host:port, http://localhost:port or http://127.0.0.1:port',
}
const originReasons: Readonly<Record<Taken, string>> = {
  sites: 'origin_odd',
  own_machine: 'origin_of_test_writer',
  both: 'origin_odd_test',
}
const ownMachine: ReadonlySet<string> = new Set(['localhost', '127.0.0.1'])

function canonicalOrigin(text: string, taken: Taken): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, origin } = new URL(text)
  if (protocol === 'http:') return taken !== 'sites' && ownMachine.has(hostname) ? origin : null
  // A URL's host may have characters that DNS does not allow, such as `*`. Origins are not patterns.
  const named = /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*\.?)$/
  const isSite = protocol === 'https:' && hostname.length <= 253 && named.test(hostname)
  return isSite && taken !== 'own_machine' ? origin : null
}
