/** The writes of the API, each prepared for an agency of its own and sent once per attempt. */
import { accepted, type Shown } from '../support/app/listings.ts'
import { publishable, type TestApp } from '../support/app/app.ts'
import type { Subject } from './effects/agency-state.ts'

export type ApiRequest = {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

export type Scenario = {
  name: string
  operation: string
  /** Creates what the request needs. @returns the request, without its Idempotency-Key */
  prepare(t: TestApp, subject: Subject): Promise<ApiRequest>
}

const photos = (...numbers: number[]) =>
  numbers.map((number) => `https://photos.example/every-step-${number}.jpg`)
const address = 'Calle Falsa 123'
const complete = (changes: object = {}) => publishable({ address, photos: photos(1, 2, 3), ...changes })

async function create(t: TestApp, { writeKey }: Subject, body: object): Promise<Shown & { etag: string }> {
  const response = await t.ask('POST', '/properties', { key: writeKey, body })
  return Object.assign(accepted(response, 201), { etag: response.headers.get('etag') ?? '' })
}

/** A request on a listing that was created with `body`. */
const onListing =
  (body: () => object, request: (listing: Shown & { etag: string }) => ApiRequest): Scenario['prepare'] =>
  async (t, subject) =>
    request(await create(t, subject, body()))

const draft = () => ({ title: 'Borrador', external_id: 'A-1' })

export const scenarios: readonly Scenario[] = [
  {
    name: 'create a draft',
    operation: 'createProperty',
    prepare: async () => ({
      method: 'POST',
      path: '/properties',
      body: { title: 'Casa', external_id: 'A-1' },
    }),
  },
  {
    name: 'create with photos',
    operation: 'createProperty',
    prepare: async () => ({ method: 'POST', path: '/properties', body: complete() }),
  },
  {
    name: 'create with a lookup',
    operation: 'createProperty',
    prepare: async () => ({
      method: 'POST',
      path: '/properties',
      body: { title: 'Casa', address, location: { city: 'La Plata', province: 'Buenos Aires' } },
    }),
  },
  {
    name: 'patch',
    operation: 'patchProperty',
    prepare: onListing(draft, ({ id }) => ({
      method: 'PATCH',
      path: `/properties/${id}`,
      body: { title: 'Otro' },
    })),
  },
  {
    name: 'patch a published listing with If-Match',
    operation: 'patchProperty',
    prepare: onListing(complete, ({ id, etag }) => ({
      method: 'PATCH',
      path: `/properties/${id}`,
      body: { price: { amount: 90_000, currency: 'USD' } },
      headers: { 'if-match': etag },
    })),
  },
  {
    name: 'patch with a lookup',
    operation: 'patchProperty',
    prepare: onListing(draft, ({ id }) => ({
      method: 'PATCH',
      path: `/properties/${id}`,
      body: { address, location: { city: 'La Plata', province: 'Buenos Aires' } },
    })),
  },
  {
    name: 'put a new listing with photos',
    operation: 'putProperty',
    prepare: async () => ({
      method: 'PUT',
      path: '/properties/external/A-1',
      body: complete(),
    }),
  },
  {
    name: 'put over a listing',
    operation: 'putProperty',
    prepare: onListing(
      () => complete({ external_id: 'A-1' }),
      () => ({
        method: 'PUT',
        path: '/properties/external/A-1',
        body: complete({ title: 'Otra' }),
      }),
    ),
  },
  {
    name: 'batch of two',
    operation: 'batchProperties',
    prepare: onListing(draft, () => ({
      method: 'POST',
      path: '/properties/batch',
      body: {
        items: [
          { action: 'upsert', external_id: 'A-1', title: 'Otro' },
          { action: 'upsert', external_id: 'A-2', title: 'Nuevo' },
        ],
      },
    })),
  },
  {
    name: 'batch of two with photos',
    operation: 'batchProperties',
    prepare: async () => ({
      method: 'POST',
      path: '/properties/batch',
      body: {
        items: [
          { action: 'upsert', external_id: 'A-1', title: 'Uno', photos: photos(1) },
          { action: 'upsert', external_id: 'A-2', title: 'Dos', photos: photos(2) },
        ],
      },
    }),
  },
  {
    name: 'batch of every action',
    operation: 'batchProperties',
    prepare: async (t, subject) => {
      await create(t, subject, complete({ external_id: 'A-1' }))
      await create(t, subject, complete({ external_id: 'A-2', address: 'Calle Falsa 124', status: 'draft' }))
      await create(t, subject, { title: 'Borrador', external_id: 'A-3' })
      const items = [
        { action: 'disable', external_id: 'A-1', reason: 'sold' },
        { action: 'enable', external_id: 'A-2' },
        { action: 'delete', external_id: 'A-3' },
      ]
      return { method: 'POST', path: '/properties/batch', body: { items } }
    },
  },
  {
    name: 'enable',
    operation: 'enableProperty',
    prepare: async (t, subject) => {
      const { id } = await create(t, subject, complete({ status: 'draft' }))
      return { method: 'POST', path: `/properties/${id}/enable` }
    },
  },
  {
    name: 'disable',
    operation: 'disableProperty',
    prepare: onListing(complete, ({ id }) => ({
      method: 'POST',
      path: `/properties/${id}/disable`,
      body: { reason: 'sold' },
    })),
  },
  {
    name: 'add photos',
    operation: 'addPhotos',
    prepare: onListing(draft, ({ id }) => ({
      method: 'POST',
      path: `/properties/${id}/photos`,
      body: { urls: photos(1, 2) },
    })),
  },
  {
    name: 'set photos: one more, one less, another order',
    operation: 'setPhotos',
    prepare: onListing(
      () => ({ ...draft(), photos: photos(1, 2, 3) }),
      ({ id, photos: [first = '', second = ''] }) => ({
        method: 'PUT',
        path: `/properties/${id}/photos`,
        body: { urls: [second, first, ...photos(4)] },
      }),
    ),
  },
  {
    name: 'remove all photos',
    operation: 'setPhotos',
    prepare: onListing(
      () => ({ ...draft(), photos: photos(1, 2) }),
      ({ id }) => ({ method: 'PUT', path: `/properties/${id}/photos`, body: { urls: [] } }),
    ),
  },
  {
    name: 'delete',
    operation: 'deleteProperty',
    prepare: onListing(complete, ({ id }) => ({ method: 'DELETE', path: `/properties/${id}` })),
  },
]

/** Why other endpoints are not in the table, by operation. */
export const leftOut: Readonly<Record<string, string>> = {
  geocode: 'stores nothing; its one charge is the one of a write with a lookup',
}
