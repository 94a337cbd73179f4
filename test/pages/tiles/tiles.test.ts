/** Map tiles: the area shown, requests to the service, caching, and behaviour during its outages. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { ApiError } from '../../../src/platform/errors/errors.ts'
import { tileBudgets } from '../../../src/limits/sizes.ts'
import { isServed, type TileCoordinates } from '../../../src/pages/tiles/area.ts'
import { openTileCache } from '../../../src/pages/tiles/cache.ts'
import { openTileSource } from '../../../src/pages/tiles/source.ts'
import { ServiceFailure } from '../../../src/platform/outside/outside-service.ts'
import { type Tile, type Tiles, MapTiles } from '../../../src/pages/tiles/tiles.ts'
import { dayMs } from '../../../src/platform/time/days.ts'
import { tilePicture, type TileServer, tileServer } from './tile-server.ts'

const place: TileCoordinates = { z: 13, x: 2767, y: 4937 }
const beside: TileCoordinates = { ...place, x: 2768 }
const named = { serviceName: 'Svc', publicBaseUrl: 'https://listings.test' }
const quiet = { info() {}, warn() {} }

let server: TileServer
let directory: string
before(async () => {
  server = await tileServer()
  directory = mkdtempSync(join(tmpdir(), 'listings-tiles-'))
})
after(async () => {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})
beforeEach(() => {
  server.respondWith(null)
  server.asked.length = 0
  rmSync(directory, { recursive: true, force: true })
})

function opened(options: { timeoutMs?: number; directory?: string | null; url?: string } = {}): Omit<
  Tiles,
  'find'
> & {
  find(coordinates: TileCoordinates, client?: string): Promise<Tile | null>
  clock: { offsetMs: number }
} {
  const clock = { offsetMs: 0 }
  const source = openTileSource({
    ...named,
    url: options.url ?? server.url,
    timeoutMs: options.timeoutMs ?? 5_000,
  })
  const cache = openTileCache({
    ...tileBudgets,
    directory: options.directory === undefined ? directory : options.directory,
    log: quiet,
  })
  const tiles = new MapTiles({ maxZoom: 19, source, cache, clock, log: quiet })
  return {
    clock,
    close: () => tiles.close(),
    find: (coordinates, client = '192.0.2.1') => tiles.find(coordinates, client),
  }
}

/** Opens the tiles for the duration of the work. */
async function using(
  work: (tiles: ReturnType<typeof opened>) => Promise<void>,
  options: Parameters<typeof opened>[0] = {},
): Promise<void> {
  const tiles = opened(options)
  await work(tiles).finally(() => tiles.close())
}

const isAway = (error: unknown) => error instanceof ApiError && error.code === 'service_unavailable'

test('tiles cover only Argentina and its surroundings, from the farthest zoom to the service’s closest', () => {
  const shown: [TileCoordinates, boolean][] = [
    [place, true],
    [{ z: 4, x: 5, y: 9 }, true],
    // Ushuaia, La Quiaca, Iguazú.
    [{ z: 10, x: 317, y: 688 }, true],
    [{ z: 10, x: 325, y: 575 }, true],
    [{ z: 10, x: 356, y: 587 }, true],
    // Madrid, New York, Rio de Janeiro, the sea off Africa.
    [{ z: 10, x: 501, y: 386 }, false],
    [{ z: 10, x: 301, y: 385 }, false],
    [{ z: 10, x: 389, y: 579 }, false],
    [{ z: 4, x: 8, y: 8 }, false],
    [{ z: 3, x: 2, y: 4 }, false],
    [{ z: 0, x: 0, y: 0 }, false],
    [{ z: 20, x: 2767 * 128, y: 4937 * 128 }, false],
    [{ z: 13, x: 2 ** 13, y: 4937 }, false],
  ]
  for (const [of, expected] of shown) assert.equal(isServed(of, 19), expected, JSON.stringify(of))
})

test('a client that requests many tiles has a limit, and does not delay others', async () => {
  await using(async (tiles) => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    server.respondWith(async (_request, response) => {
      await isReleased
      response.writeHead(200).end(await tilePicture(13, 1, 1))
    })
    const many = Array.from({ length: tileBudgets.waitingEach }, (_, index) =>
      tiles.find({ z: 16, x: 22_100 + index, y: 39_500 }, '192.0.2.1'),
    )
    const refused = tiles.find({ z: 16, x: 22_100, y: 39_501 }, '192.0.2.1')
    const other = tiles.find(place, '192.0.2.2')
    await assert.rejects(refused, isAway)
    release()
    assert.ok(await other)
    // The two in progress, and perhaps one whose turn came at the same time.
    const before = server.asked.findIndex(({ path }) => path.startsWith('/13/'))
    assert.ok(before >= 0 && before <= tileBudgets.atOnce + 1, `${before} came before`)
    await Promise.all(many)
  })
})

