/** Contents to merge payloads into, and assertions about the result. */
import assert from 'node:assert/strict'
import { ApiError } from '../../src/platform/errors/errors.ts'
import { mergePayload } from '../../src/listings/writing/merge-payload.ts'
import { type Content, noContent } from '../../src/listings/fields/content.ts'
import type { Payload } from '../../src/listings/fields/schema.ts'

export const sale: Content = {
  ...noContent,
  title: 'Casa',
  operation: 'sale',
  type: 'Casa',
  price_amount: 100,
  price_currency: 'USD',
  address: 'Calle 50 1',
  city: 'La Plata',
  lat: -34.92,
  lng: -57.95,
  location_status: 'resolved',
  features: { bedrooms: 2, total_m2: 90, orientation: 'N' },
  amenities: ['Pileta'],
  video_urls: ['https://a.example'],
}
export const rent: Content = {
  ...sale,
  operation: 'rent',
  price_period: 'week',
  rental: { min_stay: 2, min_lease_months: null, services_included: ['Agua'] },
}

export const merge = (before: Content, payload: Payload) => mergePayload(before, payload)

/** Asserts exactly which fields change. */
export function changes(before: Content, payload: Payload, expected: Partial<Content>): void {
  assert.deepEqual(merge(before, payload).content, { ...before, ...expected }, JSON.stringify(payload))
}

/** Asserts that the payload is rejected. */
export function refuses(before: Content, payload: Payload, parameter: string): void {
  assert.throws(
    () => merge(before, payload),
    (error) =>
      error instanceof ApiError && error.code === 'invalid_parameter' && error.parameter === parameter,
    JSON.stringify(payload),
  )
}
