/** Maps on the public pages: tiles from this origin for these pages only, and the pins of an agency. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { publishable, testApp, type TestApp } from '../../../support/app/app.ts'
import { accepted, published } from '../../../support/app/listings.ts'
import { tilePicture, type TileServer, tileServer } from '../../tiles/tile-server.ts'
import { shown, visit } from '../visit.ts'

const tile = '/map/13/2767/4937'
let server: TileServer
let t: TestApp
let bare: TestApp
before(async () => {
  server = await tileServer()
  const env = {
    MAP_TILES_URL: server.url,
    MAP_TILES_ATTRIBUTION: '© [Tiles & Co](https://tiles.example/?a=1)',
  }
  t = await testApp({ env, limits: { map_tiles_per_address_per_minute: 20 } })
  bare = await testApp()
})
after(async () => {
  await t.close()
  await bare.close()
  await server.close()
})

describe('a tile', () => {
  test('comes from this origin, is cacheable, and is not sent twice', async () => {
    const response = await fetch(t.baseUrl + tile)
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), await tilePicture(13, 2767, 4937))
    const { headers } = response
    assert.equal(headers.get('content-type'), 'image/png')
    assert.match(headers.get('cache-control') ?? '', /^public, max-age=60\d{4}$/)
    assert.deepEqual(
      ['x-content-type-options', 'cross-origin-resource-policy'].map((name) => headers.get(name)),
      ['nosniff', 'same-origin'],
    )
    const again = await visit(t, tile, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    assert.deepEqual([again.status, again.text], [304, ''])
    assert.equal(server.asked.length, 1)
  })

  test('is only served to pages of this service', async () => {
    for (const [site, status] of [
      ['same-origin', 200],
      ['none', 200],
      ['cross-site', 403],
    ] as const)
      assert.equal((await visit(t, tile, { headers: { 'sec-fetch-site': site } })).status, status, site)
  })

  test('outside the area, or with invalid numbers, is not found, and the service is not called', async () => {
    const before = server.asked.length
    for (const path of [
      '10/501/386',
      '13/02767/4937',
      '13/-1/4937',
      '1e1/5/9',
      '13/2767/4937.png',
      '13/2767/999999999',
      '99/1/1',
    ])
      assert.equal((await visit(t, `/map/${path}`)).status, 404, path)
    assert.equal(server.asked.length, before)
  })

  test('is counted, so that no one copies the map', async () => {
    // The whole minute is left.
    t.clock.offsetMs = 60_000 - (Date.now() % 60_000)
    const statuses: number[] = []
    for (let x = 0; x < 25; x += 1) statuses.push((await visit(t, tile)).status)
    assert.equal(statuses.at(-1), 429)
    t.clock.offsetMs += 61_000
    assert.equal((await visit(t, tile)).status, 200)
  })

  test('that the service cannot fetch is missing temporarily, and not cached', async () => {
    t.clock.offsetMs += 200_000
    server.respondWith((_request, response) => void response.writeHead(500).end())
    const response = await visit(t, '/map/13/2768/4937')
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('cache-control'), null)
    server.respondWith(null)
  })
})

describe('without tiles', () => {
  test('pages have no map and load nothing for one', async () => {
    const { url } = await published(bare, {
      location: { city: 'CABA', province: null, lat: -34.6, lng: -58.4 },
    })
    const agency = `/inmobiliarias/${bare.agency.slug}`
    for (const path of [String(url), agency])
      assert.doesNotMatch(await shown(bare, path), /data-map|map\.[0-9a-f]{12}\.js/)
    assert.match(await shown(bare, String(url)), /openstreetmap\.org/)
    assert.equal((await visit(bare, tile)).status, 404)
    assert.equal((await visit(bare, `${agency}/mapa.json`)).status, 404)
  })
})

describe('the map of a listing', () => {
  test('is a reserved box with attribution, whose script loads Leaflet later', async () => {
    const { url } = await published(t, { location: { city: 'CABA', province: null, lat: -34.6, lng: -58.4 } })
    const page = await shown(t, String(url))
    assert.match(page, /<div class="map-box" data-map="place"[^>]* data-lat="-34\.6" data-lng="-58\.4">/)
    assert.match(
      page,
      /© <a href="https:\/\/tiles\.example\/\?a&#61;1" rel="noopener noreferrer">Tiles &#38; Co<\/a>/,
    )
    assert.match(page, /<script src="\/map\/map\.[0-9a-f]{12}\.js" type="module">/)
    assert.doesNotMatch(page, /src="[^"]*leaflet|hunter2|127\.0\.0\.1/)
    for (const [, path = ''] of page.matchAll(/data-(?:leaflet|style|script)="([^"]+)"/g))
      assert.equal((await visit(t, path)).status, 200, path)
  })
  test('is missing for a location outside the tiles', async () => {
    const { url } = await published(t, { location: { city: null, province: null, lat: 40.4, lng: -3.7 } })
    const page = await shown(t, String(url))
    assert.doesNotMatch(page, /data-map=/)
    assert.match(page, /mlat&#61;40\.4/)
  })
})

describe('the pins of an agency', () => {
  type Pins = { pins: Record<string, unknown>[]; more: boolean }
  const pinsOf = async (slug: string, query = '', edition = '') => {
    const response = await visit(t, `${edition}/inmobiliarias/${slug}/mapa.json${query}`)
    assert.equal(response.status, 200, response.text)
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
    return { ...(JSON.parse(response.text) as Pins), etag: response.headers.get('etag') ?? '' }
  }

  test('are those of the search, in the page’s language, with the contents of a popup', async () => {
    const { agency, writeKey: key } = await t.newAgency()
    const make = async (body: Record<string, unknown>) =>
      accepted(await t.ask('POST', '/properties', { key, body: publishable(body) }), 201)
    const house = await make({
      type: 'Casa',
      title: '<b>Casa</b>',
      price: { amount: 90_000, currency: 'USD' },
      location: { city: 'CABA', province: null, lat: -34.6, lng: -58.4 },
    })
    await make({ type: 'PH', location: { city: 'CABA', province: null } })
    await make({ type: 'Lote', location: { city: null, province: null, lat: 40.4, lng: -3.7 } })
    await make({
      type: 'Local',
      status: 'draft',
      location: { city: null, province: null, lat: -34.6, lng: -58.4 },
    })
    const { pins, more } = await pinsOf(agency.slug)
    assert.equal(more, false)
    const [pin] = pins
    assert.equal(pins.length, 1)
    assert.deepEqual(
      { ...pin, photo: null },
      {
        lat: -34.6,
        lng: -58.4,
        isBlurred: false,
        title: '<b>Casa</b>',
        price: 'USD\u00A090.000',
        what: 'Casa en venta',
        path: `/inmobiliarias/${agency.slug}/${house.id}`,
        photo: null,
      },
    )
    assert.equal((await visit(t, String(pin?.['photo']))).status, 200)
    const english = await pinsOf(agency.slug, '', '/en')
    assert.equal(english.pins[0]?.['path'], `/en/inmobiliarias/${agency.slug}/${house.id}`)
    assert.equal((await pinsOf(agency.slug, '?type=PH')).pins.length, 0)
    const again = await visit(t, `/inmobiliarias/${agency.slug}/mapa.json`, {
      headers: { 'if-none-match': (await pinsOf(agency.slug)).etag },
    })
    assert.equal(again.status, 304)
    const page = await shown(t, `/inmobiliarias/${agency.slug}?type=Casa&page=1`)
    assert.match(page, /data-pins="\/inmobiliarias\/[\w-]+\/mapa\.json\?type&#61;Casa"/)
  })

  test('are empty for an unknown agency', async () => {
    assert.equal((await visit(t, '/inmobiliarias/nadie/mapa.json')).status, 404)
  })
})
