/**
 * The statements that store listings. Each also stores their history, raises the agency's revision, and puts events into the outbox. A
 * single listing is sent as parameters, which costs the database a sixth less than parsing it from JSON.
 */
import { addressRulesVersion } from '../addresses/normalize.ts'
import { hotStatement, type Statement } from '../db/statement.ts'
import { listingsOf, type OutboxEvent, outboxParts, outboxStatements } from '../notifications/outbox.ts'
import { readAddress } from './duplicates.ts'
import { type Entry, entryColumns } from './history.ts'
import { type Listing, listingColumns } from './listing.ts'
import type { Revision } from '../writing/agency-lock.ts'
import { roughText } from './rough-text.ts'
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

const columns = writtenColumns.join(', ')
const ofHistory = entryColumns.join(', ')
/** A new listing's place is shown as it is. */
const columnsOf = { insert: writtenColumns, update: [...writtenColumns, 'rough_folded'] } as const
/** The columns that an update sets: all but the first two, agency and uuid, which never change. */
const changing = columnsOf.update.slice(2)
/** The stored row says whether its place is shown approximately. */
const setTo = (column: string, value: string): string =>
  column === 'rough_folded' ? `case when p.place_blurred then ${value} end` : value
/** Columns of rows from JSON. The agency is the first of them, and a parameter, so that Citus knows where the rows belong. */
const ofAgency = (of: readonly string[]): string => ['$1', ...of.slice(1)].join(', ')
const places = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `$${from + index}`).join(', ')

/** Uses parameters 1 to 7. */
const raise =
  'update agency_revisions set revision = $2, changed_at = $3, hour = $4, hour_new_listings = $5, day = $6, day_new_listings = $7 where agency_id = $1'

/** `first`: the first of its parameters, one for each column. */
const writesOne: Record<WriteKind, (first: number) => string> = {
  insert: (first) => `insert into properties (${columns}) values (${places(first, writtenColumns.length)})`,
  update: (
    first,
  ) => `update properties p set ${changing.map((column, index) => `${column} = ${setTo(column, `$${first + 2 + index}`)}`).join(', ')}
    where agency_id = $${first} and id = $${first + 1}`,
}
const logsOne = (first: number): string =>
  `insert into listing_history (${ofHistory}) values (${places(first, entryColumns.length)})`

/** Of the agency `$1`. `rows`: parameter of the rows, a JSON list. */
const writesMany: Record<WriteKind, (rows: string) => string> = {
  insert: (rows) =>
    `insert into properties (${columns}) select ${ofAgency(writtenColumns)} from json_populate_recordset(null::properties, ${rows}::json)`,
  update: (
    rows,
  ) => `update properties p set (${changing.join(', ')}) = row(${changing.map((column) => setTo(column, `r.${column}`)).join(', ')})
    from json_populate_recordset(null::properties, ${rows}::json) r where p.agency_id = $1 and p.id = r.id`,
}
const logsMany = (rows: string): string =>
  `insert into listing_history (${ofHistory}) select ${ofAgency(entryColumns)} from json_populate_recordset(null::listing_history, ${rows}::json)`

const ofKinds = <Made>(make: (kind: WriteKind) => Made): Record<WriteKind, Made> => ({
  insert: make('insert'),
  update: make('update'),
})

/** On plain PostgreSQL: all in one, after the parameters of `raise`. */
const together = ofKinds((kind) => {
  const statementOf = (writes: string, logs: string, next: number) => ({
    quiet: hotStatement(`with raised as (${raise}), written as (${writes}) ${logs}`, 'plain'),
    notifying: hotStatement(
      `with raised as (${raise}), written as (${writes}), ${outboxParts(`$${next}`, `$${next + 1}`)} ${logs}`,
      'plain',
    ),
  })
  const entry = 8 + columnsOf[kind].length
  return {
    one: statementOf(writesOne[kind](8), logsOne(entry), entry + entryColumns.length),
    many: statementOf(writesMany[kind]('$8'), logsMany('$9'), 10),
  }
})

/** On Citus: of one table each, because it plans a statement of several anew at each execution. */
const apart = {
  raise: hotStatement(raise),
  one: ofKinds((kind) => hotStatement(writesOne[kind](1))),
  many: ofKinds((kind) => hotStatement(writesMany[kind]('$2'))),
  logOne: hotStatement(logsOne(1)),
  logMany: hotStatement(logsMany('$2')),
}

/** The statements that store all rows, to be sent together. */
export function storeStatements(
  kind: WriteKind,
  { id, last, counters }: AgencyState,
  { listings, entries, events }: Stored,
  isDistributed: boolean,
): Statement[] {
  const [listing] = listings
  const [entry] = entries
  const raised = [id, last.revision, last.at, ...counters]
  const one =
    listings.length === 1 && entries.length === 1 && listing && entry
      ? { row: valuesOf(kind, listing), entry: entryColumns.map((column) => entry[column]) }
      : null
  const rows = () => JSON.stringify(listings.map(kind === 'insert' ? rowOf : updatedRowOf))
  if (!isDistributed) {
    const statement = together[kind][one === null ? 'many' : 'one'][events.length > 0 ? 'notifying' : 'quiet']
    const written = one === null ? [rows(), JSON.stringify(entries)] : [...one.row, ...one.entry]
    const noted = events.length > 0 ? [JSON.stringify(events), listingsOf(events)] : []
    return [statement.with([...raised, ...written, ...noted])]
  }
  const written =
    one === null
      ? [apart.many[kind].with([id, rows()]), apart.logMany.with([id, JSON.stringify(entries)])]
      : [apart.one[kind].with(one.row), apart.logOne.with(one.entry)]
  return [apart.raise.with(raised), ...written, ...(events.length > 0 ? outboxStatements(id, events) : [])]
}

function valuesOf(kind: WriteKind, listing: Listing): unknown[] {
  const row: Partial<UpdatedRow> = kind === 'insert' ? rowOf(listing) : updatedRowOf(listing)
  return columnsOf[kind].map((column) => row[column])
}

type UpdatedRow = Row & { rough_folded: string }

function updatedRowOf(listing: Listing): UpdatedRow {
  return { ...rowOf(listing), rough_folded: roughText(listing) }
}

/** The columns that store a new listing. */
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
