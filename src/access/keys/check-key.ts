/**
 * Decides whether a key may pass, from the row that was read (api.md 2): the database only reads and counts. Only preflights, which carry
 * no key, restate a part of the rule (`isListedOrigin` in key-rows.ts).
 */
import { isPast } from '../../platform/time/date-time.ts'
import type { DB, Row } from '../../platform/db/types.ts'
import type { Scope } from './key-rules.ts'

/** A key and its agency as read at `looked_at`, by the database's clock. Times are ISO 8601. */
export type KeyState = Readonly<{
  /** `signing_secret` is encrypted by the secret box. A rotated key stops working at `revokes_at`. */
  key: Readonly<Omit<Row<'api_keys', keyof DB['api_keys']>, 'agency_id' | 'fingerprint'>>
  agency: Readonly<{
    id: string
    name: string
    slug: string
    active: boolean
    profile_version: number
    /** Whether it is the twin of an agency, and the key a test key. */
    test: boolean
  }>
  looked_at: string
}>

/** The access that a request needs. */
export type Need = Readonly<{
  /** `any`: `properties:read` or `properties:write`. */
  scope: 'any' | Scope
  /** The Origin header; null if there is none. */
  origin: string | null
  /** Whether the origin is the service's own, from which every test key works. */
  isOwnOrigin?: boolean
}>

/** The code of the error that a refused request gets. */
export type KeyRefusal =
  | 'revoked_api_key'
  | 'expired_api_key'
  | 'agency_not_active'
  | 'origin_not_allowed'
  | 'insufficient_scope'

/** @returns the first reason to refuse, in the order of api.md 2; null if the key may pass */
export function refusalOf({ key, agency, looked_at: now }: KeyState, need: Need): KeyRefusal | null {
  const status = keyStatus(key, now)
  if (status !== 'active') return `${status}_api_key`
  if (!agency.active) return 'agency_not_active'
  const { scope, origin, isOwnOrigin = false } = need
  const isListed = origin === null || key.allowed_origins.includes(origin)
  if (!isListed && !(isOwnOrigin && agency.test)) return 'origin_not_allowed'
  const sufficient = scope === 'any' ? ['properties:read', 'properties:write'] : [scope]
  return sufficient.some((one) => key.scopes.includes(one)) ? null : 'insufficient_scope'
}

type KeyDates = Pick<KeyState['key'], 'revoked_at' | 'revokes_at' | 'expires_at'>

/** Whether the key itself still works. */
export function keyStatus(key: KeyDates, now: string): 'active' | 'revoked' | 'expired' {
  if (key.revoked_at !== null || isPast(key.revokes_at, now)) return 'revoked'
  return isPast(key.expires_at, now) ? 'expired' : 'active'
}
