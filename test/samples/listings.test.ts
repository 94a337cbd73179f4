/** The demonstration data obeys every rule for requests, and covers every feature. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checked } from '../../src/platform/errors/errors.ts'
import { normalizeAddress } from '../../src/listings/addresses/normalize.ts'
import { demoAgencies, type DemoListing } from '../../src/samples/listings.ts'
import { bodyCheck } from '../../src/http/input/validation.ts'
import { mergePayload } from '../../src/listings/writing/merge-payload.ts'
import { isInsideCountry } from '../../src/listings/geocoding/country.ts'
import { toLookup } from '../../src/listings/geocoding/lookup.ts'
import { noContent } from '../../src/listings/fields/content.ts'
import { canonicalPayload, checkPayload } from '../../src/listings/fields/payload.ts'
import { missingToPublish } from '../../src/listings/fields/publishable.ts'
import { payloadSchema } from '../../src/listings/fields/schema.ts'
import {
  currencies,
  disableReasons,
  operations,
  periods,
  types,
} from '../../src/listings/fields/vocabulary.ts'
import { lotFeatures } from '../support/app/fields.ts'

const listings = demoAgencies.flatMap((agency) => agency.listings)
const shown = listings.filter(({ status }) => status === 'published' || status === 'disabled')
const nameOf = ({ payload }: DemoListing) => payload.external_id ?? payload.title ?? '?'
const present = <T>(values: readonly (T | null | undefined)[]): Set<T> =>
  new Set(values.filter((value): value is T => value != null))

function assertUnique(values: readonly string[], what: string): void {
  const twice = values.filter((value, index) => values.indexOf(value) !== index)
  assert.deepEqual(twice, [], `${what} given twice`)
}

describe('the demonstration shows', () => {
  test('two agencies with about sixty listings', () => {
    assert.equal(demoAgencies.length, 2)
    assert.ok(listings.length >= 55 && listings.length <= 70, String(listings.length))
    assertUnique(
      demoAgencies.map(({ slug }) => slug),
      'slug',
    )
    for (const { slug, email } of demoAgencies) {
      assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/)
      assert.match(email, /^[^@\s]+@[a-z]+\.example$/)
    }
  })

  test('every type, operation, currency, period, state and reason', () => {
    const published = listings.filter(({ status }) => status === 'published')
    assert.deepEqual(present(listings.map(({ payload }) => payload.type)), new Set(types))
    assert.deepEqual(present(published.map(({ payload }) => payload.operation)), new Set(operations))
    assert.deepEqual(present(published.map(({ payload }) => payload.price?.currency)), new Set(currencies))
    assert.deepEqual(present(published.map(({ payload }) => payload.price?.period)), new Set(periods))
    assert.deepEqual(
      new Set(listings.map(({ status }) => status)),
      new Set(['published', 'draft', 'disabled', 'removed']),
    )
    assert.deepEqual(present(listings.map(({ disable }) => disable?.reason)), new Set(disableReasons))
    assert.ok(published.length > listings.length * 0.6)
    for (const operation of ['rent', 'temporary'] as const) {
      const used = present(
        published.map(({ payload }) => (payload.operation === operation ? payload.price?.period : null)),
      )
      assert.ok(used.size >= 2, `${operation}: ${[...used].join()}`)
    }
  })

  test('no address that needs a geocoder, so that nothing leaves the machine', () => {
    for (const { payload } of listings) {
      const { address, location } = payload
      if (address == null || location?.lat != null) continue
      const place = { address, city: location?.city ?? null, province: location?.province ?? null }
      assert.equal(toLookup(place), null, address)
    }
  })

  test('rare cases too: reserved, on request, closed with a price, videos, tours, and no external id or pin', () => {
    const some = (found: (listing: DemoListing) => boolean, what: string) =>
      assert.ok(listings.some(found), what)
    some(({ reserved }) => reserved === true, 'reserved')
    some(({ payload }) => payload.price?.on_request === true, 'on request')
    some(({ disable }) => typeof disable?.close_price === 'number', 'close_price as a number')
    some(({ disable }) => typeof disable?.close_price === 'object', 'close_price with a currency')
    some(({ payload }) => payload.video_url != null, 'video_url')
    some(({ payload }) => payload.video_urls?.length === 3, 'video_urls')
    some(({ payload }) => payload.virtual_tour_url != null, 'virtual_tour_url')
    some(({ payload }) => payload.external_id == null, 'no external id')
    some(({ payload, status }) => status === 'published' && payload.location?.lat == null, 'no pin')
    some(({ payload, status }) => status === 'draft' && payload.price == null, 'draft without a price')
    some(({ payload, status }) => status === 'draft' && payload.address == null, 'draft without an address')
    some(({ pictures, status }) => status === 'draft' && pictures.length === 1, 'draft with one picture')
    some(({ pictures, status }) => status === 'draft' && pictures.length === 0, 'draft without pictures')
    some(({ isBlurred, status }) => status === 'published' && isBlurred === true, 'a blurred place')
    some(({ failed_photos: failed }) => failed !== undefined, 'a photo that failed')
  })
})

describe('each demonstration listing', () => {
  const check = bodyCheck(payloadSchema)

  test('is a valid payload, and has no warnings', () => {
    for (const listing of listings) {
      const payload = canonicalPayload(listing.payload)
      assert.deepEqual(payload, listing.payload, nameOf(listing))
      checked((problems) => {
        check(payload, problems)
        checkPayload(listing.payload, new Set(), problems)
      })
      const { content, warnings } = mergePayload(noContent, listing.payload)
      assert.deepEqual(warnings, [], nameOf(listing))
      if (content.lat !== null && content.lng !== null) {
        assert.ok(isInsideCountry(content.lat, content.lng), nameOf(listing))
        assert.equal(content.location_status, 'manual')
      }
    }
  })

  test('met the requirements when it was published', () => {
    for (const listing of shown) {
      const { content } = mergePayload(noContent, listing.payload)
      assert.deepEqual(missingToPublish(content, listing.pictures.length), [], nameOf(listing))
      assert.ok(listing.pictures.length <= 8, nameOf(listing))
    }
  })

  test('has only features and rental details that apply to it', () => {
    const lived = new Set([
      'Casa',
      'Departamento',
      'PH',
      'Quinta',
      'Finca',
      'Emprendimiento',
      'Edificio',
      'Hotel',
    ])
    for (const listing of listings) {
      const { type, operation, features, rental, expenses } = listing.payload
      const names = Object.keys(features ?? {})
      if (type === 'Lote') {
        const foreign = names.filter((name) => !lotFeatures.includes(name))
        assert.deepEqual(foreign, [], nameOf(listing))
      } else if (!lived.has(type ?? '')) {
        assert.ok(!names.includes('bedrooms') && !names.includes('pet_friendly'), nameOf(listing))
      }
      if (operation === 'sale') assert.equal(rental, undefined, nameOf(listing))
      if (expenses != null) assert.ok((expenses.amount ?? 0) > 0, nameOf(listing))
      const [total, covered] = [features?.total_m2, features?.covered_m2]
      if (typeof total === 'number' && typeof covered === 'number')
        assert.ok(total >= covered, nameOf(listing))
    }
  })

  test('has a state consistent with its other fields', () => {
    for (const { status, reserved, disable, published_days_ago: days, ...listing } of listings) {
      const name = nameOf({ status, published_days_ago: days, ...listing })
      assert.equal(disable !== undefined, status === 'disabled', name)
      if (reserved === true) assert.equal(status, 'published', name)
      if (disable?.close_price != null) assert.ok(['sold', 'rented'].includes(disable.reason ?? ''), name)
      assert.ok(Number.isInteger(days) && days >= 1, name)
    }
  })

  test('is described in unique paragraphs', () => {
    assertUnique(
      listings.map(({ payload }) => payload.title ?? ''),
      'title',
    )
    const paragraphs = listings.flatMap(({ payload }) => (payload.description ?? '').split('\n\n'))
    assertUnique(
      paragraphs.filter((paragraph) => paragraph !== ''),
      'paragraph',
    )
    for (const listing of shown) {
      const count = (listing.payload.description ?? '').split('\n\n').length
      assert.ok(count >= 2 && count <= 4, nameOf(listing))
    }
  })
})

for (const { slug, listings: own } of demoAgencies) {
  describe(`within ${slug}`, () => {
    test('external ids and addresses are unique', () => {
      assertUnique(
        own.flatMap(({ payload }) => payload.external_id ?? []),
        'external id',
      )
      const keys = own.flatMap(({ payload }) => {
        if (payload.address == null) return []
        const { key } = normalizeAddress(payload.address, payload.location ?? {})
        assert.ok(key !== null, payload.address)
        return `${key.streetKey} ${key.cityKey}`
      })
      assertUnique(keys, 'address')
    })

    test('no listing shows a picture twice', () => {
      for (const listing of own) assertUnique(listing.pictures, `${nameOf(listing)}: picture`)
    })
  })
}
