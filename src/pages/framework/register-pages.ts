/** Registers pages with Fastify: a family shares its headers, its parsers and its error pages. Other methods of its paths are refused. */
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
} from 'fastify'
import { logError, toApiError } from '../../http/responses/error-handler.ts'
import { standardMethods } from '../../http/unrouted.ts'
import type { ApiError } from '../../platform/errors/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page's script reads the response, so errors use the API's JSON envelope. */
    errorsAreJson?: boolean
  }
}

export type PageRoute = Readonly<{
  method: 'GET' | 'POST'
  url: string
  /** In bytes; by default Fastify's. */
  bodyLimit?: number
  config?: FastifyContextConfig
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}>

type PageFamily = Readonly<{
  /** On every response, errors included. */
  headers: Readonly<Record<string, string>>
  /** Responds with the page of an error. */
  sendError: SendError
  /** Adds decorators and parsers of bodies. Without a parser, no body is accepted. */
  prepare: (pages: FastifyInstance) => void
  /** All paths below it belong to the family, unknown ones included. */
  root?: string
  /** Runs before a method or an unknown path is refused. */
  beforeRefusal?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}>

export type SendError = (
  error: ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>

export async function registerPages(
  app: FastifyInstance,
  routes: readonly PageRoute[],
  { headers, sendError, prepare, root, beforeRefusal }: PageFamily,
): Promise<void> {
  await app.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    prepare(pages)
    pages.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
    const showError = errorPages(sendError)
    pages.setErrorHandler((thrown, request, reply) => {
      if (request.routeOptions.config.errorsAreJson === true) throw thrown
      return showError(thrown, request, reply)
    })
    for (const { handle, ...route } of routes)
      pages.route({ ...route, handler: handle as RouteHandlerMethod })
    // Runs before a body is read.
    const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
      await beforeRefusal?.(request, reply)
      throw app.unrouted(request.raw.url ?? '')
    }
    const urls = root === undefined ? routes.map(({ url }) => url) : [root, `${root}/*`]
    for (const url of new Set(urls)) {
      const taken = new Set<unknown>(routes.filter((route) => route.url === url).map(({ method }) => method))
      if (taken.has('GET')) taken.add('HEAD')
      const method = standardMethods.filter((one) => !taken.has(one))
      pages.route({ method, url, config: { refuses: true }, onRequest: refuse, handler: refuse })
    }
  })
}

/** The error handler that logs an error and responds with its page. */
export function errorPages(
  sendError: SendError,
): (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply> {
  return (thrown, request, reply) => {
    const error = toApiError(thrown)
    logError(thrown, error, request)
    return sendError(error, request, reply.headers(error.headers))
  }
}
