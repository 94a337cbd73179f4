/**
 * Writes a listing's row together with its history, at a new revision of the agency. The agency must be locked.
 */
import { addressRulesVersion } from '../addresses/normalize.ts'
import type { Clock } from '../clock.ts'
import { hotStatement, type Tx, violatedConstraint } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import type { Limits } from '../limits/table.ts'
import { newPublicId } from '../ids.ts'
import { readAddress } from './duplicates.ts'
import { type Action, type Author, changesBetween, entryValues, withHistory } from './history.ts'
import { type Listing, listingColumns } from './listing.ts'
import { raiseRevision } from './revision.ts'
import { fold, searchText } from './search-text.ts'

/** What every write needs to know besides its subject. */
export type WriteContext = { tx: Tx; clock: Clock; limits: Limits; author: Author }

/** What was prepared no longer fits what the transaction found: the write is prepared again from the start. */
export class StalePreparation extends Error {
  override readonly name = 'StalePreparation'
}

const writtenColumns = [
  ...listingColumns,
  'city_folded',
  'search_folded',
  'street_key',
  'city_key',
  'address_rules',
] as const
const places = writtenColumns.map((_, index) => `$${index + 1}`).join(', ')

const insertRow = hotStatement(
  withHistory(
    `insert into properties (${writtenColumns.join(', ')}) values (${places})
    on conflict on constraint properties_agency_public_id_key do nothing`,
    writtenColumns.length + 1,
  ),
)

const updateRow = hotStatement(
  withHistory(
    `update properties set (${writtenColumns.slice(2).join(', ')}) = (${places.split(', ').slice(2).join(', ')})
    where agency_id = $1 and id = $2`,
    writtenColumns.length + 1,
  ),
)

/** A listing not yet stored: its code, version and moments are given by the database. */
export type NewListing = Omit<
  Listing,
  'public_id' | 'version' | 'created_at' | 'updated_at' | 'published_at' | 'deleted_at'
>

/**
 * Stores a new listing.
 * @throws ApiError `external_id_exists`
 */
export async function insertListing(context: WriteContext, draft: NewListing): Promise<Listing> {
  const { tx, clock, author } = context
  const revision = await raiseRevision(tx, draft.agency_id, clock)
  const listing: Listing = {
    ...draft,
    public_id: newPublicId(),
    version: revision.revision,
    created_at: revision.at,
    updated_at: revision.at,
    published_at: draft.status === 'published' ? revision.at : null,
    deleted_at: null,
  }
  // Codes are random: one in a thousand millions is taken, and then the next one is tried.
  const entry = entryValues('created', author, changesBetween(null, listing), revision)
  while (!(await sendRow(insertRow, tx, listing, entry))) listing.public_id = newPublicId()
  return listing
}

/**
 * Stores what changed of a listing; nothing is written, and no revision made, where nothing did.
 * @param change columns with their new values; a function is given the moment of the write
 * @throws ApiError `external_id_exists`
 */
export async function changeListing(
  context: WriteContext,
  before: Listing,
  action: Action,
  change: Partial<Listing> | ((at: string) => Partial<Listing>),
): Promise<Listing> {
  const { tx, clock, author } = context
  if (
    typeof change !== 'function' &&
    Object.keys(changesBetween(before, { ...before, ...change })).length === 0
  )
    return before
  const revision = await raiseRevision(tx, before.agency_id, clock)
  const after: Listing = {
    ...before,
    ...(typeof change === 'function' ? change(revision.at) : change),
    version: revision.revision,
    updated_at: revision.at,
  }
  await sendRow(updateRow, tx, after, entryValues(action, author, changesBetween(before, after), revision))
  return after
}

/** street_key, city_key and address_rules. */
function addressColumns(listing: Listing): unknown[] {
  const key = readAddress(listing)?.key ?? null
  return [key?.streetKey ?? null, key?.cityKey ?? null, addressRulesVersion]
}

/** @returns whether a row was written */
async function sendRow(
  statement: (tx: Tx, parameters: readonly unknown[]) => Promise<unknown[]>,
  tx: Tx,
  listing: Listing,
  entry: readonly unknown[],
): Promise<boolean> {
  const parameters = [
    ...listingColumns.map((column) => listing[column]),
    fold(listing.city ?? ''),
    searchText(listing),
    ...addressColumns(listing),
    ...entry,
  ]
  try {
    return (await statement(tx, parameters)).length > 0
  } catch (error) {
    if (violatedConstraint(error) === 'properties_agency_external_id_key')
      throw externalIdExists(listing.external_id)
    throw error
  }
}

/** 409 `external_id_exists`. */
export function externalIdExists(externalId: string | null): ApiError {
  return new ApiError('external_id_exists', {
    parameter: 'external_id',
    message: `Another listing of the agency already has external_id "${externalId ?? ''}". Update that one with PUT /properties/external/{external_id}, or send another id.`,
  })
}
