/** Blurred places on public pages: no page source, script response or search reveals the door or the point. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { actOnListing } from '../../../../src/listings/writing/write-by-person.ts'
import { setPlaceBlurred } from '../../../../src/listings/writing/set-place-blurred.ts'
import { testApp, type TestApp } from '../../../support/app/app.ts'
import { published, rowOf } from '../../../support/app/listings.ts'
import { shown, visit } from '../visit.ts'

const tiles = { MAP_TILES_URL: 'https://tiles.example/{z}/{x}/{y}.png', MAP_TILES_ATTRIBUTION: 'Somebody' }
const exact = { lat: -34.611_243, lng: -58.417_386 }

let t: TestApp
let hidden: { id: string; url: string }
let open: { id: string; url: string }
before(async () => {
  t = await testApp({ env: tiles })
  const listing = async (door: string, title: string) => {
    const { id, url } = await published(t, {
      title,
      address: `Av. Corrientes ${door} 3º B`,
      location: { city: 'CABA', province: 'CABA', ...exact },
      description: 'Tres ambientes al frente.',
    })
    return { id, url: String(url) }
  }
  hidden = await listing('4821', 'Reservado en Balvanera')
  open = await listing('4933', 'A la vista en Balvanera')
  await blur(hidden.id, true)
})
after(() => t.close())

async function blur(id: string, isBlurred: boolean): Promise<void> {
  const actor = { kind: 'person' as const, id: null, name: 'Ana', requestId: null }
  const { id: uuid } = await rowOf(t, id)
  await actOnListing(t.deps, t.agency.id, uuid, null, actor, (context, before) =>
    setPlaceBlurred(context, before, isBlurred),
  )
}

/** Everything that visitors can request, with headers. */
async function everything(): Promise<Map<string, string>> {
  const agency = `/inmobiliarias/${t.agency.slug}`
  const paths = ['', '/en'].flatMap((edition) => [
    edition + hidden.url.replace('https://listings.test', ''),
    edition + open.url.replace('https://listings.test', ''),
    edition + agency,
    `${edition}${agency}?q=Balvanera`,
    `${edition}${agency}/mapa.json`,
  ])
  paths.push('/sitemap.xml')
  const sitemap = await visit(t, '/sitemap.xml')
  for (const [, url = ''] of sitemap.text.matchAll(/<loc>([^<]+)<\/loc>/g))
    paths.push(url.replace('https://listings.test', ''))
  const texts = new Map<string, string>()
  for (const path of paths) {
    const response = await visit(t, path)
    assert.equal(response.status, 200, path)
    texts.set(path, JSON.stringify([...response.headers]) + response.text)
  }
  return texts
}

test('nothing that visitors can request of a blurred listing contains the door, the unit or the point', async () => {
  const traces = [/4821/, /3º B/, /34[.,]6112/, /58[.,]417\d/, /11243/, /17386/]
  for (const [path, text] of await everything()) {
    // The other listing is at the same point, and shows it.
    const own = path.includes(open.id) || path.includes('mapa.json') ? traces.slice(0, 1) : traces
    for (const trace of own) assert.doesNotMatch(text, trace, `${path} ${trace}`)
  }
})

describe('the page of a blurred listing', () => {
  test('names the street and the hundred, and has a circle', async () => {
    const page = await shown(t, hidden.url)
    assert.match(page, /Avenida Corrientes al 4800/)
    const { lat, lng } = t.deps.blurredPlace(exact.lat, exact.lng)
    assert.match(page, new RegExp(`data-lat="${lat}" data-lng="${lng}" data-radius="300"`))
    assert.match(page, /Pedile la dirección exacta a la inmobiliaria/)
    const [, json = ''] =
      /<script type="application\/ld\+json">\s*(\{.*?"RealEstateListing".*?\})\s*<\/script>/s.exec(page) ?? []
    const { mainEntity } = JSON.parse(json)
    assert.equal(mainEntity.address.streetAddress, 'Avenida Corrientes al 4800')
    assert.deepEqual(mainEntity.geo, {
      '@type': 'GeoCircle',
      geoMidpoint: { '@type': 'GeoCoordinates', latitude: lat, longitude: lng },
      geoRadius: 300,
    })
    assert.match(page, new RegExp(`openstreetmap\\.org/#map&#61;15/${lat}/${lng}"`))
    assert.doesNotMatch(page, /mlat/)
  })

  test('is unaffected for the agency’s own keys', async () => {
    const { data } = (await t.ask('GET', `/properties/${hidden.id}`, { key: t.readKey })).body as unknown as {
      data: { address: string; location: object; location_status: string }
    }
    assert.equal(data.address, 'Av. Corrientes 4821 3º B')
    assert.deepEqual(data.location, { city: 'CABA', province: 'CABA', neighborhood: null, ...exact })
    assert.equal(data.location_status, 'manual')
  })
})

describe('a search by visitors for a blurred listing', () => {
  const found = async (q: string) => {
    const page = await shown(t, `/inmobiliarias/${t.agency.slug}?q=${encodeURIComponent(q)}`)
    const { text } = await visit(t, `/inmobiliarias/${t.agency.slug}/mapa.json?q=${encodeURIComponent(q)}`)
    for (const { id } of [hidden, open]) assert.equal(page.includes(id), text.includes(id), q)
    return { hidden: page.includes(hidden.id), open: page.includes(open.id) }
  }
  test('does not find the door', async () => {
    assert.deepEqual(await found('4821'), { hidden: false, open: false })
    assert.deepEqual(await found('Corrientes 482'), { hidden: false, open: false })
    assert.deepEqual(await found('482'), { hidden: false, open: false })
    assert.deepEqual(await found('4933'), { hidden: false, open: true })
  })
  test('finds street, city and title', async () => {
    for (const words of ['corrientes', 'CABA', 'Balvanera'])
      assert.deepEqual(await found(words), { hidden: true, open: true })
    assert.deepEqual(await found('reservado'), { hidden: true, open: false })
  })
  test('finds numbers in the title', async () => {
    await t.ask('PATCH', `/properties/${hidden.id}`, { body: { title: 'Reservado, 48 m² en Balvanera' } })
    assert.deepEqual(await found('48 m'), { hidden: true, open: false })
    await t.ask('PATCH', `/properties/${hidden.id}`, { body: { title: 'Reservado en Balvanera' } })
  })
})

test('the exact location of a listing is back once it is shown exactly again', async () => {
  await blur(hidden.id, false)
  const page = await shown(t, hidden.url)
  assert.match(page, /Av\. Corrientes 4821 3º B/)
  assert.match(page, /data-lat="-34\.611243" data-lng="-58\.417386"/)
  await blur(hidden.id, true)
})

test('a blurred listing’s page works without coordinates, or if no part of the address is certain', async () => {
  const { id, url } = await published(t, {
    address: '11 de Septiembre de 1888 4000',
    location: { city: 'Núñez', province: null },
  })
  await blur(id, true)
  const page = await shown(t, String(url))
  assert.doesNotMatch(page, /Septiembre|4000|data-lat/)
  assert.match(page, /Núñez/)
})
