/**
 * `GET /properties` compared with an oracle (api.md 14, 14.4): hundreds of random queries over hundreds of listings of two agencies. Each
 * run uses a new seed and prints it; `FC_SEED` repeats a run, and `FC_RUNS` makes it longer.
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type TestApp, publishable, testApp } from '../../support/app/app.ts'
import { draft, published, type Shown } from '../../support/app/listings.ts'
import { fieldNames } from '../../support/app/fields.ts'
import { responseTo, base, found, type Known, type Query } from '../support/list-oracle.ts'
import { cities, moments, seedListings, types } from '../support/seeded-listings.ts'

const atOnce = 10
const runs = {
  seed: Number(process.env['FC_SEED'] ?? randomInt(2 ** 31)),
  numRuns: Number(process.env['FC_RUNS'] ?? 40),
}

let t: TestApp
let known: Known[]

before(async () => {
  t = await testApp()
  known = [
    ...(await seedListings(t, t.agency, 330, 1)),
    ...(await seedListings(t, t.other.agency, 60, 2)),
    ...(await Promise.all([
      published(t, { title: 'Ático por la API', external_id: 'API-1' }),
      published(t, publishable({ operation: 'rent', price: { amount: 1500, currency: 'ARS' } })),
      draft(t, { title: 'BORRADOR por la API', location: { city: 'córdoba' } }),
    ]).then((listings) => listings.map(asKnown))),
  ]
})
after(() => t.close())

/** The API's data of a listing it created, for the oracle. */
function asKnown(listing: Shown): Known {
  return {
    agency_id: t.agency.id,
    agency: { name: t.agency.name, slug: t.agency.slug },
    id: listing.id,
    external_id: listing.external_id,
    status: listing.status as Known['status'],
    removed: false,
    title: listing.title,
    description: null,
    operation: listing.operation as Known['operation'],
    type: listing.type,
    amount: listing.price.amount,
    currency: listing.price.currency as Known['currency'],
    period: (listing.price.period ?? null) as Known['period'],
    on_request: listing.price.on_request,
    address: listing.address,
    city: listing.location.city,
    province: listing.location.province,
    lat: listing.location.lat,
    lng: listing.location.lng,
    location_status: listing.location_status,
    features: {},
    photos: listing.photos.map((url) => url.split('/').at(-2) ?? ''),
    published_at: listing.published_at,
    created_at: listing.created_at,
    updated_at: listing.updated_at,
  }
}

const sometimes = <T>(arbitrary: fc.Arbitrary<T>, never = 5) =>
  fc.oneof({ weight: never, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

/** The text in another case, with or without accents. */
const mangled = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.nat({ max: 5 })).map(([original, how]) => {
    if (how === 0) return original.toUpperCase()
    if (how === 1) return original.toLowerCase().normalize('NFD')
    if (how === 2) return original.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '')
    if (how === 3) return original.replace('a', 'Á').replace('n', 'ñ')
    return original
  })

/** Part of a title, an address or a city. */
const piece = fc
  .tuple(fc.nat({ max: 299 }), fc.nat({ max: 2 }), fc.nat({ max: 20 }), fc.integer({ min: 1, max: 12 }))
  .map(([index, which, start, length]) => {
    const listing = known[index]
    const text = Array.from([listing?.title, listing?.address, listing?.city][which] ?? 'La Plata')
    return text.slice(start % text.length, (start % text.length) + length).join('')
  })
  .map((text) => (/[\p{L}\p{N}.'/-]/u.test(text) ? text : 'casa'))

const amount = fc.oneof(
  fc.constantFrom(0, 1, 99.99, 100, 100.01, 1500, 100_000, 1e12),
  fc.nat({ max: 200_000_00 }).map((cents) => cents / 100),
)
const area = fc.oneof(
  fc.constantFrom(0, 35.5, 50, 50.25, 120, 1e7),
  fc.nat({ max: 20_000 }).map((m2) => m2 / 100),
)
const noise = fc.constantFrom('', '%', '_', '\\', '"', ';', '🏡', '(', '&')

const query: fc.Arbitrary<Query> = fc
  .record({
    operation: sometimes(fc.constantFrom('sale', 'rent', 'temporary')),
    type: sometimes(mangled(fc.constantFrom(...types, 'Hotel'))),
    city: sometimes(mangled(fc.oneof(fc.constantFrom(...cities, '%', '_', 'plata'), piece))),
    neighborhood: sometimes(mangled(piece)),
    prices: sometimes(
      fc.record({
        min_price: sometimes(amount, 1),
        max_price: sometimes(amount, 1),
        currency: fc.constantFrom('USD', 'ARS'),
      }),
    ),
    bedrooms: sometimes(fc.nat({ max: 6 })),
    bathrooms: sometimes(fc.nat({ max: 6 })),
    min_m2: sometimes(area),
    max_m2: sometimes(area),
    q: sometimes(
      fc
        .tuple(mangled(piece), noise, sometimes(mangled(piece), 2))
        .map((parts) => parts.join(' ').slice(0, 80)),
      3,
    ),
    updated_since: sometimes(
      fc
        .tuple(fc.constantFrom(...moments), fc.constantFrom('', 'Z', '+00:00', '-03:00'))
        .map(([moment, zone]) => moment.slice(0, -1) + zone),
    ),
    status: sometimes(fc.constantFrom('published', 'draft', 'disabled', 'all'), 1),
    external_id: sometimes(
      fc.oneof(
        fc.nat({ max: 330 }).map((index) => `E-1.${index}`),
        fc.constant('API-1'),
      ),
      20,
    ),
    sort: sometimes(fc.constantFrom('recent', 'price_asc', 'price_desc', 'updated'), 1),
    page: sometimes(fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 200 })), 1),
    per_page: sometimes(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 50 })), 1),
    fields: sometimes(
      fc.subarray(fieldNames, { minLength: 1 }).map((names) => names.join(',')),
      2,
    ),
  })
  .map(({ prices, ...rest }) =>
    Object.fromEntries(Object.entries({ ...rest, ...prices }).filter(([, value]) => value !== undefined)),
  )