test('a client with fewer waiting tiles gets in when others fill the queue, and waits less for the same tile', async () => {
  await using(
    async (tiles) => {
      const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
      const picture = await tilePicture(13, 1, 1)
      server.respondWith(async (_request, response) => {
        await isReleased
        response.writeHead(200).end(picture)
      })
      const flooding = 8
      const perClient = Math.ceil((tileBudgets.waiting + tileBudgets.atOnce) / flooding)
      const floodTile = (client: number, index: number) => ({ z: 16, x: 22_100 + index, y: 39_500 + client })
      const flood = Array.from({ length: flooding }, (_, client) =>
        Array.from({ length: perClient }, (_unused, index) =>
          tiles.find(floodTile(client, index), `192.0.2.${client}`),
        ),
      ).flat()
      const outcome = Promise.allSettled(flood)
      await new Promise((resolve) => setImmediate(resolve))
      const own = Array.from({ length: 5 }, (_, index) =>
        tiles.find({ ...place, x: place.x + index }, '198.51.100.1'),
      )
      const same = floodTile(flooding - 1, perClient - 2)
      const shared = tiles.find(same, '198.51.100.1')
      release()
      for (const tile of await Promise.all([...own, shared])) assert.ok(tile)
      const position = server.asked.findIndex(({ path }) => path.startsWith(`/16/${same.x}/${same.y}.`))
      assert.ok(position <= 6 * (flooding + 1) + tileBudgets.atOnce, `${position} came before`)
      const refused = (await outcome).filter(({ status }) => status === 'rejected')
      assert.ok(refused.length >= 5 && refused.length < 20, `${refused.length} were turned away`)
    },
    { directory: null },
  )
})

test('a tile is requested once for all clients, with the service’s name, and then cached', () =>
  using(async (tiles) => {
    const found = await Promise.all([tiles.find(place), tiles.find(place), tiles.find(place)])
    assert.equal(server.asked.length, 1)
    const [{ path, headers } = { path: '', headers: {} as TileServer['asked'][number]['headers'] }] =
      server.asked
    assert.equal(path, '/13/2767/4937.png?key=hunter2')
    assert.match(
      headers['user-agent'] ?? '',
      /^Svc\/1 \(maps of property listings; \+https:\/\/listings\.test\/\)$/,
    )
    for (const tile of found) {
      assert.equal(tile?.type, 'image/png')
      assert.deepEqual(tile?.bytes, await tilePicture(13, 2767, 4937))
      assert.ok(tile.freshMs > 6.9 * dayMs && tile.freshMs <= 7 * dayMs)
    }
    await tiles.find(place)
    // Another process reads it from the disk.
    await using(async (others) => void assert.ok(await others.find(place)))
    assert.equal(server.asked.length, 1)
    await using(async (others) => void assert.ok(await others.find(place)), { directory: null })
    assert.equal(server.asked.length, 2)
  }))

test('a tile service that counts rows from the south is supported', () =>
  using(
    async (tiles) => {
      await tiles.find(place)
      assert.equal(server.asked[0]?.path, `/13/2767/${2 ** 13 - 1 - 4937}.png?key=hunter2`)
    },
    { url: server.url.replace('{y}', '{-y}') },
  ))

test('no tile outside the area is requested', () =>
  using(async (tiles) => {
    assert.equal(await tiles.find({ z: 10, x: 501, y: 386 }), null)
    assert.equal(server.asked.length, 0)
  }))

test('an expired tile is revalidated with its validators', () =>
  using(async (tiles) => {
    await tiles.find(place)
    tiles.clock.offsetMs = 8 * dayMs
    server.respondWith(
      (_request, response) => void response.writeHead(304, { 'cache-control': 'max-age=172800' }).end(),
    )
    const tile = await tiles.find(place)
    assert.equal(server.asked[1]?.headers['if-none-match'], '"13-2767-4937"')
    assert.deepEqual(tile?.bytes, await tilePicture(13, 2767, 4937))
    assert.ok((tile?.freshMs ?? 0) > 1.9 * dayMs && (tile?.freshMs ?? 0) <= 2 * dayMs)
    await tiles.find(place)
    assert.equal(server.asked.length, 2)
  }))

