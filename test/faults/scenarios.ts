/** The writes of the API, each prepared for an agency of its own and sent once per attempt. */
import { accepted, type Shown } from '../support/listings.ts'
import { publishable, type TestApp } from '../support/app.ts'
import type { Subject } from './agency-state.ts'

export type ApiRequest = {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

export type Scenario = {
  name: string
  /** Creates what the request needs. @returns the request, without its Idempotency-Key */
  prepare(t: TestApp, subject: Subject): Promise<ApiRequest>
}

const photos = (...numbers: number[]) =>
  numbers.map((number) => `https://photos.example/every-step-${number}.jpg`)
const address = 'Calle Falsa 123'
const complete = (changes: object = {}) => publishable({ address, photos: photos(1, 2, 3), ...changes })

async function create(t: TestApp, { writeKey }: Subject, body: object): Promise<Shown & { etag: string }> {
  const answer = await t.ask('POST', '/properties', { key: writeKey, body })
  return Object.assign(accepted(answer, 201), { etag: answer.headers.get('etag') ?? '' })
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
    prepare: async () => ({
      method: 'POST',
      path: '/properties',
      body: { title: 'Casa', external_id: 'A-1' },
    }),
  },
  {
    name: 'create with photos',
    prepare: async () => ({ method: 'POST', path: '/properties', body: complete() }),
  },
  {
    name: 'create with a lookup',
    prepare: async () => ({
      method: 'POST',
      path: '/properties',
      body: { title: 'Casa', address, location: { city: 'La Plata', province: 'Buenos Aires' } },
    }),
  },
  {
    name: 'patch',
    prepare: onListing(draft, ({ id }) => ({
      method: 'PATCH',
      path: `/properties/${id}`,
      body: { title: 'Otro' },
    })),
  },
  {
    name: 'patch a published listing with If-Match',
    prepare: onListing(complete, ({ id, etag }) => ({
      method: 'PATCH',
      path: `/properties/${id}`,
      body: { price: { amount: 90_000, currency: 'USD' } },
      headers: { 'if-match': etag },
    })),
  },
]
