/** Real-world tile services: their responses other than pictures, which of them are shown, and what is reported to the operator. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import sharp from 'sharp'
import { ApiError } from '../../../src/platform/errors/errors.ts'
import { tileBudgets } from '../../../src/limits/sizes.ts'
import type { TileCoordinates } from '../../../src/pages/tiles/area.ts'
import { openTileCache } from '../../../src/pages/tiles/cache.ts'
import { openTileSource } from '../../../src/pages/tiles/source.ts'
import { ServiceFailure } from '../../../src/platform/outside/outside-service.ts'
import { checkTiles, type Tiles, MapTiles } from '../../../src/pages/tiles/tiles.ts'
import { tilePicture, type TileServer, tileServer } from './tile-server.ts'

const place: TileCoordinates = { z: 13, x: 2767, y: 4937 }
const named = { serviceName: 'Svc', publicBaseUrl: 'https://listings.test' }
const zip = promisify(gzip)

let server: TileServer
before(async () => void (server = await tileServer()))
after(() => server.close())
beforeEach(() => {
  server.respondWith(null)
  server.asked.length = 0
})

type TestResponse = Readonly<{ status?: number; headers?: Record<string, string>; body?: Buffer | string }>

function respondWith({ status = 200, headers = {}, body = '' }: TestResponse): void {
  server.respondWith((_request, response) => void response.writeHead(status, headers).end(body))
}

/** The result of one request to the service: the type of a picture, or the reason why there is none. */
async function asked(response: TestResponse): Promise<string> {
  respondWith(response)
  const source = openTileSource({ ...named, url: server.url })
  try {
    const found = await source.get(place, null, new AbortController().signal)
    return found.kind === 'picture' ? found.bytes.toString('hex', 0, 4) : found.kind
  } catch (error) {
    assert.ok(error instanceof ServiceFailure)
    assert.doesNotMatch(error.message, /hunter2/)
    return `${error.kind}: ${error.message}`
  } finally {
    await source.close()
  }
}

describe('the picture of a tile is accepted', () => {
  const png = '89504e47'
  test('with any declared type', async () => {
    const body = await tilePicture(1, 2, 3)
    for (const type of ['image/png', 'application/octet-stream', 'text/plain', 'image/jpeg; charset=utf-8'])
      assert.equal(await asked({ headers: { 'content-type': type }, body }), png)
    assert.equal(await asked({ body }), png)
  })

  test('as WebP and JPEG', async () => {
    const picture = sharp(await tilePicture(1, 2, 3))
    assert.equal(await asked({ body: await picture.webp().toBuffer() }), '52494646')
    assert.match(await asked({ body: await picture.jpeg().toBuffer() }), /^ffd8ff/)
  })

  test('when compressed, although the request did not accept that', async () => {
    const body = await zip(await tilePicture(1, 2, 3))
    assert.equal(await asked({ headers: { 'content-encoding': 'gzip' }, body }), png)
    assert.equal(await asked({ headers: { 'content-encoding': 'X-GZIP' }, body }), png)
    assert.equal(server.asked[0]?.headers['accept-encoding'], 'identity')
  })
})

test('a tile that the service reports as missing is missing', async () => {
  for (const status of [204, 404, 410]) assert.equal(await asked({ status }), 'none')
})

describe('a failure of the tile service is reported', () => {
  const html = '<!doctype html><title>Error</title>'
  const cases: [string, TestResponse, RegExp][] = [
    [
      'for an error page with status 200',
      { headers: { 'content-type': 'text/html; charset=utf-8' }, body: html },
      /^nonsense: It answered with text\/html: no JPEG/,
    ],
    [
      'for a JSON error with markup as its type',
      { headers: { 'content-type': '<b>application/json' }, body: '{"error":"key"}' },
      /^nonsense: It answered with something: no JPEG/,
    ],
    [
      'for an empty response',
      { headers: { 'content-type': 'image/png' } },
      /^nonsense: It answered with image\/png: no/,
    ],
    [
      'for vector tiles',
      { headers: { 'content-type': 'application/x-protobuf' }, body: Buffer.from([0x1a, 0x80]) },
      /^nonsense: It answered with application\/x-protobuf/,
    ],
    [
      'for a redirect to another host, without its key',
      { status: 302, headers: { location: 'https://login.example/?key=hunter2' } },
      /^nonsense: .*302: it redirects to https:\/\/login\.example, and/,
    ],
    [
      'for a redirect on the same host',
      { status: 301, headers: { location: '/5/1/2.png' } },
      /^nonsense: .*301: redirects/,
    ],
    ['for a redirect without a target', { status: 307 }, /^nonsense: .*307: redirects are not followed/],
    ['for a wrong key', { status: 401 }, /^forbidden: .*401: it refuses.*Check the key/],
    ['for a service that forbids access', { status: 403, body: html }, /^forbidden: .*403: it refuses/],
    ['for too many requests', { status: 429 }, /^blocked: .*429: too many requests/],
    ['for a missing zoom', { status: 400, body: html }, /^nonsense: It answered with status 400\.$/],
    ['for an error of the service', { status: 503, body: html }, /^down: It answered with status 503\.$/],
    [
      'for an unsupported compression',
      { headers: { 'content-encoding': 'br' }, body: 'x' },
      /^nonsense: It answered with a compression other than gzip/,
    ],
    [
      'for invalid gzip',
      { headers: { 'content-encoding': 'gzip' }, body: 'x' },
      /^nonsense: It answered with invalid gzip/,
    ],
  ]
  for (const [what, response, told] of cases)
    test(what, async () => assert.match(await asked(response), told))

  test('for a response that is small only until it is decompressed', async () => {
    const body = await zip(Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(tileBudgets.bytes)]))
    assert.ok(body.length < 2_000)
    assert.match(await asked({ headers: { 'content-encoding': 'gzip' }, body }), /more than 256 KB/)
  })

  test('for an unreachable server', async () => {
    const source = openTileSource({ ...named, url: 'http://127.0.0.1:1/{z}/{x}/{y}?key=hunter2' })
    const error = await source
      .get(place, null, new AbortController().signal)
      .catch((thrown: unknown) => thrown)
    assert.match(
      (error as Error).message,
      /^It could not be reached, or the connection broke \(ECONNREFUSED\)\.$/,
    )
    await source.close()
  })
})

