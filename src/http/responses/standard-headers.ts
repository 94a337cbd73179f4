/** The headers of every response (api.md 1.2): request id, legal notice, links, and HSTS if the public URL is https. */
import type { FastifyReply } from 'fastify'
import type { Config } from '../../platform/config/config.ts'

export type StandardHeaders = Readonly<ReturnType<typeof standardHeaders>>

/** A year. Without `includeSubDomains`, because this service does not decide for other hosts of the domain. */
const strictTransport = 'max-age=31536000'

export function noticeOf(publicBaseUrl: string): string {
  return `Listings belong to their agency. Use of this service is subject to the terms at ${publicBaseUrl}/terms`
}

export function standardHeaders({ hsts, publicBaseUrl, serviceName }: Config) {
  const always: Readonly<Record<string, string>> = {
    [`x-${serviceName.toLowerCase()}-notice`]: noticeOf(publicBaseUrl),
    link: `<${publicBaseUrl}/terms>; rel="terms-of-service", <${publicBaseUrl}/.well-known/security.txt>; rel="security"`,
    ...(hsts && { 'strict-transport-security': strictTransport }),
  }
  const names = Object.keys(always)
  return {
    /** For the body of an error. */
    publicBaseUrl,
    set(reply: FastifyReply, requestId: string): void {
      reply.header('x-request-id', requestId)
      for (const name of names) reply.header(name, always[name])
    },
    /** For a response on the raw socket, to bytes that Node could not parse as a request. */
    raw: (requestId: string): Record<string, string> => ({ 'x-request-id': requestId, ...always }),
  }
}