/** @param again whether to repeat the request with the ETag of its response */
async function check(sent: Query, key: string, agencyId: string, again: boolean): Promise<void> {
  const parameters = new URLSearchParams(
    Object.entries(sent).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const path = `/properties?${parameters}`
  const { status, body, headers, text } = await t.ask('GET', path, { key })
  assert.equal(status, 200, `${path} → ${text}`)
  const { data, meta, links } = body as unknown as {
    data: { id: string }[]
    meta: object
    links: Record<string, string | null>
  }
  const expected = responseTo(known, agencyId, sent)
  // Compare the codes first: their diff fits on one line.
  assert.deepEqual(
    data.map(({ id }) => id),
    expected.data.map(({ id }) => id),
    path,
  )
  assert.deepEqual(data, expected.data, path)
  assert.deepEqual(meta, expected.meta, path)
  for (const name of ['self', 'next', 'prev'] as const) assertLink(links[name] ?? null, expected.links[name])
  const etag = headers.get('etag') ?? ''
  assert.match(etag, /^"[\w-]+"$/)
  if (!again) return
  assert.equal((await t.ask('GET', path, { key, headers: { 'if-none-match': etag } })).status, 304)
}

function assertLink(link: string | null, expected: Query | null): void {
  if (link === null || expected === null) return assert.equal(link, expected)
  const { origin, pathname, searchParams } = new URL(link)
  assert.equal(origin + pathname, `${base}/api/v1/properties`)
  assert.deepEqual(
    Object.fromEntries(searchParams),
    Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, String(value)])),
  )
}

test('a list responds to random queries of a key with write scope as docs/api.md specifies', async (context) => {
  context.diagnostic(`FC_SEED=${runs.seed}`)
  const property = fc.asyncProperty(
    fc.array(query, { minLength: atOnce, maxLength: atOnce }),
    async (queries) => {
      await Promise.all(queries.map((sent, index) => check(sent, t.writeKey, t.agency.id, index % 3 === 0)))
    },
  )
  await fc.assert(property, runs)
})

test('a list responds to random queries of a read-only key, and of another agency', async () => {
  const property = fc.asyncProperty(
    fc.array(query, { minLength: atOnce, maxLength: atOnce }),
    async (queries) => {
      await Promise.all(
        queries.map(async ({ status, ...rest }, index) => {
          if (index % 4 === 0)
            return check(
              { ...rest, ...(status === undefined ? {} : { status }) },
              t.other.writeKey,
              t.other.agency.id,
              false,
            )
          const own = status === 'published' ? { ...rest, status } : rest
          await check(own, t.readKey, t.agency.id, index % 3 === 0)
        }),
      )
    },
  )
  await fc.assert(property, { ...runs, numRuns: Math.ceil(runs.numRuns / 4) })
})

test('a list links through every page, with each listing once', async () => {
  const sorts = ['recent', 'price_asc', 'price_desc', 'updated']
  for (const sort of sorts) {
    for (const [status, per_page] of [
      ['all', 17],
      ['published', 50],
      ['disabled', 9],
    ] as const) {
      const expected = found(known, t.agency.id, { sort, status }).map(({ id }) => id)
      const seen: string[] = []
      let path: string | null = `/properties?sort=${sort}&status=${status}&per_page=${per_page}&fields=id`
      let previous: string | null = null
      while (path !== null) {
        const { body } = await t.ask('GET', path)
        const { data, links } = body as unknown as {
          data: { id: string }[]
          links: Record<string, string | null>
        }
        assert.equal(links['prev'] ?? null, previous)
        seen.push(...data.map(({ id }) => id))
        previous = links['self'] ?? null
        path = links['next']?.replace(`${base}/api/v1`, '') ?? null
      }
      assert.deepEqual(seen, expected)
    }
  }
})

test('a list ends at page 200, whatever remains', async () => {
  const total = found(known, t.agency.id, { status: 'all' }).length
  assert.ok(total > 201)
  const { body } = await t.ask('GET', '/properties?status=all&per_page=1&page=200')
  const { data, meta, links } = body as unknown as {
    data: unknown[]
    meta: object
    links: Record<string, string | null>
  }
  assert.deepEqual(
    [data.length, meta, links['next']],
    [1, { page: 200, per_page: 1, total, total_pages: total }, null],
  )
  assert.match(links['prev'] ?? '', /page=199/)
})
