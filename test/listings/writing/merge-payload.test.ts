/**
 * Merging a payload into a listing (api.md 9.2, 10.1): objects merge, null clears, lists replace. Also the rules that need the previous
 * content. Price and expenses have a file of their own.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../../src/platform/errors/errors.ts'
import { type Content, noContent } from '../../../src/listings/fields/content.ts'
import type { Payload } from '../../../src/listings/fields/schema.ts'
import { changes, merge, refuses, rent, sale } from '../merging.ts'

describe('merging a payload', () => {
  test('of an empty payload changes nothing, and never mutates the previous content', () => {
    const copy = structuredClone(rent)
    for (const before of [noContent, sale, rent]) {
      assert.deepEqual(merge(before, {}), { content: before, warnings: [], needsPin: false })
    }
    merge(rent, {
      features: { bedrooms: 5 },
      rental: { min_stay: 9 },
      price: null,
      location: null,
      amenities: [],
    })
    assert.deepEqual(rent, copy)
  })

  test('replaces texts and lists; null clears', () => {
    changes(
      sale,
      { title: 'Otra', description: 'x', external_id: 'E', video_url: 'https://v' },
      { title: 'Otra', description: 'x', external_id: 'E', video_url: 'https://v' },
    )
    changes(
      sale,
      { title: null, type: null, amenities: null, video_urls: null },
      { title: null, type: null, amenities: [], video_urls: [] },
    )
    changes(sale, { amenities: ['a', 'b'], video_urls: [] }, { amenities: ['a', 'b'], video_urls: [] })
  })

  test('ignores status, photos and force_duplicate', () => {
    changes(sale, { status: 'published', photos: ['https://p'], force_duplicate: true }, {})
  })
})

describe('features', () => {
  const codes = (before: Content, payload: Payload) =>
    merge(before, payload).warnings.map(({ code, parameter }) => [code, parameter])

  test('merge, and null clears one or all', () => {
    changes(
      sale,
      { features: { bathrooms: 0, furnished: false } },
      { features: { ...sale.features, bathrooms: 0, furnished: false } },
    )
    changes(
      sale,
      { features: { bedrooms: null, rooms: null } },
      { features: { total_m2: 90, orientation: 'N' } },
    )
    changes(sale, { features: null }, { features: {} })
    changes(sale, { features: {} }, {})
  })

  test('that do not apply to a lot are ignored, each with a warning', () => {
    const lot: Content = { ...sale, type: 'Lote', features: { total_m2: 500 } }
    changes(
      lot,
      { features: { bedrooms: 3, pet_friendly: false, orientation: 'S', credit_eligible: true } },
      { features: { total_m2: 500, orientation: 'S', credit_eligible: true } },
    )
    assert.deepEqual(codes(lot, { features: { bedrooms: 3, total_m2: 1, pet_friendly: false } }), [
      ['feature_not_applicable', 'features.bedrooms'],
      ['feature_not_applicable', 'features.pet_friendly'],
    ])
    assert.deepEqual(codes(lot, { features: { bedrooms: null } }), [])
  })

  test('are removed when a house becomes a lot, and accepted in the request that turns a lot into a house', () => {
    changes(sale, { type: 'Lote' }, { type: 'Lote', features: { total_m2: 90, orientation: 'N' } })
    assert.deepEqual(codes(sale, { type: 'Lote' }), [])
    changes(
      { ...sale, type: 'Lote', features: { total_m2: 1 } },
      { type: 'PH', features: { rooms: 2 } },
      { type: 'PH', features: { total_m2: 1, rooms: 2 } },
    )
  })
})

describe('rental', () => {
  const empty = { min_stay: null, min_lease_months: null, services_included: [] }

  test('merges, and is cleared by null', () => {
    changes(
      rent,
      { rental: { min_stay: 5 } },
      { rental: { min_stay: 5, min_lease_months: null, services_included: ['Agua'] } },
    )
    changes(rent, { rental: { services_included: null, min_stay: null } }, { rental: empty })
    changes(rent, { rental: {} }, {})
    changes(rent, { rental: null }, { rental: null })
    changes(
      { ...rent, rental: null },
      { rental: { min_lease_months: 24 } },
      { rental: { ...empty, min_lease_months: 24 } },
    )
  })

  test('has the period of the price', () => {
    changes(rent, { rental: { period: 'week' } }, {})
    changes(rent, { rental: { period: 'night' }, price: { period: 'night' } }, { price_period: 'night' })
    changes(
      noContent,
      { operation: 'rent', rental: { period: 'month' } },
      { operation: 'rent', price_period: 'month', rental: empty },
    )
    refuses(rent, { rental: { period: 'month' } }, 'rental.period')
    refuses(rent, { rental: { period: 'week' }, price: { period: 'month' } }, 'rental.period')
    refuses(noContent, { operation: 'temporary', rental: { period: 'night' } }, 'rental.period')
  })

  test('is for rentals only', () => {
    refuses(sale, { rental: {} }, 'rental')
    refuses(noContent, { rental: { min_stay: 1 } }, 'rental')
    changes(sale, { rental: null }, {})
  })
})

describe('the place', () => {
  const unresolved = { lat: null, lng: null, location_status: 'unresolved' as const }
  const located = (before: Content, payload: Payload, expected: Partial<Content>, needsPin: boolean) => {
    changes(before, payload, expected)
    assert.equal(merge(before, payload).needsPin, needsPin, JSON.stringify(payload))
  }

  test('is geocoded again only if address, city or province change', () => {
    located(sale, { address: 'Calle 51 2' }, { address: 'Calle 51 2', ...unresolved }, true)
    located(sale, { location: { city: 'Berisso' } }, { city: 'Berisso', ...unresolved }, true)
    located(
      sale,
      { location: { province: 'Buenos Aires' } },
      { province: 'Buenos Aires', ...unresolved },
      true,
    )
    located(noContent, { address: 'Calle 1 2' }, { address: 'Calle 1 2', ...unresolved }, true)
    located(sale, { address: 'Calle 50 1', location: { city: 'La Plata' } }, {}, false)
    located(sale, { title: 'x' }, { title: 'x' }, false)
    located(sale, { location: {} }, {}, false)
  })

  test('has no coordinates without an address, unless they were sent', () => {
    located(sale, { address: null }, { address: null, lat: null, lng: null, location_status: null }, false)
    located(noContent, { location: { city: 'La Plata' } }, { city: 'La Plata', location_status: null }, false)
    located(
      noContent,
      { location: { lat: -34.6, lng: -58.4 } },
      { lat: -34.6, lng: -58.4, location_status: 'manual' },
      false,
    )
  })

  test('is at the coordinates sent in the request', () => {
    located(
      sale,
      { address: 'Ruta 2', location: { lat: -35, lng: -58 } },
      { address: 'Ruta 2', lat: -35, lng: -58, location_status: 'manual' },
      false,
    )
    located(sale, { location: { lat: -34.92, lng: -57.95 } }, { location_status: 'manual' }, false)
  })

  test('is geocoded again if its coordinates are cleared', () => {
    located(sale, { location: { lat: null, lng: null } }, unresolved, true)
    located(sale, { location: null }, { city: null, province: null, ...unresolved }, true)
    located(
      { ...sale, lat: null, lng: null, location_status: 'unresolved' },
      { location: { lat: null, lng: null } },
      {},
      false,
    )
  })

  test('outside the country is stored, with a warning', () => {
    const { content, warnings } = merge(sale, { location: { lat: -57.95, lng: -34.92 } })
    assert.deepEqual([content.lat, content.lng, content.location_status], [-57.95, -34.92, 'manual'])
    assert.deepEqual(
      warnings.map(({ code, parameter }) => [code, parameter]),
      [['location_outside_country', 'location']],
    )
    assert.deepEqual(merge(sale, { location: { lat: -54.8, lng: -68.3 } }).warnings, [])
  })
})

test('merging the same payload twice changes nothing more', () => {
  const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
  const payload = fc.record(
    {
      title: orNull(fc.constantFrom('a', 'b')),
      operation: orNull(fc.constantFrom('sale' as const, 'rent' as const, 'temporary' as const)),
      type: orNull(fc.constantFrom('Casa' as const, 'Lote' as const)),
      price: orNull(
        fc.record(
          {
            amount: orNull(fc.constantFrom(1, 2)),
            currency: orNull(fc.constantFrom('USD' as const)),
            period: orNull(fc.constantFrom('night' as const)),
            on_request: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
      ),
      features: orNull(
        fc.record({ bedrooms: orNull(fc.nat(3)), total_m2: orNull(fc.nat(3)) }, { requiredKeys: [] }),
      ),
      rental: orNull(
        fc.record(
          { min_stay: orNull(fc.nat(3)), period: orNull(fc.constantFrom('night' as const)) },
          { requiredKeys: [] },
        ),
      ),
      address: orNull(fc.constantFrom('Calle 1 2', 'Calle 50 1')),
      location: orNull(
        fc.record(
          { city: orNull(fc.constantFrom('X', 'La Plata')), lat: fc.constant(-35), lng: fc.constant(-58) },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.constantFrom(noContent, sale, rent), payload, (before, sent) => {
      let once: Content
      try {
        once = merge(before, sent).content
      } catch (error) {
        return assert.ok(error instanceof ApiError)
      }
      assert.deepEqual(merge(once, sent).content, once)
    }),
    { numRuns: 2000 },
  )
})