describe('the lifetime of a tile', () => {
  const cases: [Record<string, string>, number][] = [
    [{}, 7],
    [{ 'cache-control': 'public, max-age=864000' }, 10],
    [{ 'cache-control': 'max-age=60' }, 1],
    [{ 'cache-control': 'no-cache, max-age=0' }, 1],
    [{ 'cache-control': 'max-age=31536000' }, 30],
    [{ 'cache-control': 'max-age=60, s-maxage=259200' }, 3],
    [{ date: 'Mon, 02 Nov 2026 10:00:00 GMT', expires: 'Thu, 12 Nov 2026 10:00:00 GMT' }, 10],
    [{ expires: '0' }, 1],
  ]
  for (const [headers, days] of cases) {
    test(`with ${JSON.stringify(headers)} is ${days} days`, () =>
      using(async (tiles) => {
        server.respondWith(
          async (_request, response) => void response.writeHead(200, headers).end(await tilePicture(1, 2, 3)),
        )
        const freshMs = (await tiles.find(place))?.freshMs ?? 0
        assert.ok(freshMs > days * dayMs - 60_000 && freshMs <= days * dayMs, String(freshMs / dayMs))
      }))
  }
  test('is zero if the service forbids storing it', () =>
    using(async (tiles) => {
      server.respondWith(
        async (_request, response) =>
          void response.writeHead(200, { 'cache-control': 'no-store' }).end(await tilePicture(1, 2, 3)),
      )
      assert.equal((await tiles.find(place))?.freshMs, 0)
      await tiles.find(place)
      assert.equal(server.asked.length, 2)
    }))
})

test('a tile that the service does not have is missing, and not requested again for a week', () =>
  using(async (tiles) => {
    server.respondWith((_request, response) => void response.writeHead(404).end('no'))
    assert.equal(await tiles.find(place), null)
    assert.equal(await tiles.find(place), null)
    assert.equal(server.asked.length, 1)
    tiles.clock.offsetMs = 8 * dayMs
    server.respondWith(null)
    assert.ok(await tiles.find(place))
  }))

