/**
 * The statements that store listings. Each also stores their history, raises the agency's revision, and puts events into the outbox. A
 * single listing is sent as parameters, which costs the database a sixth less than parsing it from JSON.
 */
import { addressRulesVersion } from '../addresses/normalize.ts'
import { hotStatement, type Statement } from '../db/statement.ts'
import { type OutboxEvent, outboxParts } from '../notifications/outbox.ts'
import { readAddress } from './duplicates.ts'
import { type Entry, entryColumns } from './history.ts'
import { type Listing, listingColumns } from './listing.ts'
import type { Revision } from '../writing/agency-lock.ts'
import { fold, searchText } from './search-text.ts'

/** The columns that a write sets: those of a listing, and those for search and for comparing addresses. */
export const writtenColumns = [
  ...listingColumns,
  'city_folded',
  'search_folded',
  'street_key',
  'city_key',
  'address_rules',
] as const

type Row = Record<(typeof writtenColumns)[number], unknown>

/** `insert` for new listings, `update` for stored ones. */
export type WriteKind = 'insert' | 'update'

/** The rows that one statement stores. Each entry belongs to one of the listings, each event to one of the entries. */
export type Stored = {
  listings: readonly Listing[]
  entries: readonly Entry[]
  events: readonly OutboxEvent[]
}

/** The new values of the agency's row. `counters` of new listings: hour, count in that hour, day, count on that day. */
type AgencyState = { id: string; last: Revision; counters: readonly unknown[] }

/** Uses parameters 1 to 7; those of the listings start at `first`. */
const raise = `raised as (
  update agency_revisions set revision = $2, changed_at = $3, hour = $4, hour_new_listings = $5, day = $6, day_new_listings = $7
  where agency_id = $1)`
const first = 8

const columns = writtenColumns.join(', ')
const ofHistory = entryColumns.join(', ')
/** The columns that an update sets: all but the first two, agency and uuid, which never change. */
const changing = writtenColumns.slice(2)

const places = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `$${from + index}`)

/** Number of parameters: of a single listing with its entry, and of any number of them as JSON. */
const inOne = writtenColumns.length + entryColumns.length
const inMany = 2

const writesOne: Record<WriteKind, string> = {
  insert: `insert into properties (${columns}) values (${places(first, writtenColumns.length).join(', ')})`,
  update: `update properties set ${changing.map((column, index) => `${column} = $${first + 2 + index}`).join(', ')}
    where agency_id = $${first} and id = $${first + 1}`,
}
/** Columns of rows from JSON. The agency is the first of them, and a parameter, so that Citus knows where the rows belong. */
const ofAgency = (of: readonly string[]): string => ['$1', ...of.slice(1)].join(', ')

const writesMany: Record<WriteKind, string> = {
  insert: `insert into properties (${columns}) select ${ofAgency(writtenColumns)} from json_populate_recordset(null::properties, $${first}::json)`,
  update: `update properties p set (${changing.join(', ')}) = row(${changing.map((column) => `r.${column}`).join(', ')})
    from json_populate_recordset(null::properties, $${first}::json) r where p.agency_id = $1 and p.id = r.id`,
}
const logsOne = `insert into listing_history (${ofHistory})
  values (${places(first + writtenColumns.length, entryColumns.length).join(', ')})`
const logsMany = `insert into listing_history (${ofHistory})
  select ${ofAgency(entryColumns)} from json_populate_recordset(null::listing_history, $${first + 1}::json)`

function statementOf(kind: WriteKind, isOne: boolean, notifies: boolean) {
  const outbox = first + (isOne ? inOne : inMany)
  const parts = [
    raise,
    `written as (${(isOne ? writesOne : writesMany)[kind]})`,
    ...(notifies ? [outboxParts(`$${outbox}`, `$${outbox + 1}`)] : []),
  ]
  return hotStatement(`with ${parts.join(', ')} ${isOne ? logsOne : logsMany}`)
}

const statementsOfKind = (kind: WriteKind) => ({
  one: { quiet: statementOf(kind, true, false), notifying: statementOf(kind, true, true) },
  many: { quiet: statementOf(kind, false, false), notifying: statementOf(kind, false, true) },
})
const statements = { insert: statementsOfKind('insert'), update: statementsOfKind('update') }

/** The statement that stores all rows. */
export function storeStatement(
  kind: WriteKind,
  { id, last, counters }: AgencyState,
  { listings, entries, events }: Stored,
): Statement {
  const [listing] = listings
  const [entry] = entries
  const one = listings.length === 1 && entries.length === 1 && listing && entry ? { listing, entry } : null
  const notifies = events.length > 0
  const statement = statements[kind][one === null ? 'many' : 'one'][notifies ? 'notifying' : 'quiet']
  const values: unknown[] = [id, last.revision, last.at, ...counters]
  if (one === null) values.push(JSON.stringify(listings.map(rowOf)), JSON.stringify(entries))
  else {
    const row = rowOf(one.listing)
    for (const column of writtenColumns) values.push(row[column])
    for (const column of entryColumns) values.push(one.entry[column])
  }
  if (notifies) values.push(JSON.stringify(events), [...new Set(events.map((event) => event.property_id))])
  return statement.with(values)
}

/** The columns that store a listing. */
export function rowOf(listing: Listing): Row {
  const key = readAddress(listing)?.key ?? null
  return {
    ...listing,
    city_folded: fold(listing.city ?? ''),
    search_folded: searchText(listing),
    street_key: key?.streetKey ?? null,
    city_key: key?.cityKey ?? null,
    address_rules: addressRulesVersion,
  }
}
