/**
 * Random writes of an agency's listings, by every way there is: requests, the dashboard's and the operator's actions, the worker that
 * places addresses. Every request has an Idempotency-Key. Values come from small sets, so that fields change and change back.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { ApiError } from '../../src/errors.ts'
import { PhotoFailure } from '../../src/photos/failure.ts'
import { readPicture } from '../../src/photos/image.ts'
import { actOnListing, type Act } from '../../src/properties/act.ts'
import { changeAgencyProfile } from '../../src/properties/agency-profile.ts'
import { placeUnresolved } from '../../src/properties/place-unresolved.ts'
import { restoreRemoved } from '../../src/properties/restore.ts'
import { releaseListing, reserveListing } from '../../src/properties/states.ts'
import { type Answer, picture, type TestApp, testApp } from '../support/app.ts'
import type { Shown } from '../support/listings.ts'
import type { Result } from './batch-results.ts'

/** An application whose pictures are made at once, and whose geocoder finds an address, if it does, when asked again. */
export async function randomWritesApp(): Promise<TestApp> {
  const asked = new Set<string>()
  const t = await testApp({
    geocoder: async ({ address }) => {
      if (!asked.has(address)) return asked.add(address) && null
      return address.endsWith('0') ? { lat: -34.5, lng: -58.25, status: 'resolved' } : null
    },
    source: async (address) => {
      if (address.includes('missing')) throw new PhotoFailure('The source answered 404.')
      return Buffer.from(address)
    },
  })
  const sample = await readPicture(await picture('sample'))
  t.deps.photos.read = async () => sample
  return t
}

const seldom = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 })
const often = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })

const photo = fc
  .constantFrom('a', 'b', 'c', 'd', 'e', 'missing')
  .map((name) => `https://photos.example/${name}.jpg`)
const photos = fc.uniqueArray(photo, { minLength: 1, maxLength: 5 })

const fields = fc.record({
  title: often(fc.constantFrom('Casa', 'Casa grande', 'Ñandú "5"', null)),
  description: seldom(fc.constantFrom('Texto', '', null)),
  type: often(fc.constantFrom('Casa', 'Lote')),
  operation: seldom(fc.constantFrom('sale', 'rent', 'temporary')),
  price: often(
    fc.constantFrom(
      { amount: 100, currency: 'USD' },
      { amount: 250.5, currency: 'ARS' },
      { amount: 0.01, currency: 'USD' },
      { on_request: true },
      null,
    ),
  ),
  expenses: seldom(fc.constantFrom({ amount: 5.25, currency: 'ARS' }, null)),
  address: often(fc.constantFrom('Calle 5 100', 'Av. Mitre 201', 'Ruta 7 km 3', null)),
  location: seldom(
    fc.constantFrom(
      { city: 'La Plata', province: 'Buenos Aires' },
      { city: null },
      { lat: -34.1234567, lng: -58.000001 },
      { lat: 0, lng: 1e-7 },
      { lat: null, lng: null },
    ),
  ),
  features: seldom(
    fc.constantFrom({ rooms: 3, total_m2: 80.25 }, { furnished: false, age_years: 0 }, { rooms: null }, null),
  ),
  amenities: seldom(fc.constantFrom(['pileta', 'a'], ['a', 'pileta'], [], null)),
  video_url: seldom(fc.constantFrom('https://video.example/1', null)),
  video_urls: seldom(fc.constantFrom(['https://video.example/1'], null)),
  virtual_tour_url: seldom(fc.constantFrom('https://tour.example/1', null)),
  rental: seldom(fc.constantFrom({ min_stay: 2 }, { services_included: ['luz'] }, null)),
  force_duplicate: fc.constant(true),
})
/** What a listing needs to be published, in part or whole. */
const creation = fc
  .record({
    fields,
    complete: fc.boolean(),
    photos: seldom(photos),
    status: fc.constantFrom('draft', 'published'),
  })
  .map(({ fields: some, complete, photos: urls, status }) => ({
    ...some,
    ...(complete
      ? {
          title: 'Completa',
          type: 'Casa',
          operation: 'sale',
          address: 'Calle 6 102',
          price: { amount: 1, currency: 'USD' },
          rental: undefined,
          photos: ['a', 'b', 'c'].map((name) => `https://photos.example/${name}.jpg`),
          status,
        }
      : { photos: urls }),
  }))
const closing = fc.record({
  reason: often(fc.constantFrom('sold', 'rented', 'other')),
  close_price: seldom(fc.constantFrom(99.5, { amount: 99, currency: 'ARS' })),
  closed_at: seldom(fc.constantFrom('2026-01-31', '2026-02-01T10:00:00.5Z')),
})
const externalId = fc.constantFrom('A', 'B', 'C')

/** Which listing, of those there are by then. */
const target = fc.nat(5)
const toListing = (method: string, path: string, body: fc.Arbitrary<unknown>) =>
  fc.record({
    kind: fc.constant('listing' as const),
    method: fc.constant(method),
    path: fc.constant(path),
    target,
    body,
  })

