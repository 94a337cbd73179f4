/** Errors as pages that people can read: unknown paths outside the API, if the client prefers a page, and failures of public pages. */
import type { FastifyRequest } from 'fastify'
import { apiPrefix } from '../../../http/routes.ts'
import { routedPath } from '../../../http/unrouted.ts'
import { acceptedRanges } from '../../../platform/web/accepted.ts'
import type { SendError } from '../../framework/register-pages.ts'
import { sendUncacheable } from '../../framework/send-cacheable.ts'
import { sitePageHeaders } from '../frame/site-headers.ts'
import { failurePage } from './error-page-views.ts'
import type { Edition, Site } from '../frame/site.ts'
import { pathOf } from '../../../platform/web/request-target.ts'

const apiRoot = apiPrefix.slice(0, apiPrefix.lastIndexOf('/'))

/** Whether an error may be shown as a page. Below `/api` every response is JSON. */
export function isOutsideApi(request: FastifyRequest): boolean {
  const path = request.routeOptions.url ?? routedPath(request.raw.url ?? '')
  return path !== apiRoot && !path.startsWith(`${apiRoot}/`)
}

/** Whether the client names HTML and prefers it to JSON. Programs that accept anything get JSON. */
export function asksForPage({ headers }: FastifyRequest): boolean {
  const weights = new Map(acceptedRanges(headers.accept))
  const page = weights.get('text/html') ?? 0
  return page > 0 && page >= (weights.get('application/json') ?? 0)
}

/** Responds with the page of an error, in the language of the path. */
export function sendErrorPage(site: Site): SendError {
  return (error, request, reply) => {
    const url = request.raw.url ?? ''
    const edition = editionOf(site, url)
    const page = failurePage({ edition, path: spanishPath(edition, url) }, error, request.id)
    return sendUncacheable(request, reply.headers(sitePageHeaders), error.status, page)
  }
}

/** The last edition whose prefix matches, because the empty prefix of the first matches every path. */
function editionOf({ editions }: Site, url: string): Edition {
  return editions.findLast(({ prefix }) => `${withoutOrigin(url)}/`.startsWith(`${prefix}/`)) as Edition
}

/** The Spanish path of a requested URL. It begins with exactly one slash, so a link to it stays on this host. */
export function spanishPath({ prefix }: Edition, url: string): string {
  const path = withoutOrigin(url)
  const own = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
  return `/${own.replace(/^[/\\]+/, '')}`
}

/** The path alone, even if the request has an absolute URL. */
function withoutOrigin(url: string): string {
  return pathOf(url.replace(/^https?:\/\/[^/?]*/i, ''))
}
