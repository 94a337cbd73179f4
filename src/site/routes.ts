/**
 * Puts pages on Fastify: each in every language, HEAD with GET, 405 for the rest, and what goes wrong as a page that people can
 * read.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { toApiError, logError } from '../http/error-handler.ts'
import { htmlType, sendText } from './answer.ts'
import { type PageLanguage, languages } from '../web/language.ts'
import { languagePrefix } from './language.ts'
import { errorPage } from './message-view.ts'
import type { Site } from './site.ts'

const otherMethods: HTTPMethods[] = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Only what the service itself serves; photos and styles by path, nothing inline. Data blocks are no scripts. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

export type Visit = {
  request: FastifyRequest
  reply: FastifyReply
  language: PageLanguage
  params: Readonly<Record<string, string>>
  query: URLSearchParams
}

/** A page; what it throws is shown as one. */
export type Show = (visit: Visit) => Promise<FastifyReply>

/** Registers pages, by path of the Spanish ones, and what all of them have in common. */
export async function registerShown(
  app: FastifyInstance,
  site: Site,
  shown: Readonly<Record<string, Show>>,
): Promise<void> {
  await app.register(async (pages) => {
    pages.addHook('onRequest', async (_request, reply) => void reply.headers(securityHeaders))
    pages.setErrorHandler((thrown, request, reply) => {
      const error = toApiError(thrown)
      logError(thrown, error, request)
      const page = errorPage(site, languageOf(request), error, request.id)
      return sendText(
        request,
        reply.code(error.status).headers(error.headers).header('cache-control', 'no-store'),
        htmlType,
        page,
      )
    })
    for (const [path, show] of Object.entries(shown)) {
      for (const language of languages) {
        const url = languagePrefix(language) + path
        answerOnlyGet(pages, url, (request, reply) =>
          show({
            request,
            reply,
            language,
            params: request.params as Record<string, string>,
            query: new URLSearchParams(request.raw.url?.split('?').slice(1).join('?')),
          }),
        )
      }
    }
  })
}

/** GET and HEAD; every other method is 405. */
export function answerOnlyGet(
  app: FastifyInstance,
  url: string,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.get(url, handler)
  const refuse = async (request: FastifyRequest): Promise<never> => {
    throw app.unrouted(request.raw.url ?? '')
  }
  // Before a body is read.
  app.route({ method: otherMethods, url, config: { refuses: true }, onRequest: refuse, handler: refuse })
}

function languageOf(request: FastifyRequest): PageLanguage {
  const path = request.routeOptions.url ?? ''
  return (
    languages.find((one) => languagePrefix(one) !== '' && path.startsWith(`${languagePrefix(one)}/`)) ?? 'es'
  )
}
