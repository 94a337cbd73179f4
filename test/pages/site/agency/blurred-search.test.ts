/**
 * Visitors' searches for blurred places: a listing is found by title, city and the displayed address, and by no other word of its
 * address, however it is spelled.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { blurredAddress } from '../../../../src/listings/addresses/blurred-address.ts'
import { actOnListing } from '../../../../src/listings/writing/write-by-person.ts'
import { setPlaceBlurred } from '../../../../src/listings/writing/set-place-blurred.ts'
import { recomputeAddresses } from '../../../../src/listings/upkeep/recompute-addresses.ts'
import { foldForSearch } from '../../../../src/listings/addresses/fold.ts'
import { searchWords } from '../../../../src/listings/reading/list/search.ts'
import { testApp, type TestApp } from '../../../support/app/app.ts'
import { accepted, published, rowOf } from '../../../support/app/listings.ts'
import { shown, visit } from '../visit.ts'

const tiles = { MAP_TILES_URL: 'https://tiles.example/{z}/{x}/{y}.png', MAP_TILES_ATTRIBUTION: 'Somebody' }
const title = 'Zafiro reservado'
const place = { city: 'Quilmes', province: 'Buenos Aires', lat: -34.72, lng: -58.25 }

let t: TestApp
let id: string
before(async () => {
  t = await testApp({ env: { GEOCODER: 'none', ...tiles } })
  const made = await published(t, { external_id: 'HIDDEN', title, address: 'Lavalle 1', location: place })
  ;({ id } = made)
  const actor = { kind: 'person' as const, id: null, name: 'Ana', requestId: null }
  const { id: uuid } = await rowOf(t, id)
  await actOnListing(t.deps, t.agency.id, uuid, null, actor, (context, before) =>
    setPlaceBlurred(context, before, true),
  )
})
after(() => t.close())

/** Whether visitors find it, on the page and on the map. */
async function isFound(q: string): Promise<boolean> {
  const path = `/inmobiliarias/${t.agency.slug}`
  const query = `?q=${encodeURIComponent(q)}`
  const [page, map] = [await shown(t, path + query), await visit(t, `${path}/mapa.json${query}`)]
  assert.equal(page.includes(id), map.text.includes(id), q)
  return page.includes(id)
}

const streets = [
  'Corrientes',
  'Av. Hipólito Yrigoyen',
  'Pje. Bollini',
  'Diag. 74',
  'Calle 54',
  '9 de Julio',
  '33 Orientales',
  'Bv. Oroño',
  'Ortega y Gasset',
]
const others = ['Uruguay', 'Talcahuano', 'Av. Independencia', 'Ituzaingó']
const street = fc.constantFrom(...streets)
const other = fc.constantFrom(...others)
const door = fc.integer({ min: 2, max: 9_999 }).map(String)
const spelled = fc.constantFrom(
  'mil doscientos tres',
  'cuatrocientos siete',
  'cincuenta y ocho',
  'veintitrés',
)
const building = fc.constantFrom('Edificio Kavanagh', 'Torre Alvear', 'Galería Güemes')
const unit = fc.constantFrom('', ' 3º B', ', piso 7 depto C', ' PB', ' UF 12')

/** Addresses in people's own spelling. */
const address = fc.oneof(
  fc.tuple(street, door, unit).map(([name, n, rest]) => `${name} Nº ${n}${rest}`),
  fc.tuple(street, door, other, other).map(([name, n, one, two]) => `${name} Nº ${n} entre ${one} y ${two}`),
  fc.tuple(street, door, other).map(([name, n, one]) => `${name} Nº ${n} esq. ${one}`),
  fc.tuple(street, door, building).map(([name, n, of]) => `${name} Nº ${n}, ${of}`),
  fc.tuple(building, street, door).map(([of, name, n]) => `${of}, ${name} Nº ${n}`),
  fc.tuple(street, spelled, unit).map(([name, n, rest]) => `${name} ${n}${rest}`),
  fc
    .tuple(street, fc.constantFrom('y', 'esquina', 'casi', '/', '&', 'e'), other)
    .map((words) => words.join(' ')),
  fc.tuple(street, other, other).map(([name, one, two]) => `${name} (entre ${one} y ${two})`),
  fc
    .tuple(door, fc.constantFrom('Av. Corrientes', 'Corrientes', 'Calle Lavalle'))
    .map((words) => words.join(' ')),
)

