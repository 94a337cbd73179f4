/** Shared helpers for tests of writes: listings as returned, rejections, and everything that a write can leave behind. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { catalogue, type ErrorCode } from '../../../src/platform/errors/error-catalogue.ts'
import type { LimitName } from '../../../src/limits/table.ts'
import type { Usage } from '../../../src/limits/usage.ts'
import type { Listing } from '../../../src/listings/listing.ts'
import { findAnyListing } from '../../../src/listings/reading/find.ts'
import { findNumberedHistory, type HistoryEntry } from '../../../src/listings/history/history.ts'
import { type ApiResponse, publishable, type TestApp } from './app.ts'

/** A listing as the API returns it. */
export type Shown = {
  id: string
  external_id: string | null
  status: string
  title: string | null
  operation: string | null
  type: string | null
  price: { amount: number | null; currency: string | null; on_request: boolean; period?: string | null }
  expenses: { amount: number; currency: string } | null
  address: string | null
  location: {
    city: string | null
    province: string | null
    neighborhood: null
    lat: number | null
    lng: number | null
  }
  location_status: string | null
  features: Record<string, unknown>
  photos: string[]
  rental: Record<string, unknown> | null
  published_at: string | null
  created_at: string
  updated_at: string
  missing: string[]
} & Record<string, unknown>

export type ShownWarning = { code: string; message: string; parameter?: string }

/** The expected `missing`, computed from the other fields of the listing. */
export function missingOf(
  shown: Pick<Shown, 'title' | 'type' | 'operation' | 'address' | 'price' | 'photos'>,
) {
  const { title, type, operation, address, price, photos } = shown
  const fields = Object.entries({ title, type, operation, address })
  return [
    ...fields.filter(([, value]) => value === null).map(([name]) => name),
    ...(price.amount === null && !price.on_request ? ['price'] : []),
    ...(operation === 'temporary' && price.period === null ? ['price.period'] : []),
    ...(photos.length < 3 ? ['photos'] : []),
  ]
}

/** The listing in a response. */
export function listingOf(response: ApiResponse): Shown {
  return response.body.data as unknown as Shown
}

/** Codes and parameters of a response's warnings, in order: `photo_failed photos[1]`. */
export function warningsOf(response: ApiResponse): string[] {
  const { warnings } = response.body as unknown as { warnings: ShownWarning[] }
  return warnings.map(({ code, parameter }) => (parameter === undefined ? code : `${code} ${parameter}`))
}

/** Checks that a response is this error of the catalogue. @returns the error object */
export function refused(response: ApiResponse, code: ErrorCode, parameter?: string): Record<string, unknown> {
  const error = response.body.error as Record<string, unknown> | undefined
  assert.deepEqual(
    {
      status: response.status,
      code: error?.['code'],
      parameter: parameter === undefined ? undefined : error?.['parameter'],
    },
    { status: catalogue[code].status, code, parameter },
    response.text,
  )
  return error ?? {}
}

/** Checks that a response is a 429 that names exactly these limits. @returns its Retry-After in seconds */
export function limited(response: ApiResponse, ...names: string[]): number {
  const { message } = refused(response, 'rate_limited') as { message: string }
  assert.deepEqual(message.match(/\w+_per_\w+/g)?.sort(), names.sort())
  const seconds = response.headers.get('retry-after') ?? ''
  assert.match(seconds, /^[1-9]\d*$/)
  return Number(seconds)
}

/** Checks a response's status. @returns its listing */
export function accepted(response: ApiResponse, status = 200): Shown {
  assert.equal(response.status, status, response.text)
  return listingOf(response)
}

/** A new draft. */
export async function draft(t: TestApp, body: Record<string, unknown> = {}): Promise<Shown> {
  return accepted(await t.ask('POST', '/properties', { body: { title: 'Borrador', ...body } }), 201)
}

/** A new published listing, with three photos. */
export async function published(t: TestApp, changes: Record<string, unknown> = {}): Promise<Shown> {
  return accepted(await t.ask('POST', '/properties', { body: publishable(changes) }), 201)
}

/** The row behind a listing, removed ones included. */
export async function rowOf(t: TestApp, id: string, agencyId: string = t.agency.id): Promise<Listing> {
  const row = await findAnyListing(t.deps.db, agencyId, { id })
  assert.ok(row !== null, `no row of ${id}`)
  return row
}

/** The history of a listing, oldest first. */
export async function historyOf(
  t: TestApp,
  id: string,
  agencyId: string = t.agency.id,
): Promise<HistoryEntry[]> {
  return await findHistory(t.deps.db, agencyId, (await rowOf(t, id, agencyId)).id)
}

export async function revisionOf(t: TestApp, agencyId: string = t.agency.id): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    select revision from agency_revisions where agency_id = ${agencyId}`.execute(t.deps.db)
  return rows[0]?.revision ?? -1
}

/** Names of stored pictures. */
export async function filesOf(t: TestApp, agencyId: string = t.agency.id): Promise<string[]> {
  const folders = await readdir(join(t.deps.config.dataDir, 'photos', agencyId)).catch(() => [])
  return folders.sort()
}

/** Names of pictures that no listing shows and that the reaper will delete. */
export async function unreferencedOf(t: TestApp, agencyId: string = t.agency.id): Promise<string[]> {
  const { rows } = await sql<{ photo: string }>`
    select photo from unreferenced_photos where agency_id = ${agencyId} order by photo`.execute(t.deps.db)
  return rows.map(({ photo }) => photo)
}

/** Everything of an agency that a write can change. */
export async function tracesOf(t: TestApp, agencyId: string = t.agency.id) {
  const read = async (table: string) =>
    (
      await sql`select * from ${sql.table(table)} t where agency_id = ${agencyId} order by t::text`.execute(
        t.deps.db,
      )
    ).rows
  return {
    listings: await read('properties'),
    history: await read('listing_history'),
    revision: await read('agency_revisions'),
    // Without warnings, because failures are recorded even when the write is rejected.
    sources: await sourcesOf(t, agencyId),
    unreferenced: await read('unreferenced_photos'),
    files: await filesOf(t, agencyId),
  }
}

async function sourcesOf(t: TestApp, agencyId: string) {
  const { rows } = await sql`
    select property_id, sources, photos from photo_sources where agency_id = ${agencyId} and sources <> '{}'
    order by property_id`.execute(t.deps.db)
  return rows
}

/** Runs a request that must fail, and checks that it changed nothing. */
export async function leavingNothing(t: TestApp, failing: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const before = await tracesOf(t)
  const response = await failing()
  assert.ok(response.status >= 400, `it did not fail: ${response.text}`)
  assert.deepEqual(await tracesOf(t), before)
  return response
}

/** The limits as `/me` shows them to the key. Counts as a read. */
export async function usageOf(t: TestApp, key: string = t.writeKey) {
  const response = await t.ask('GET', '/me', { key })
  assert.equal(response.status, 200, response.text)
  const { usage } = response.body.data as unknown as { usage: Record<LimitName, Usage> }
  return usage
}

/** Counts responses by status. */
export function tally(responses: readonly ApiResponse[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Sends `count` requests at once. */
export function atOnce(count: number, ask: (index: number) => Promise<ApiResponse>): Promise<ApiResponse[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => ask(index)))
}

/** The history of a listing, removed or not, oldest first. @param listingId its uuid */
export async function findHistory(
  db: TestApp['deps']['db'],
  agencyId: string,
  listingId: string,
): Promise<HistoryEntry[]> {
  return (await findNumberedHistory(db, agencyId, listingId)).map(({ entry }) => entry)
}