describe('while the tile service fails', () => {
  const failing: Record<string, Parameters<TileServer['respondWith']>[0]> = {
    'with an error': (_request, response) => void response.writeHead(500).end(),
    'by rejecting': (_request, response) => void response.writeHead(403).end(),
    'by redirecting': (_request, response) => void response.writeHead(302, { location: '/4/5/9.png' }).end(),
    'with a page instead of a picture': (_request, response) =>
      void response.writeHead(200, { 'content-type': 'image/png' }).end('<html>'),
    'with a picture that browsers run': (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'image/svg+xml' })
        .end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'with too much': (_request, response) =>
      void response.writeHead(200).end(Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(300_000)])),
    'by disconnecting': (request) => void request.destroy(),
    'by never responding': () => {},
  }
  for (const [how, respond] of Object.entries(failing)) {
    test(`${how}, an old tile is shown, and an uncached one is missing temporarily`, async () => {
      await using(async (tiles) => void (await tiles.find(place)))
      // A short time, which only failing requests may use up.
      await using(
        async (tiles) => {
          tiles.clock.offsetMs = 10 * dayMs
          server.respondWith(respond)
          const late = await tiles.find(place)
          assert.deepEqual([late?.freshMs, late?.bytes], [0, await tilePicture(13, 2767, 4937)])
          await assert.rejects(tiles.find(beside), isAway)
          // No tile is shown forever.
          tiles.clock.offsetMs = 100 * dayMs
          await assert.rejects(tiles.find(place), isAway)
        },
        { timeoutMs: 300 },
      )
    })
  }

  test('it is left alone after some failures, and retried later', () =>
    using(async (tiles) => {
      server.respondWith((_request, response) => void response.writeHead(500).end())
      for (let x = 0; x < 8; x += 1) await assert.rejects(tiles.find({ ...place, x: place.x + x }), isAway)
      assert.equal(server.asked.length, 5)
      tiles.clock.offsetMs = 11_000
      server.respondWith(null)
      assert.ok(await tiles.find(place))
    }))

  test('a rejected tile does not affect others, however often it is requested, but many rejected tiles do', () =>
    using(async (tiles) => {
      server.respondWith(async ({ url = '' }, response) => {
        if (url.startsWith('/13/2768/')) response.writeHead(403).end()
        else response.writeHead(200).end(await tilePicture(13, 1, 1))
      })
      for (let tries = 0; tries < 10; tries += 1) await assert.rejects(tiles.find(beside), isAway)
      assert.equal(server.asked.length, 1)
      assert.ok(await tiles.find(place))
      tiles.clock.offsetMs = 700_000
      await assert.rejects(tiles.find(beside), isAway)
      assert.equal(server.asked.length, 3)
      server.asked.length = 0
      server.respondWith((_request, response) => void response.writeHead(403).end())
      for (let x = 10; x < 20; x += 1) await assert.rejects(tiles.find({ ...place, x: place.x + x }), isAway)
      assert.equal(server.asked.length, 4)
    }))

  test('its requested pause is respected', () =>
    using(async (tiles) => {
      server.respondWith((_request, response) => void response.writeHead(429, { 'retry-after': '120' }).end())
      await assert.rejects(tiles.find(place), isAway)
      tiles.clock.offsetMs = 100_000
      await assert.rejects(tiles.find(place), isAway)
      assert.equal(server.asked.length, 1)
      tiles.clock.offsetMs = 121_000
      server.respondWith(null)
      assert.ok(await tiles.find(place))
    }))

  test('no message contains its URL, which has a key', async () => {
    const closed = createServer().listen(0)
    const { port } = closed.address() as AddressInfo
    closed.close()
    const source = openTileSource({ ...named, url: `http://127.0.0.1:${port}/{z}/{x}/{y}?key=hunter2` })
    const error = await source
      .get(place, null, new AbortController().signal)
      .catch((thrown: unknown) => thrown)
    assert.ok(error instanceof ServiceFailure)
    assert.doesNotMatch(error.message, /hunter2/)
    await source.close()
  })

  test('closing aborts requests in progress', async () => {
    const tiles = opened()
    const { promise: isAsked, resolve } = Promise.withResolvers<void>()
    server.respondWith(() => resolve())
    const found = tiles.find(place)
    await isAsked
    await Promise.all([tiles.close(), assert.rejects(found, isAway)])
  })
})

describe('the cache of tiles', () => {
  const tile = (size: number) => ({
    bytes: Buffer.alloc(size),
    freshUntil: Date.now() + dayMs,
    validators: { etag: null, modified: null },
  })
  const filesBelow = () =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/'))

  test('never exceeds its disk space, including empty tiles and folders, and evicts the oldest first', async () => {
    const diskBytes = 512 * 20_000
    const cache = openTileCache({ directory, log: quiet, memoryBytes: 1, diskBytes })
    const write = (x: number) => cache.write(`15-${x}-1`, tile(x % 3 === 0 ? 5_000 : 0))
    for (let x = 0; x < 3_000; x += 20)
      await Promise.all(Array.from({ length: 20 }, (_, index) => write(x + index)))
    const paths = ['', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]
    // As `du` counts it.
    const occupied = paths.reduce((sum, name) => sum + statSync(join(directory, name)).blocks * 512, 0)
    assert.ok(occupied <= diskBytes && occupied > diskBytes / 2, `${occupied} of ${diskBytes}`)
    assert.ok(await cache.read('15-2999-1'))
    assert.equal(await cache.read('15-0-1'), null)
  })

  test('treats a truncated file as missing', async () => {
    const cache = openTileCache({ ...tileBudgets, directory, log: quiet, memoryBytes: 1 })
    await cache.write('15-1-1', tile(10))
    const [name = ''] = filesBelow()
    const { writeFileSync } = await import('node:fs')
    for (const content of ['', '{"freshUntil":', 'no line']) {
      writeFileSync(join(directory, name), content)
      assert.equal(await cache.read('15-1-1'), null)
    }
  })

  test('works without a writable disk', async () => {
    const warnings: string[] = []
    const log = { warn: (_details: object, message: string) => void warnings.push(message) }
    const cache = openTileCache({ ...tileBudgets, directory: '/dev/null/tiles', log })
    await cache.write('15-1-1', tile(10))
    await cache.write('15-2-1', tile(10))
    assert.ok(await cache.read('15-1-1'))
    assert.equal(warnings.length, 1)
  })
})
