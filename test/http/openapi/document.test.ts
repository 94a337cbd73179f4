/** The OpenAPI document agrees with the tables of endpoints and errors, and its examples are valid against its own schemas. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import type { TSchema } from 'typebox'
import { endpoints } from '../../../src/api/endpoints.ts'
import { actions } from '../../../src/listings/writing/batch.ts'
import { catalogue, type ErrorCode } from '../../../src/platform/errors/error-catalogue.ts'
import { exampleService, openApi } from '../../../src/http/openapi/document.ts'
import { errorCodesOf } from '../../../src/http/openapi/errors.ts'
import { document, findNodes, follow, type Node, operations, resolved } from './read-document.ts'

const byId = new Map(operations().map(({ operation }) => [String(operation['operationId']), operation]))
const operationOf = (id: string): Node => byId.get(id) ?? assert.fail(`no operation ${id}`)

test('the document is OpenAPI 3.1, version 1, under the versioned prefix', () => {
  assert.match(String(document['openapi']), /^3\.1\.\d+$/)
  assert.equal(document['info']?.['version'], '1')
  assert.deepEqual(
    Object.values(document['servers'] ?? {}).map(({ url }) => url),
    ['https://listings.example/api/v1'],
  )
})

test('the document has every endpoint of the table and no others', () => {
  const expected = endpoints.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`)
  const found = operations().map(
    ({ method, path, operation }) => `${method} ${path} ${String(operation['operationId'])}`,
  )
  assert.deepEqual(found.toSorted(), expected.toSorted())
})

test('every tag of the document has a description', () => {
  for (const tag of Object.values(document['tags'] ?? {})) assert.ok(tag['description'], String(tag['name']))
})

test('every operation describes its own errors and the common ones, under its status, with an example', () => {
  for (const endpoint of endpoints) {
    const responses = resolved(operationOf(endpoint.operationId)['responses'])
    const codes = errorCodesOf(endpoint)
    for (const code of endpoint.errors) assert.ok(codes.includes(code), `${endpoint.operationId} ${code}`)
    for (const code of codes) {
      const content = responses[catalogue[code].status]?.['content']?.['application/json']
      const [, branch] = Object.values(content?.['schema']?.['properties']?.['error']?.['allOf'] ?? {})
      const named = Object.values(branch?.['properties']?.['code']?.['enum'] ?? {}).map(String)
      assert.ok(named.includes(code), `${endpoint.operationId} ${code}`)
      assert.equal(content?.['examples']?.[code]?.['value']?.['error']?.['code'], code)
    }
  }
})

test('every code of the catalogue appears in the document', () => {
  const appearing = new Set(endpoints.flatMap(errorCodesOf))
  assert.deepEqual(
    Object.keys(catalogue).filter((code) => !appearing.has(code as ErrorCode)),
    [],
  )
})

test('the document has every response that the table describes', () => {
  for (const { operationId, responses } of endpoints) {
    for (const status of Object.keys(responses))
      assert.ok(operationOf(operationId)['responses']?.[status], `${operationId} ${status}`)
  }
})

test('every example is valid against the schema beside it', () => {
  let checked = 0
  const check = (place: string, schema: Node, example: unknown) => {
    const compiled = Compile(schema as unknown as TSchema)
    const problems = [...compiled.Errors(example)].slice(0, 3)
    assert.ok(compiled.Check(example), `${place}: ${JSON.stringify(problems)}`)
    checked += 1
  }
  const all = resolved(document['paths'])
  for (const { place, node } of findNodes(all, (candidate) => candidate['schema'] !== undefined)) {
    const schema = node['schema'] as Node
    if ('example' in node) check(place, schema, node['example'])
    for (const [name, example] of Object.entries(node['examples'] ?? {}))
      check(`${place} ${name}`, schema, example['value'])
    for (const example of Object.values(schema['examples'] ?? {})) check(place, schema, example)
  }
  assert.ok(checked > 100, `${checked} examples`)
})

test('every response with a body and every required body has an example', () => {
  for (const { place, node } of findNodes(
    resolved(document['paths']),
    (candidate) => candidate['application/json'] !== undefined,
  )) {
    if (place.endsWith('enable/post/requestBody/content')) continue
    const media = node['application/json'] as Node
    assert.ok('example' in media || 'examples' in media, place)
  }
})

test('responses allow new fields, bodies refuse unknown ones', () => {
  for (const { path, method, operation } of operations()) {
    const closed = (node: unknown) =>
      findNodes(resolved(node), (candidate) => Object.is(candidate['additionalProperties'], false))
    assert.deepEqual(
      closed(operation['responses']).map(({ place }) => place),
      [],
      `${method} ${path}`,
    )
    const body = resolved(operation['requestBody'] ?? {})['content']?.['application/json']?.['schema']
    if (body !== undefined) assert.equal(body['additionalProperties'], false as unknown, `${method} ${path}`)
  }
})

test('every operation except the three open ones needs a key, by either header; a signature is no separate credential', () => {
  for (const { path, operation } of operations()) {
    const isOpen = ['/', '/health', '/openapi.json'].includes(path)
    assert.deepEqual(operation['security'], isOpen ? [] : [{ bearer: [] }, { apiKey: [] }], path)
    const headers = Object.values(resolved(operation['parameters'] ?? []))
      .filter(({ name }) => String(name).startsWith('X-Svc-'))
      .map(({ name, in: place, required }) => `${String(place)} ${String(name)} ${String(required)}`)
    const expected = ['header X-Svc-Timestamp false', 'header X-Svc-Signature false']
    assert.deepEqual(headers, isOpen ? [] : expected, path)
  }
  assert.deepEqual(Object.keys(document['components']?.['securitySchemes'] ?? {}), ['bearer', 'apiKey'])
})

test('no field or parameter has a default, because generators then require it', () => {
  assert.deepEqual(
    findNodes(document, (node) => 'default' in node).map(({ place }) => place),
    [],
  )
})

test('a listing has all its fields, or with `fields` some of them', () => {
  const { Property, PropertyFields } = document['components']?.['schemas'] ?? {}
  const names = Object.keys(Property?.['properties'] ?? {})
  assert.deepEqual(Property?.['required'], names as unknown)
  assert.deepEqual(PropertyFields?.['required'], ['id'] as unknown)
  assert.deepEqual(Object.keys(PropertyFields?.['properties'] ?? {}), names)
  const { neighborhood } = Property?.['properties']?.['location']?.['properties'] ?? {}
  assert.deepEqual(neighborhood?.['type'], ['string', 'null'] as unknown)
})

test('items of a batch and closing prices have one of several shapes', () => {
  const { BatchItem, ...schemas } = document['components']?.['schemas'] ?? {}
  const shapes = Object.values(BatchItem?.['oneOf'] ?? {}).map(
    ({ $ref }) => schemas[String($ref).split('/').at(-1) ?? ''],
  )
  assert.deepEqual(
    shapes.map((shape) => [
      shape?.['properties']?.['action']?.['enum'],
      shape?.['required'],
      shape?.['additionalProperties'],
    ]),
    actions.map((action) => [
      [action],
      action === 'upsert' ? ['external_id'] : ['external_id', 'action'],
      false,
    ]),
  )
  const closing = resolved(operationOf('disableProperty')['requestBody'])
  const { close_price } = closing['content']?.['application/json']?.['schema']?.['properties'] ?? {}
  assert.deepEqual(
    Object.values(close_price?.['oneOf'] ?? {}).map(({ type }) => String(type)),
    ['number', 'object', 'null'],
  )
})

test('every parameter of a list has an example', () => {
  for (const { in: place, name, example } of Object.values(
    resolved(operationOf('listProperties')['parameters']),
  )) {
    if (String(place) === 'query') assert.notEqual(example, undefined, String(name))
  }
})

test('an Idempotency-Key is required, optional or absent as the table says', () => {
  for (const endpoint of endpoints) {
    const parameters = Object.values(resolved(operationOf(endpoint.operationId)['parameters'] ?? []))
    const header = parameters.find(({ name }) => String(name) === 'Idempotency-Key')
    const kept = endpoint.kind === 'write' ? endpoint.idempotency : undefined
    if (kept !== 'required' && kept !== 'optional') assert.equal(header, undefined, endpoint.operationId)
    else {
      assert.equal(header?.['required'], (kept === 'required') as unknown, endpoint.operationId)
      const { minLength, maxLength, pattern } = header?.['schema'] ?? {}
      assert.deepEqual([minLength, maxLength, pattern], [8, 64, '^[A-Za-z0-9._:-]+$'])
    }
  }
})

test('responses list the headers they carry', () => {
  for (const { scope, operationId } of endpoints) {
    for (const [status, response] of Object.entries(resolved(operationOf(operationId)['responses']))) {
      const headers = Object.keys(response['headers'] ?? {})
      const expected = ['X-Request-Id', 'X-Svc-Notice', 'Link']
      if (scope !== 'none' && Number(status) < 400)
        expected.push('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset')
      if (status === '304') expected.push('ETag')
      if (status === '401') expected.push('WWW-Authenticate')
      if (status === '405') expected.push('Allow')
      if (status === '429' || status === '503') expected.push('Retry-After')
      assert.deepEqual(
        expected.filter((name) => !headers.includes(name)),
        [],
        `${operationId} ${status}`,
      )
    }
  }
})

test('every reference in the document resolves, and every component is referenced', () => {
  const references = new Set(
    findNodes(document, ({ $ref }) => typeof $ref === 'string').map(({ node }) => String(node['$ref'])),
  )
  for (const reference of references) assert.ok(follow(reference), reference)
  for (const [kind, components] of Object.entries(document['components'] ?? {})) {
    if (kind === 'securitySchemes') continue
    for (const name of Object.keys(components))
      assert.ok(references.has(`#/components/${kind}/${name}`), `${kind} ${name}`)
  }
})

test('the same table and service give the same document, as plain JSON', () => {
  const built = openApi(endpoints, exampleService)
  assert.equal(JSON.stringify(built), JSON.stringify(openApi(endpoints, exampleService)))
  assert.deepEqual(JSON.parse(JSON.stringify(built)), built)
  const marks = findNodes(built, (node) =>
    Reflect.ownKeys(node).some((key) => typeof key === 'symbol' || key.startsWith('~')),
  )
  assert.deepEqual(marks, [])
})

test('with another name and address, nothing of the example service remains', () => {
  const text = JSON.stringify(openApi(endpoints, { serviceName: 'Acme', baseUrl: 'http://127.0.0.1:3000' }))
  assert.doesNotMatch(text, /\bsvc|listings\.example/i)
  assert.match(text, /X-Acme-Notice/)
  assert.match(text, /acme_live_/)
})

test('openapi.json in the repository is this document', () => {
  const committed: unknown = JSON.parse(
    readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
  )
  assert.deepEqual(committed, document, 'write it anew with: node scripts/openapi.ts')
})
