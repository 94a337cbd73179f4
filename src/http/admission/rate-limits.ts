/** A key's read and write limits in its responses: the `X-RateLimit-*` headers, and the 429 of an exhausted limit. */
import type { FastifyReply } from 'fastify'
import type { ChargeKind, Passage } from '../../access/keys/admission.ts'
import { blockingLimit, rateLimited } from '../../limits/refusal.ts'
import type { LimitName, Limits } from '../../limits/table.ts'
import type { ApiError } from '../../platform/errors/errors.ts'

/** Shows the read or write limit to the client (api.md 6.3): the `X-RateLimit-*` headers of the minute's window. */
export function setRateLimitHeaders(
  reply: FastifyReply,
  limits: Limits,
  kind: ChargeKind,
  passage: Passage,
): void {
  const minute = limits[`${kind}_per_minute`].max
  reply.header('x-ratelimit-limit', minute)
  reply.header('x-ratelimit-remaining', Math.max(0, minute - passage.minuteUsed))
  reply.header('x-ratelimit-reset', passage.minuteResets)
}

/** The 429 of a request for which a limit has no room (api.md 6.4): names each exhausted window, with the time until all have reset. */
export function passageRefused(limits: Limits, kind: ChargeKind, passage: Passage): ApiError {
  const window = (name: LimitName, used: number, resets: number) =>
    used < limits[name].max ? [] : [blockingLimit(name, limits[name], { used, resets })]
  return rateLimited([
    ...window(`${kind}_per_minute`, passage.minuteUsed, passage.minuteResets),
    ...window(`${kind}_per_day`, passage.dayUsed, passage.dayResets),
  ])
}
