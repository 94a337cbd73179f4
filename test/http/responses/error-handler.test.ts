/** Every error as one envelope (api.md 5.1): our own, Fastify's, the database's, and unexpected ones. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import pg from 'pg'
import { catalogue, type ErrorCode } from '../../../src/platform/errors/error-catalogue.ts'
import { ApiError, invalid } from '../../../src/platform/errors/errors.ts'
import { countRefusals, sendError } from '../../../src/http/responses/error-handler.ts'

let app: FastifyInstance
let thrown: unknown
before(async () => {
  app = fastify({ genReqId: () => 'request-1' })
  countRefusals(app)
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, 'https://x.example'))
  app.get('/', async () => {
    throw thrown
  })
  await app.ready()
})
after(() => app.close())

async function responseTo(error: unknown) {
  thrown = error
  const response = await app.inject({ url: '/' })
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  const body = response.json<{ error: Record<string, unknown>; notice: string }>()
  assert.match(body.notice, /terms at https:\/\/x\.example\/terms$/)
  assert.equal(body.error['request_id'], 'request-1')
  return { status: response.statusCode, headers: response.headers, error: body.error, text: response.body }
}

const asDatabase = (code: string) =>
  Object.assign(new pg.DatabaseError('secret detail', 0, 'error'), { code })
const asSystem = (code: string, syscall: string) =>
  Object.assign(new Error(`${syscall} ${code} secret detail`), { code, syscall })

describe('sendError', () => {
  test('responds to every code of the catalogue with its status and message', async () => {
    for (const [code, { status, message }] of Object.entries(catalogue)) {
      const told = await responseTo(new ApiError(code as ErrorCode))
      const docs = `https://x.example/docs/errors#${code}`
      const errors = code === 'invalid_parameter' ? { errors: [{ parameter: 'request', message }] } : {}
      assert.deepEqual(
        [told.status, told.error],
        [status, { code, message, request_id: 'request-1', docs, ...errors }],
      )
    }
  })

  test('sends parameter, message and extra fields of the error, and sets its headers', async () => {
    const own = await responseTo(invalid('price.period', 'Only for rentals.'))
    assert.deepEqual(own.error, {
      code: 'invalid_parameter',
      message: 'Only for rentals.',
      request_id: 'request-1',
      parameter: 'price.period',
      errors: [{ parameter: 'price.period', message: 'Only for rentals.' }],
      docs: 'https://x.example/docs/errors#invalid_parameter',
    })
    const limited = await responseTo(
      new ApiError('rate_limited', { extra: { retry_after: 7 }, headers: { 'retry-after': '7' } }),
    )
    assert.deepEqual(
      [limited.status, limited.error['retry_after'], limited.headers['retry-after']],
      [429, 7, '7'],
    )
  })

  test('responds with 503, Retry-After and no details if the database is down', async () => {
    const away = [
      ...['08006', '25P03', '40001', '40P01', '55P03', '57P01', '57P03', '53300'].map(asDatabase),
      asSystem('ECONNREFUSED', 'connect'),
      asSystem('ENOENT', 'connect'),
      asSystem('ECONNRESET', 'read'),
      asSystem('EPIPE', 'write'),
      asSystem('ENOTFOUND', 'getaddrinfo'),
      asSystem('EAI_AGAIN', 'getaddrinfo'),
      Object.assign(new AggregateError([asSystem('ECONNREFUSED', 'connect')]), { code: 'ECONNREFUSED' }),
      new Error('Connection terminated unexpectedly'),
      new Error('timeout exceeded when trying to connect'),
      new Error('Client has encountered a connection error and is not queryable'),
    ]
    for (const error of away) {
      const told = await responseTo(error)
      assert.deepEqual(
        [told.status, told.error['code'], told.headers['retry-after']],
        [503, 'service_unavailable', '5'],
        String(error),
      )
      assert.ok(!told.text.includes('secret'))
    }
  })

  test('responds with 500 without details for anything else', async () => {
    const unforeseen = [
      new Error('secret detail'),
      new TypeError('x is not a function'),
      ...['42P01', '23503', '22P02'].map(asDatabase),
      asSystem('ENOENT', 'open'),
      asSystem('EACCES', 'connect'),
      new AggregateError([new Error('secret')]),
      'a text',
      Object.assign(new Error('secret detail'), { statusCode: 502 }),
      Object.assign(new Error('secret detail'), { statusCode: 200 }),
    ]
    for (const error of unforeseen) {
      const told = await responseTo(error)
      assert.deepEqual(
        [told.status, told.error],
        [
          500,
          {
            code: 'internal_error',
            message: catalogue.internal_error.message,
            request_id: 'request-1',
            docs: 'https://x.example/docs/errors#internal_error',
          },
        ],
        String(error),
      )
    }
  })

  test('maps the framework’s errors', async () => {
    const framework = (code: string, statusCode: number) =>
      Object.assign(new Error('told'), { code, statusCode })
    const cases: readonly (readonly [Error, number, string])[] = [
      [framework('FST_ERR_CTP_BODY_TOO_LARGE', 413), 413, 'payload_too_large'],
      [framework('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415), 415, 'unsupported_media_type'],
      [framework('FST_ERR_CTP_INVALID_CONTENT_LENGTH', 400), 400, 'invalid_parameter'],
      [framework('FST_ERR_BAD_URL', 400), 400, 'invalid_parameter'],
    ]
    for (const [error, status, code] of cases) {
      const told = await responseTo(error)
      assert.deepEqual([told.status, told.error['code']], [status, code])
    }
  })
})
