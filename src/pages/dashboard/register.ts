/**
 * Puts the table of pages on Fastify. Each request: session → access → the form's token → the page. Failures become pages too.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findSession } from '../../access/accounts/sessions.ts'
import { newToken } from '../../access/accounts/tokens.ts'
import { checkNodeOf } from '../../platform/db/citus/all-nodes.ts'
import type { Deps } from '../../deps.ts'
import { ApiError, invalid } from '../../platform/errors.ts'
import { cookieJar, type CookieJar, readCookies } from '../../http/cookies.ts'
import { logError, toApiError } from '../../http/responses/error-handler.ts'
import { standardMethods } from '../../http/unrouted.ts'
import { formBytes } from '../../limits/table.ts'
import { isLanguage, preferredLanguage } from '../../platform/web/language.ts'
import { securityHeaders } from '../../platform/web/security-headers.ts'
import { agencyOf, checkAccess, movedPage } from './access.ts'
import { csrfToken, isCsrfToken, isOwnForm } from './csrf.ts'
import { errorAnswer, errorPage } from './error-page.ts'
import { dashboardAssets } from './dashboard-assets.ts'
import { decodeFlash, encodeFlash } from './flash.ts'
import { formats } from '../../platform/web/format.ts'
import { documentOf } from './layout.ts'
import { en } from './messages/en.ts'
import { es } from './messages/es.ts'
import { uploadOf } from './multipart.ts'
import { pages } from './page-table.ts'
import { type AgencyVisit, jsonAnswer, type Page, type PageAnswer, type Visit } from './visit.ts'

const messages = { es, en }
const headersOfPages = {
  // Not `no-referrer`: browsers would then send forms with `Origin: null`.
  ...securityHeaders({}, 'same-origin'),
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
}
const otherMethods = standardMethods.filter((method) => method !== 'GET' && method !== 'HEAD')
const flashSeconds = 60
const linkSeconds = 3_600
const languageSeconds = 365 * 86_400

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the page takes forms with files. */
    takesFiles?: boolean
  }
  interface FastifyRequest {
    /** Of requests to the dashboard, once the session was looked up. */
    visit: Visit | null
  }
}

