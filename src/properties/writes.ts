/**
 * What a transaction under the agency's lock has still to store: listings with their history, the agency's revision and the events of
 * changed states, collected and sent together, all rows in one statement. Whoever reads in between what was written sends first.
 */
import { addressRulesVersion } from '../addresses/normalize.ts'
import { aheadStatement, type Tx } from '../db/database.ts'
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

/**
 * Writes the listings in $2 and the history in $3, and raises the agency's revision to $4, made at $5.
 * @param more further parts of the `with`
 */
function withHistory(write: string, more = ''): string {
  return `
    with raised as (update agency_revisions set revision = $4, changed_at = $5 where agency_id = $1), written as (${write})${more}
    insert into listing_history (${entryColumns.join(', ')})
    select ${entryColumns.join(', ')} from json_populate_recordset(null::listing_history, $3::json)`
}

/** The statement of a write; where a state changes, with the events of that, in $6, for the outbox. */
const statementsOf = (write: string) => ({
  quiet: aheadStatement(withHistory(write)),
  notifying: aheadStatement(withHistory(write, `, ${outboxParts('$6')}`)),
})

const insertRows = statementsOf(
  `insert into properties (${columns}) select ${columns} from json_populate_recordset(null::properties, $2::json)`,
)
const updateRows = statementsOf(`
    update properties p set (${changing.join(', ')}) = row(${changing.map((column) => `r.${column}`).join(', ')}) from json_populate_recordset(null::properties, $2::json) r
    where p.agency_id = $1 and p.id = r.id`)

/** By the listing's uuid, as it is after all its entries; the events hold it as it was after each. */
type Collected = { listings: Map<string, Listing>; entries: Entry[]; events: OutboxEvent[] }

const nothing = (): Collected => ({ listings: new Map(), entries: [], events: [] })
const copyOf = ({ listings, entries, events }: Collected): Collected => ({
  listings: new Map(listings),
  entries: [...entries],
  events: [...events],
})

export function collectWrites(tx: Tx, agencyId: string): Writes {
  let inserted = nothing()
  let updated = nothing()
  let sendings = 0

  const add = (collected: Collected, listing: Listing, entry: Entry): void => {
    collected.listings.set(listing.id, listing)
    collected.entries.push(entry)
    const event = eventOf(entry.action, listing)
    if (event !== null) collected.events.push(event)
  }
  const sendOne = async (
    statements: typeof insertRows,
    collected: Collected,
    last: Revision,
  ): Promise<void> => {
    if (collected.entries.length === 0) return
    const rows = JSON.stringify(Array.from(collected.listings.values(), rowOf))
    const values = [agencyId, rows, JSON.stringify(collected.entries), last.revision, last.at]
    if (collected.events.length === 0) await statements.quiet(tx, values)
    else await statements.notifying(tx, [...values, JSON.stringify(collected.events)])
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
    async send() {
      sendings += 1
      const ends = [inserted, updated].flatMap(({ entries }) => entries.at(-1) ?? [])
      const [last] = ends.sort((a, b) => b.revision - a.revision)
      if (last === undefined) return
      // First what may free an external id, then what may take it.
      await sendOne(updateRows, updated, last)
      await sendOne(insertRows, inserted, last)
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
