/** A published listing always meets the requirements for publishing, however it is edited (api.md 10.2). */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type ApiResponse, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  draft,
  leavingNothing,
  published,
  refused,
  type Shown,
} from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const ways: Record<string, (listing: Shown, body: unknown) => Promise<ApiResponse>> = {
  PATCH: ({ id }, body) => t.ask('PATCH', `/properties/${id}`, { body }),
  PUT: ({ external_id }, body) => t.ask('PUT', `/properties/external/${external_id}`, { body }),
}
const make = (changes: object = {}) => published(t, { external_id: randomUUID(), ...changes })
const temporary = { operation: 'temporary', price: { amount: 5, currency: 'USD', period: 'night' } }

const breaking: [body: object, missing: string[], of?: object][] = [
  [{ title: null }, ['title']],
  [{ type: null }, ['type']],
  [{ address: null }, ['address']],
  [{ operation: null, price: {} }, ['operation']],
  [{ price: null }, ['price']],
  [{ price: { amount: null, currency: null } }, ['price']],
  [{ price: { on_request: false } }, ['price'], { price: { on_request: true } }],
  [{ price: null }, ['price'], { price: { on_request: true } }],
  [{ operation: 'temporary', price: { amount: 7 } }, ['price.period']],
  [{ price: { period: null } }, ['price.period'], temporary],
  [{ price: null }, ['price', 'price.period'], temporary],
  [{ title: null, type: null, address: null, price: null }, ['title', 'type', 'address', 'price']],
]

for (const [way, edit] of Object.entries(ways)) {
  describe(`a published listing under ${way}`, () => {
    for (const [body, missing, of] of breaking) {
      test(`refuses ${JSON.stringify(body)}, which breaks ${missing.join(', ')}`, async () => {
        const listing = await make(of)
        const response = await leavingNothing(t, () => edit(listing, { ...body, description: 'also' }))
        assert.deepEqual(refused(response, 'not_publishable')['missing'], missing)
      })
    }

    test('is unlike a draft and a suspended one, which may lose all required fields', async () => {
      const body = { title: null, type: null, address: null, operation: null, price: null }
      const unpublished = await draft(t, { external_id: randomUUID(), title: 'Casa', operation: 'sale' })
      const disabled = await make()
      accepted(await t.ask('POST', `/properties/${disabled.id}/disable`))
      for (const listing of [unpublished, disabled])
        assert.equal(accepted(await edit(listing, body)).title, null)
    })

    test('may lose optional fields', async () => {
      const listing = await make({
        description: 'x',
        features: { rooms: 2 },
        expenses: { amount: 1, currency: 'ARS' },
      })
      const body = {
        description: null,
        features: null,
        expenses: null,
        location: null,
        price: { on_request: true },
      }
      assert.equal(accepted(await edit(listing, body)).status, 'published')
    })
  })
}

test('a published listing keeps at least three photos', async () => {
  const listing = await make()
  for (const photos of [listing.photos.slice(1), [], null]) {
    const response = await leavingNothing(t, () => ways['PATCH']!(listing, { photos }))
    assert.deepEqual(refused(response, 'insufficient_photos')['missing'], ['photos'])
  }
  const both = await leavingNothing(t, () => ways['PATCH']!(listing, { photos: [], title: null }))
  assert.deepEqual(refused(both, 'not_publishable')['missing'], ['title', 'photos'])
})

test('one of two simultaneous edits that together would break a published listing is refused', async () => {
  const listing = await make({
    photos: Array.from({ length: 4 }, () => `https://photos.example/${randomUUID()}.jpg`),
  })
  const responses = await Promise.all(
    listing.photos.map((out) =>
      ways['PATCH']!(listing, { photos: listing.photos.filter((photo) => photo !== out) }),
    ),
  )
  // The later one names a photo that the listing no longer has.
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 400, 400, 400])
  assert.equal(accepted(await t.ask('GET', `/properties/${listing.id}`)).photos.length, 3)
})
