/**
 * The error for a request without a route: 405 with `Allow` if the path has other methods (api.md 4.1), else 404. Covers every path of
 * the application, and methods unknown to the router (PROPFIND, LOCK, …).
 */
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { ApiError } from '../platform/errors/errors.ts'
import { routableUrl } from './input/routable-url.ts'
import { pathOf } from '../platform/web/request-target.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route exists only to refuse its methods; `Allow` omits them. */
    refuses?: boolean
  }
  interface FastifyInstance {
    /** The error for a request without a route: `method_not_allowed` or `not_found`. */
    unrouted(url: string): ApiError
  }
}

/** In the order of `Allow`. */
const order: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
/** The methods that the router knows and a path may refuse. */
export const standardMethods: readonly HTTPMethods[] = [...order, 'OPTIONS', 'TRACE']

/** Decorates the application with `unrouted`, which knows all routes registered after this call. */
export function watchRoutes(app: FastifyInstance): void {
  const methods = new Map<string, Set<string>>()
  let patterns: { pattern: RegExp; allowed: string }[] | null = null
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.refuses === true) return
    const known = methods.get(url) ?? new Set()
    for (const one of [method].flat()) known.add(one)
    if (known.has('GET')) known.add('HEAD')
    methods.set(url, known)
    patterns = null
  })
  const allowedAt = (url: string): string | null => {
    patterns ??= [...methods].sort(bySpecificity).map(([template, known]) => ({
      pattern: patternOf(template),
      allowed: order.filter((method) => known.has(method)).join(', '),
    }))
    const path = routedPath(url)
    return patterns.find(({ pattern }) => pattern.test(path))?.allowed ?? null
  }
  app.decorate('unrouted', (url: string) => {
    const allowed = allowedAt(url)
    if (allowed === null) return noResource()
    return new ApiError('method_not_allowed', {
      message: `This path does not support the method. Use ${allowed}.`,
      headers: { allow: allowed },
    })
  })
}

export function noResource(): ApiError {
  return new ApiError('not_found', { message: 'No resource exists at this URL. Check the path.' })
}

/** The path as the router reads it: without the query and, for a request in absolute form, without the host. */
export function routedPath(url: string): string {
  const path = pathOf(routableUrl(url.replace(/^https?:\/\/[^/]*/i, '')))
  // An encoded slash does not separate segments.
  return path
    .split('/')
    .map((segment) => decodeURIComponent(segment).replaceAll('/', '%2F'))
    .join('/')
}

/** The pattern of a route's paths, such as `/dashboard/keys/:key`. */
function patternOf(template: string): RegExp {
  const segments = template.split('/').map((segment) => {
    if (segment === '*') return '.*'
    return segment
      .split(/(:\w+)/)
      .map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)))
      .join('')
  })
  return new RegExp(`^${segments.join('/')}$`)
}

/** The router's order: literal segments before parameters, parameters before `*`. */
function bySpecificity([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  const ranked = (template: string): string =>
    template
      .split('/')
      .map((segment) => (segment === '*' ? '2' : segment.includes(':') ? '1' : '0'))
      .join('')
  return ranked(one) < ranked(other) ? -1 : 1
}
