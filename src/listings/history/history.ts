/**
 * The history of a listing: actor, action, time, request, and the changed fields with their old and new values. Each entry is stored in
 * the transaction of its write. The entry of a creation stores no values: the listing has them, or the entry that changed them.
 */
import { type Executor, statement } from '../../platform/db/statements/statement.ts'
import type { Actor } from '../../writing/actor.ts'
import { findAnyListing } from '../reading/find.ts'
import type { Line } from '../fields/field.ts'
import type { GroupName, OwnName } from '../fields/field-lists.ts'
import { fields } from '../fields/fields.ts'
import type { Features } from '../fields/content.ts'
import type { Listing } from '../listing.ts'
import { groupReaders } from '../fields/groups.ts'

export type Action =
  | 'created'
  | 'updated'
  | 'published'
  | 'disabled'
  | 'closing_recorded'
  | 'photos_added'
  | 'reserved'
  | 'released'
  | 'deleted'
  | 'restored'

/** Field → its old and new value. */
export type Changes = Record<string, { from: unknown; to: unknown }>

/** An entry as it is stored. */
export type Entry = {
  agency_id: string
  property_id: string
  revision: number
  at: string
  action: Action
  actor_kind: Actor['kind']
  actor_id: string | null
  /** Null: the person was erased. */
  actor_name: string | null
  request_id: string | null
  changes: Changes
}

/** The entry of a write. @param after the listing after it */
export function entryOf(after: Listing, action: Action, actor: Actor, changes: Changes): Entry {
  return {
    agency_id: after.agency_id,
    property_id: after.id,
    revision: after.version,
    at: after.updated_at,
    action,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    request_id: actor.requestId,
    changes,
  }
}

/** The fields that differ, by their API names. @param before null for a new listing */
export function changesBetween(before: Listing | null, after: Listing): Changes {
  if (before === null) return creationOf(described(after))
  const changes: Changes = {}
  const was: Record<string, unknown> = described(before)
  for (const [name, to] of Object.entries(described(after))) {
    const from = was[name]
    if (!isSame(from, to)) changes[name] = { from, to }
  }
  return changes
}

function creationOf(values: RecordedFields): Changes {
  const filled = Object.entries(values).filter(([, value]) => !isNothing(value))
  return Object.fromEntries(filled.map(([name, to]) => [name, { from: null, to }]))
}

/** The fields as they were before the entries, by their API names. @param later all entries since then, oldest first */
export function describedBefore(listing: Listing, later: readonly { changes: Changes }[]): RecordedFields {
  const values = described(listing)
  for (const { changes } of later.toReversed())
    for (const [name, { from }] of Object.entries(changes)) Object.assign(values, { [name]: from })
  return values
}

/** The fields of a listing that its history records, by their API names. */
export type RecordedFields = Pick<Listing, OwnName | 'status' | 'location_status' | 'features' | 'photos'> & {
  [Name in Exclude<GroupName, 'features'>]: ReturnType<(typeof groupReaders)[Name]>
} & ReturnType<typeof describedState>

const recordedNames = Object.entries<Line>(fields).flatMap(([name, { label }]) =>
  label === undefined || name === 'reserved' ? [] : [name as keyof RecordedFields],
)

function described(listing: Listing): RecordedFields {
  const values: Record<string, unknown> = {}
  for (const name of recordedNames) {
    if (name === 'features') values[name] = sorted(listing.features)
    else if (Object.hasOwn(groupReaders, name)) values[name] = groupReaders[name as GroupName](listing)
    else values[name] = listing[name as OwnName]
  }
  return { ...(values as RecordedFields), ...describedState(listing) }
}

/** The fields of a listing's state that its history records, besides `status`. */
export function describedState(listing: Listing) {
  const { reserved, close_reason, closed_at, close_amount: amount, close_currency: currency } = listing
  const close_price = amount === null ? null : { amount, currency }
  return { reserved, close_reason, closed_at, close_price, deleted: listing.deleted_at !== null }
}

/** By name, so that equal features are equal as JSON. */
const sorted = (features: Features): Features =>
  Object.fromEntries(Object.entries(features).sort(([a], [b]) => (a < b ? -1 : 1)))

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}

/** Whether a field is empty, such as features without a value. */
export function isNothing(value: unknown): boolean {
  if (value === null || value === false) return true
  if (typeof value !== 'object') return false
  return Object.values(value as object).every(isNothing)
}

/** An entry as it is shown. The actor's name is null if the person was erased. */
export type HistoryEntry = {
  at: string
  action: Action
  actor: { kind: Actor['kind']; id: string | null; name: string | null }
  changes: Changes
  request_id: string | null
}

type Row = Omit<Entry, 'agency_id' | 'property_id'>

const selectingEntries = (rest: string) =>
  statement<Row>(`
  select revision, at, action, actor_kind, actor_id, actor_name, changes, request_id
  from listing_history where agency_id = $1 and property_id = $2 ${rest}`)
const selectAll = selectingEntries('order by revision')
const selectBefore = selectingEntries('and revision < $3 order by revision desc limit $4')
const selectAfter = selectingEntries('and revision > $3 order by revision limit $4')

/** An entry, and the agency's revision that its write made. */
export type NumberedEntry = { revision: number; entry: HistoryEntry }

/** The history of a listing, removed or not, oldest first. @param listingId its uuid */
export async function findNumberedHistory(db: Executor, agencyId: string, listingId: string) {
  // Before the entries: a change between the two reads then has an entry, which holds the earlier value.
  const listing = await findAnyListing(db, agencyId, { id: listingId })
  const rows = await selectAll(db, [agencyId, listingId])
  const [first, ...later] = rows
  if (listing !== null && first?.action === 'created' && Object.keys(first.changes).length === 0)
    first.changes = creationOf(describedBefore(listing, later))
  return rows.map(numbered)
}

/** The entries next to a revision, without its own: either before or after it. */
export type HistoryWindow = Readonly<{ limit: number } & ({ before: number } | { after: number })>

/** A revision that no listing reaches: the history before it begins with the latest entry. */
export const afterAll = Number.MAX_SAFE_INTEGER

/** A part of the history, latest first. Only the part with the creation reads all of it. */
export async function findHistoryPart(
  db: Executor,
  agencyId: string,
  listingId: string,
  window: HistoryWindow,
): Promise<NumberedEntry[]> {
  const rows =
    'before' in window
      ? await selectBefore(db, [agencyId, listingId, window.before, window.limit])
      : (await selectAfter(db, [agencyId, listingId, window.after, window.limit])).toReversed()
  if (rows.at(-1)?.action !== 'created') return rows.map(numbered)
  const whole = await findNumberedHistory(db, agencyId, listingId)
  const shown = new Set(rows.map(({ revision }) => revision))
  return whole.filter(({ revision }) => shown.has(revision)).toReversed()
}

function numbered(row: Row): NumberedEntry {
  const { revision, at, action, actor_kind, actor_id, actor_name, changes, request_id } = row
  const actor = { kind: actor_kind, id: actor_id, name: actor_name }
  return { revision, entry: { at, action, actor, changes, request_id } }
}
