/**
 * Shows the read and write limits to the client (api.md 6.3, 6.4): the `X-RateLimit-*` headers of the minute's window, and a 429 with
 * the time until every exhausted window has reset.
 */
import type { FastifyReply } from 'fastify'
import type { ApiError } from '../../platform/errors.ts'
import type { Kind, Passage } from '../../access/keys/admission.ts'
import type { LimitName, Limits } from '../../limits/table.ts'
import { blockingLimit, rateLimited } from '../../limits/refusal.ts'

export function setRateLimitHeaders(reply: FastifyReply, limits: Limits, kind: Kind, passage: Passage): void {
  const minute = limits[`${kind}_per_minute`].max
  reply.header('x-ratelimit-limit', minute)
  reply.header('x-ratelimit-remaining', Math.max(0, minute - passage.minuteUsed))
  reply.header('x-ratelimit-reset', passage.minuteResets)
}

/**
 * Sets the headers, and refuses a request that was not granted.
 * @throws ApiError `rate_limited`
 */
export function applyPassage(reply: FastifyReply, limits: Limits, kind: Kind, passage: Passage): void {
  setRateLimitHeaders(reply, limits, kind, passage)
  if (passage.granted === 0) throw passageRefused(limits, kind, passage)
}

/** The 429 of a passage that was not granted. Names each exhausted window. */
export function passageRefused(limits: Limits, kind: Kind, passage: Passage): ApiError {
  const window = (name: LimitName, used: number, resets: number) =>
    used < limits[name].max ? [] : [blockingLimit(name, limits[name], { used, resets })]
  return rateLimited([
    ...window(`${kind}_per_minute`, passage.minuteUsed, passage.minuteResets),
    ...window(`${kind}_per_day`, passage.dayUsed, passage.dayResets),
  ])
}
