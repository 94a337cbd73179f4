/** Registers the endpoints. A request passes path → method → key → scope → content type → body → validation → operation. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { atAgency } from '../platform/db/citus/nodes.ts'
import type { Deps } from '../deps.ts'
import { sizeLimits } from '../limits/sizes.ts'
import { authenticate, type Caller } from './admission/authenticate.ts'
import { grantOrigin, isPreflight, respondToPreflight } from './admission/cors.ts'
import { setRateLimitHeaders } from './admission/rate-limits.ts'
import { type ApiResponse, jsonType } from './responses/response.ts'
import type { Endpoint, ReadEndpoint } from './endpoint.ts'
import { matchesNone } from './responses/etag.ts'
import { ownBytes } from '../platform/memory/own-bytes.ts'
import { type CachedResponses, cachedResponses } from './responses/cached-responses.ts'
import { checkContentType, checkLength } from './input/request-headers.ts'
import { inputReader } from './input/read-input.ts'
import { noteResponse } from './responses/logged-detail.ts'
import { noResource, standardMethods } from './unrouted.ts'
import { isDryRun, runDry } from './writes/dry-run.ts'
import { runIdempotently } from './writes/run-idempotently.ts'
import { searchOf } from '../platform/web/request-target.ts'

export const apiPrefix = '/api/v1'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the key is authenticated. */
    caller: Caller | null
    /** The key that was sent, if it exists, even if it was refused. */
    named: { agencyId: string; slug: string; keyId: string } | null
    /** Code of the error that was sent. */
    failure: string | null
  }
}

/** Registers every endpoint, and a 405 for every other method of its path. */
export function registerEndpoints(app: FastifyInstance, endpoints: readonly Endpoint[], deps: Deps): void {
  // Bodies stay bytes: a signature covers bytes, and the strict parser runs only after the limits are charged.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.decorateRequest('caller', null)
  app.decorateRequest('named', null)
  app.decorateRequest('failure', null)
  app.decorateRequest('loggedBody', null)
  const cached = cachedResponses(deps.config.responseCacheMegabytes * 1_048_576)
  for (const endpoint of endpoints) registerEndpoint(app, endpoint, deps, cached)
  for (const [path, own] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const allowed: string[] = own.flatMap(({ method }) => (method === 'GET' ? [method, 'HEAD'] : method))
    const method = standardMethods.filter((one) => !allowed.includes(one))
    const openToAll = own.some((one) => one.kind === 'open' && one.isOpenToBrowsers === true)
    const refuse = refuseMethod(deps, { methods: allowed, openToAll })
    for (const url of fastifyPaths(path))
      app.route({ method, url, config: { refuses: true }, onRequest: refuse, handler: refuse })
  }
}

/** `/properties/{id}` → `/api/v1/properties/:id`. The root has two paths. */
function fastifyPaths(path: string): string[] {
  if (path === '/') return [apiPrefix, `${apiPrefix}/`]
  return [apiPrefix + path.replaceAll(/\{(\w+)\}/g, ':$1')]
}

/** The router matches `/properties/` as a listing with an empty id. @throws ApiError `not_found` */
function refuseEmptyParams(request: FastifyRequest): void {
  if (Object.values(request.params as Record<string, string>).includes('')) throw noResource()
}

function refuseMethod(deps: Deps, path: { methods: readonly string[]; openToAll: boolean }) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    refuseEmptyParams(request)
    if (isPreflight(request)) return respondToPreflight(deps, request, reply, path)
    throw request.server.unrouted(request.raw.url ?? '')
  }
}

