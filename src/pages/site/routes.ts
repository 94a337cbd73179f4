/**
 * Puts pages on Fastify: each in every language, HEAD with GET, 405 for other methods, and failures as pages that people can read.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { Html } from '../../platform/web/html.ts'
import { type Changed, htmlType, sendValidated } from './answer.ts'
import { askedPath, headersOfPages, sendErrorPage, sendUnkept } from './error-pages.ts'
import { type KeptPage, sendKept } from './kept-pages.ts'
import type { Edition, Site } from './site.ts'
import { crawlerTest, visitorOf } from './visitor.ts'

const otherMethods: HTTPMethods[] = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

const jsonType = 'application/json; charset=utf-8'

/** A request for a page. */
export type PageRequest = Readonly<{
  edition: Edition
  /** The Spanish path, as it was asked for. */
  path: string
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Runs work that reads the database beyond the agency's own row, in a slot of the gate (gate.ts). */
  read: <T>(agencyId: string, work: () => Promise<T>) => Promise<T>
}>

/** A page that caches may keep, or what a script of it asks for; one that says why there is none; or the Spanish path to redirect to, with
 * the same query where the page has moved. No engine keeps one that `isTest`. */
export type PageAnswer =
  | Readonly<{ page: Html; changed?: Changed; isTest?: boolean }>
  | Readonly<{ kept: KeptPage; changed: Changed; isTest: boolean; visited?: VisitedListing }>
  | Readonly<{ page: Html; status: 404 | 410; isTest?: boolean }>
  | Readonly<{ json: unknown; changed: Changed; isTest: boolean }>
  | Readonly<{ to: string; hasMoved?: boolean }>

/** The listing whose page it is, so that the visit counts. */
export type VisitedListing = Readonly<{ agencyId: string; code: string }>

/** A page; what it throws is shown as one. */
export type Show = (ask: PageRequest) => Promise<PageAnswer>

/** Registers the pages by their Spanish path. */
export async function registerShown(
  app: FastifyInstance,
  site: Site,
  table: Readonly<Record<string, Show>>,
): Promise<void> {
  const isCrawler = crawlerTest(site.deps.config)
  const countVisit = (request: FastifyRequest, visited: VisitedListing | undefined): void => {
    const visitor = visited === undefined ? null : visitorOf(request)
    if (visited === undefined || visitor === null || isCrawler(request)) return
    site.deps.visits.count(visited.agencyId, visited.code, 'views', visitor)
  }
  for (const edition of site.editions) {
    await app.register(async (pages) => {
      pages.addHook('onRequest', async (_request, reply) => void reply.headers(headersOfPages))
      pages.setErrorHandler((thrown, request, reply) => {
        // A page's script reads this: the application's own handler sends the JSON envelope.
        if (request.routeOptions.url?.endsWith('.json') === true) throw thrown
        return sendErrorPage(site, thrown, request, reply)
      })
      for (const [path, show] of Object.entries(table)) {
        answerOnlyGet(pages, edition.prefix + path, async (request, reply) => {
          const params = request.params as Record<string, string>
          const asked = (request.raw.url ?? '').split('?').slice(1).join('?')
          const query = new URLSearchParams(asked)
          const path = askedPath(edition, request.raw.url ?? '')
          const read = <T>(agencyId: string, work: () => Promise<T>) => site.gate(request.ip, agencyId, work)
          const answer = await show({ edition, path, params, query, read })
          if ('to' in answer) {
            const path = answer.to.split('/').map(encodeURIComponent).join('/')
            // No cache may keep it: the agency can take its old address back.
            return reply
              .code(answer.hasMoved === true ? 301 : 308)
              .header('cache-control', 'no-store')
              .header(
                'location',
                edition.path(path) + (answer.hasMoved === true && asked !== '' ? `?${asked}` : ''),
              )
              .send()
          }
          if (answer.isTest === true) reply.header('x-robots-tag', 'noindex, nofollow')
          if ('json' in answer)
            return sendValidated(request, reply, jsonType, JSON.stringify(answer.json), answer.changed)
          if ('status' in answer) return sendUnkept(request, reply, answer.status, answer.page)
          if ('kept' in answer) {
            countVisit(request, answer.visited)
            return sendKept(request, reply, answer.kept, answer.changed)
          }
          return sendValidated(request, reply, htmlType, answer.page.markup, answer.changed)
        })
      }
    })
  }
}

/** GET and HEAD; every other method is 405. */
export function answerOnlyGet(
  app: FastifyInstance,
  url: string,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.get(url, handler)
  refuseMethods(app, url, otherMethods)
}

/** Registers pages with forms: no engine keeps them, and they read no body but by a parser of their own. */
export async function registerForms(
  app: FastifyInstance,
  site: Site,
  register: (pages: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (pages) => {
    pages.addHook(
      'onRequest',
      async (_request, reply) =>
        void reply.headers(headersOfPages).header('x-robots-tag', 'noindex, nofollow'),
    )
    pages.setErrorHandler((thrown, request, reply) => sendErrorPage(site, thrown, request, reply))
    pages.removeAllContentTypeParsers()
    register(pages)
  })
}

/** What a form's page refuses. */
export const notOfForms = otherMethods.filter((method) => method !== 'POST')

/** 405 for each of the methods, before a body is read. */
export function refuseMethods(app: FastifyInstance, url: string, method: HTTPMethods[]): void {
  const refuse = async (request: FastifyRequest): Promise<never> => {
    throw app.unrouted(request.raw.url ?? '')
  }
  app.route({ method, url, config: { refuses: true }, onRequest: refuse, handler: refuse })
}
