/**
 * What every response carries (api.md 1.2): the request id, the legal notice and the links; and, where the public
 * address is https, that browsers are to use no other scheme.
 */
import type { FastifyReply } from 'fastify'
import type { Config } from '../config/config.ts'

export type StandardHeaders = {
  /** The legal notice, also the `notice` of error bodies. */
  notice: string
  set(reply: FastifyReply, requestId: string): void
  /** As lines of a raw response, for answers to what never became a request. */
  raw(requestId: string): Record<string, string>
}

/** A year, and without `includeSubDomains`: other hosts of the domain are not the service's to decide about. */
const strictTransport = 'max-age=31536000'

export function standardHeaders(config: Config): StandardHeaders {
  const notice = `Listings belong to their agency. Use of this service is subject to the terms at ${config.publicBaseUrl}/terms`
  const always: Readonly<Record<string, string>> = {
    [`x-${config.serviceName.toLowerCase()}-notice`]: notice,
    link: `<${config.publicBaseUrl}/terms>; rel="terms-of-service", <${config.publicBaseUrl}/.well-known/security.txt>; rel="security"`,
    ...(config.hsts && { 'strict-transport-security': strictTransport }),
  }
  const names = Object.keys(always)
  return {
    notice,
    set(reply, requestId) {
      reply.header('x-request-id', requestId)
      for (const name of names) reply.header(name, always[name])
    },
    raw: (requestId) => ({ 'x-request-id': requestId, ...always }),
  }
}
