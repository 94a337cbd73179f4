/** Random writes to a few listings, run by random-writes.ts. Values come from small sets, so that fields change and change back. */
import fc from 'fast-check'

const seldom = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 })
const often = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })

const photo = fc
  .constantFrom('a', 'b', 'c', 'd', 'e', 'missing')
  .map((name) => `https://photos.example/${name}.jpg`)
const photos = fc.uniqueArray(photo, { minLength: 1, maxLength: 5 })

const fields = fc.record({
  title: often(fc.constantFrom('Casa', 'Casa grande', 'Ñandú "5"', null)),
  description: seldom(fc.constantFrom('Texto', '', null)),
  type: often(fc.constantFrom('Casa', 'Lote')),
  operation: seldom(fc.constantFrom('sale', 'rent', 'temporary')),
  price: often(
    fc.constantFrom(
      { amount: 100, currency: 'USD' },
      { amount: 250.5, currency: 'ARS' },
      { amount: 0.01, currency: 'USD' },
      { on_request: true },
      null,
    ),
  ),
  expenses: seldom(fc.constantFrom({ amount: 5.25, currency: 'ARS' }, null)),
  address: often(fc.constantFrom('Calle 5 100', 'Av. Mitre 201', 'Ruta 7 km 3', null)),
  location: seldom(
    fc.constantFrom(
      { city: 'La Plata', province: 'Buenos Aires' },
      { city: null },
      { lat: -34.1234567, lng: -58.000001 },
      { lat: 0, lng: 1e-7 },
      { lat: null, lng: null },
    ),
  ),
  features: seldom(
    fc.constantFrom({ rooms: 3, total_m2: 80.25 }, { furnished: false, age_years: 0 }, { rooms: null }, null),
  ),
  amenities: seldom(fc.constantFrom(['pileta', 'a'], ['a', 'pileta'], [], null)),
  video_url: seldom(fc.constantFrom('https://video.example/1', null)),
  video_urls: seldom(fc.constantFrom(['https://video.example/1'], null)),
  virtual_tour_url: seldom(fc.constantFrom('https://tour.example/1', null)),
  rental: seldom(fc.constantFrom({ min_stay: 2 }, { services_included: ['luz'] }, null)),
  force_duplicate: fc.constant(true),
})
/** The requirements for publishing, in part or whole. */
const creation = fc
  .record({
    fields,
    complete: fc.boolean(),
    photos: seldom(photos),
    status: fc.constantFrom('draft', 'published'),
  })
  .map(({ fields: some, complete, photos: urls, status }) => ({
    ...some,
    ...(complete
      ? {
          title: 'Completa',
          type: 'Casa',
          operation: 'sale',
          address: 'Calle 6 102',
          price: { amount: 1, currency: 'USD' },
          rental: undefined,
          photos: ['a', 'b', 'c'].map((name) => `https://photos.example/${name}.jpg`),
          status,
        }
      : { photos: urls }),
  }))
const closing = fc.record({
  reason: often(fc.constantFrom('sold', 'rented', 'other')),
  close_price: seldom(fc.constantFrom(99.5, { amount: 99, currency: 'ARS' })),
  closed_at: seldom(fc.constantFrom('2026-01-31', '2026-02-01T10:00:00.5Z')),
})
const externalId = fc.constantFrom('A', 'B', 'C')

/** The index of one of the listings that exist by then. */
const target = fc.nat(5)
const toListing = (method: string, path: string, body: fc.Arbitrary<unknown>) =>
  fc.record({
    kind: fc.constant('listing' as const),
    method: fc.constant(method),
    path: fc.constant(path),
    target,
    body,
  })

const item = fc
  .tuple(
    externalId,
    fc.oneof(
      fc.tuple(fc.constantFrom('upsert', 'create', 'update'), fields),
      fc.tuple(fc.constantFrom('upsert', 'create'), creation),
      fc.tuple(fc.constant('disable'), closing),
      fc.tuple(fc.constantFrom('enable', 'delete'), fc.constant({})),
    ),
  )
  .map(([external_id, [action, said]]) => ({ external_id, action, ...said }))

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), body: creation }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('put' as const), externalId, body: fc.oneof(fields, creation) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      items: fc.array(item, { minLength: 1, maxLength: 5 }),
    }),
  },
  { weight: 6, arbitrary: toListing('PATCH', '', fields) },
  { weight: 3, arbitrary: toListing('POST', '/photos', fc.record({ urls: photos })) },
  {
    weight: 3,
    arbitrary: toListing('PUT', '/photos', fc.record({ urls: photos, refresh: seldom(fc.boolean()) })),
  },
  { weight: 2, arbitrary: toListing('PUT', '/photos', fc.constant('own photos reversed')) },
  { weight: 3, arbitrary: toListing('POST', '/disable', closing) },
  { weight: 3, arbitrary: toListing('POST', '/enable', fc.constant({})) },
  { weight: 1, arbitrary: toListing('DELETE', '', fc.constant({})) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('reserve' as const, 'release' as const, 'restore' as const),
      target,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('geocode' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('rename' as const), name: fc.constantFrom('Una', 'Otra') }),
  },
)
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

export const randomSteps: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 15, maxLength: 40 })
