/** The body of every endpoint (api.md 4.3, 5.2): strict JSON, Content-Type and size. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { ErrorCode } from '../../../src/platform/errors/error-catalogue.ts'
import { type Ask, type TestApp, testApp } from '../../support/app/app.ts'
import { published, revisionOf } from '../../support/app/listings.ts'
import { type RawResponse, rawRequest, sendLines } from '../../support/network/raw-http.ts'
import { bodyFor, keyFor, probe, refusedWhole, type Subject, subjects } from '../support/every-endpoint.ts'

let t: TestApp
let takers: Subject[]
let revision: number

before(async () => {
  t = await testApp()
  const listing = await published(t, { external_id: 'common-1' })
  const all = subjects({ id: listing.id, external_id: 'common-1' })
  takers = all.filter(({ takesBody }) => takesBody)
  revision = await revisionOf(t)
})
after(async () => {
  assert.equal(await revisionOf(t), revision, 'a request that was to be refused was carried out')
  await t.close()
})

/** Sends the raw body and asserts a rejection. */
async function refuses(subject: Subject, ask: Ask, code: ErrorCode, parameter?: string): Promise<void> {
  const { endpoint, path } = subject
  refusedWhole(
    await t.ask(endpoint.method, path, { key: keyFor(t, subject), ...ask }),
    subject,
    code,
    parameter,
  )
}

/** Sends a body with these headers and the ones that every write needs. */
function sendRaw(subject: Subject, headers: Record<string, string>, body: string): Promise<RawResponse> {
  return rawRequest(t.baseUrl, {
    method: subject.endpoint.method,
    path: `/api/v1${subject.path}`,
    headers: { 'x-api-key': keyFor(t, subject), 'idempotency-key': randomUUID(), ...headers },
    body,
  })
}

/** A body that the endpoint accepts, with the fields of `raw` added. */
function beside(subject: Subject, raw: string): string {
  const own = JSON.stringify(bodyFor(subject).body)
  return own === '{}' ? raw : `${own.slice(0, -1)},${raw.slice(1)}`
}

