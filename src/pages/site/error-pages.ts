/**
 * Failures as pages that people can read, for whoever asks for a page: unknown paths outside the API, and what goes wrong on a page.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { logError, toApiError } from '../../http/responses/error-handler.ts'
import { apiPrefix } from '../../http/routes.ts'
import { pathOf } from '../../http/unrouted.ts'
import type { Html } from '../../platform/web/html.ts'
import { securityHeaders } from '../../platform/web/security-headers.ts'
import { htmlType, sendText } from './answer.ts'
import { errorPage } from './message-view.ts'
import type { Edition, Site } from './site.ts'

/** Relative URLs begin with a `<base>` of our own. */
export const headersOfPages = securityHeaders(
  { 'base-uri': "'self'", 'connect-src': "'self'" },
  'strict-origin-when-cross-origin',
)

const apiRoot = apiPrefix.slice(0, apiPrefix.lastIndexOf('/'))

/** Whether the path may be answered with a page. Below `/api` every answer is JSON, whoever asks. */
export function isOutsideApi(request: FastifyRequest): boolean {
  const path = request.routeOptions.url ?? pathOf(request.raw.url ?? '')
  return path !== apiRoot && !path.startsWith(`${apiRoot}/`)
}

/** Whether the client asks for a page by name, and not for JSON before it. Programs that take anything get JSON. */
export function asksForPage({ headers }: FastifyRequest): boolean {
  const weights = new Map<string, number>()
  for (const range of (headers.accept ?? '').toLowerCase().split(',').slice(0, 20)) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const quality = parameters.map((text) => /^q=([01](?:\.\d{0,3})?)$/.exec(text)?.[1]).find(Boolean)
    weights.set(type, quality === undefined ? 1 : Number(quality))
  }
  const page = weights.get('text/html') ?? 0
  return page > 0 && page >= (weights.get('application/json') ?? 0)
}

/** Sends what was thrown as a page, in the language of the path. */
export function sendErrorPage(
  site: Site,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const error = toApiError(thrown)
  logError(thrown, error, request)
  const url = request.raw.url ?? ''
  const edition = editionOf(site, url)
  const page = errorPage({ edition, path: askedPath(edition, url) }, error, request.id)
  return sendUnkept(request, reply.headers(headersOfPages).headers(error.headers), error.status, page)
}

/** No cache may keep it: what is missing or fails may be back at any moment. */
export async function sendUnkept(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  page: Html,
): Promise<FastifyReply> {
  return sendText(request, reply.code(status).header('cache-control', 'no-store'), htmlType, page.markup)
}

function editionOf({ editions }: Site, url: string): Edition {
  const [first] = editions
  if (first === undefined) throw new Error('There is no edition.')
  return (
    editions.find(({ prefix }) => prefix !== '' && `${withoutOrigin(url)}/`.startsWith(`${prefix}/`)) ?? first
  )
}

/** The Spanish path of a URL as it was asked for. It begins with one slash, so that as a link it stays on this host. */
export function askedPath({ prefix }: Edition, url: string): string {
  const path = withoutOrigin(url)
  const own = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
  return `/${own.replace(/^[/\\]+/, '')}`
}

/** The path alone, also of a request in absolute form. */
function withoutOrigin(url: string): string {
  return url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0] ?? ''
}
