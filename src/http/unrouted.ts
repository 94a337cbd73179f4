/**
 * What a path answers to a method that it does not have: 405 with `Allow` (spec 'Endpoints'), on whatever is served, for the methods
 * that the router does not know too (PROPFIND, LOCK, …); 404 where there is no such path.
 */
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { ApiError } from '../errors.ts'
import { routableUrl } from './routable-url.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route only refuses: its methods are not those of its path. */
    refuses?: boolean
  }
  interface FastifyInstance {
    /** The error of a request for this address with a method that it does not have. */
    unrouted(url: string): ApiError
  }
}

/** The methods that the router knows and a path may refuse. */
export const standardMethods: readonly HTTPMethods[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
]

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Notes the routes that are registered from now on, and answers for them with `app.unrouted`. */
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
    const path = pathOf(url)
    return patterns.find(({ pattern }) => pattern.test(path))?.allowed ?? null
  }
  app.decorate('unrouted', (url: string) => {
    const allowed = allowedAt(url)
    if (allowed === null) return new ApiError('not_found', { message: 'There is nothing at this address.' })
    return new ApiError('method_not_allowed', { headers: { allow: allowed } })
  })
}

/** As the router reads it: without the query and, in the absolute form, the host. */
function pathOf(url: string): string {
  const path = routableUrl(url.replace(/^https?:\/\/[^/]*/i, '')).split('?', 1)[0] ?? ''
  // What stands for a slash separates nothing.
  return path
    .split('/')
    .map((segment) => decodeURIComponent(segment).replaceAll('/', '%2F'))
    .join('/')
}

/** `/dashboard/keys/:key` → what matches it. */
function patternOf(template: string): RegExp {
  const segments = template.split('/').map((segment) => {
    if (segment === '*') return '.*'
    return segment
      .split(/(:\w+)/)
      .map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join('')
  })
  return new RegExp(`^${segments.join('/')}$`)
}

/** As the router chooses: what is written out before what stands for anything, segment by segment. */
function bySpecificity([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  const ranked = (template: string): string =>
    template
      .split('/')
      .map((segment) => (segment === '*' ? '2' : segment.includes(':') ? '1' : '0'))
      .join('')
  return ranked(one) < ranked(other) ? -1 : 1
}
