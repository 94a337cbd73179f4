/**
 * Bodies of a public JSON parsing test suite (api.md 4.3, 5.2): invalid JSON gets 400, valid JSON is parsed as JSON.parse does, and
 * nothing causes a 500.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ApiError, checked } from '../../../src/platform/errors/errors.ts'
import { parseStrictJson } from '../../../src/http/input/strict-json.ts'
import { jsonTestSuite } from '../../corpora/corpora.ts'
import { type ApiResponse, type TestApp, testApp } from '../../support/app/app.ts'
import { draft, refused } from '../../support/app/listings.ts'

const cases = jsonTestSuite()
const named = (beginning: string) =>
  [...cases].filter(([name]) => (name.split('/')[1] ?? '').startsWith(beginning))

/** Valid JSON that this API rejects in a body: a repeated field, U+0000, or a lone surrogate. */
const refusedOnPurpose: ReadonlySet<string> = new Set([
  'test_parsing/y_object_duplicated_key.json',
  'test_parsing/y_object_duplicated_key_and_value.json',
  'test_parsing/y_object_escaped_null_in_key.json',
  'test_parsing/y_string_null_escape.json',
])

/** The value, or the parameter of the error. */
function read(bytes: Buffer): { value: unknown } | { parameter: string } {
  try {
    return { value: checked((problems) => parseStrictJson(bytes, problems, () => {}, undefined)) }
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'invalid_parameter', String(error))
    return { parameter: error.parameter ?? '' }
  }
}

describe('the reader of bodies', () => {
  test('is tested with the whole suite', () => {
    assert.ok(named('y_').length > 90 && named('n_').length > 180 && named('i_').length > 30)
  })

  test('accepts what must be accepted, as JSON.parse reads it', () => {
    for (const [name, bytes] of named('y_')) {
      const told = read(bytes)
      if (refusedOnPurpose.has(name)) assert.ok('parameter' in told, name)
      else assert.deepEqual(told, { value: JSON.parse(bytes.toString()) }, name)
    }
  })

  test('refuses what must be refused', () => {
    for (const [name, bytes] of named('n_')) assert.deepEqual(read(bytes), { parameter: 'body' }, name)
  })

  test('accepts only storable values of the rest', () => {
    for (const [name, bytes] of cases) {
      const told = read(bytes)
      if ('parameter' in told) continue
      // Any accepted value is the same text in UTF-8, and survives another round trip.
      assert.ok(Buffer.from(bytes.toString()).equals(bytes), name)
      assert.deepEqual(told.value, JSON.parse(bytes.toString()), name)
    }
  })
})

describe('every case as a body', () => {
  let t: TestApp
  let id = ''
  before(async () => {
    t = await testApp()
    id = (await draft(t)).id
  })
  after(() => t.close())

  const operations: readonly ((raw: Buffer) => Promise<ApiResponse>)[] = [
    (raw) => t.ask('POST', '/properties', { raw }),
    (raw) => t.ask('PATCH', `/properties/${id}`, { raw }),
    (raw) => t.ask('PUT', '/properties/external/corpus', { raw }),
    (raw) => t.ask('POST', '/properties/batch', { raw }),
    (raw) => t.ask('POST', `/properties/${id}/disable`, { raw }),
    (raw) => t.ask('PUT', `/properties/${id}/photos`, { raw }),
    (raw) => t.ask('POST', '/geocode', { raw }),
  ]

  // One reader serves all operations, so each case goes to two of them in turn.
  test('gets a response of the catalogue below 500, and 400 if it is not JSON', async () => {
    for (const [index, [name, bytes]] of [...cases].entries()) {
      for (const step of [0, 3]) {
        const response = await operations[(index + step) % operations.length]?.(bytes)
        assert.ok(response !== undefined && response.status < 500, `${name} ${response?.text}`)
        if ((name.split('/')[1] ?? '').startsWith('n_') && bytes.length > 0)
          refused(response, 'invalid_parameter', 'body')
      }
    }
  })

  test('gets a response below 500 as the value of a field too', async () => {
    const fields = [
      ['{"title":', '}'],
      ['{"price":{"currency":"USD","amount":', '}}'],
      ['{"location":{"lat":-34.5,"lng":', '}}'],
      ['{"features":{"rooms":', '}}'],
    ] as const
    for (const [name, bytes] of cases) {
      if (bytes.length > 1000) continue
      for (const [before, behind] of fields) {
        // Most cases are a list of one, whose element then replaces the value.
        const inner = bytes.subarray(0, 1).toString() === '[' ? bytes.subarray(1, -1) : bytes
        const raw = Buffer.concat([Buffer.from(before), inner, Buffer.from(behind)])
        const response = await t.ask('PATCH', `/properties/${id}`, { raw })
        assert.ok(response.status < 500, `${name} ${before} ${response.text}`)
      }
    }
  })

  test('that is a string comes back unchanged', async () => {
    let kept = 0
    for (const [name, bytes] of cases) {
      const told = read(bytes)
      if (!('value' in told) || !Array.isArray(told.value)) continue
      const [title] = told.value as unknown[]
      if (told.value.length !== 1 || typeof title !== 'string' || title.trim() === '') continue
      const raw = Buffer.concat([
        Buffer.from('{"title":'),
        bytes.subarray(bytes.indexOf('[') + 1, bytes.lastIndexOf(']')),
        Buffer.from('}'),
      ])
      assert.equal((await t.ask('PATCH', `/properties/${id}`, { raw })).status, 200, name)
      assert.equal((await t.ask('GET', `/properties/${id}`)).body.data['title'], title, name)
      kept += 1
    }
    assert.ok(kept > 30, String(kept))
  })
})