describe('a body', () => {
  const nested = (depth: number) => `{"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  const unknownFields: readonly (readonly [what: string, raw: string, parameter: string])[] = [
    ['', '{"surprise":1}', 'surprise'],
    [' with the name of an inherited one', '{"toString":1}', 'toString'],
    [' whose name is a number', '{"7":1}', '7'],
    [' with a slash and a tilde', '{"a/b~c":1}', 'a/b~c'],
    [' that can only be read', '{"id":"7KQ2M9XA"}', 'id'],
    [' that reaches down to level 32', nested(32), 'x'],
  ]
  for (const [what, raw, parameter] of unknownFields) {
    test(`with an unknown field${what} is refused: ${parameter}`, async () => {
      for (const subject of takers)
        await refuses(subject, { raw: beside(subject, raw) }, 'invalid_parameter', parameter)
    })
  }

  const bodies: readonly (readonly [what: string, raw: string | Uint8Array, parameter: string])[] = [
    ['a list', '[]', 'body'],
    ['null', 'null', 'body'],
    ['a string', '"x"', 'body'],
    ['a number', '3', 'body'],
    ['a boolean', 'true', 'body'],
    ['half an object', '{"title":', 'body'],
    ['a trailing comma', '{"title":"a",}', 'body'],
    ['single quotes', "{'title':'a'}", 'body'],
    ['a comment', '{}//', 'body'],
    ['NaN', '{"title":NaN}', 'body'],
    ['two objects', '{}{}', 'body'],
    ['a byte order mark', '\ufeff{}', 'body'],
    ['a control character in a string', '{"title":"a\u0001"}', 'body'],
    ['a URL-encoded form', 'title=a', 'body'],
    ['only white space', '  \n', 'body'],
    ['a field twice', '{"title":"a","title":"a"}', 'title'],
    ['a field twice in different spellings', '{"title":"a","\\u0074itle":"b"}', 'title'],
    ['a nested field twice', '{"x":[{"y":1},{"z":{"y":1,"y":2}}]}', 'x[1].z.y'],
    ['__proto__', '{"__proto__":{"title":"a"}}', '__proto__'],
    ['__proto__ in another spelling', '{"\\u005f_proto__":1}', '__proto__'],
    ['a nested __proto__', '{"x":[{"__proto__":1}]}', 'x[0].__proto__'],
    ['U+0000', '{"title":"a\\u0000b"}', 'title'],
    ['a nested U+0000', '{"x":[{"y":"\\u0000"}]}', 'x[0].y'],
    ['a high surrogate', '{"title":"\\ud83c"}', 'title'],
    ['a low surrogate', '{"title":"\\udfe0"}', 'title'],
    ['surrogates in the wrong order', '{"title":"\\udfe0\\ud83c"}', 'title'],
    ['a lone surrogate in a name', '{"\\ud800":1}', '\ufffd'],
    ['invalid UTF-8', Buffer.from('7b227469746c65223a22ff227d', 'hex'), 'body'],
    ['UTF-16', Buffer.from('{}', 'utf16le'), 'body'],
    ['an overlong encoding', Buffer.from('7b227469746c65223a22c0af227d', 'hex'), 'body'],
    ['depth 33', nested(33), 'body'],
    ['depth 100,000', '['.repeat(100_000), 'body'],
    ['depth 33 in mixed brackets', `${'{"x":['.repeat(17)}${']}'.repeat(17)}`, 'body'],
  ]
  for (const [what, raw, parameter] of bodies) {
    test(`of ${what} is refused: ${parameter}`, async () => {
      for (const subject of takers) await refuses(subject, { raw }, 'invalid_parameter', parameter)
    })
  }

  test('is refused when missing if it is required', async () => {
    const needing = takers.filter(({ endpoint }) => endpoint.bodyOptional !== true)
    assert.ok(needing.length >= 5)
    for (const subject of needing) {
      await refuses(subject, {}, 'invalid_parameter', 'body')
      await refuses(subject, { headers: { 'content-type': 'application/json' } }, 'invalid_parameter', 'body')
    }
  })

  test('may be missing if it is optional, with or without a Content-Type', async () => {
    const optional = takers.filter(({ endpoint }) => endpoint.bodyOptional === true)
    assert.ok(optional.length >= 3)
    for (const { endpoint, path } of optional) {
      for (const type of ['', 'application/json', 'text/plain']) {
        // A request that passes every check finds no listing.
        const missing = path.replace(/\/properties\/[^/]+/, '/properties/ZZZZZZZZ')
        assert.equal(
          (await t.ask(endpoint.method, missing, { headers: { 'content-type': type } })).status,
          404,
        )
      }
    }
  })
})

describe('Content-Type', () => {
  const probeWith = (subject: Subject, headers: Record<string, string>) =>
    probe(t, subject, { raw: '{}', headers })

  test('application/json is accepted in every spelling', async () => {
    const spellings = [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'application/json; charset="utf-8"',
      'application/json;',
      'application/json ; charset=utf-8',
    ]
    for (const subject of takers) {
      for (const type of spellings) {
        refusedWhole(
          await probeWith(subject, { 'content-type': type }),
          subject,
          'invalid_parameter',
          'unknown_parameter',
        )
      }
    }
  })

  test('anything else is 415', async () => {
    const others = [
      'text/plain',
      'text/json',
      'application/jsonp',
      'application/problem+json',
      'application/merge-patch+json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=latin1',
      'application/json; charset=utf-16',
      'application/json, text/plain',
      'json',
      '*/*',
    ]
    for (const subject of takers) {
      for (const type of others) {
        refusedWhole(await probeWith(subject, { 'content-type': type }), subject, 'unsupported_media_type')
      }
    }
  })

  test('is required with a body, in one piece and in chunks, else 415', async () => {
    for (const subject of takers) {
      for (const [name, value] of [
        ['content-length', '2'],
        ['transfer-encoding', 'chunked'],
      ] as const) {
        const response = await sendRaw(subject, { [name]: value }, '{}')
        assert.equal(response.status, 415, `${subject.name} ${response.text}`)
        assert.match(response.text, /"code":"unsupported_media_type"/)
      }
    }
  })

  test('with a Content-Encoding is 415, even identity', async () => {
    for (const subject of takers) {
      for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity', 'identity']) {
        refusedWhole(
          await probeWith(subject, { 'content-encoding': encoding }),
          subject,
          'unsupported_media_type',
        )
      }
    }
  })
})

describe('the size of a body', () => {
  const limitOf = ({ endpoint }: Subject) => (endpoint.path === '/properties/batch' ? 1_048_576 : 262_144)
  const sized = (subject: Subject, over = 0) => {
    const text = beside(subject, '{"surprise":1}')
    return text + ' '.repeat(limitOf(subject) + over - Buffer.byteLength(text))
  }

  test('is at most 262,144 bytes, or 1,048,576 in a batch', async () => {
    for (const subject of takers) {
      await refuses(subject, { raw: sized(subject) }, 'invalid_parameter', 'surprise')
      await refuses(subject, { raw: sized(subject, 1) }, 'payload_too_large')
    }
  })

  test('is counted in bytes, not in characters', async () => {
    for (const subject of takers) {
      const raw = `{"surprise":"${'ñ'.repeat(limitOf(subject) / 2)}"}`
      assert.ok(raw.length < limitOf(subject))
      await refuses(subject, { raw }, 'payload_too_large')
    }
  })

  test('is counted in chunks too', async () => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    for (const subject of takers) {
      for (const [over, status] of [
        [0, 400],
        [1, 413],
      ] as const) {
        const response = await sendRaw(subject, headers, sized(subject, over))
        assert.equal(response.status, status, `${subject.name} ${response.text}`)
      }
    }
  })

  test('is checked from Content-Length, before any of the body has arrived', async () => {
    for (const subject of takers) {
      const text = await sendLines(t.baseUrl, [
        `${subject.endpoint.method} /api/v1${subject.path} HTTP/1.1`,
        'Host: listings.test',
        `X-API-Key: ${keyFor(t, subject)}`,
        'Content-Type: application/json',
        `Idempotency-Key: ${randomUUID()}`,
        `Content-Length: ${limitOf(subject) + 1}`,
      ])
      assert.match(text, /^HTTP\/1\.1 413 /, subject.name)
      assert.match(text, /"code":"payload_too_large"/)
    }
  })
})
