/**
 * Random writes to an agency's listings through every path: requests, actions in the dashboard and by the operator, and the worker that
 * geocodes addresses. Every request has an Idempotency-Key.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { ApiError } from '../../../src/platform/errors/errors.ts'
import { PhotoFailure } from '../../../src/listings/photos/failure.ts'
import { readPicture } from '../../../src/listings/photos/image.ts'
import { type Act, actOnListing } from '../../../src/listings/writing/write-by-person.ts'
import { restoreRemoved } from '../../../src/listings/writing/states/restore.ts'
import { saveAgencyProfile } from '../../support/app/agency-profile.ts'
import { geocodeUnresolved } from '../../../src/listings/upkeep/geocode-unresolved.ts'
import { releaseListing, reserveListing } from '../../../src/listings/writing/states/states.ts'
import { type ApiResponse, picture, type TestApp, testApp } from '../../support/app/app.ts'
import type { Shown } from '../../support/app/listings.ts'
import type { Result } from './batch-results.ts'
import type { Step } from './random-steps.ts'

/** An application with instant pictures, and a geocoder that finds an address, if at all, on the second request. */
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

/** A request that was sent and can be repeated. */
export type Request = { method: string; path: string; body: unknown; key: string; response: ApiResponse }

/** The target of the steps: a separate agency. `listings` has the public codes of all listings ever created, in order. */
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

/** @returns the listings created by the step, as returned by the API */
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
async function send(
  run: Run,
  method: string,
  path: string,
  body: unknown,
  key: string = randomUUID(),
): Promise<ApiResponse> {
  const response = await run.t.ask(method, path, {
    key: run.writeKey,
    body,
    headers: { 'idempotency-key': key },
  })
  assert.ok(response.status < 500, response.text)
  run.requests.push({ method, path, body, key, response })
  return response
}

const idOf = ({ listings }: Run, target: number): string => listings[target % listings.length] ?? '22222222'

async function ownPhotos({ t, writeKey }: Run, path: string): Promise<string[]> {
  const { body } = await t.ask('GET', path, { key: writeKey })
  return (body.data as unknown as Shown | undefined)?.photos ?? []
}

function made(
  run: Run,
  responses: readonly { status: number; data?: unknown; body?: { data: unknown } }[],
): Shown[] {
  const created = responses.flatMap(({ status, data, body }) =>
    status === 201 ? [(data ?? body?.data) as Shown] : [],
  )
  run.listings.push(...created.map(({ id }) => id))
  return created
}

const person = { kind: 'person', id: randomUUID(), name: 'Ana', requestId: null } as const

/** Changes that need no request. A rejected one changes nothing. */
async function beside(
  run: Run,
  one: Exclude<Step, { kind: 'create' | 'put' | 'batch' | 'listing' }>,
): Promise<void> {
  const { deps } = run.t
  const { agency } = run
  const act = (action: Act) =>
    actOnListing(deps, agency.id, idOf(run, 'target' in one ? one.target : 0), null, person, action)
  try {
    if (one.kind === 'geocode') await geocodeUnresolved(deps, 100)
    else if (one.kind === 'rename')
      await saveAgencyProfile(deps, agency.id, { name: one.name, slug: agency.slug, email: null })
    else if (one.kind === 'restore')
      await restoreRemoved(deps, agency.id, idOf(run, one.target), null, person)
    else await act(one.kind === 'reserve' ? reserveListing : releaseListing)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
