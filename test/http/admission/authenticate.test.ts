/** Reading the key from a request (api.md 2.1): one key, in either of two headers. The common suite tests the permissions of keys. */
import assert from 'node:assert/strict'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { describe, test } from 'node:test'
import type { ErrorCode } from '../../../src/platform/errors/error-catalogue.ts'
import { ApiError } from '../../../src/platform/errors/errors.ts'
import { presentedKey } from '../../../src/http/admission/authenticate.ts'

/** A request as Node provides it: of a repeated header `headers` keeps one, or joins them. */
function request(...lines: [name: string, value: string][]): IncomingMessage {
  const headers: IncomingHttpHeaders = {}
  for (const [name, value] of lines) {
    const known = headers[name.toLowerCase()]
    headers[name.toLowerCase()] =
      known === undefined
        ? value
        : name.toLowerCase() === 'authorization'
          ? known
          : `${String(known)}, ${value}`
  }
  return { headers, rawHeaders: lines.flat() } as unknown as IncomingMessage
}

const fails = (code: ErrorCode, ...lines: [string, string][]) =>
  assert.throws(
    () => presentedKey(request(...lines)),
    (error) => error instanceof ApiError && error.code === code,
    JSON.stringify(lines),
  )

describe('presentedKey', () => {
  test('reads either header, in any case and with spaces around', () => {
    assert.equal(presentedKey(request(['Authorization', 'Bearer k1'])), 'k1')
    assert.equal(presentedKey(request(['AUTHORIZATION', 'bEARER   k1  '])), 'k1')
    assert.equal(presentedKey(request(['X-API-Key', ' k1 '])), 'k1')
    assert.equal(presentedKey(request(['x-api-key', 'k1'], ['authorization', 'Bearer k1'])), 'k1')
    assert.equal(presentedKey(request(['x-api-key', 'k1'], ['authorization', 'Basic eDp5'])), 'k1')
    assert.equal(presentedKey(request(['x-api-key', ' '], ['authorization', 'Bearer k1'])), 'k1')
  })

  test('refuses a request without a key', () => {
    fails('missing_api_key')
    for (const value of ['', 'Bearer', 'Bearer ', 'Basic eDp5', 'k1', 'Token k1', 'Bearerk1'])
      fails('missing_api_key', ['Authorization', value])
    fails('missing_api_key', ['X-API-Key', '  '])
    fails('missing_api_key', ['Cookie', 'x-api-key=k1'])
  })

  test('refuses two keys, and one key in one header twice', () => {
    fails('invalid_api_key', ['X-API-Key', 'k1'], ['Authorization', 'Bearer k2'])
    fails('invalid_api_key', ['X-API-Key', 'k1'], ['x-api-key', 'k1'])
    fails('invalid_api_key', ['Authorization', 'Bearer k1'], ['authorization', 'Bearer k1'])
    fails('invalid_api_key', ['Authorization', 'Bearer k1'], ['authorization', 'Basic eDp5'])
    fails('invalid_api_key', ['Authorization', 'Bearer k1'], ['X-API-Key', 'k1'], ['X-API-KEY', ''])
  })

  test('compares keys to the last character', () => {
    fails('invalid_api_key', ['X-API-Key', 'k1'], ['Authorization', 'Bearer K1'])
    assert.equal(presentedKey(request(['Authorization', 'Bearer a b'])), 'a b')
  })
})
