/** The requirements for publishing (api.md 11.2), in every combination of missing fields. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../../src/platform/errors/errors.ts'
import { type Content, noContent } from '../../src/listings/fields/content.ts'
import { checkPublishable, missingToPublish, tooManyPhotos } from '../../src/listings/fields/publishable.ts'

const whole: Content = {
  ...noContent,
  title: 'Casa',
  type: 'Casa',
  operation: 'sale',
  address: 'Calle 50 1',
  price_amount: 100,
  price_currency: 'USD',
}

/** For each requirement, a change that breaks it. */
const takes: Record<string, Partial<Content>> = {
  title: { title: null },
  type: { type: null },
  operation: { operation: null },
  address: { address: null },
  price: { price_amount: null, price_currency: null },
}

function refusal(content: Content, photos: number): ApiError | null {
  try {
    checkPublishable(content, photos, 'has')
    return null
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return error
  }
}

describe('missingToPublish', () => {
  test('is empty if all required fields are set', () => {
    assert.deepEqual(missingToPublish(whole, 3), [])
    assert.deepEqual(missingToPublish({ ...whole, operation: 'rent', price_period: null }, 50), [])
    assert.deepEqual(
      missingToPublish({ ...whole, price_amount: null, price_currency: null, price_on_request: true }, 3),
      [],
    )
    assert.deepEqual(missingToPublish({ ...whole, operation: 'temporary', price_period: 'night' }, 3), [])
  })

  test('names all missing fields at once, in every combination', () => {
    const names = Object.keys(takes)
    for (let set = 0; set < 2 ** names.length; set += 1) {
      const missing = names.filter((_, bit) => (set & (2 ** bit)) !== 0)
      const content = Object.assign({ ...whole }, ...missing.map((name) => takes[name])) as Content
      for (const photos of [0, 2, 3, 50]) {
        assert.deepEqual(missingToPublish(content, photos), [...missing, ...(photos < 3 ? ['photos'] : [])])
      }
    }
  })

  test('includes the period of a temporary rental, even for a price on request', () => {
    const temporary: Content = { ...whole, operation: 'temporary' }
    assert.deepEqual(missingToPublish(temporary, 3), ['price.period'])
    assert.deepEqual(
      missingToPublish({ ...temporary, price_amount: null, price_currency: null, price_on_request: true }, 3),
      ['price.period'],
    )
    assert.deepEqual(missingToPublish({ ...temporary, price_amount: null, price_currency: null }, 0), [
      'price',
      'price.period',
      'photos',
    ])
  })
})

describe('checkPublishable', () => {
  test('passes if nothing is missing', () => {
    for (const photos of [3, 4, 50]) assert.equal(refusal(whole, photos), null)
  })

  test('throws insufficient_photos if only photos are missing, else not_publishable', () => {
    for (const photos of [0, 1, 2]) {
      const only = refusal(whole, photos)
      assert.deepEqual([only?.code, only?.extra], ['insufficient_photos', { missing: ['photos'] }])
      assert.match(only?.message ?? '', new RegExp(`\\b${photos}\\b`))
      const more = refusal({ ...whole, title: null }, photos)
      assert.deepEqual([more?.code, more?.extra], ['not_publishable', { missing: ['title', 'photos'] }])
    }
    const price = refusal({ ...whole, price_amount: null, price_currency: null }, 3)
    assert.deepEqual([price?.code, price?.extra], ['not_publishable', { missing: ['price'] }])
    assert.match(price?.message ?? '', /price/)
  })

  test('throws too_many_photos beyond 50', () => {
    assert.equal(refusal(whole, 51)?.code, 'too_many_photos')
    assert.equal(refusal({ ...whole, title: null }, 51)?.code, 'too_many_photos')
    assert.match(tooManyPhotos(57).message, /50.*57/)
  })
})
