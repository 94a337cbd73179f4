/**
 * What every response of the API carries (spec 'What the service does' 6): the request id, the legal notice and the links.
 */
import type { FastifyReply } from 'fastify'
import type { Config } from '../config.ts'

export type StandardHeaders = {
  /** The legal notice, also the `notice` of error bodies. */
  notice: string
  set(reply: FastifyReply, requestId: string): void
  /** As lines of a raw response, for answers to what never became a request. */
  raw(requestId: string): Record<string, string>
}

export function standardHeaders(config: Config): StandardHeaders {
  const notice = `Listings belong to their agency. Use of this service is subject to the terms at ${config.publicBaseUrl}/terms`
  const noticeHeader = `x-${config.serviceName.toLowerCase()}-notice`
  const link = `<${config.publicBaseUrl}/terms>; rel="terms-of-service", <${config.publicBaseUrl}/.well-known/security.txt>; rel="security"`
  return {
    notice,
    set(reply, requestId) {
      reply.header('x-request-id', requestId)
      reply.header(noticeHeader, notice)
      reply.header('link', link)
    },
    raw: (requestId) => ({ 'x-request-id': requestId, [noticeHeader]: notice, link }),
  }
}
