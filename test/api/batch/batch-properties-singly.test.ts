/**
 * A batch does what its single operations would do (api.md 16): random operations, in a batch for one agency and one at a time for another,
 * give the same results and leave the same listings, history and revisions.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { readPicture } from '../../../src/listings/photos/image.ts'
import { PhotoFailure } from '../../../src/listings/photos/failure.ts'
import { picture, type TestApp, testApp } from '../../support/app/app.ts'
import type { Item } from '../support/batch-results.ts'
import { comparable, endState, inBatch, singly } from '../support/batch-singly.ts'
import { item } from '../support/random-items.ts'

let t: TestApp
before(async () => {
  t = await testApp({
    // Low enough to be reached.
    limits: { state_changes_per_day: 6, disables_per_day: 2, enables_per_day: 2, new_listings_per_hour: 6 },
    geocoder: async ({ address, city }) =>
      address.startsWith('Ruta')
        ? null
        : { lat: -34 - address.length / 100, lng: -58 - (city?.length ?? 0) / 100, status: 'approximate' },
    source: async (address) => {
      if (address.includes('missing')) throw new PhotoFailure('The source answered 404.')
      return Buffer.from(address)
    },
  })
  // The pictures themselves do not matter here, and drawing them is slow.
  const sample = await readPicture(await picture('sample'))
  t.deps.photos.read = async () => sample
})
after(() => t.close())

/** A `sample` of operations on three listings, as a series of batches. */
const batches = fc.array(fc.array(item, { minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 3 })

async function isTheSame(lists: readonly (readonly Item[])[]): Promise<void> {
  const [one, other] = await Promise.all([t.newAgency(), t.newAgency()])
  const together = { id: one.agency.id, key: one.writeKey }
  const apart = { id: other.agency.id, key: other.writeKey }
  for (const items of lists) {
    const results = await inBatch(t, together, items)
    const expected = await singly(t, apart, items)
    assert.deepEqual(results.map(comparable), expected.map(comparable))
  }
  assert.deepEqual(await endState(t, together.id), await endState(t, apart.id))
}

describe('a batch and its operations singly', () => {
  test('give the same results and leave the same data', async () => {
    await fc.assert(fc.asyncProperty(batches, isTheSame), { numRuns: 15 })
  })

  const whole = { title: 'T', type: 'Casa', operation: 'sale', price: { amount: 1, currency: 'USD' } }
  const three = ['a', 'b', 'c'].map((name) => `https://photos.example/${name}.jpg`)
  const published = { ...whole, address: 'Calle 5 100', photos: three, status: 'published' }
  /** Cases that go wrong if items ignore the effects of earlier items. */
  const cases: Record<string, Item[][]> = {
    'created, changed, removed, created again, at one address': [
      [
        { external_id: 'A', action: 'create', ...published },
        { external_id: 'A', action: 'update', title: 'Otra' },
        { external_id: 'A', action: 'delete' },
        { external_id: 'A', action: 'create', ...published },
        { external_id: 'A', action: 'disable', reason: 'sold', close_price: 5 },
        { external_id: 'A', action: 'enable' },
      ],
      [
        { external_id: 'A', action: 'delete' },
        { external_id: 'A', ...published },
      ],
    ],
    'an address freed by an earlier item': [
      [
        { external_id: 'A', address: 'Calle 5 100' },
        { external_id: 'B', address: 'Calle 6 100' },
      ],
      [
        { external_id: 'A', action: 'delete' },
        { external_id: 'C', action: 'create', address: 'Calle 5 100' },
        { external_id: 'B', address: 'Calle 8 100' },
        { external_id: 'A', address: 'Calle 6 100' },
      ],
    ],
    'an address taken by an earlier item': [
      [
        { external_id: 'A', address: 'Calle 5 100' },
        { external_id: 'B', action: 'create', address: 'Calle 5 100' },
        { external_id: 'B', action: 'upsert', title: 'Sin dirección' },
        { external_id: 'B', address: 'calle 5 Nº 100' },
        { external_id: 'C', address: 'Calle 5 100', force_duplicate: true },
      ],
    ],
    'a first attempt that fails during preparation': [
      [
        { external_id: 'A', action: 'create', ...whole, status: 'published' },
        { external_id: 'A', action: 'upsert', ...whole },
        { external_id: 'B', action: 'create', photos: ['https://photos.example/missing.jpg'] },
        { external_id: 'B', title: 'Sin fotos' },
        { external_id: 'B', action: 'update', title: 'Otra' },
      ],
    ],
    'a removal rejected by its limit': [
      [{ external_id: 'A', action: 'create', ...published }],
      ...[1, 2].flatMap((): Item[][] => [
        [
          { external_id: 'A', action: 'disable' },
          { external_id: 'A', action: 'enable' },
        ],
      ]),
      [
        { external_id: 'A', action: 'disable' },
        { external_id: 'A', action: 'delete' },
        { external_id: 'A', action: 'create', address: 'Calle 5 100' },
        { external_id: 'A', status: 'published', title: 'Nueva' },
      ],
    ],
    'an update geocoded with the city of an earlier item': [
      [
        { external_id: 'A', address: 'Diagonal 74 100', location: { city: 'La Plata' } },
        { external_id: 'A', action: 'create', address: 'Diagonal 80 1' },
        { external_id: 'A', address: 'Diagonal 73 1200' },
        { external_id: 'A', action: 'update', location: { city: 'Quilmes' } },
        { external_id: 'A', action: 'update', address: 'Calle 7 100' },
      ],
      [
        { external_id: 'A', action: 'create', address: 'Diagonal 80 1' },
        { external_id: 'A', address: 'Diagonal 77 55' },
        { external_id: 'A', location: { city: 'Berisso' } },
      ],
    ],
    'photos of a listing that an earlier item creates, or fails to': [
      [
        { external_id: 'A', photos: three },
        { external_id: 'A', photos: ['https://photos.example/d.jpg'] },
        { external_id: 'A', action: 'create', photos: ['https://photos.example/e.jpg'] },
        { external_id: 'B', action: 'create', photos: ['https://photos.example/missing.jpg'] },
        { external_id: 'B', photos: three, address: 'Calle 5 100' },
        { external_id: 'C', photos: three, address: 'Calle 5 100' },
        { external_id: 'B', action: 'delete' },
        { external_id: 'B', photos: ['https://photos.example/d.jpg'] },
      ],
      [
        {
          external_id: 'C',
          ...published,
          photos: [...three.slice(0, 2), 'https://photos.example/missing.jpg'],
        },
        { external_id: 'C', ...published },
        { external_id: 'C', ...published, photos: ['https://photos.example/missing.jpg'] },
      ],
    ],
    'a second creation': [
      [{ external_id: 'B', address: 'Calle 6 100' }],
      [
        { external_id: 'A', action: 'create', address: 'Calle 5 100' },
        { external_id: 'A', action: 'create', address: 'Calle 6 100' },
        { external_id: 'A', action: 'create', photos: ['https://photos.example/missing.jpg'] },
        { external_id: 'A', action: 'create', photos: ['http://photos.example/plain.jpg'] },
        { external_id: 'A', action: 'upsert', photos: ['http://photos.example/plain.jpg'] },
        { external_id: 'A', action: 'create', ...whole, status: 'published' },
      ],
    ],
    'more new listings than the limit': [
      Array.from({ length: 9 }, (_, index): Item => ({
        external_id: `N${index}`,
        address: `Calle ${index % 7} 100`,
      })),
      [
        { external_id: 'N8', action: 'create', address: 'Calle 2 100' },
        { external_id: 'N8', title: 'Otra vez' },
        { external_id: 'N0', title: 'Sigue' },
      ],
    ],
  }
  for (const [what, lists] of Object.entries(cases)) test(what, () => isTheSame(lists))
})
