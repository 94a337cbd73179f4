/** Registers the dashboard. Each request passes session → access → the form's token → the page. Failures are pages too. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkNodeOf } from '../../../platform/db/citus/nodes.ts'
import type { Deps } from '../../../deps.ts'
import { ApiError } from '../../../platform/errors/errors.ts'
import { formBytes } from '../../../limits/sizes.ts'
import { securityHeaders } from '../../../platform/web/security-headers.ts'
import { type PageRoute, registerPages } from '../../framework/register-pages.ts'
import { agencyOf, checkAccess, movedPage } from './access.ts'
import { isCsrfToken, isOwnForm } from '../forms/csrf.ts'
import { errorData, errorPage } from './error-page.ts'
import { acceptForms } from '../forms/accept-forms.ts'
import { openUpload } from '../forms/multipart.ts'
import { pages } from '../all-pages.ts'
import { pageRequestReader } from './read-page-request.ts'
import { dashboardAssets, responseSender } from './send-response.ts'
import { type AgencyRequest, jsonResponse, type Page, type PageRequest } from './page.ts'

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
    pageRequest: PageRequest | null
  }
}

export async function registerDashboard(app: FastifyInstance, deps: Deps): Promise<void> {
  const { publicBaseUrl, basePath } = deps.config
  const { readRequest, readStranger } = pageRequestReader(deps, pages)
  const sendResponse = responseSender(deps.config)
  const toOverview: PageRoute = {
    method: 'GET',
    url: '/dashboard/',
    handle: async (_request, reply) => reply.redirect(`${basePath}/dashboard`, 308),
  }

  dashboardAssets.register(app)
  await registerPages(app, [...pages.map(routeOf), toOverview], {
    headers,
    root: '/dashboard',
    prepare(dashboard) {
      dashboard.decorateRequest('pageRequest', null)
      acceptForms(dashboard)
    },
    // A refusal shows the navigation of the person who is signed in.
    beforeRefusal: async (incoming, reply) =>
      void (incoming.pageRequest = await readRequest(incoming, reply)),
    sendError(error, incoming, reply) {
      const request = incoming.pageRequest ?? readStranger(incoming)
      const response = request.wantsJson ? errorData(request, error) : errorPage(request, error)
      return sendResponse(reply, request, response)
    },
  })

  function routeOf(page: Page): PageRoute {
    return {
      method: page.method,
      url: page.path,
      bodyLimit: page.formBytes ?? formBytes.usual,
      config: { takesFile: page.takesFile === true },
      handle: (incoming, reply) => handle(page, incoming, reply),
    }
  }

  async function handle(page: Page, incoming: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const pageRequest = await readRequest(incoming, reply)
    incoming.pageRequest = pageRequest
    const elsewhere = checkAccess(pageRequest, page)
    if (elsewhere !== null) {
      // A script would follow a redirect, and mistake the page for its response.
      const response = pageRequest.wantsJson ? jsonResponse({ to: elsewhere.to }, 401) : elsewhere
      return sendResponse(reply, pageRequest, response)
    }
    const agency = await agencyOf(pageRequest, page)
    const moved = movedPage(pageRequest, page, agency)
    if (moved !== null) return sendResponse(reply, pageRequest, moved)
    if (agency !== null) await checkNodeOf(deps.db, agency.id)
    const request = { ...pageRequest, agency } as AgencyRequest
    const upload = await openUpload(incoming)
    if (upload === null) return sendResponse(reply, request, await responseOf(page, incoming, request))
    const receive: PageRequest['receive'] = (work) => upload.receive(agency?.realId ?? '', work)
    const withFiles: AgencyRequest = { ...request, form: upload.form, receive }
    try {
      return sendResponse(reply, withFiles, await responseOf(page, incoming, withFiles).finally(upload.drop))
    } finally {
      upload.close()
    }
  }

  /** The page's response, once its form has been checked. */
  async function responseOf(page: Page, incoming: FastifyRequest, request: AgencyRequest) {
    const { agency } = request
    if (page.method === 'POST') checkForm(incoming, request, publicBaseUrl)
    if (page.method === 'POST' && agency !== null && !agency.active && page.access !== 'operator')
      throw new ApiError('agency_not_active')
    return page.handle(request)
  }
}

/** @throws ApiError 403 for a form that our pages did not send */
function checkForm(incoming: FastifyRequest, request: PageRequest, publicBaseUrl: string): void {
  const origins = [new URL(publicBaseUrl).origin, `${incoming.protocol}://${incoming.headers.host ?? ''}`]
  if (isOwnForm(incoming.headers, origins) && isCsrfToken(request.form.get('_csrf'), request.csrf)) return
  throw new ApiError('forbidden', { reason: 'form_foreign' })
}
