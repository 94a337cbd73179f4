/** Requests to every endpoint, built from the table of endpoints, so that the common tests cover new endpoints automatically. */
import assert from 'node:assert/strict'
import { endpoints } from '../../../src/api/endpoints.ts'
import type { ErrorCode } from '../../../src/platform/errors/error-catalogue.ts'
import type { Endpoint } from '../../../src/http/endpoint.ts'
import { errorCodesOf } from '../../../src/http/openapi/errors.ts'
import type { ApiResponse, Ask, TestApp } from '../../support/app/app.ts'
import { refused } from '../../support/app/listings.ts'

export type Subject = {
  endpoint: Endpoint
  /** The endpoint's name: `PATCH /properties/{id}`. */
  name: string
  /** The path, filled in with a listing of the agency. */
  path: string
  writes: boolean
  takesBody: boolean
}

/** Every endpoint, aimed at a listing. */
export function subjects(listing: { id: string; external_id: string }): Subject[] {
  return endpoints.map((endpoint) => ({
    endpoint,
    name: `${endpoint.method} ${endpoint.path}`,
    path: endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      assert.ok(
        name === 'id' || name === 'external_id',
        `say here what stands for {${name}} in ${endpoint.path}`,
      )
      return listing[name]
    }),
    writes: endpoint.method !== 'GET',
    takesBody: endpoint.body !== undefined,
  }))
}

/** A key that the endpoint accepts. */
export function keyFor(t: Pick<TestApp, 'readKey' | 'writeKey'>, { writes }: Subject): string {
  return writes ? t.writeKey : t.readKey
}

/**
 * Sends a request that only the last check rejects, so that nothing is ever carried out: one that passes everything before validation gets
 * 400 for the parameter `unknown_parameter`.
 */
export function probe(t: TestApp, subject: Subject, ask: Ask = {}): Promise<ApiResponse> {
  const body = ask.raw === undefined && ask.body === undefined ? bodyFor(subject) : {}
  return t.ask(subject.endpoint.method, `${subject.path}?unknown_parameter=1`, {
    key: keyFor(t, subject),
    ...body,
    ...ask,
  })
}

/** A body that the endpoint accepts. */
export function bodyFor({ endpoint, takesBody }: Subject): { body?: unknown } {
  if (!takesBody) return {}
  const [first] = Object.values(endpoint.bodyExamples ?? {})
  const body = endpoint.bodyExample ?? first?.value ?? (endpoint.bodyOptional === true ? {} : undefined)
  assert.ok(body !== undefined, `${endpoint.operationId} has no example of a body`)
  return { body }
}

/** Asserts a rejection that the endpoint documents: code, parameter, headers and envelope. */
export function refusedWhole(
  response: ApiResponse,
  { endpoint }: Subject,
  code: ErrorCode,
  parameter?: string,
): void {
  refused(response, code, parameter)
  assertEnvelope(response)
  if (response.status === 401) assert.equal(response.headers.get('www-authenticate'), 'Bearer')
  assert.ok(errorCodesOf(endpoint).includes(code), `${endpoint.operationId} does not document ${code}`)
}

/** Runs a check for all endpoints in parallel. A failure names its endpoint. */
export async function everywhere(
  among: readonly Subject[],
  check: (subject: Subject) => Promise<void>,
): Promise<void> {
  await Promise.all(
    among.map(async (subject) => {
      try {
        await check(subject)
      } catch (error) {
        throw new Error(`${subject.name}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        })
      }
    }),
  )
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const base = 'https://listings.test'

/** Asserts the headers of every response, and that a rejection has the envelope and nothing more. */
export function assertEnvelope({ status, headers, body, text }: ApiResponse): void {
  assert.equal(
    headers.get('link'),
    `<${base}/terms>; rel="terms-of-service", <${base}/.well-known/security.txt>; rel="security"`,
  )
  assert.match(headers.get('x-request-id') ?? '', uuid)
  assert.ok((headers.get('x-svc-notice') ?? '').length > 20)
  if (text === '') return
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  if (status < 400) return
  const { error, notice, ...others } = body as unknown as { error: Record<string, unknown>; notice: string }
  assert.deepEqual(others, {})
  assert.equal(notice, headers.get('x-svc-notice'))
  assert.equal(error['request_id'], headers.get('x-request-id'))
  assert.ok(String(error['message']).length > 10, text)
  assert.ok(!text.includes('svc_live_'), 'a response repeats a key')
}
