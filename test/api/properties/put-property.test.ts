/**
 * `PUT /properties/external/{external_id}` (api.md 15.9): creates the listing if none has that id, otherwise changes only the sent
 * fields.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { freshAddress, photoUrls, publishable, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  draft,
  historyOf,
  leavingNothing,
  listingOf,
  published,
  refused,
  revisionOf,
  usageOf,
  warningsOf,
} from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const put = (external: string, body: unknown, key = t.writeKey) =>
  t.ask('PUT', `/properties/external/${external}`, { body, key })

describe('PUT creates', () => {
  test('a draft with the id of the path, from an empty body', async () => {
    const external = `A.b_c:d-${randomUUID()}`
    const response = await put(external, {})
    const made = accepted(response, 201)
    assert.deepEqual([made.status, made.external_id], ['draft', external])
    assert.deepEqual(warningsOf(response), [])
    assert.deepEqual(accepted(await t.ask('GET', `/properties/external/${external}`)), made)
    assert.deepEqual(
      (await historyOf(t, made.id)).map(({ action, request_id }) => [action, request_id]),
      [['created', response.headers.get('x-request-id')]],
    )
  })

  test('with the same id in the body too', async () => {
    const external = randomUUID()
    assert.equal(
      accepted(await put(external, { external_id: external, force_duplicate: true }), 201).external_id,
      external,
    )
  })

  test('a published listing by the rules of creation', async () => {
    const made = accepted(await put(randomUUID(), publishable()), 201)
    assert.equal(made.status, 'published')
    assert.equal(made.published_at, made.created_at)
    assert.equal(made.photos.length, 3)
  })

  for (const [code, changes] of [
    ['insufficient_photos', { photos: photoUrls(2) }],
    ['too_many_photos', { photos: photoUrls(51) }],
    ['not_publishable', { title: null }],
    ['photo_ingest_failed', { photos: photoUrls(3, 'missing') }],
    ['invalid_parameter', { price: { amount: 1, currency: 'USD', period: 'month' } }],
  ] as const) {
    test(`nothing if it is refused: ${code}`, async () => {
      refused(await leavingNothing(t, () => put(randomUUID(), publishable(changes))), code)
    })
  }

  test('the listing again if it was removed or no longer has its id', async () => {
    const external = randomUUID()
    const first = accepted(await put(external, { title: 'Uno' }), 201)
    accepted(await t.ask('DELETE', `/properties/${first.id}`))
    const second = accepted(await put(external, {}), 201)
    assert.notEqual(second.id, first.id)
    assert.equal(second.title, null)
    accepted(await t.ask('PATCH', `/properties/${second.id}`, { body: { external_id: null } }))
    accepted(await put(external, {}), 201)
  })

  test('separate listings for each agency', async () => {
    const external = randomUUID()
    const own = accepted(await put(external, {}), 201)
    const foreign = accepted(await put(external, {}, t.other.writeKey), 201)
    assert.notEqual(own.id, foreign.id)
  })
})

describe('PUT updates', () => {
  test('only the fields sent, merged like a PATCH', async () => {
    const external = randomUUID()
    const made = accepted(
      await put(external, {
        title: 'Uno',
        description: 'Texto',
        operation: 'sale',
        price: { amount: 5, currency: 'USD' },
        features: { rooms: 2, garages: 1 },
        amenities: ['a', 'b'],
      }),
      201,
    )
    const response = await put(external, {
      title: 'Dos',
      description: null,
      price: { amount: 6 },
      features: { garages: null },
      amenities: ['c'],
    })
    const after = accepted(response)
    assert.deepEqual(after, {
      ...made,
      title: 'Dos',
      description: null,
      price: { ...made.price, amount: 6 },
      features: { ...made.features, garages: null },
      amenities: ['c'],
      updated_at: after.updated_at,
    })
    assert.ok(after.updated_at > made.updated_at)
    assert.deepEqual(warningsOf(response), [])
  })

  test('the operation only along with the price', async () => {
    const external = randomUUID()
    accepted(await put(external, { operation: 'sale', price: { on_request: true } }), 201)
    refused(await leavingNothing(t, () => put(external, { operation: 'rent' })), 'invalid_parameter', 'price')
    assert.equal(accepted(await put(external, { operation: 'rent', price: {} })).price.period, 'month')
  })

  test('neither state nor photos, with a warning', async () => {
    const external = randomUUID()
    const made = accepted(await put(external, {}), 201)
    const { used } = (await usageOf(t)).photos_per_day
    for (const [body, warnings] of [
      [{ status: 'published' }, ['status_ignored status']],
      [{ status: 'draft' }, ['status_ignored status']],
      [{ photos: photoUrls(3) }, ['photos_ignored photos']],
      [{ photos: photoUrls(51) }, ['photos_ignored photos']],
      [{ photos: [] }, ['photos_ignored photos']],
      [
        publishable({ title: 'Otra', force_duplicate: true }),
        ['photos_ignored photos', 'status_ignored status'],
      ],
    ] as [object, string[]][]) {
      const response = await put(external, body)
      const after = accepted(response)
      assert.deepEqual([after.status, after.photos], ['draft', []])
      assert.deepEqual(warningsOf(response).sort(), warnings)
    }
    assert.equal((await usageOf(t)).photos_per_day.used, used)
    assert.equal(accepted(await t.ask('GET', `/properties/${made.id}`)).title, 'Otra')
  })

  test('a suspended and a published listing, which keep their state', async () => {
    for (const disable of [false, true]) {
      const made = await published(t, { external_id: randomUUID() })
      if (disable) accepted(await t.ask('POST', `/properties/${made.id}/disable`))
      const after = accepted(
        await put(made.external_id ?? '', { status: disable ? 'published' : 'draft', title: 'Otra' }),
      )
      assert.deepEqual(
        [after.status, after.photos, after.title],
        [disable ? 'disabled' : 'published', made.photos, 'Otra'],
      )
    }
  })

  test('nothing more when repeated', async () => {
    const external = randomUUID()
    for (const body of [
      {
        title: 'Uno',
        operation: 'rent',
        price: { amount: 1, currency: 'USD' },
        features: { rooms: 2 },
        address: freshAddress(),
      },
      publishable({ title: 'Dos', operation: 'sale' }),
      { features: null, amenities: ['a'] },
    ]) {
      const first = await put(external, body)
      const revision = await revisionOf(t)
      for (let times = 0; times < 2; times += 1) {
        const again = await put(external, body)
        assert.deepEqual(accepted(again), listingOf(first))
        assert.equal(again.headers.get('etag'), first.headers.get('etag'))
      }
      assert.equal(await revisionOf(t), revision)
    }
  })
})

describe('PUT refuses', () => {
  test('an external id in the body that differs from the path', async () => {
    const { external_id } = await draft(t, { external_id: randomUUID() })
    for (const external of [external_id ?? '', randomUUID()]) {
      for (const other of [randomUUID(), external.toUpperCase(), null]) {
        const body = { external_id: other, title: 'x' }
        refused(await leavingNothing(t, () => put(external, body)), 'invalid_parameter', 'external_id')
      }
    }
  })

  test('an invalid external id', async () => {
    for (const external of ['a'.repeat(65), 'a%20b', 'a%2Fb', '%C3%B1', '@', 'a%0A']) {
      refused(await put(external, {}), 'invalid_parameter', 'external_id')
    }
    accepted(await put('a'.repeat(64), {}), 201)
  })

  test('invalid fields, on creation and update alike, and a body that is not an object', async () => {
    const { external_id } = await draft(t, { external_id: randomUUID() })
    for (const external of [external_id ?? '', randomUUID()]) {
      for (const [parameter, body] of [
        ['title', { title: '' }],
        ['features.rooms', { features: { rooms: -1 } }],
        ['status', { status: 'removed' }],
        ['id', { id: 'x' }],
        ['body', []],
        ['location.lng', { location: { lat: 1 } }],
        ['price.period', { price: { period: 'month' } }],
      ] as const) {
        refused(await leavingNothing(t, () => put(external, body)), 'invalid_parameter', parameter)
      }
      refused(await t.ask('PUT', `/properties/external/${external}`), 'invalid_parameter', 'body')
    }
  })

  test('the status disabled on creation; an update ignores it like any status', async () => {
    const { external_id, status } = await draft(t, { external_id: randomUUID() })
    const created = await leavingNothing(t, () => put(randomUUID(), { status: 'disabled' }))
    refused(created, 'invalid_parameter', 'status')
    const updated = await put(external_id ?? '', { status: 'disabled' })
    assert.equal(accepted(updated, 200).status, status)
    assert.deepEqual(warningsOf(updated), ['status_ignored status'])
  })
})