test('no hidden word of an address finds its listing, and all displayed words do', async () => {
  let hidden = 0
  await fc.assert(
    fc.asyncProperty(address, fc.boolean(), async (written, isBatch) => {
      const item = { external_id: 'HIDDEN', address: written, location: place, force_duplicate: true }
      // One listing and several are written by different statements.
      if (isBatch) {
        const items = [item, { external_id: 'OTHER', title: 'Otra' }]
        assert.equal((await t.ask('POST', '/properties/batch', { body: { items } })).status, 200)
      } else
        accepted(
          await t.ask('PATCH', `/properties/${id}`, {
            body: { address: written, location: place, force_duplicate: true },
          }),
        )
      const blurred = blurredAddress(written, place) ?? ''
      const told = [title, blurred, place.city]
      for (const word of told.flatMap(searchWords)) assert.ok(await isFound(word), `${written}: ${word}`)
      const texts = told.map(foldForSearch)
      for (const word of searchWords(written)) {
        if (texts.some((text) => text.includes(word))) continue
        hidden += 1
        assert.ok(!(await isFound(word)), `${written}: ${word}`)
        assert.ok(!(await isFound(`zafiro ${word}`)), `${written}: ${word}`)
      }
    }),
    { numRuns: 40 },
  )
  assert.ok(hidden > 40)
})

test('hidden words of an address are not counted in empty results either', async () => {
  accepted(
    await t.ask('PATCH', `/properties/${id}`, {
      body: { address: 'Corrientes 4821 esq. Uruguay', location: place },
    }),
  )
  const path = `/inmobiliarias/${t.agency.slug}`
  const without = async (q: string) => (await shown(t, `${path}?q=${q}&bedrooms=40`)).replaceAll(q, 'WORD')
  assert.equal(await without('uruguay'), await without('nowhere'))
})

test('an address stored by an older version is not searchable until it is recomputed', async () => {
  accepted(
    await t.ask('PATCH', `/properties/${id}`, { body: { address: 'Av. Corrientes 4821', location: place } }),
  )
  await t.deps.db
    .updateTable('properties')
    .set({ rough_folded: null })
    .where('agency_id', '=', t.agency.id)
    .where('public_id', '=', id)
    .execute()
  // Search results are cached per revision.
  accepted(await t.ask('POST', '/properties', { body: { title: 'Otra más' } }), 201)
  for (const [word, found] of [
    ['avenida', false],
    ['corrientes', false],
    ['4800', false],
    ['zafiro', true],
    ['quilmes', true],
  ] as const)
    assert.equal(await isFound(word), found, word)
  assert.equal(await recomputeAddresses(t.deps, 100), 1)
  assert.equal(await recomputeAddresses(t.deps, 100), 0)
  accepted(await t.ask('POST', '/properties', { body: { title: 'Otra más' } }), 201)
  for (const word of ['avenida', 'corrientes', '4800', 'zafiro', 'quilmes'])
    assert.ok(await isFound(word), word)
  assert.ok(!(await isFound('4821')))
})

test('the longest texts fit into the index of visitors’ searches', async () => {
  const letters = (count: number) =>
    Array.from({ length: count }, (_, n) => String.fromCodePoint(0x20_000 + ((n * 7919) % 42_000))).join('')
  const body = {
    title: letters(200),
    address: `${letters(60)} 99999, ${letters(130)}`,
    location: { ...place, city: letters(80), province: letters(80) },
    force_duplicate: true,
  }
  accepted(await t.ask('PATCH', `/properties/${id}`, { body }))
  assert.ok(await isFound(letters(20)))
})

test('the agency’s own keys search the full address', async () => {
  const body = { title, address: 'Av. Corrientes 4821 esq. Uruguay', location: place }
  accepted(await t.ask('PATCH', `/properties/${id}`, { body }))
  const found = async (query: string) => {
    const response = await t.ask('GET', `/properties?${query}`)
    return (response.body as unknown as { data: { id: string }[] }).data.some((one) => one.id === id)
  }
  for (const word of ['4821', 'uruguay', 'corrientes']) {
    assert.ok(await found(`q=${word}`), word)
    assert.ok(await found(`neighborhood=${word}`), word)
  }
  for (const word of ['avenida', '4800']) assert.ok(!(await found(`q=${word}`)), word)
})