const item = fc
  .tuple(
    externalId,
    fc.oneof(
      fc.tuple(fc.constantFrom('upsert', 'create', 'update'), fields),
      fc.tuple(fc.constantFrom('upsert', 'create'), creation),
      fc.tuple(fc.constant('disable'), closing),
      fc.tuple(fc.constantFrom('enable', 'delete'), fc.constant({})),
    ),
  )
  .map(([external_id, [action, said]]) => ({ external_id, action, ...said }))

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), body: creation }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('put' as const), externalId, body: fc.oneof(fields, creation) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      items: fc.array(item, { minLength: 1, maxLength: 5 }),
    }),
  },
  { weight: 6, arbitrary: toListing('PATCH', '', fields) },
  { weight: 3, arbitrary: toListing('POST', '/photos', fc.record({ urls: photos })) },
  {
    weight: 3,
    arbitrary: toListing('PUT', '/photos', fc.record({ urls: photos, refresh: seldom(fc.boolean()) })),
  },
  { weight: 2, arbitrary: toListing('PUT', '/photos', fc.constant('own photos reversed')) },
  { weight: 3, arbitrary: toListing('POST', '/disable', closing) },
  { weight: 3, arbitrary: toListing('POST', '/enable', fc.constant({})) },
  { weight: 1, arbitrary: toListing('DELETE', '', fc.constant({})) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('reserve' as const, 'release' as const, 'restore' as const),
      target,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('place' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('rename' as const), name: fc.constantFrom('Una', 'Otra') }),
  },
)
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

export const randomSteps: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 15, maxLength: 40 })

/** A request that was sent, and can be sent again. */
export type Request = { method: string; path: string; body: unknown; key: string; answer: Answer }

/** Where the steps are run: an agency of its own. `listings` has the public codes of all that were ever created, in order. */
export type Run = {
  t: TestApp
  agency: { id: string; slug: string }
  writeKey: string
  listings: string[]
  requests: Request[]
}

export async function newRun(t: TestApp): Promise<Run> {
  const { agency, writeKey } = await t.newAgency()
  return { t, agency, writeKey, listings: [], requests: [] }
}

/** @returns the listings that the step created, as answered */
export async function runStep(run: Run, one: Step): Promise<Shown[]> {
  switch (one.kind) {
    case 'create':
      return made(run, [await send(run, 'POST', '/properties', one.body)])
    case 'put':
      return made(run, [await send(run, 'PUT', `/properties/external/${one.externalId}`, one.body)])
    case 'batch': {
      const { body } = await send(run, 'POST', '/properties/batch', { items: one.items })
      return made(run, (body as unknown as { results: Result[] }).results)
    }
    case 'listing': {
      const path = `/properties/${idOf(run, one.target)}`
      const urls = one.body === 'own photos reversed' ? await ownPhotos(run, path) : null
      await send(run, one.method, path + one.path, urls === null ? one.body : { urls: urls.reverse() })
      return []
    }
    default:
      await beside(run, one)
      return []
  }
}

/** Sends the request with its key. */
export async function send(
  run: Run,
  method: string,
  path: string,
  body: unknown,
  key: string = randomUUID(),
): Promise<Answer> {
  const answer = await run.t.ask(method, path, {
    key: run.writeKey,
    body,
    headers: { 'idempotency-key': key },
  })
  assert.ok(answer.status < 500, answer.text)
  run.requests.push({ method, path, body, key, answer })
  return answer
}

const idOf = ({ listings }: Run, target: number): string => listings[target % listings.length] ?? '22222222'

async function ownPhotos({ t, writeKey }: Run, path: string): Promise<string[]> {
  const { body } = await t.ask('GET', path, { key: writeKey })
  return (body.data as unknown as Shown | undefined)?.photos ?? []
}

function made(
  run: Run,
  answers: readonly { status: number; data?: unknown; body?: { data: unknown } }[],
): Shown[] {
  const created = answers.flatMap(({ status, data, body }) =>
    status === 201 ? [(data ?? body?.data) as Shown] : [],
  )
  run.listings.push(...created.map(({ id }) => id))
  return created
}

const person = { kind: 'person', id: randomUUID(), name: 'Ana', requestId: null } as const

/** What happens without a request. What the rules refuse changes nothing. */
async function beside(
  run: Run,
  one: Exclude<Step, { kind: 'create' | 'put' | 'batch' | 'listing' }>,
): Promise<void> {
  const { t, agency } = run
  const deps = { db: t.deps.db, clock: t.clock, limits: t.deps.config.limits }
  const act = (action: Act) =>
    actOnListing(deps, agency.id, idOf(run, 'target' in one ? one.target : 0), null, person, action)
  try {
    if (one.kind === 'place') await placeUnresolved(t.deps, 100)
    else if (one.kind === 'rename')
      await changeAgencyProfile(deps, agency.id, { name: one.name, slug: agency.slug, email: null })
    else if (one.kind === 'restore')
      await restoreRemoved(deps, agency.id, idOf(run, one.target), null, person)
    else await act(one.kind === 'reserve' ? reserveListing : releaseListing)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
