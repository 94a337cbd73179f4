/** The examples of creations and batches, by name: the request body and its response. */
import type { NamedExamples } from '../../http/endpoint.ts'
import {
  dryRunOf,
  exampleDraft,
  examplePayload,
  exampleProperty,
  noFeatures,
  samplePhoto,
} from './examples.ts'

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

/** The listing that the payload creates, with another code than that of `exampleProperty`. */
function shownListing(id: string, payload: typeof lotPayload | typeof rentalPayload, changes: object = {}) {
  return {
    ...exampleDraft,
    description: null,
    expenses: null,
    ...payload,
    price: { ...payload.price, on_request: false },
    location: { ...payload.location, neighborhood: null },
    features: { ...noFeatures, ...payload.features },
    ...changes,
    id,
    url: exampleProperty.url.replace(exampleProperty.id, id),
  }
}

const exampleLot = shownListing('B4XW7TQ9', lotPayload)

const storedPhotos = exampleProperty.photos.map((url) => url.replace(exampleProperty.id, 'H2PM6ZKD'))
const exampleRental = shownListing('H2PM6ZKD', rentalPayload, {
  rental: { ...rentalPayload.rental, min_lease_months: null },
  photos: storedPhotos,
  published_at: exampleDraft.created_at,
  missing: [],
})
const rentalResults = rentalPhotos.map((url, position) => ({
  url,
  status: 'stored',
  position,
  stored_url: storedPhotos[position],
  error: null,
}))

/** The body of each creation, and the members of its response besides `warnings`. */
const creations = {
  apartment: {
    summary: 'An apartment for sale, as a draft',
    sent: examplePayload,
    created: { data: exampleDraft },
  },
  lot: { summary: 'A lot, as a draft', sent: lotPayload, created: { data: exampleLot } },
  rental: {
    summary: 'A temporary rental with photos, published at once',
    sent: rentalPayload,
    created: { data: exampleRental, photos: rentalResults },
  },
}

export const creationBodies = examplesOf(creations, ({ sent }) => sent)

/** The 201s for these bodies. */
export const creationResponses: NamedExamples = {
  ...examplesOf(creations, ({ created }) => ({ ...created, warnings: [] })),
  dry_run: {
    summary: 'A dry run of the apartment',
    value: dryRunOf({ data: { ...exampleDraft, id: null, url: null }, warnings: [] }, 1),
  },
}

function examplesOf<T extends { summary: string }>(
  table: Readonly<Record<string, T>>,
  valueOf: (line: T) => unknown,
): NamedExamples {
  return Object.fromEntries(
    Object.entries(table).map(([name, line]) => [name, { summary: line.summary, value: valueOf(line) }]),
  )
}

const amenities = ['Balcón', 'Ascensor', 'Parrilla']
const cheaper = { ...exampleProperty, price: { ...exampleProperty.price, amount: 121000 } }
const withAmenities = { ...exampleProperty, amenities }
const withGarage = { ...withAmenities, features: { ...withAmenities.features, garages: 1 } }
const sold = { ...withGarage, status: 'disabled' }
const deletedAt = '2026-11-20T10:20:00.000Z'
const deletedLot = { id: exampleLot.id, external_id: 'CRM-2001', deleted: true, deleted_at: deletedAt }

const docs = (code: string) => `https://listings.example/docs/errors#${code}`
const notFound = {
  code: 'not_found',
  message: 'No listing has external_id "CRM-0977".',
  docs: docs('not_found'),
}
const lacksPhotos = {
  code: 'insufficient_photos',
  message: 'A published listing needs at least 3 photos; this one has 0.',
  missing: ['photos'],
  docs: docs('insufficient_photos'),
}

type Item = { external_id: string; action?: string; [field: string]: unknown }
type Line = readonly [item: Item, status: number, outcome: { data: object } | { error: object }]

/** Batches, if CRM-1042 exists and CRM-0977 does not: each item with its status and outcome. */
const batches: Readonly<Record<string, { summary: string; lines: readonly Line[] }>> = {
  prices: {
    summary: 'New prices',
    lines: [
      [{ external_id: 'CRM-1042', price: { amount: 121000, currency: 'USD' } }, 200, { data: cheaper }],
      [
        { external_id: 'CRM-0977', action: 'update', price: { amount: 84000, currency: 'USD' } },
        404,
        { error: notFound },
      ],
    ],
  },
  mixed: {
    summary: 'Actions of every kind, some of which fail',
    lines: [
      [{ external_id: 'CRM-1042', amenities }, 200, { data: withAmenities }],
      [{ action: 'create', ...lotPayload }, 201, { data: exampleLot }],
      [{ external_id: 'CRM-1042', action: 'update', features: { garages: 1 } }, 200, { data: withGarage }],
      [
        { external_id: 'CRM-1042', action: 'disable', reason: 'sold', close_price: 119000 },
        200,
        { data: sold },
      ],
      [{ external_id: 'CRM-2001', action: 'enable' }, 422, { error: lacksPhotos }],
      [{ external_id: 'CRM-2001', action: 'delete' }, 200, { data: deletedLot }],
    ],
  },
}

export const batchBodies = examplesOf(batches, ({ lines }) => ({ items: lines.map(([item]) => item) }))

/** The 200s for these bodies. */
export const batchResponses = examplesOf(batches, ({ lines }) => {
  const results = lines.map(([{ external_id, action = 'upsert' }, status, outcome], index) => ({
    index,
    external_id,
    action,
    status,
    ...outcome,
    warnings: [],
  }))
  const succeeded = lines.filter(([, status]) => status < 400).length
  return { results, meta: { total: lines.length, succeeded, failed: lines.length - succeeded } }
})
