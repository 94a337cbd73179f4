/**
 * A public page as a line of a table: its method, its Spanish path, and a function from request to answer. Every page is there in each
 * language.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../../agencies/visits.ts'
import type { Html } from '../../platform/web/html.ts'
import { type PageRoute, registerPages } from '../framework/register-pages.ts'
import {
  type Changed,
  htmlType,
  jsonType,
  type KeptText,
  sendKept,
  sendUnkept,
  sendValidated,
} from '../framework/send.ts'
import { headersOfPages, sendErrorPage, spanishPath } from './error-pages.ts'
import type { Edition, Site } from './site.ts'
import { crawlerTest, visitorOf } from './visitor.ts'

export type PublicPage = Readonly<{
  method: 'GET' | 'POST'
  /** The Spanish path; the other languages prefix it. */
  path: string
  /** In bytes, for a page that takes a form. */
  bodyLimit?: number
  /** A script reads the answer, errors included. */
  isData?: boolean
  /** An error that it throws is shown as a page. */
  answer: (request: PublicRequest) => Promise<PublicAnswer>
}>

export type PublicRequest = Readonly<{
  edition: Edition
  /** The Spanish path as requested. */
  path: string
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** The query as sent, without its question mark. */
  search: string
  form: URLSearchParams
  method: string
  requestId: string
  ip: string
  /** Null for those whose visits are not counted. */
  visitor: Visitor | null
  /** Runs work that reads the database beyond the agency's own row, in a slot of the gate (gate.ts). */
  read: <T>(agencyId: string | null, work: () => Promise<T>) => Promise<T>
}>

/**
 * A page that caches may keep, what its script fetches, a page that no cache may keep, or a redirect. No search engine keeps one that
 * `isTest`.
 */
export type PublicAnswer =
  | Readonly<{ page: Html; changed?: Changed; isTest?: boolean }>
  | Readonly<{ kept: KeptText; changed: Changed; isTest: boolean; visited?: VisitedListing }>
  | Readonly<{ page: Html; status: number; isTest?: boolean; headers?: Readonly<Record<string, string>> }>
  | Readonly<{ json: unknown; changed: Changed; isTest: boolean }>
  | Readonly<{ to: string; status: 301 | 303 | 308; search?: string }>

/** The listing whose page it is, so that the visit counts. */
type VisitedListing = Readonly<{ agencyId: string; code: string }>

type Options = Readonly<{
  /** On every response, beside those of all public pages. */
  headers?: Readonly<Record<string, string>>
  /** Parsers for the bodies that the pages accept. */
  parsers?: (app: FastifyInstance) => void
}>

/** Forms, which no search engine may keep. */
export const formHeaders = { 'x-robots-tag': 'noindex, nofollow' }

export async function registerPublicPages(
  app: FastifyInstance,
  site: Site,
  pages: readonly PublicPage[],
  { headers = {}, parsers }: Options = {},
): Promise<void> {
  const isCrawler = crawlerTest(site.deps.config)
  const routes = site.editions.flatMap((edition) =>
    pages.map(({ method, path, bodyLimit, isData = false, answer }): PageRoute => ({
      method,
      url: edition.prefix + path,
      bodyLimit,
      config: { errorsAreJson: isData },
      handle: async (request, reply) => {
        const asked = toPublicRequest(edition, request)
        return sendAnswer(request, reply, asked, await answer(asked))
      },
    })),
  )
  await registerPages(app, routes, {
    headers: { ...headersOfPages, ...headers },
    sendError: sendErrorPage(site),
    prepare: parsers,
  })

  async function sendAnswer(
    request: FastifyRequest,
    reply: FastifyReply,
    { edition, visitor }: PublicRequest,
    answer: PublicAnswer,
  ): Promise<FastifyReply> {
    if ('to' in answer) {
      const path = edition.path(answer.to.split('/').map(encodeURIComponent).join('/'))
      const query = (answer.search ?? '') === '' ? '' : `?${answer.search}`
      // No cache may keep it: an agency can take its former slug back.
      reply.code(answer.status).header('cache-control', 'no-store')
      return reply.header('location', path + query).send()
    }
    if (answer.isTest === true) reply.header('x-robots-tag', 'noindex, nofollow')
    if ('json' in answer)
      return sendValidated(request, reply, jsonType, JSON.stringify(answer.json), answer.changed)
    if ('status' in answer)
      return sendUnkept(request, reply.headers(answer.headers ?? {}), answer.status, answer.page)
    if (!('kept' in answer))
      return sendValidated(request, reply, htmlType, answer.page.markup, answer.changed)
    const { visited } = answer
    if (visited !== undefined && visitor !== null && !isCrawler(request))
      site.deps.visits.count(visited.agencyId, visited.code, 'views', visitor)
    return sendKept(request, reply, answer.kept, answer.changed)
  }
}

function toPublicRequest(edition: Edition, request: FastifyRequest): PublicRequest {
  const url = request.raw.url ?? ''
  const search = url.split('?').slice(1).join('?')
  return {
    edition,
    path: spanishPath(edition, url),
    params: request.params as Record<string, string>,
    query: new URLSearchParams(search),
    search,
    form: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
    method: request.method,
    requestId: request.id,
    ip: request.ip,
    visitor: visitorOf(request),
    read: (agencyId, work) => edition.site.gate(request.ip, agencyId, work),
  }
}
