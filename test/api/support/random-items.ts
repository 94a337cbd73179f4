/** Random operations on three listings, including invalid ones, for batches and single operations. */
import fc from 'fast-check'
import type { Item } from './batch-results.ts'

const photo = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.constantFrom('a', 'b', 'c', 'd', 'e').map((name) => `https://photos.example/${name}.jpg`),
  },
  { weight: 2, arbitrary: fc.constant('https://photos.example/missing.jpg') },
  { weight: 1, arbitrary: fc.constant('http://photos.example/plain.jpg') },
)
const often = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })
const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

/** Payloads of an item, including invalid ones. */
const fields = fc.record({
  title: often(fc.constantFrom<unknown>('Casa', 'Casa grande', null, '')),
  type: often(fc.constantFrom<unknown>('casa', 'Lote', 'Castillo')),
  operation: often(fc.constantFrom('sale', 'rent', 'temporary')),
  price: often(
    fc.constantFrom<unknown>(
      { amount: 100, currency: 'USD' },
      { amount: 250.5, currency: 'ARS', period: 'week' },
      { on_request: true },
      { amount: 5 },
      { amount: 1.234, currency: 'USD' },
      null,
    ),
  ),
  address: often(
    fc.constantFrom<unknown>('Calle 5 100', 'Av. Mitre 200', 'Avenida Mitre 200', 'Ruta 7 km 3', null),
  ),
  location: seldom(
    fc.constantFrom<unknown>(
      { city: 'La Plata' },
      { city: 'Quilmes' },
      { lat: -34, lng: -58 },
      { lat: null, lng: null },
      { lat: 1 },
    ),
  ),
  features: seldom(
    fc.constantFrom<unknown>({ rooms: 3 }, { total_m2: 80, orientation: 'n' }, { rooms: 1.5 }),
  ),
  amenities: seldom(fc.constantFrom<unknown>(['pileta'], [], null)),
  photos: seldom(fc.array(photo, { maxLength: 4 })),
  status: seldom(fc.constantFrom('published', 'draft', 'disabled')),
  force_duplicate: seldom(fc.boolean()),
  surprise: fc.oneof(
    { weight: 30, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(1) },
  ),
})
/** A listing that can be published. */
const complete = fc
  .record({
    address: fc.constantFrom('Calle 5 100', 'Calle 6 100', 'Calle 8 100'),
    status: fc.constantFrom('published', 'draft'),
  })
  .map((chosen) => ({
    title: 'Completa',
    type: 'Casa',
    operation: 'sale',
    price: { amount: 1, currency: 'USD' },
    photos: ['a', 'b', 'c'].map((name) => `https://photos.example/${name}.jpg`),
    ...chosen,
  }))
const closing = fc.record({
  reason: often(fc.constantFrom<unknown>('sold', 'rented', 'other', 'bored')),
  close_price: seldom(fc.constantFrom<unknown>(99, { amount: 99, currency: 'ARS' }, 0.001)),
  closed_at: seldom(fc.constantFrom('2026-01-31', 'yesterday')),
})

/** One operation on one of three listings. */
export const item: fc.Arbitrary<Item> = fc
  .tuple(
    fc.constantFrom('A', 'B', 'C'),
    fc.oneof(
      { weight: 4, arbitrary: fc.tuple(fc.constantFrom('upsert', undefined, 'create', 'update'), fields) },
      { weight: 4, arbitrary: fc.tuple(fc.constantFrom('upsert', 'create'), complete) },
      { weight: 2, arbitrary: fc.tuple(fc.constant('disable'), closing) },
      { weight: 2, arbitrary: fc.tuple(fc.constant('enable'), fc.constant({})) },
      { weight: 2, arbitrary: fc.tuple(fc.constant('delete'), fc.constant({})) },
    ),
  )
  .map(
    ([external_id, [action, said]]) => JSON.parse(JSON.stringify({ external_id, action, ...said })) as Item,
  )
