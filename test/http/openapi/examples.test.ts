/**
 * Every example of the OpenAPI document is accurate: the request gets the status shown, and the response matches the one shown, except for
 * values such as codes and timestamps.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { endpoints } from '../../../src/api/endpoints.ts'
import { examplePayload } from '../../../src/api/examples/examples.ts'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { catalogue, type ErrorCode } from '../../../src/platform/errors/error-catalogue.ts'
import { openApi } from '../../../src/http/openapi/document.ts'
import { changeLimits } from '../../../src/limits/of-agency.ts'
import { type ApiResponse, type Ask, type TestApp, testApp } from '../../support/app/app.ts'
import { assertAlike } from '../alike.ts'
import { errorRecipes } from './error-recipes.ts'
import type { Node } from './read-document.ts'

type Send = (method: string, path: string, body?: unknown) => Promise<ApiResponse>

const document = JSON.parse(
  JSON.stringify(openApi(endpoints, { serviceName: 'Svc', baseUrl: 'https://listings.test' })),
) as { paths: Record<string, Record<string, Node>>; components: { examples: Record<string, Node> } }

let t: TestApp
before(async () => {
  t = await testApp({
    limits: { geocoding_per_minute: 1, reads_per_minute: 60 },
    geocoder: async () => ({
      lat: -34.5998,
      lng: -58.4382,
      status: 'resolved',
      street: 'Avenida Corrientes',
      city: 'Ciudad Autónoma de Buenos Aires',
      province: 'Ciudad Autónoma de Buenos Aires',
      neighborhood: null,
    }),
  })
})
after(() => t.close())

/** Examples by name; `''` for an unnamed one. */
function examplesOf(holder: Node | undefined): Map<string, unknown> {
  const { example, examples } = holder?.['content']?.['application/json'] ?? {}
  if (examples !== undefined)
    return new Map(Object.entries(examples).map(([name, { value }]) => [name, value]))
  return new Map(example === undefined ? [] : [['', example]])
}

const sample = (number: number) => `https://listings.test/samples/${number}.jpg`
const create = (send: Send, photos: readonly number[], status = 'published') =>
  send('POST', '/properties', { ...examplePayload, photos: photos.map(sample), status })
const createPublished = (send: Send) => create(send, [1, 2, 4])

/** Listings that exist before an example, by operation and status, if other than the published listing of the examples. */
const stages: Record<string, (send: Send, agencyId: string) => Promise<unknown>> = {
  'createProperty 201': async () => null,
  'putProperty 201': async () => null,
  'addPhotos 200': (send) => create(send, [3, 2], 'draft'),
  async 'enableProperty 200'(send) {
    const { body } = await createPublished(send)
    return send('POST', `/properties/${String(body.data['id'])}/disable`, {})
  },
  // A temporary limit of new listings, as for a first import.
  async 'getMe 200'(_send, agencyId) {
    const change = {
      set: { new_listings_per_day: 5000 },
      until: new Date(Date.now() + 3_600_000).toISOString(),
    }
    await inTransaction(t.deps.db, (tx) => changeLimits(tx, agencyId, change, t.deps))
  },
  async 'listChanges 200'(send) {
    await createPublished(send)
    const { body } = await send('POST', '/properties', { external_id: 'CRM-0977' })
    return send('DELETE', `/properties/${String(body.data['id'])}`)
  },
}

type Case = {
  place: string
  method: string
  path: string
  operation: Node
  status: string
  name: string
  shown: unknown
}

const cases: Case[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([verb, operation]) => {
    const method = verb.toUpperCase()
    const successes = Object.entries(operation['responses'] ?? {}).filter(([status]) => Number(status) < 300)
    return successes.flatMap(([status, response]) =>
      [...examplesOf(response)].map(([name, shown]) => ({
        place: `${method} ${path} ${status} ${name}`.trimEnd(),
        method,
        path,
        operation,
        status,
        name,
        shown,
      })),
    )
  }),
)

describe('an operation accepts its example and responds as shown', () => {
  for (const { place, method, path, operation, status, name, shown } of cases) {
    test(place, async () => {
      const { agency, readKey, writeKey } = await t.newAgency()
      const send: Send = (how, where, body) =>
        t.ask(how, where, { key: writeKey, ...(body === undefined ? {} : { body }) })
      const id = String(operation['operationId'])
      await (stages[`${id} ${status}`] ?? createPublished)(send, agency.id)
      const bodies = examplesOf(operation['requestBody'])
      const body = (bodies.get(name) ?? [...bodies.values()][0]) as { external_id?: string } | undefined
      const { body: listed } = await send('GET', '/properties?status=all&fields=id')
      const [listing] = listed.data as unknown as { id: string }[]
      const target = path
        .replace('{id}', listing?.id ?? '')
        .replace('{external_id}', body?.external_id ?? 'CRM-1042')
      const response = await t.ask(method, `${target}${name === 'dry_run' ? '?dry_run=true' : ''}`, {
        // The example's key reads only.
        key: id === 'getMe' ? readKey : writeKey,
        ...(body === undefined ? {} : { body }),
      })
      assert.equal(response.status, Number(status), response.text)
      assertAlike(response.body, shown, path)
    })
  }
})

test('every example of a query parameter is accepted', async () => {
  const { writeKey } = await t.newAgency()
  for (const [path, { get }] of Object.entries(document.paths)) {
    for (const { in: place, name, example } of Object.values(get?.['parameters'] ?? {})) {
      if (String(place) !== 'query' || example === undefined || path.includes('{')) continue
      const currency = /price/.test(String(name)) ? '&currency=USD' : ''
      const query = `${String(name)}=${encodeURIComponent(String(example))}${currency}`
      const response = await t.ask('GET', `${path}?${query}`, { key: writeKey })
      assert.equal(response.status, 200, query)
    }
  }
})

describe('each error responds as its example shows', () => {
  for (const [code, recipe] of Object.entries(errorRecipes)) {
    test(code, async () => {
      const whose = await t.newAgency()
      const send = (method: string, path: string, ask: Ask = {}) =>
        t.ask(method, path, { key: whose.writeKey, ...ask })
      const response = await recipe(send, t, whose)
      const shown = document.components.examples[code]?.['value']
      assert.equal(response.status, catalogue[code as ErrorCode].status, response.text)
      assert.equal(response.body.error['code'], code)
      assert.deepEqual(Object.keys(response.body), Object.keys(shown ?? {}))
      assert.deepEqual(Object.keys(response.body.error), Object.keys(shown?.['error'] ?? {}))
      for (const member of ['parameter', 'docs'])
        assert.equal(response.body.error[member], shown?.['error']?.[member], member)
    })
  }
})
