/** The examples of a creation, by name: what is sent, and the response to it. */
import type { NamedExamples } from '../http/endpoint.ts'
import { exampleDraft, examplePayload, exampleProperty, noFeatures, samplePhoto } from './examples.ts'

const lotPayload = {
  external_id: 'CRM-2001',
  title: 'Lote en barrio abierto, con todos los servicios',
  operation: 'sale',
  type: 'Lote',
  price: { amount: 68000, currency: 'USD' },
  address: 'Los Ceibos 1250',
  location: { city: 'Tandil', province: 'Buenos Aires', lat: -37.3312, lng: -59.1089 },
  features: { total_m2: 820, orientation: 'N', credit_eligible: false },
  amenities: ['Gas natural', 'Cloacas'],
}

const rentalPhotos = [1, 2, 3].map(samplePhoto)
const rentalPayload = {
  external_id: 'CRM-3107',
  title: 'Cabaña frente al lago, para cuatro',
  description: 'A 200 metros de la playa. Ropa blanca incluida.',
  operation: 'temporary',
  type: 'Casa',
  price: { amount: 95000, currency: 'ARS', period: 'night' },
  address: 'Av. Bustillo 8500',
  location: { city: 'San Carlos de Bariloche', province: 'Río Negro', lat: -41.1204, lng: -71.3891 },
  features: { bedrooms: 2, bathrooms: 1, rooms: 3, covered_m2: 65, pet_friendly: true, furnished: true },
  amenities: ['Parrilla', 'Wifi'],
  photos: rentalPhotos,
  rental: { period: 'night', min_stay: 2, services_included: ['Luz', 'Gas'] },
  status: 'published',
}

/** A listing as the API shows it, with another code than that of `exampleProperty`. */
function shownListing(id: string, payload: object, changes: object) {
  return {
    ...exampleDraft,
    description: null,
    expenses: null,
    ...payload,
    ...changes,
    id,
    url: exampleProperty.url.replace(exampleProperty.id, id),
  }
}

/** The draft that `lotPayload` creates. */
const exampleLot = shownListing('B4XW7TQ9', lotPayload, {
  price: { ...lotPayload.price, on_request: false },
  location: { ...lotPayload.location, neighborhood: null },
  features: { ...noFeatures, ...lotPayload.features },
})

const storedPhotos = exampleProperty.photos.map((url) => url.replace(exampleProperty.id, 'H2PM6ZKD'))
const exampleRental = shownListing('H2PM6ZKD', rentalPayload, {
  price: { ...rentalPayload.price, on_request: false },
  location: { ...rentalPayload.location, neighborhood: null },
  features: { ...noFeatures, ...rentalPayload.features },
  rental: { ...rentalPayload.rental, min_lease_months: null },
  photos: storedPhotos,
  published_at: exampleDraft.created_at,
  missing: [],
})

const summaries = {
  apartment: 'An apartment for sale, as a draft',
  lot: 'A lot, as a draft',
  rental: 'A temporary rental with photos, published at once',
}

export const creationBodies: NamedExamples = {
  apartment: { summary: summaries.apartment, value: examplePayload },
  lot: { summary: summaries.lot, value: lotPayload },
  rental: { summary: summaries.rental, value: rentalPayload },
}

/** The 201s for these bodies. */
export const creationResponses: NamedExamples = {
  apartment: { summary: summaries.apartment, value: { data: exampleDraft, warnings: [] } },
  lot: { summary: summaries.lot, value: { data: exampleLot, warnings: [] } },
  rental: {
    summary: summaries.rental,
    value: {
      data: exampleRental,
      photos: rentalPhotos.map((url, position) => ({
        url,
        status: 'stored',
        position,
        stored_url: storedPhotos[position],
        error: null,
      })),
      warnings: [],
    },
  },
  dry_run: {
    summary: 'A dry run of the apartment',
    value: {
      data: { ...exampleDraft, id: null, url: null },
      warnings: [],
      dry_run: true,
      cost: { writes: 1, new_listings: 1, photos: 0, state_changes: 0 },
      room: { ok: true, limits: [], retry_after: null },
    },
  },
}

/** Bodies of a batch: two prices, and every kind of item. */
export const batchBodies: NamedExamples = {
  prices: {
    summary: 'New prices',
    value: {
      items: [
        { external_id: 'CRM-1042', price: { amount: 121000, currency: 'USD' } },
        { external_id: 'CRM-0977', action: 'update', price: { amount: 84000, currency: 'USD' } },
      ],
    },
  },
  mixed: {
    summary: 'Actions of every kind, some of which fail',
    value: {
      items: [
        { external_id: 'CRM-1042', amenities: ['Balcón', 'Ascensor', 'Parrilla'] },
        { action: 'create', ...lotPayload },
        { external_id: 'CRM-1042', action: 'update', features: { garages: 1 } },
        { external_id: 'CRM-1042', action: 'disable', reason: 'sold', close_price: 119000 },
        { external_id: 'CRM-2001', action: 'enable' },
        { external_id: 'CRM-2001', action: 'delete' },
      ],
    },
  },
}

const docs = (code: string) => `https://listings.example/docs/errors#${code}`
const withAmenities = { ...exampleProperty, amenities: ['Balcón', 'Ascensor', 'Parrilla'] }
const withGarage = { ...withAmenities, features: { ...withAmenities.features, garages: 1 } }

const batchResult = (index: number, external_id: string, action: string, status: number, more: object) => ({
  index,
  external_id,
  action,
  status,
  ...more,
  warnings: [],
})

/** The 200s for these bodies, if CRM-1042 exists and CRM-0977 does not. */
export const batchResponses: NamedExamples = {
  prices: {
    summary: 'New prices',
    value: {
      results: [
        batchResult(0, 'CRM-1042', 'upsert', 200, {
          data: { ...exampleProperty, price: { ...exampleProperty.price, amount: 121000 } },
        }),
        batchResult(1, 'CRM-0977', 'update', 404, {
          error: {
            code: 'not_found',
            message: 'No listing has external_id "CRM-0977".',
            docs: docs('not_found'),
          },
        }),
      ],
      meta: { total: 2, succeeded: 1, failed: 1 },
    },
  },
  mixed: {
    summary: 'Actions of every kind, some of which fail',
    value: {
      results: [
        batchResult(0, 'CRM-1042', 'upsert', 200, { data: withAmenities }),
        batchResult(1, 'CRM-2001', 'create', 201, { data: exampleLot }),
        batchResult(2, 'CRM-1042', 'update', 200, { data: withGarage }),
        batchResult(3, 'CRM-1042', 'disable', 200, { data: { ...withGarage, status: 'disabled' } }),
        batchResult(4, 'CRM-2001', 'enable', 422, {
          error: {
            code: 'insufficient_photos',
            message: 'A published listing needs at least 3 photos; this one has 0.',
            missing: ['photos'],
            docs: docs('insufficient_photos'),
          },
        }),
        batchResult(5, 'CRM-2001', 'delete', 200, {
          data: {
            id: exampleLot.id,
            external_id: 'CRM-2001',
            deleted: true,
            deleted_at: '2026-11-20T10:20:00.000Z',
          },
        }),
      ],
      meta: { total: 6, succeeded: 5, failed: 1 },
    },
  },
}
