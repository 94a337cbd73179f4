/** Registers the dashboard. Each request passes session → access → the form's token → the page. Failures are pages too. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkNodeOf } from '../../platform/db/citus/nodes.ts'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../platform/errors.ts'
import { formBytes } from '../../limits/table.ts'
import { securityHeaders } from '../../platform/web/security-headers.ts'
import { type PageRoute, registerPages } from '../framework/register-pages.ts'
import { agencyOf, checkAccess, movedPage } from './access.ts'
import { isCsrfToken, isOwnForm } from './csrf.ts'
import { errorData, errorPage } from './error-page.ts'
import { acceptForms } from './accept-forms.ts'
import { openUpload } from './multipart.ts'
import { pages } from './all-pages.ts'
import { visitReader } from './read-visit.ts'
import { responseSender } from './send-response.ts'
import { type AgencyVisit, jsonResponse, type Page, type PageResponse, type Visit } from './visit.ts'

const headers = {
  // Not `no-referrer`: browsers would then send forms with `Origin: null`.
  ...securityHeaders({}, 'same-origin'),
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on the dashboard's requests once the session has been looked up. */
    visit: Visit | null
  }
}

export async function registerDashboard(app: FastifyInstance, deps: Deps): Promise<void> {
  const { publicBaseUrl } = deps.config
  const base = new URL(publicBaseUrl).pathname.replace(/\/+$/, '')
  const { readVisit, readStranger } = visitReader(deps, base, pages)
  const { assets, sendResponse } = responseSender(deps.config)
  const toOverview: PageRoute = {
    method: 'GET',
    url: '/dashboard/',
    handle: async (_request, reply) => reply.redirect(`${base}/dashboard`, 308),
  }

  assets.register(app)
  await registerPages(app, [...pages.map(routeOf), toOverview], {
    headers,
    root: '/dashboard',
    prepare(dashboard) {
      dashboard.decorateRequest('visit', null)
      acceptForms(dashboard)
    },
    // A refusal shows the navigation of the person who is signed in.
    beforeRefusal: async (request, reply) => void (request.visit = await readVisit(request, reply)),
    sendError(error, request, reply) {
      const visit = request.visit ?? readStranger(request)
      const response = visit.wantsJson ? errorData(visit, error) : errorPage(visit, error)
      return sendResponse(reply, visit, response)
    },
  })

  function routeOf(page: Page): PageRoute {
    return {
      method: page.method,
      url: page.path,
      bodyLimit: page.formBytes ?? formBytes.usual,
      config: { takesFile: page.takesFile === true },
      handle: (request, reply) => handle(page, request, reply),
    }
  }

  async function handle(page: Page, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const visitor = await readVisit(request, reply)
    request.visit = visitor
    const elsewhere = checkAccess(visitor, page)
    if (elsewhere !== null) {
      // A script would follow a redirect, and mistake the page for its response.
      const response = visitor.wantsJson ? jsonResponse({ to: elsewhere.to }, 401) : elsewhere
      return sendResponse(reply, visitor, response)
    }
    const agency = await agencyOf(visitor, page)
    const moved = movedPage(visitor, page, agency)
    if (moved !== null) return sendResponse(reply, visitor, moved)
    if (agency !== null) await checkNodeOf(deps.db, agency.id)
    const visit = { ...visitor, agency } as AgencyVisit
    const upload = await openUpload(request)
    if (upload === null) return sendResponse(reply, visit, await responseOf(page, request, visit))
    const withFiles: AgencyVisit = {
      ...visit,
      form: upload.form,
      receive: (work) => upload.receive(agency?.realId ?? '', work),
    }
    try {
      return sendResponse(reply, withFiles, await responseOf(page, request, withFiles).finally(upload.drop))
    } finally {
      upload.close()
    }
  }

  /** The page's response, once its form has been checked. */
  async function responseOf(page: Page, request: FastifyRequest, visit: AgencyVisit): Promise<PageResponse> {
    const { agency } = visit
    if (page.method === 'POST') checkForm(request, visit, publicBaseUrl)
    if (page.method === 'POST' && agency !== null && !agency.active && page.access !== 'operator')
      throw new ApiError('agency_not_active')
    return page.handle(visit)
  }
}

/** @throws ApiError 403 for a form that our pages did not send */
function checkForm(request: FastifyRequest, visit: Visit, publicBaseUrl: string): void {
  const origins = [new URL(publicBaseUrl).origin, `${request.protocol}://${request.headers.host ?? ''}`]
  if (isOwnForm(request.headers, origins) && isCsrfToken(visit.form.get('_csrf'), visit.csrf)) return
  throw new ApiError('forbidden', { reason: 'form_foreign' })
}