function registerEndpoint(
  app: FastifyInstance,
  endpoint: Endpoint,
  deps: Deps,
  cached: CachedResponses,
): void {
  const isWrite = endpoint.method !== 'GET'
  const maxBodyBytes = endpoint.maxBodyBytes ?? sizeLimits.body_bytes

  const depsOf = async (caller: Caller | null): Promise<Deps> =>
    caller === null ? deps : atAgency(deps, caller.agency.id)
  const { readInput, refuseBody } = inputReader(endpoint, depsOf)

  /** Responds from the cache if the agency's revision is still the same. */
  const respondToRead = async (read: ReadEndpoint, request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request)
    if (read.isOfRevision !== true)
      return send(reply, await read.run({ ...(await readInput(request)), caller }))
    const { agency, revision, seesDrafts } = caller
    // Includes the profile's version: nothing guarantees that a profile change also raises the revision.
    const name = `${read.operationId} ${agency.profile_version} ${seesDrafts} ${request.raw.url}`
    let response = cached.find(agency.id, revision, name)
    if (response === null) {
      const found = await read.run({ ...(await readInput(request)), caller })
      if (found.status !== 200) return send(reply, found)
      response = {
        etag: found.headers?.['etag'] ?? '',
        bytes: ownBytes(textOf(found)),
      }
      cached.keep(agency.id, found.revision ?? revision, name, response)
    }
    // A list has already compared the ETag of the revision at admission, to save the read (list-properties.ts).
    if (matchesNone(request.headers['if-none-match'], response.etag)) {
      return reply.code(304).header('etag', response.etag).send()
    }
    return reply.header('etag', response.etag).type(jsonType).send(response.bytes)
  }

  for (const url of fastifyPaths(endpoint.path)) {
    app.route({
      method: endpoint.method,
      url,
      bodyLimit: maxBodyBytes,
      onRequest: async (request, reply) => {
        refuseEmptyParams(request)
        const access = accessOf(endpoint, request)
        if (access !== null) request.caller = await authenticate(deps, request, reply, access)
        if (endpoint.kind === 'open' && endpoint.isOpenToBrowsers === true)
          grantOrigin(reply, '*', deps.config.serviceName)
        if (!isWrite) return refuseBody(request)
        checkContentType(request)
        checkLength(request, maxBodyBytes)
      },
      handler: async (request, reply) => {
        const { caller } = request
        const access = accessOf(endpoint, request)
        // Not charged yet: the key requires a signature, which covers the body.
        if (access !== null && caller?.passage === null)
          request.caller = await authenticate(await depsOf(caller), request, reply, access, caller)
        if (endpoint.kind === 'open') return send(reply, await endpoint.run(await readInput(request)))
        if (endpoint.kind === 'read') return respondToRead(endpoint, request, reply)
        const authenticated = { ...(await readInput(request)), caller: callerOf(request) }
        const run = isDryRun(authenticated.query) ? runDry : runIdempotently
        const response = await run(endpoint, authenticated)
        const { charged } = response
        if (charged != null) setRateLimitHeaders(reply, charged.limits, 'writes', charged.passage)
        noteResponse(request, response.body)
        return send(reply, response)
      },
    })
  }
}

/** The authenticated caller. @throws Error if there is none, which is a defect */
function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new Error('the request has no authenticated caller')
  return caller
}

/** Null if the request needs no key. */
function accessOf(endpoint: Endpoint, request: FastifyRequest) {
  if (endpoint.kind === 'open') return null
  const kind = endpoint.method === 'GET' ? ('reads' as const) : ('writes' as const)
  if (endpoint.kind === 'read') {
    const further = endpoint.scopeOf?.(searchOf(request.raw.url))
    if (further != null) return { scope: further, scopeOfWhat: endpoint.scopeOfWhat, kind }
  }
  return { scope: endpoint.scope, kind }
}

const longText = 16_384

function textOf({ text, body }: ApiResponse): string {
  return text ?? JSON.stringify(body)
}

function send(reply: FastifyReply, response: ApiResponse): FastifyReply {
  reply.code(response.status)
  if (response.headers !== undefined) reply.headers(response.headers)
  if (response.body === null) return reply.send()
  reply.type(jsonType)
  if (response.bytes !== undefined) return reply.send(response.bytes)
  const text = textOf(response)
  // For a long text, Node reserves three times its length.
  return reply.send(text.length > longText ? Buffer.from(text) : text)
}
