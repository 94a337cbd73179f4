/** A public page as a row of a table: its method, its Spanish path and its function. Every page exists in each language. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findPublicAgency } from '../../../agencies/public-agency.ts'
import type { Html } from '../../../platform/web/html.ts'
import { type PageRoute, registerPages } from '../../framework/register-pages.ts'
import {
  type Changed,
  htmlType,
  type CompressedText,
  sendCompressed,
  sendUncacheable,
  sendValidated,
} from '../../framework/send-cacheable.ts'
import { sendErrorPage, spanishPath } from '../general/error-pages.ts'
import type { Edition, Site } from './site.ts'
import { sitePageHeaders } from './site-headers.ts'
import { refusedClientTest, visitorOf } from './visitor.ts'
import { jsonType } from '../../../http/responses/response.ts'
import { searchOf } from '../../../platform/web/request-target.ts'

export type PublicPage = Readonly<{
  method: 'GET' | 'POST'
  /** The Spanish path; the other languages prefix it. */
  path: string
  /** A script reads the response, errors included. */
  isData?: boolean
  /** Its errors are shown as pages, or as JSON if `isData` is set. */
  handle: (request: PublicRequest) => Promise<PublicResponse>
}>

export type PublicRequest = Readonly<ReturnType<typeof toPublicRequest>>

/** A page that caches may keep, data for its script, a page that none may keep, a redirect, or nothing. `isTest`: not indexed. */
export type PublicResponse =
  | Readonly<{ page: Html; changed?: Changed; isTest?: boolean }>
  | Readonly<{ cached: CompressedText; changed: Changed; isTest: boolean; visited?: VisitedListing }>
  | Readonly<{ page: Html; status: number; isTest?: boolean; headers?: Readonly<Record<string, string>> }>
  | Readonly<{ json: unknown; changed: Changed; isTest: boolean }>
  | Readonly<{ to: string; status: 301 | 303 | 308; search?: string }>
  | null

/** The listing of a page whose visits count. */
type VisitedListing = Readonly<{ agencyId: string; code: string }>

/** The bodies that pages accept. */
type Bodies = Readonly<{ type: string; bytes: number; parse: (body: string) => unknown }>

/** @param bodies of pages with forms, which search engines do not keep */
export async function registerPublicPages(
  app: FastifyInstance,
  site: Site,
  pages: readonly PublicPage[],
  bodies?: Bodies,
): Promise<void> {
  const isRefusedClient = refusedClientTest(site.deps.config)
  const routes = site.editions.flatMap((edition) =>
    pages.map(({ method, path, isData = false, handle }): PageRoute => ({
      method,
      url: edition.prefix + path,
      bodyLimit: method === 'POST' ? bodies?.bytes : undefined,
      config: { errorsAreJson: isData },
      handle: async (incoming, reply) => {
        const request = toPublicRequest(edition, incoming, isRefusedClient)
        return sendResponse(request, reply, await handle(request))
      },
    })),
  )
  await registerPages(app, routes, {
    headers: { ...sitePageHeaders, ...(bodies !== undefined && { 'x-robots-tag': 'noindex, nofollow' }) },
    sendError: sendErrorPage(site),
    prepare(family) {
      if (bodies === undefined) return
      const { type, bytes: bodyLimit, parse } = bodies
      family.addContentTypeParser(type, { parseAs: 'string', bodyLimit }, (_request, body, done) =>
        done(null, parse(body as string)),
      )
    },
  })
}

async function sendResponse(
  { edition, raw, visitor, isRefusedClient }: PublicRequest,
  reply: FastifyReply,
  response: PublicResponse,
): Promise<FastifyReply> {
  if (response === null) return reply.code(204).header('cache-control', 'no-store').send()
  if ('to' in response) {
    const path = edition.path(response.to.split('/').map(encodeURIComponent).join('/'))
    const query = (response.search ?? '') === '' ? '' : `?${response.search}`
    // No cache may keep it: an agency can take its former slug back.
    reply.code(response.status).header('cache-control', 'no-store')
    return reply.header('location', path + query).send()
  }
  if (response.isTest === true) reply.header('x-robots-tag', 'noindex, nofollow')
  if ('json' in response)
    return sendValidated(raw, reply, jsonType, JSON.stringify(response.json), response.changed)
  if ('status' in response)
    return sendUncacheable(raw, reply.headers(response.headers ?? {}), response.status, response.page)
  if (!('cached' in response))
    return sendValidated(raw, reply, htmlType, response.page.markup, response.changed)
  const { visited } = response
  if (visited !== undefined && visitor !== null && !isRefusedClient())
    edition.site.deps.visits.count(visited.agencyId, visited.code, 'views', visitor)
  return sendCompressed(raw, reply, response.cached, response.changed)
}

function toPublicRequest(
  edition: Edition,
  raw: FastifyRequest,
  isRefusedClient: (request: FastifyRequest) => boolean,
) {
  const url = raw.raw.url ?? ''
  const { deps, gate } = edition.site
  const params = raw.params as Readonly<Record<string, string>>
  /** The query as sent, without its question mark. */
  const search = searchOf(url)
  return {
    edition,
    /** The Spanish path as requested. */
    path: spanishPath(edition, url),
    params,
    query: new URLSearchParams(search),
    search,
    /** The result of the pages' parser. */
    body: raw.body,
    raw,
    /** Null if the visit is not counted. */
    visitor: visitorOf(raw),
    isRefusedClient: () => isRefusedClient(raw),
    /** The agency in the path; null if there is none. */
    findAgency: () => findPublicAgency(deps.db, params['slug'] ?? '', deps.clock),
    /** Runs work that reads the database beyond the agency's own row, in a slot of the gate (gate.ts). */
    read: <T>(agencyId: string | null, work: () => Promise<T>) => gate(raw.ip, agencyId, work),
  }
}
