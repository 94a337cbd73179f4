/**
 * Runs the operations of a batch one at a time through the single endpoints, and extracts what can be compared between two agencies:
 * everything except random values and times.
 */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { ApiResponse, TestApp } from '../../support/app/app.ts'
import type { Item, Result } from './batch-results.ts'

export type Agency = { id: string; key: string }

/** Runs the items in one request. */
export async function inBatch(t: TestApp, { key }: Agency, items: readonly Item[]): Promise<Result[]> {
  const response = await t.ask('POST', '/properties/batch', { key, body: { items } })
  assert.equal(response.status, 200, response.text)
  return (response.body as unknown as { results: Result[] }).results
}

/** Runs each item in a request of its own. */
export async function singly(t: TestApp, agency: Agency, items: readonly Item[]): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    const { external_id, action = 'upsert' } = item
    const { status, body } = await single(t, agency, item)
    const { data, error, warnings = [] } = body as unknown as Pick<Result, 'data' | 'error' | 'warnings'>
    results.push({ index, external_id, action, status, data, error, warnings })
  }
  return results
}

/** Runs an item in a request of its own. @param search with its question mark */
export async function single(
  t: TestApp,
  { id: agencyId, key }: Agency,
  { external_id: externalId, action = 'upsert', ...fields }: Item,
  search = '',
): Promise<ApiResponse> {
  if (action === 'upsert')
    return t.ask('PUT', `/properties/external/${externalId}${search}`, { key, body: fields })
  if (action === 'create')
    return t.ask('POST', `/properties${search}`, { key, body: { ...fields, external_id: externalId } })
  const { rows } = await sql<{ public_id: string }>`select public_id from properties
    where agency_id = ${agencyId} and external_id = ${externalId} and deleted_at is null`.execute(t.deps.db)
  const path = `/properties/${rows[0]?.public_id ?? 'ZZZZ9999'}`
  if (action === 'update') return t.ask('PATCH', path + search, { key, body: fields })
  if (action === 'delete') return t.ask('DELETE', path, { key })
  return t.ask('POST', `${path}/${action}${search}`, { key, body: fields })
}

/** The part of a result that does not depend on the agency or the time. */
export function comparable({ index, external_id, action, status, data, error, warnings }: Result) {
  return {
    index,
    external_id,
    action,
    status,
    data: data === undefined ? undefined : plain(data),
    error: error === undefined ? undefined : comparableError(error, index),
    warnings: warnings.map(({ code, parameter }) => `${code} ${parameter ?? ''}`),
  }
}

function comparableError({ code, parameter, missing, retry_after }: Record<string, unknown>, index: number) {
  const inItem = typeof parameter === 'string' ? parameter.replace(`items[${index}].`, '') : undefined
  return { code, parameter: inItem, missing, limited: retry_after !== undefined }
}

const random = new Set([
  'id',
  'url',
  'agency',
  'agency_id',
  'public_id',
  'property_id',
  'request_id',
  'actor_id',
  'actor_name',
])
const moments = new Set([
  'created_at',
  'updated_at',
  'published_at',
  'deleted_at',
  'closed_at',
  'at',
  'listed_at',
])

/** A value without random parts: timestamps only as null or not null, and each photo as the hash of its content. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'string') return /([\w-]{43})\.[0-9A-Za-z]{8}(?=\/|$)/.exec(value)?.[1] ?? value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !random.has(name))
      .map(([name, member]) => [name, moments.has(name) ? told(member) : plain(member)]),
  )
}

function told(moment: unknown): unknown {
  if (typeof moment !== 'object' || moment === null) return moment === null ? null : 'a moment'
  // The change of a timestamp in the history.
  return Object.fromEntries(Object.entries(moment).map(([name, member]) => [name, told(member)]))
}

/** The stored data of an agency's listings, removed ones and history included, and the number of photos charged. */
export async function endState(t: TestApp, agencyId: string): Promise<unknown> {
  const read = async (query: string, order: string) => {
    const { rows } =
      await sql`select x.* from ${sql.raw(query)} x where agency_id = ${agencyId} order by ${sql.raw(order)}`.execute(
        t.deps.db,
      )
    return rows.map(plain)
  }
  return {
    listings: await read('properties', 'created_at, version'),
    history: await read('listing_history', 'revision'),
    revision: (
      await sql`select revision, hour_new_listings, day_new_listings from agency_revisions where agency_id = ${agencyId}`.execute(
        t.deps.db,
      )
    ).rows,
    photos: (
      await sql`select used from agency_usage where agency_id = ${agencyId} and name = 'photos_per_day'`.execute(
        t.deps.db,
      )
    ).rows,
  }
}
