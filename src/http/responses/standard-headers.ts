/** The headers of every response (api.md 1.2): request id, legal notice, links, and HSTS if the public URL is https. */
import type { FastifyReply } from 'fastify'
import type { Config } from '../../platform/config/config.ts'

export type StandardHeaders = Readonly<ReturnType<typeof standardHeaders>>

/** A year. Without `includeSubDomains`, because this service does not decide for other hosts of the domain. */
const strictTransport = 'max-age=31536000'

export function noticeOf(publicBaseUrl: string): string {
  return `Listings belong to their agency. Use of this service is subject to the terms at ${publicBaseUrl}/terms`
}

export function errorsUrl(publicBaseUrl: string): string {
  return `${publicBaseUrl}/docs/errors`
}

export function standardHeaders(config: Config) {
  const notice = noticeOf(config.publicBaseUrl)
  const always: Readonly<Record<string, string>> = {
    [`x-${config.serviceName.toLowerCase()}-notice`]: notice,
    link: `<${config.publicBaseUrl}/terms>; rel="terms-of-service", <${config.publicBaseUrl}/.well-known/security.txt>; rel="security"`,
    ...(config.hsts && { 'strict-transport-security': strictTransport }),
  }
  const names = Object.keys(always)
  return {
    /** The legal notice, also the `notice` of error bodies. */
    notice,
    /** URL of the page that explains the errors. */
    errorsUrl: errorsUrl(config.publicBaseUrl),
    set(reply: FastifyReply, requestId: string): void {
      reply.header('x-request-id', requestId)
      for (const name of names) reply.header(name, always[name])
    },
    /** For a raw response, to what never became a request. */
    raw: (requestId: string): Record<string, string> => ({ 'x-request-id': requestId, ...always }),
  }
}
