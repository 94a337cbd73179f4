/** CORS (api.md 2.6 to 2.8): no headers by default; a key works from the origins on its list. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { isListedOrigin } from '../../access/keys/key-rows.ts'

const exposed =
  'ETag, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Idempotent-Replayed'
const allowedHeaders = 'Authorization, X-API-Key, Content-Type, If-None-Match, If-Match, Idempotency-Key'
const maxAgeSeconds = 600

/** Whether an OPTIONS request is a preflight; any other gets 405. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

/** Responds to a preflight, which carries no key. Grants it if any active key lists the origin; the request itself needs its own key. */
export async function respondToPreflight(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  path: { methods: readonly string[]; openToAll: boolean },
): Promise<void> {
  const origin = request.headers.origin ?? ''
  const granted =
    path.openToAll ||
    (await isListedOrigin(deps.db.anywhere, [origin, deps.clock.offsetMs]))[0]?.listed === true
  reply.header('vary', 'Origin')
  if (granted) {
    const name = deps.config.serviceName
    reply
      .header('access-control-allow-origin', path.openToAll ? '*' : origin)
      .header('access-control-allow-methods', path.methods.join(', '))
      .header('access-control-allow-headers', `${allowedHeaders}, X-${name}-Timestamp, X-${name}-Signature`)
      .header('access-control-max-age', maxAgeSeconds)
  }
  await reply.code(204).send()
}

/** Lets scripts of the origin read the response, errors included; `*` is any site. The key's list has been checked. */
export function grantOrigin(reply: FastifyReply, origin: string, serviceName: string): void {
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-expose-headers', `${exposed}, X-${serviceName}-Notice`)
}