/** Registers the dashboard. */
export async function registerDashboard(app: FastifyInstance, deps: Deps): Promise<void> {
  const { publicBaseUrl } = deps.config
  const base = new URL(publicBaseUrl).pathname.replace(/\/+$/, '')
  const jar = cookieJar(deps.config)
  const assets = dashboardAssets()

  const show = (reply: FastifyReply, visit: Visit, outcome: PageAnswer): FastifyReply => {
    if ('to' in outcome) return go(reply, visit, outcome, jar)
    if ('data' in outcome) return sendData(reply, visit, outcome)
    if (visit.flash !== null) reply.header('set-cookie', jar.line('flash', '', 0))
    const text = documentOf(visit, assets, outcome)
    return reply
      .headers(visit.answerHeaders)
      .code(outcome.status ?? 200)
      .type('text/html; charset=utf-8')
      .send(text)
  }

  assets.register(app)
  await app.register(async (dashboard) => {
    dashboard.decorateRequest('visit', null)
    dashboard.removeAllContentTypeParsers()
    dashboard.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => {
        try {
          done(null, readForm(body as string))
        } catch (error) {
          done(error as ApiError)
        }
      },
    )
    // Left unread: the page reads it once it knows who sends it. Other pages take no such form.
    dashboard.addContentTypeParser('multipart/form-data', (request, body, done) => {
      const takes = request.routeOptions.config.takesFiles === true
      done(takes ? null : new ApiError('unsupported_media_type'), body)
    })
    dashboard.addHook('onRequest', async (_request, reply) => void reply.headers(headersOfPages))
    dashboard.setErrorHandler(async (thrown, request, reply) => {
      const error = toApiError(thrown)
      logError(thrown, error, request)
      const visit = request.visit ?? (await strangerOf(deps, request, base))
      const answer = visit.wantsJson ? errorAnswer(visit, error) : errorPage(visit, error)
      return show(reply.headers(error.headers), visit, answer)
    })
    for (const page of pages) registerPage(dashboard, page)
    dashboard.get('/dashboard/', async (_request, reply) => reply.redirect(`${base}/dashboard`, 308))
    // Before a body is read.
    const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
      request.visit = await visitOf(deps, request, reply, base, jar)
      throw app.unrouted(request.raw.url ?? '')
    }
    for (const url of ['/dashboard', '/dashboard/*']) {
      const method = url === '/dashboard' ? otherMethods : [...standardMethods]
      dashboard.route({ method, url, config: { refuses: true }, onRequest: refuse, handler: refuse })
    }
  })

  function registerPage(dashboard: FastifyInstance, page: Page): void {
    dashboard.route({
      method: page.method,
      url: page.path,
      bodyLimit: page.formBytes ?? formBytes.usual,
      config: { takesFiles: page.upload !== undefined },
      handler: async (request, reply) => {
        const visitor = await visitOf(deps, request, reply, base, jar)
        request.visit = visitor
        const elsewhere = checkAccess(visitor, page)
        if (elsewhere !== null) {
          // A script would follow to the page and take it for its answer.
          const asked = visitor.wantsJson && 'to' in elsewhere
          return show(reply, visitor, asked ? jsonAnswer({ to: elsewhere.to }, 401) : elsewhere)
        }
        const agency = await agencyOf(visitor, page)
        const moved = movedPage(visitor, page, agency)
        if (moved !== null) return show(reply, visitor, moved)
        if (agency !== null) await checkNodeOf(deps.db, agency.id)
        const visit = { ...visitor, agency } as AgencyVisit
        const upload = await uploadOf(request, page.upload)
        if (upload === null) return show(reply, visit, await answerOf(request, page, visit))
        const withFiles: AgencyVisit = {
          ...visit,
          form: upload.form,
          receive: (work) => upload.receive(agency?.realId ?? '', work),
        }
        try {
          return show(reply, withFiles, await answerOf(request, page, withFiles).finally(upload.drop))
        } finally {
          upload.close()
        }
      },
    })
  }

  /** The page's answer, once its form has been judged. */
  async function answerOf(request: FastifyRequest, page: Page, visit: AgencyVisit): Promise<PageAnswer> {
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

async function visitOf(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  base: string,
  jar: CookieJar,
): Promise<Visit> {
  const cookies = readCookies(request.headers.cookie)
  const token = cookies[jar.named('session')] ?? ''
  const session = token === '' ? null : await findSession(deps.db, token, request.ip, deps.clock)
  let secret = token
  if (session === null) {
    const known = cookies[jar.named('guest')]
    secret = known !== undefined && known.length === 43 ? known : newToken()
    if (secret !== known) reply.header('set-cookie', jar.line('guest', secret, null))
  }
  const stranger = await strangerOf(deps, request, base)
  const chosen = cookies[jar.named('language')]
  const language = session?.account.language ?? (isLanguage(chosen) ? chosen : stranger.language)
  const t = messages[language]
  const named = ['session', 'guest', 'flash', 'language', 'link'] as const
  return {
    ...stranger,
    session,
    language,
    t,
    format: formats[language],
    csrf: csrfToken(secret),
    cookies: Object.fromEntries(named.map((name) => [name, cookies[jar.named(name)]])),
    flash: decodeFlash(cookies[jar.named('flash')], t),
  }
}

/** The visit as far as it is known without the database: for errors that come before the session. */
async function strangerOf(deps: Deps, request: FastifyRequest, base: string): Promise<Visit> {
  const [path = '', search = ''] = (request.raw.url ?? '').split('?', 2)
  const language = preferredLanguage(request.headers['accept-language'])
  return {
    deps,
    requestId: request.id,
    language,
    t: messages[language],
    format: formats[language],
    base,
    url: urlOf(request, path, search),
    wantsJson: request.headers.accept === 'application/json',
    params: (request.params ?? {}) as Record<string, string>,
    query: readQuery(search),
    form: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
    receive: (work) => work([]),
    csrf: '',
    cookies: {},
    device: { userAgent: request.headers['user-agent'] ?? '', ip: request.ip },
    session: null,
    agency: null,
    flash: null,
    answerHeaders: {},
  }
}

/** Pages that show a form and take it at the same path. */
const shownPaths: ReadonlySet<string> = new Set(
  pages.filter(({ method }) => method === 'GET').map(({ path }) => path),
)

/** Where the page is found again. A refused form is shown where its own page is; others come back to the overview. */
function urlOf({ method, routeOptions }: FastifyRequest, path: string, search: string): string {
  if (method === 'POST') return shownPaths.has(routeOptions.url ?? '') ? path : '/dashboard'
  return `${path}${search === '' ? '' : `?${search}`}`
}

/** Without U+0000: PostgreSQL stores none, so nothing is found by it, and nobody types it. */
function readQuery(search: string): URLSearchParams {
  const query = new URLSearchParams(search)
  if (!search.includes('%00')) return query
  const cleaned = new URLSearchParams()
  for (const [name, value] of query) cleaned.append(name, value.replaceAll('\0', ''))
  return cleaned
}

/**
 * A form as browsers send it. Invalid UTF-8 would silently become replacement characters, and PostgreSQL stores no U+0000.
 * @throws ApiError 400 `body`, or the field
 */
function readForm(body: string): URLSearchParams {
  try {
    decodeURIComponent(body.replaceAll('+', ' '))
  } catch {
    throw invalid('body', 'The form is not percent-encoded UTF-8.')
  }
  const form = new URLSearchParams(body)
  for (const [name, value] of form) {
    if (value.includes('\0') || !value.isWellFormed())
      throw invalid(name, `${name} holds characters that are not text.`)
  }
  return form
}

function sendData(
  reply: FastifyReply,
  visit: Visit,
  { data, type, status, filename }: Extract<PageAnswer, { data: unknown }>,
): FastifyReply {
  if (filename !== undefined) reply.header('content-disposition', `attachment; filename="${filename}"`)
  return reply
    .headers(visit.answerHeaders)
    .code(status ?? 200)
    .type(type)
    .send(data)
}

function go(
  reply: FastifyReply,
  visit: Visit,
  outcome: Extract<PageAnswer, { to: string }>,
  jar: CookieJar,
): FastifyReply {
  const lines: string[] = []
  const { flash, session, language, link } = outcome
  if (flash !== undefined) lines.push(jar.line('flash', encodeFlash(flash), flashSeconds))
  if (session !== undefined) {
    lines.push(jar.line('session', session ?? '', session === null ? 0 : null))
    lines.push(jar.line('guest', '', 0))
  }
  if (language !== undefined) lines.push(jar.line('language', language, languageSeconds))
  if (link !== undefined) lines.push(jar.line('link', link ?? '', link === null ? 0 : linkSeconds))
  for (const line of lines) reply.header('set-cookie', line)
  return reply.code(303).header('location', `${visit.base}${outcome.to}`).send()
}
