/**
 * Each geocoding service against a local one that implements its documented protocol: responses, empty responses, rejections, errors,
 * slowness and garbage.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { PostalAddress } from '../../../src/listings/geocoding/geocoder.ts'
import { checkGeocoder } from '../../../src/listings/geocoding/open-geocoder.ts'
import { selfSigned } from '../../support/network/self-signed.ts'
import { type TestDatabase, testDatabase } from '../../support/database/database.ts'
import type { Asked, Known, Trouble } from './fake-service.ts'
import { bench, dialects, type ProviderName } from './open.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

/** An address that was never requested before, so that nothing is cached for it. */
let doors = 0
function somewhere(): PostalAddress {
  doors += 1
  return { address: `Avenida San Martín ${doors}`, city: 'Rosario', province: 'Santa Fe' }
}

const point = { lat: -32.9468, lng: -60.6393 }
const pin = { status: 'found', pin: { ...point, status: 'resolved' } }
const none = { status: 'none' }
const unavailable = { status: 'unavailable' }

/** The street with the requested number. */
function there(changes: Partial<Known> = {}): (asked: Asked) => Known[] {
  return ({ number }) => [
    {
      street: 'Avenida San Martín',
      number: number === null ? null : Number(number),
      city: 'Rosario',
      province: 'Santa Fe',
      ...point,
      ...changes,
    },
  ]
}

const limits = { attemptMs: 300, bytes: 100_000 }

for (const name of ['georef', 'nominatim'] as const satisfies ProviderName[]) {
  describe(name, () => {
    describe('responses', () => {
      for (const [what, world, wanted] of [
        ['the number', there(), pin],
        ['the street alone', there({ number: null }), { ...pin, pin: { ...point, status: 'approximate' } }],
        ['nothing', () => [], none],
        ['the number without a point', there({ lat: null, lng: null }), none],
        ['another city', there({ city: 'Funes' }), none],
        ['another province', there({ province: 'Salta' }), none],
        ['a point in another country', there({ lat: -33.4489, lng: -70.6693 }), none],
        ['a point with its coordinates swapped', there({ lat: point.lng, lng: point.lat }), none],
      ] as const) {
        test(what, async () => {
          await using b = await bench(name, database)
          b.service.world = world
          assert.deepEqual(await b.geocoder.find(somewhere()), wanted)
          assert.deepEqual(b.logged, [])
        })
      }
    })

    describe('gives no response, and the address still counts as unresolved, for', () => {
      const html = '<!doctype html><title>Portal</title>'
      const bytes = limits.bytes + 1
      for (const [what, trouble, requests] of [
        ['an error of the service', { status: 500, text: '{"errores": [{"mensaje": "Interno"}]}' }, 2],
        ['an error of its gateway', { status: 524, text: html }, 2],
        ['a dropped connection', 'breaks off', 2],
        ['a missing response', 'hangs', 2],
        ['an unfinished response', 'stalls', 2],
        ['a refusal', { status: 400, text: JSON.stringify(dialects[name].refusal) }, 1],
        ['too many requests', { status: 429, text: '{"message": "API rate limit exceeded"}' }, 1],
        ['a block', { status: 403, text: html }, 1],
        ['no such resource', { status: 404, text: html }, 1],
        ['a redirect', { status: 302, text: '', headers: { location: 'http://127.0.0.1:1/' } }, 1],
        ['an HTML page', { status: 200, text: html }, 1],
        ['an empty body', { status: 200, text: '' }, 1],
        ['half a response', { status: 200, text: '{"direcciones": [{' }, 1],
        ['another kind of response', { status: 200, text: '{"hello": "world"}' }, 1],
        ['places without their parts', { status: 200, text: '{"direcciones": [{}]}' }, 1],
        ['a list of numbers', { status: 200, text: '[1, 2]' }, 1],
        ['null', { status: 200, text: 'null' }, 1],
        ['an oversized response', { status: 200, text: `[${' '.repeat(bytes)}]` }, 1],
      ] as const satisfies [string, Trouble, number][]) {
        test(what, async () => {
          await using b = await bench(name, database, { limits })
          const place = somewhere()
          b.service.trouble = () => trouble
          assert.deepEqual(await b.geocoder.find(place), unavailable)
          assert.equal(b.service.received.length, requests)
          // The pause of the breaker ends.
          b.clock.offsetMs += 3_600_000
          b.service.trouble = () => null
          b.service.world = there()
          assert.deepEqual(await b.geocoder.find(place), pin)
        })
      }

      test('an unreachable service', async () => {
        await using b = await bench(name, database, { url: 'http://127.0.0.1:1' })
        assert.deepEqual(await b.geocoder.find(somewhere()), unavailable)
      })

      test('an untrusted certificate', async () => {
        const server = createServer(selfSigned('localhost'), (_request, response) => response.end('[]'))
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        const url = `https://localhost:${(server.address() as AddressInfo).port}`
        await using b = await bench(name, database, { url })
        assert.deepEqual(await b.geocoder.find(somewhere()), unavailable)
        server.close()
        server.closeAllConnections()
      })
    })

    test('recovers from one failure by a second attempt', async () => {
      await using b = await bench(name, database, { limits })
      b.service.world = there()
      b.service.trouble = () => (b.service.received.length === 1 ? 'hangs' : null)
      assert.deepEqual(await b.geocoder.find(somewhere()), pin)
      assert.equal(b.service.received.length, 2)
    })

    test('receives the client’s identity, and requests below its base path', async () => {
      await using b = await bench(name, database)
      await b.geocoder.find(somewhere())
      const [{ path, method, headers } = assert.fail()] = b.service.received
      assert.deepEqual([method, path], ['GET', name === 'georef' ? '/base/direcciones' : '/base/search'])
      assert.match(headers['user-agent'] ?? '', /^Svc\/1 \(.*\+https:\/\/listings\.example\/\)$/)
      await using slashed = await bench(name, database, { url: `${b.service.url}//` })
      await slashed.geocoder.find(somewhere())
      assert.equal(b.service.received.at(-1)?.path, path)
    })

    const date = 'Mon, 02 Nov 2026 10:00:00 GMT'
    for (const requested of ['120', 'Mon, 02 Nov 2026 10:02:00 GMT'])
      test(`gets no requests for as long as it demands: ${requested}`, async () => {
        await using b = await bench(name, database)
        b.service.trouble = () => ({ status: 429, text: '{}', headers: { 'retry-after': requested, date } })
        await b.geocoder.find(somewhere())
        assert.equal(b.geocoder.isReady(), false)
        b.clock.offsetMs = 60_000
        assert.deepEqual(await b.geocoder.find(somewhere()), unavailable)
        assert.equal(b.service.received.length, 1)
        b.clock.offsetMs = 120_000
        assert.equal(b.geocoder.isReady(), true)
      })

    test('does not open the breaker when it rejects single requests', async () => {
      await using b = await bench(name, database)
      b.service.trouble = () => ({ status: 400, text: JSON.stringify(dialects[name].refusal) })
      for (let i = 0; i < 10; i += 1) await b.geocoder.find(somewhere())
      assert.equal(b.geocoder.isReady(), true)
    })

    test('is checked with one request', async () => {
      await using b = await bench(name, database)
      const check = () =>
        checkGeocoder({
          geocoder: name,
          geocoderUrl: b.service.url,
          serviceName: 'Svc',
          publicBaseUrl: 'https://listings.example',
        })
      assert.equal(await check(), null)
      b.service.trouble = () => ({ status: 500, text: '{}' })
      assert.equal((await check())?.message, 'It answered with status 500.')
      assert.equal(b.service.received.length, 2)
    })
  })
}
