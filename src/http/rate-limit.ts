/**
 * The limits of reads and writes as a client sees them (spec 'Limits'): the `X-RateLimit-*` headers of the minute, and 429 with a
 * `Retry-After` that tells when the last of the windows in the way reopens.
 */
import type { FastifyReply } from 'fastify'
import type { Passage } from '../keys/admission.ts'
import type { LimitName, Limits } from '../limits/table.ts'
import { rateLimited } from '../limits/take.ts'

/** Sets the headers. */
export function tellPassage(
  reply: FastifyReply,
  limits: Limits,
  kind: 'reads' | 'writes',
  passage: Passage,
): void {
  const minute = limits[`${kind}_per_minute`].max
  reply.header('x-ratelimit-limit', minute)
  reply.header('x-ratelimit-remaining', Math.max(0, minute - passage.minuteUsed))
  reply.header('x-ratelimit-reset', passage.minuteResets)
}

/**
 * Sets the headers, and refuses what was not granted.
 * @throws ApiError `rate_limited`
 */
export function applyPassage(
  reply: FastifyReply,
  limits: Limits,
  kind: 'reads' | 'writes',
  passage: Passage,
): void {
  tellPassage(reply, limits, kind, passage)
  if (passage.granted > 0) return
  const minute = limits[`${kind}_per_minute`].max
  const inTheWay: { name: LimitName; resets: number }[] = []
  if (passage.minuteUsed >= minute)
    inTheWay.push({ name: `${kind}_per_minute`, resets: passage.minuteResets })
  if (passage.dayUsed >= limits[`${kind}_per_day`].max)
    inTheWay.push({ name: `${kind}_per_day`, resets: passage.dayResets })
  throw rateLimited(limits, inTheWay)
}
