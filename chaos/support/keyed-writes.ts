/** Writes with an Idempotency-Key, one of each kind; the history shows if one happened twice. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { freshAddress, publishable } from '../../test/support/app/app.ts'
import { type ApiResponse, ask, type Write } from './ask.ts'
import type { Pictures } from './pictures.ts'

export type KeyedWrite = Write & {
  idempotencyKey: string
  /** The status on success. */
  status: number
  /** Entries that must be in the agency's history exactly once, or not at all while the write has not happened. */
  effects: readonly Effect[]
  /** The first response received. */
  response: ApiResponse | null
  /** Whether one of the responses was an original rather than a replay. */
  isCarriedOut: boolean
}

/** An action on a listing, identified by its title or id. */
type Effect = { action: string; title: string } | { action: string; id: string }

/** A write that has not been sent yet. */
export function keyedWrite(
  method: string,
  path: string,
  body: unknown,
  status: number,
  effects: readonly Effect[],
): KeyedWrite {
  return {
    method,
    path,
    body,
    idempotencyKey: randomUUID(),
    status,
    effects,
    response: null,
    isCarriedOut: false,
  }
}

/** One write of each kind. @param existing codes of drafts that nothing else uses */
export function keyedWrites(
  pictures: Pictures,
  existing: readonly { id: string; external_id: string }[],
): KeyedWrite[] {
  const title = () => `Casa ${randomUUID()}`
  const creating = (method: string, path: string, body: Record<string, unknown>) => {
    const named = { title: title(), ...body }
    return keyedWrite(method, path, named, 201, [{ action: 'created', title: named.title }])
  }
  const [edited, upserted, removed, pictured, arranged] = existing
  assert.ok(edited && upserted && removed && pictured && arranged)
  const [editedTitle, upsertedTitle] = [title(), title()]
  const items = Array.from({ length: 6 }, () => ({
    external_id: randomUUID(),
    title: title(),
    address: freshAddress(),
  }))
  return [
    creating('POST', '/properties', {}),
    creating('POST', '/properties', { external_id: randomUUID(), address: freshAddress() }),
    creating(
      'POST',
      '/properties',
      publishable({ title: title(), photos: pictures.addresses(3, randomUUID()) }),
    ),
    creating('PUT', `/properties/external/${randomUUID()}`, { photos: pictures.addresses(1, randomUUID()) }),
    keyedWrite(
      'POST',
      '/properties/batch',
      { items: [...items, { external_id: randomUUID(), action: 'delete' }] },
      200,
      items.map((item) => ({ action: 'created', title: item.title })),
    ),
    keyedWrite('PATCH', `/properties/${edited.id}`, { title: editedTitle }, 200, [
      { action: 'updated', title: editedTitle },
    ]),
    keyedWrite('PUT', `/properties/external/${upserted.external_id}`, { title: upsertedTitle }, 200, [
      { action: 'updated', title: upsertedTitle },
    ]),
    keyedWrite('DELETE', `/properties/${removed.id}`, undefined, 200, [
      { action: 'deleted', id: removed.id },
    ]),
    keyedWrite(
      'POST',
      `/properties/${pictured.id}/photos`,
      { urls: pictures.addresses(2, randomUUID()) },
      200,
      [{ action: 'photos_added', id: pictured.id }],
    ),
    keyedWrite(
      'PUT',
      `/properties/${arranged.id}/photos`,
      { urls: pictures.addresses(2, randomUUID()) },
      200,
      [{ action: 'updated', id: arranged.id }],
    ),
  ]
}

/** Drafts for `keyedWrites`. */
export async function fiveDrafts(url: string, key: string): Promise<{ id: string; external_id: string }[]> {
  const items = Array.from({ length: 5 }, () => ({ external_id: randomUUID() }))
  const response = await ask(url, key, {
    method: 'POST',
    path: '/properties/batch',
    idempotencyKey: randomUUID(),
    body: { items },
  })
  const results = response?.body['results'] as { data: { id: string; external_id: string } }[] | undefined
  assert.ok(results?.length === 5, response?.text)
  return results.map(({ data }) => data)
}

/** The number of times that each of a write's effects happened. */
export async function effectsOf(db: Client, agencyId: string, write: KeyedWrite): Promise<number[]> {
  const counts: number[] = []
  for (const effect of write.effects) {
    const [which, value] =
      'title' in effect ? [byTitle(effect.action), effect.title] : ['p.public_id = $3', effect.id]
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count from listing_history h join properties p on p.agency_id = h.agency_id and p.id = h.property_id
        where h.agency_id = $1 and h.action = $2 and ${which}`,
      [agencyId, effect.action, value],
    )
    counts.push(rows[0]?.count ?? -1)
  }
  return counts
}

/** A creation's entry has no changes, and no write here changes a created listing's title. */
function byTitle(action: string): string {
  return action === 'created' ? 'p.title = $3' : `changes -> 'title' ->> 'to' = $3`
}

/**
 * Checks a response: it must be a success, and equal the earlier response if there was one. Responses that leave the outcome open are not
 * checked.
 * @returns whether the write has its response
 */
export function judge(write: KeyedWrite, response: ApiResponse | null): boolean {
  if (response === null || response.status === 503) return false
  if (response.status === 409 && response.body.error.code === 'idempotent_request_in_progress') return false
  assert.equal(response.status, write.status, `${write.method} ${write.path}: ${response.text}`)
  if (!response.replayed) {
    assert.ok(!write.isCarriedOut, `${write.method} ${write.path} was carried out again`)
    write.isCarriedOut = true
  }
  if (write.response !== null) {
    assert.equal(response.text, write.response.text, 'a retry got another response')
    assert.equal(response.etag, write.response.etag)
  }
  // An earlier response may have been lost before the first one that arrived.
  write.response ??= response
  return true
}
