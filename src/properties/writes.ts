/**
 * What a transaction under the agency's lock has still to store: listings with their history, the agency's revision and the events of
 * changed states, collected and sent together, all rows in one statement. Whoever reads in between what was written sends first.
 */
import { addressRulesVersion } from '../addresses/normalize.ts'
import { aheadStatement, type Tx } from '../db/database.ts'
import { type Part, type PartText, placed, statementsWith } from '../db/statement-parts.ts'
import type { NewListings } from '../limits/new-listings.ts'
import { outboxParts, type OutboxEvent } from '../notifications/outbox.ts'
import { readAddress } from './duplicates.ts'
import { eventOf } from './events.ts'
import { type Entry, entryColumns } from './history.ts'
import { type Listing, listingColumns } from './listing.ts'
import type { Revision } from './revision.ts'
import { fold, searchText } from './search-text.ts'

export type Writes = {
  insert(listing: Listing, entry: Entry): void
  update(listing: Listing, entry: Entry): void
  /** Whether something of the listing has not been sent yet. */
  holds(listingId: string): boolean
  /** @returns a function that takes back what is collected from here on; none of it may have been sent */
  mark(): () => void
  /** Adds a write to what is sent last. Where it writes no row the transaction fails, by a division by zero. */
  accompany(companion: Part): void
  /** Sends what was collected, ahead of the next statement: what it violates, `commit` tells at the latest. */
  send(): Promise<void>
}

/** The columns of a listing that are written: its own, and those for search and comparison. */
export const writtenColumns = [
  ...listingColumns,
  'city_folded',
  'search_folded',
  'street_key',
  'city_key',
  'address_rules',
] as const

const columns = writtenColumns.join(', ')
/** Those that an update writes: the tenant and the uuid, which lead them, never change. */
const changing = writtenColumns.slice(2)

const raise = `raised as (
  update agency_revisions set revision = $4, changed_at = $5, hour = $6, hour_new_listings = $7, day = $8, day_new_listings = $9
  where agency_id = $1)`

/** Fails the transaction where `kept` wrote no row: by a division, because `commit` is already on its way. */
const allKept = '(select 1 / count(*) from kept)'
const keeping = (companion: PartText, before: number): string =>
  `kept as (${placed(companion, before)} returning 1)`

/**
 * Writes the listings in $2 and the history in $3, and raises the agency's revision to $4, made at $5, with the counters of new
 * listings in $6 to $9; where a state changes, with the events of that, in $10, for the outbox.
 */
function withHistory(write: string, notifies: boolean, companion: PartText | null): string {
  const parts = [
    ...(companion === null ? [] : [keeping(companion, notifies ? 10 : 9)]),
    raise,
    `written as (${write})`,
    ...(notifies ? [outboxParts('$10')] : []),
  ]
  return `
    with ${parts.join(', ')}
    insert into listing_history (${entryColumns.join(', ')})
    select ${entryColumns.join(', ')} from json_populate_recordset(null::listing_history, $3::json)
    ${companion === null ? '' : `where ${allKept} = 1`}`
}

/** The statement of a write, with whatever companion. */
function statementsOf(write: string) {
  const quiet = statementsWith((companion: PartText | null) =>
    aheadStatement(withHistory(write, false, companion)),
  )
  const notifying = statementsWith((companion: PartText | null) =>
    aheadStatement(withHistory(write, true, companion)),
  )
  return (notifies: boolean, companion: PartText | null) => (notifies ? notifying : quiet)(companion)
}

const insertRows = statementsOf(
  `insert into properties (${columns}) select ${columns} from json_populate_recordset(null::properties, $2::json)`,
)
const updateRows = statementsOf(`
    update properties p set (${changing.join(', ')}) = row(${changing.map((column) => `r.${column}`).join(', ')}) from json_populate_recordset(null::properties, $2::json) r
    where p.agency_id = $1 and p.id = r.id`)

/** The companion's statement where nothing else is to be sent. */
const aloneOf = statementsWith((companion: PartText) =>
  aheadStatement(`with ${keeping(companion, 0)} select ${allKept}`),
)

/** By the listing's uuid, as it is after all its entries; the events hold it as it was after each. */
type Collected = { listings: Map<string, Listing>; entries: Entry[]; events: OutboxEvent[] }

const nothing = (): Collected => ({ listings: new Map(), entries: [], events: [] })
const copyOf = ({ listings, entries, events }: Collected): Collected => ({
  listings: new Map(listings),
  entries: [...entries],
  events: [...events],
})

export function collectWrites(tx: Tx, agencyId: string, newListings: NewListings): Writes {
  let inserted = nothing()
  let updated = nothing()
  let sendings = 0
  let companion: Part | null = null

  const add = (collected: Collected, listing: Listing, entry: Entry): void => {
    collected.listings.set(listing.id, listing)
    collected.entries.push(entry)
    const event = eventOf(entry.action, listing)
    if (event !== null) collected.events.push(event)
  }
  const sendOne = async (
    statementOf: typeof insertRows,
    collected: Collected,
    last: Revision,
    isLast: boolean,
  ): Promise<void> => {
    if (collected.entries.length === 0) return
    const notifies = collected.events.length > 0
    const along = isLast ? companion : null
    if (along !== null) companion = null
    const rows = JSON.stringify(Array.from(collected.listings.values(), rowOf))
    const entries = JSON.stringify(collected.entries)
    const counted = await newListings.counted()
    const values = [agencyId, rows, entries, last.revision, last.at, ...counted]
    if (notifies) values.push(JSON.stringify(collected.events))
    await statementOf(notifies, along?.text ?? null)(tx, [...values, ...(along?.values ?? [])])
  }

  return {
    insert: (listing, entry) => add(inserted, listing, entry),
    // What is not stored yet is stored as it is now.
    update: (listing, entry) => add(inserted.listings.has(listing.id) ? inserted : updated, listing, entry),
    holds: (id) => inserted.listings.has(id) || updated.listings.has(id),
    mark() {
      const was = { sendings, collected: [copyOf(inserted), copyOf(updated)] as const }
      return () => {
        // What was collected before may have been sent since.
        ;[inserted, updated] = was.sendings === sendings ? was.collected : [nothing(), nothing()]
      }
    },
    accompany(added) {
      companion = added
    },
    async send() {
      sendings += 1
      const ends = [inserted, updated].flatMap(({ entries }) => entries.at(-1) ?? [])
      const [last] = ends.sort((a, b) => b.revision - a.revision)
      if (last === undefined) {
        if (companion !== null) await aloneOf(companion.text)(tx, companion.values)
        companion = null
        return
      }
      // First what may free an external id, then what may take it.
      await sendOne(updateRows, updated, last, inserted.entries.length === 0)
      await sendOne(insertRows, inserted, last, true)
      inserted = nothing()
      updated = nothing()
    },
  }
}

function rowOf(listing: Listing): Record<(typeof writtenColumns)[number], unknown> {
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
