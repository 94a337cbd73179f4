/**
 * The statements that store changed listings, their history and their events, and raise the agency's revision. Each writes one table, from
 * rows in JSON. New listings are created elsewhere (create-listings.ts).
 */
import { addressRulesVersion } from '../addresses/normalize.ts'
import { blurredAddress } from '../addresses/blurred-address.ts'
import { statement, type Statement } from '../../platform/db/statements/statement.ts'
import { type OutboxEvent, outboxStatements } from '../../delivery/notifications/outbox.ts'
import { raiseStatement, type Revision } from '../../writing/revisions.ts'
import { readAddress } from '../addresses/read-address.ts'
import type { Entry } from '../history/history.ts'
import type { Content } from '../fields/content.ts'
import { type Listing, listingColumns } from '../listing.ts'
import { foldForSearch } from '../addresses/fold.ts'

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

/** The rows to store. Each entry belongs to one of the listings; an event may be that of a listing just created. */
type Stored = {
  listings: readonly Listing[]
  entries: readonly Entry[]
  events: readonly OutboxEvent[]
}

/** All columns but the first two, agency and uuid, which never change. */
const changing = writtenColumns.slice(2)

/** `place_blurred` is not written here: the stored row says whether its place is blurred. */
const updateListings = statement(`
  update properties p set (${changing.join(', ')}, rough_folded) =
    row(${changing.map((column) => `r.${column}`).join(', ')}, case when p.place_blurred then r.rough_folded end)
  from json_populate_recordset(null::properties, $2::json) r where p.agency_id = $1 and p.id = r.id`)

/** The agency is a parameter, so that Citus knows where the rows belong. */
const insertHistory = statement(`
  insert into listing_history
    (agency_id, property_id, revision, at, action, actor_kind, actor_id, actor_name, request_id, changes)
  select $1, property_id, revision, at, action, actor_kind, actor_id, actor_name, request_id, changes
  from json_populate_recordset(null::listing_history, $2::json)`)

/** The statements that store all rows, to be sent together. @param last the agency's revision after them */
export function storeStatements(agencyId: string, last: Revision, stored: Stored): Statement[] {
  const { listings, entries, events } = stored
  const notified = events.length === 0 ? [] : outboxStatements(agencyId, events)
  if (entries.length === 0) return notified
  const rows = listings.map((listing) => ({ ...rowOf(listing), rough_folded: blurredText(listing) }))
  return [
    raiseStatement(agencyId, last),
    updateListings.with([agencyId, JSON.stringify(rows)]),
    insertHistory.with([agencyId, JSON.stringify(entries)]),
    ...notified,
  ]
}

export function rowOf(listing: Listing): Row {
  const key = readAddress(listing)?.key ?? null
  return {
    ...listing,
    city_folded: foldForSearch(listing.city ?? ''),
    search_folded: searchText(listing),
    street_key: key?.streetKey ?? null,
    city_key: key?.cityKey ?? null,
    address_rules: addressRulesVersion,
  }
}

/** The value of `search_folded`, which `q` and `neighborhood` search: one line per field, so that a phrase never matches across fields. */
export function searchText(listing: {
  title: string | null
  address: string | null
  city: string | null
}): string {
  return [listing.title, listing.address, listing.city].map((text) => foldForSearch(text ?? '')).join('\n')
}

/** The value of `rough_folded`: the folded address that visitors see where the place is blurred; empty if they see none. */
export function blurredText(listing: Pick<Content, 'address' | 'city' | 'province'>): string {
  const { address } = listing
  const read = readAddress(listing)
  return address === null || read === null ? '' : foldForSearch(blurredAddress(address, listing, read) ?? '')
}
