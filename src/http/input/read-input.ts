/** Reads and checks a request's query, path and body, in one pass: a 400 names everything that is wrong (api.md 5.1). */
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Deps } from '../../deps.ts'
import { catalogue } from '../../platform/errors/error-catalogue.ts'
import { Problems } from '../../platform/errors/errors.ts'
import type { Caller } from '../admission/authenticate.ts'
import { hasBody } from './request-headers.ts'
import type { Endpoint, Input, Sent } from '../endpoint.ts'
import { checkIdempotencyKey, isKeyMissing } from '../writes/idempotency.ts'
import { checkReadable } from './routable-url.ts'
import { isStorable, parseStrictJson } from './strict-json.ts'
import { type BodyCheck, bodyCheck, queryReader } from './validation.ts'
import { isDryRun } from '../writes/dry-run.ts'
import { searchOf } from '../../platform/web/request-target.ts'

const noQuery = queryReader(Type.Object({}))
const noBody = { body: undefined, sentBody: undefined, inexact: new Set<string>() }

/** @param depsOf the dependencies for a caller's agency */
export function inputReader(endpoint: Endpoint, depsOf: (caller: Caller | null) => Promise<Deps>) {
  const readQuery = endpoint.query === undefined ? noQuery : queryReader(endpoint.query)
  const checkBody = endpoint.body === undefined ? null : bodyCheck(endpoint.body)
  const checkParams = endpoint.params === undefined ? null : bodyCheck(endpoint.params)
  const isWrite = endpoint.method !== 'GET'

  const readQueryOf = (request: FastifyRequest, problems: Problems): Record<string, unknown> => {
    const search = searchOf(request.raw.url)
    problems.in('query')
    const parameters = search === '' ? new Map<string, string>() : parseQueryString(search, problems)
    problems.in('path')
    if (checkParams !== null) {
      checkReadable(request.params as Record<string, string>, problems)
      checkParams(request.params, problems)
    }
    problems.in('query')
    return readQuery(parameters, problems)
  }

  /** @throws ApiError `invalid_parameter` */
  const readInput = async (request: FastifyRequest): Promise<Input> => {
    const problems = new Problems()
    const query = readQueryOf(request, problems)
    if (isWrite) problems.in('body')
    const read = isWrite ? readBody(endpoint, request, checkBody, problems) : noBody
    const ownDeps = await depsOf(request.caller)
    const checked = await checkRest(problems, { query, ...read, request, deps: ownDeps })
    return {
      deps: ownDeps,
      requestId: request.id,
      params: request.params,
      query,
      ...read,
      ifMatch: request.headers['if-match'],
      ifNoneMatch: request.headers['if-none-match'],
      idempotencyKey: request.headers['idempotency-key'] as string | undefined,
      checked,
      request,
    }
  }

  /** Adds the operation's own problems and those of the Idempotency-Key. @throws ApiError if there are any problems */
  const checkRest = async (problems: Problems, sent: Omit<Sent, 'caller' | 'params'>): Promise<unknown> => {
    const { params, caller, headers } = sent.request
    const key = headers['idempotency-key'] as string | undefined
    // A dry run ignores the key.
    const rule = endpoint.kind === 'write' && !isDryRun(sent.query) ? endpoint.idempotency : null
    if (rule !== null) checkIdempotencyKey(key, rule, problems)
    const checked = await endpoint.check?.({ ...sent, params, caller }, problems)
    if (problems.isEmpty) return checked
    if (rule !== null && isKeyMissing(key, rule))
      problems.add('Idempotency-Key', catalogue.idempotency_key_required.message)
    throw problems.toError()
  }

  /** A read takes no body. Ignoring one would hide a filter sent there, and a signature would not cover it. */
  const refuseBody = async (request: FastifyRequest): Promise<void> => {
    if (!hasBody(request)) return
    const problems = new Problems()
    problems.add('body', `${request.method} takes no body. Send parameters in the query string.`)
    const query = readQueryOf(request, problems)
    await checkRest(problems, { ...noBody, query, request, deps: await depsOf(request.caller) })
  }

  return { readInput, refuseBody }
}

function readBody(endpoint: Endpoint, request: FastifyRequest, check: BodyCheck | null, problems: Problems) {
  const bytes = request.body as Buffer | null | undefined
  const inexact = new Set<string>()
  if (bytes === undefined || bytes === null || bytes.length === 0) {
    if (endpoint.bodyOptional === true) return { body: {}, sentBody: {}, inexact }
    problems.add('body', 'The body is missing. Send a JSON object.')
    return { ...noBody, inexact }
  }
  const sentBody = parseStrictJson(bytes, problems, (path) => inexact.add(path), endpoint.uncheckedList)
  if (sentBody === undefined) return { ...noBody, inexact }
  const canonical = endpoint.body?.canonical
  const body = canonical === undefined ? sentBody : canonical(sentBody)
  check?.(body, problems)
  return { body, sentBody, inexact }
}

/** Reads a query string strictly (api.md 4.2): each parameter at most once, never empty, in UTF-8. `+` is a space. */
export function parseQueryString(text: string, problems: Problems): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const separator = pair.indexOf('=')
    const name = decode(separator === -1 ? pair : pair.slice(0, separator))
    const value = separator === -1 ? '' : decode(pair.slice(separator + 1))
    if (name === '') problems.add('query', 'The query string has a value without a parameter name.')
    else if (name === null || value === null)
      problems.add(name ?? 'query', 'The query string must be valid percent-encoded UTF-8.')
    else if (!isStorable(name)) problems.add('query', 'A parameter name contains U+0000. Remove it.')
    else if (!isStorable(value))
      problems.add(name, `${name} contains U+0000, which is not allowed. Remove it.`)
    else if (parameters.has(name)) problems.add(name, `${name} is sent twice. Send it once.`)
    else if (value.trim() === '') problems.add(name, `${name} is empty. Give it a value or leave it out.`)
    else parameters.set(name, value)
  }
  return parameters
}

/** The text, or null if it is not percent-encoded UTF-8. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
