/** The HTTP application: all wiring, and the order in which hooks see a request. */
import type { Socket } from 'node:net'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  LogController,
  type FastifyServerOptions,
} from 'fastify'
import { endpoints } from './api/endpoints.ts'
import type { Config } from './platform/config/config.ts'
import type { Deps } from './deps.ts'
import { routableUrl } from './http/input/routable-url.ts'
import { respondToClientError } from './http/connections/client-errors.ts'
import { crawlerGate } from './http/admission/crawlers.ts'
import { countRefusals, sendError } from './http/responses/error-handler.ts'
import { type StandardHeaders, standardHeaders } from './http/responses/standard-headers.ts'
import { checkHost } from './http/input/request-headers.ts'
import { uuidv7 } from './platform/names/ids.ts'
import { closeIdleSockets } from './http/connections/closing.ts'
import { RequestQueues } from './http/connections/request-queues.ts'
import { giveUpOnUnread, lingerOverBody } from './http/connections/unread.ts'
import { loggedDetail } from './http/responses/logged-detail.ts'
import { countWireLength } from './http/connections/wire-length.ts'
import { apiPrefix, registerEndpoints } from './http/routes.ts'
import { watchRoutes } from './http/unrouted.ts'
import { errorPages } from './pages/framework/register-pages.ts'
import { registerDashboard } from './pages/dashboard/serving/register.ts'
import { asksForPage, isOutsideApi, sendErrorPage } from './pages/site/general/error-pages.ts'
import { registerSite } from './pages/site/pages.ts'
import { openSite } from './pages/site/frame/site.ts'
import { pathOf } from './platform/web/request-target.ts'

/** Adds hooks that look at requests and change nothing: metrics, traces. */
export type Watch = (app: FastifyInstance) => void

/**
 * Builds the application, without listening. `app.close()` finishes running requests.
 * @param watches see requests before all other hooks
 */
export async function buildApp(
  deps: Deps,
  log: FastifyBaseLogger,
  watches: readonly Watch[] = [],
): Promise<FastifyInstance> {
  const headers = standardHeaders(deps.config)
  const site = openSite(deps)
  const requests = new RequestQueues()
  const app = createServer(deps.config, log, headers, requests)
  watchRoutes(app)
  countRefusals(app)
  countWireLength(app)
  for (const watch of watches) watch(app)
  admitRequests(app, deps.config, headers)
  app.addHook('onSend', async (_request, reply) => giveUpOnUnread(reply.raw))
  recordRequests(app, deps.requestLog)
  const sendPage = errorPages(sendErrorPage(site))
  app.setErrorHandler((error, request, reply) => {
    if (isOutsideApi(request)) {
      reply.header('vary', 'accept')
      if (asksForPage(request)) return sendPage(error, request, reply)
    }
    return sendError(error, request, reply, deps.config.publicBaseUrl)
  })
  app.decorate('runningRequests', () => requests.running())
  closeIdleSockets(app)
  registerEndpoints(app, endpoints, deps)
  await registerSite(app, deps, endpoints, site)
  await registerDashboard(app, deps)
  return app
}

function createServer(
  config: Config,
  log: FastifyBaseLogger,
  headers: StandardHeaders,
  requests: RequestQueues,
): FastifyInstance {
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    // Ordered by time, so that the request log appends to its index.
    genReqId: uuidv7,
    trustProxy: trustedProxies(config.trustProxy),
    rewriteUrl: ({ url }) => routableUrl(url ?? ''),
    routerOptions: {
      // Longer than headers may be: schemas check the length of ids.
      maxParamLength: 20_000,
      // Endpoints parse queries strictly, from the URL as received.
      querystringParser: () => ({}),
    },
    forceCloseConnections: 'idle',
    serverFactory: (handle) => requests.serve(handle),
    clientErrorHandler(error, socket) {
      const respond = () => respondToClientError(error, socket as Socket, headers, app.unrouted)
      const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      if (!isLate || !requests.restartTimeout(socket as Socket, respond)) respond()
    },
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      headers.set(reply, request.id)
      void sendError(error, request, reply, config.publicBaseUrl)
    },
  })
  // Unknown expectations are ignored, and CONNECT is refused; otherwise Node would leave both unanswered.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket: Socket) =>
    respondToClientError(new Error('CONNECT is not offered'), socket, headers, app.unrouted),
  )
  return app
}

/** Refuses crawlers, bad hosts and unknown paths. */
function admitRequests(app: FastifyInstance, config: Config, headers: StandardHeaders): void {
  const admitAgent = crawlerGate({ allow: config.crawlersAllow, deny: config.crawlersDeny })
  app.addHook('onRequest', async (request, reply) => {
    headers.set(reply, request.id)
    // The route's path, because a URL can be written in many ways: `/api/%761`, `http://host/api/v1`.
    const path = request.routeOptions.url ?? pathOf(request.raw.url)
    // Public pages admit crawlers, and monitoring may use any User-Agent.
    if (path.startsWith(apiPrefix) && path !== `${apiPrefix}/health`) {
      const { 'user-agent': userAgent, authorization, 'x-api-key': key } = request.headers
      admitAgent(userAgent, authorization !== undefined || key !== undefined)
    }
    checkHost(request.raw)
    // Before all other checks: a body sent to an unknown path is not even read.
    if (request.is404) throw app.unrouted(request.raw.url ?? '')
  })
}

/** Adds each request to its key's request log. Also logs each, except refusals that are only counted. */
function recordRequests(app: FastifyInstance, requestLog: Deps['requestLog']): void {
  app.addHook('onResponse', async (request, reply) => {
    lingerOverBody(request.raw)
    if (request.named !== null) {
      requestLog.record({
        ...request.named,
        requestId: request.id,
        method: request.method,
        path: pathOf(request.raw.url),
        status: reply.statusCode,
        code: request.failure,
        ms: reply.elapsedTime,
        detail: loggedDetail(
          request.loggedBody,
          reply.hasHeader('idempotent-replayed'),
          request.headers['user-agent'],
        ),
        isCharged: (request.caller?.passage?.granted ?? 0) > 0,
      })
    }
    if (request.isSummarized) return
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 100) / 100,
        key: request.named?.keyId,
        agency: request.named?.slug,
      },
      'request',
    )
  })
}

/** Turns a number of hops into the function that trusts that many. */
function trustedProxies(setting: Config['trustProxy']): FastifyServerOptions['trustProxy'] {
  if (typeof setting === 'number') return (_address, hop) => hop < setting
  return typeof setting === 'boolean' ? setting : [...setting]
}
