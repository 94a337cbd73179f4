/** Warnings (api.md 9.7): every write returns a list of them beside `data`, which may be empty. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import {
  type ApiResponse,
  freshAddress,
  photoUrls,
  publishable,
  type TestApp,
  testApp,
} from '../../support/app/app.ts'
import { allFeatures as all, featureNames, lotFeatures } from '../../support/app/fields.ts'
import { draft, published, type ShownWarning, warningsOf } from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp({ geocoder: async () => null })
})
after(() => t.close())

const lot = { type: 'Lote', features: { rooms: 2, total_m2: 300 } }

describe('every write has a list of warnings, which may be empty', () => {
  for (const [what, write] of Object.entries<() => Promise<ApiResponse>>({
    POST: () => t.ask('POST', '/properties', { body: {} }),
    'POST published': () => t.ask('POST', '/properties', { body: publishable() }),
    'PUT creating': () => t.ask('PUT', `/properties/external/${randomUUID()}`, { body: {} }),
    'PUT updating': async () => {
      const { external_id } = await draft(t, { external_id: randomUUID() })
      return t.ask('PUT', `/properties/external/${external_id}`, { body: { title: 'Otra' } })
    },
    PATCH: async () => t.ask('PATCH', `/properties/${(await draft(t)).id}`, { body: { title: 'Otra' } }),
    'PATCH of nothing': async () => t.ask('PATCH', `/properties/${(await draft(t)).id}`, { body: {} }),
    DELETE: async () => t.ask('DELETE', `/properties/${(await draft(t)).id}`),
    disable: async () => t.ask('POST', `/properties/${(await published(t)).id}/disable`),
    enable: async () =>
      t.ask('POST', `/properties/${(await draft(t, publishable({ status: 'draft' }))).id}/enable`),
    'enabling a published listing': async () =>
      t.ask('POST', `/properties/${(await published(t)).id}/enable`),
    photos: async () =>
      t.ask('POST', `/properties/${(await draft(t)).id}/photos`, { body: { urls: photoUrls(1) } }),
    'setting photos': async () =>
      t.ask('PUT', `/properties/${(await draft(t)).id}/photos`, { body: { urls: photoUrls(1) } }),
  })) {
    test(what, async () => assert.deepEqual(warningsOf(await write()), []))
  }
})

describe('a Lote', () => {
  const inapplicable = featureNames.filter((name) => !lotFeatures.includes(name))

  test('returns null for features that do not apply, and warns about each one sent', async () => {
    const response = await t.ask('POST', '/properties', { body: { type: 'lote', features: all } })
    assert.deepEqual(
      warningsOf(response),
      inapplicable.map((name) => `feature_not_applicable features.${name}`),
    )
    const { features } = response.body.data as unknown as { features: object }
    assert.deepEqual(features, { ...all, ...Object.fromEntries(inapplicable.map((name) => [name, null])) })
  })

  test('warns on PATCH and PUT alike, and not about nulls', async () => {
    const { id, external_id } = await draft(t, { type: 'Lote', external_id: randomUUID() })
    const body = { features: { rooms: 2, bedrooms: null, total_m2: 9 } }
    for (const response of [
      await t.ask('PATCH', `/properties/${id}`, { body }),
      await t.ask('PUT', `/properties/external/${external_id}`, { body }),
    ]) {
      assert.deepEqual(warningsOf(response), ['feature_not_applicable features.rooms'])
    }
  })

  test('returns null too if it had another type before', async () => {
    const { id } = await draft(t, { type: 'Casa', features: all })
    const response = await t.ask('PATCH', `/properties/${id}`, { body: { type: 'Lote' } })
    const { features } = response.body.data as unknown as { features: Record<string, unknown> }
    for (const name of inapplicable) assert.equal(features[name], null)
    assert.equal(features['total_m2'], all['total_m2'])
  })

  test('accepts them in the edit that gives it another type', async () => {
    const { id } = await draft(t, lot)
    const response = await t.ask('PATCH', `/properties/${id}`, {
      body: { type: 'Casa', features: { rooms: 3 } },
    })
    assert.deepEqual(warningsOf(response), [])
    assert.equal((response.body.data as unknown as { features: { rooms: number } }).features.rooms, 3)
  })
})

test('a response has all warnings at once, each with a code, a message and a parameter', async () => {
  const { external_id } = await draft(t, { external_id: randomUUID() })
  const body = {
    ...lot,
    address: freshAddress(),
    status: 'published',
    photos: photoUrls(1),
    force_duplicate: true,
  }
  const response = await t.ask('PUT', `/properties/external/${external_id}`, { body })
  assert.deepEqual(warningsOf(response).sort(), [
    'feature_not_applicable features.rooms',
    'location_unresolved address',
    'photos_ignored photos',
    'status_ignored status',
  ])
  for (const warning of (response.body as unknown as { warnings: ShownWarning[] }).warnings) {
    assert.deepEqual(Object.keys(warning), ['code', 'message', 'parameter'])
    assert.match(warning.message, /^\S.{20,}\.$/s)
  }
})

test('a creation warns about the location, photos and features that do not apply', async () => {
  const photos = [...photoUrls(1), ...photoUrls(1, 'missing')]
  const outside = { ...lot, location: { lat: 40.4, lng: -3.7 }, photos, force_duplicate: true }
  assert.deepEqual(warningsOf(await t.ask('POST', '/properties', { body: outside })).sort(), [
    'feature_not_applicable features.rooms',
    'location_outside_country location',
    'photo_failed photos[1]',
  ])
})

test('a refusal has no warnings', async () => {
  const response = await t.ask('POST', '/properties', { body: publishable({ ...lot, title: null }) })
  assert.deepEqual(Object.keys(response.body).sort(), ['error', 'notice'])
})