test('the pause that a tile service requests is respected, in seconds or until a date', async () => {
  const pauses: [Record<string, string>, number | null][] = [
    [{ 'retry-after': '120' }, 120_000],
    [{ 'retry-after': '999999' }, 3_600_000],
    [{ 'retry-after': 'Mon, 02 Nov 2026 10:01:30 GMT', date: 'Mon, 02 Nov 2026 10:00:00 GMT' }, 90_000],
    [{ 'retry-after': 'Mon, 02 Nov 2026 09:00:00 GMT', date: 'Mon, 02 Nov 2026 10:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ]
  const source = openTileSource({ ...named, url: server.url })
  for (const [headers, pauseMs] of pauses) {
    respondWith({ status: 429, headers })
    const error = await source
      .get(place, null, new AbortController().signal)
      .catch((thrown: unknown) => thrown)
    assert.ok(error instanceof ServiceFailure)
    assert.equal(error.pauseMs, pauseMs, JSON.stringify(headers))
  }
  await source.close()
})

test('the age of a tile in an intermediate cache is subtracted', async () => {
  const day = 86_400
  const source = openTileSource({ ...named, url: server.url })
  const freshDays = async (headers: Record<string, string>) => {
    respondWith({ headers, body: await tilePicture(1, 2, 3) })
    const { freshMs } = await source.get(place, null, new AbortController().signal)
    return (freshMs ?? 0) / 1_000 / day
  }
  assert.equal(await freshDays({ 'cache-control': `max-age=${10 * day}`, age: String(4 * day) }), 6)
  assert.equal(await freshDays({ 'cache-control': `max-age=${10 * day}`, age: 'old' }), 10)
  assert.equal(await freshDays({ 'cache-control': 'no-cache' }), 1)
  await source.close()
})

describe('the check of the farthest tile and a closest one', () => {
  const check = async (maxZoom = 19) =>
    await checkTiles({ ...named, mapTiles: { url: server.url, attribution: [], maxZoom } })

  test('accepts a service that has both tiles', async () => {
    assert.equal(await check(), null)
    assert.deepEqual(
      server.asked.map(({ path }) => path.split('?')[0]),
      ['/4/5/9.png', '/19/177119/315915.png'],
    )
  })

  test('reports a service that ends before MAP_TILES_MAX_ZOOM', async () => {
    for (const status of [404, 400]) {
      server.respondWith(async ({ url = '' }, response) => {
        if (url.startsWith('/19/')) response.writeHead(status).end()
        else response.end(await tilePicture(1, 2, 3))
      })
      const problem = await check()
      assert.equal(problem?.kind, 'refused')
      assert.match(problem?.message ?? '', /no tiles at zoom 19\. Set MAP_TILES_MAX_ZOOM/)
      assert.equal(await check(18), null)
    }
  })

  test('reports a service that has no tiles at all', async () => {
    respondWith({ status: 404 })
    assert.match((await check())?.message ?? '', /no tile of Argentina\. Check the order of \{z\}/)
  })
})

test('the log has the reason of a failed tile once, without a stack', async () => {
  const lines: unknown[] = []
  const log = {
    info() {},
    warn: (details: object, message: string) => void lines.push({ ...details, message }),
  }
  const tiles: Tiles = new MapTiles({
    maxZoom: 19,
    source: openTileSource({ ...named, url: server.url }),
    cache: openTileCache({ ...tileBudgets, directory: null, log }),
    clock: { offsetMs: 0 },
    log,
  })
  respondWith({ status: 500 })
  const fail = (x: number) =>
    assert.rejects(
      tiles.find({ ...place, x }, '192.0.2.1'),
      (error) => error instanceof ApiError && error.isLogged,
    )
  for (let x = 0; x < 40; x += 1) await fail(place.x + x)
  assert.deepEqual(lines, [
    { reason: 'It answered with status 500.', tiles: 1, message: 'map tiles could not be fetched' },
    { message: 'the tile service is failing; requests are paused' },
  ])
  await tiles.close()
})
