/**
 * Many operations in one request (api.md 16). Each item does what its single operation would; they run in order,
 * and one that fails changes nothing and stops nobody.
 */
import { hotStatement, type Statement } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import type { PostalAddress } from '../geocoding/geocoder.ts'
import { type AddressBook, openAddressBook } from './address-book.ts'
import { mergePayload } from './content.ts'
import {
  checkCreation,
  type Creation,
  createsAtOnce,
  type Fetched,
  nothingFetched,
  storeCreation,
  type Written,
} from './create.ts'
import { checkAddressIsFree, readAddress } from './duplicates.ts'
import { type Listing, listingColumns, noContent, type Warning } from './listing.ts'
import { type Located, placeToFind } from './locate.ts'
import type { Payload } from './schema.ts'
import { type Closing, deleteListing, disableListing, enableListing } from './states.ts'
import { StalePreparation } from '../writing/under-lock.ts'
import { externalIdExists, type WriteContext } from './store.ts'
import { commitUpdate, updatesAtOnce } from './update.ts'
import { commitUpsertOf, withoutIgnored } from './upsert.ts'

export const actions = ['upsert', 'create', 'update', 'disable', 'enable', 'delete'] as const
export type BatchAction = (typeof actions)[number]

/** A checked item. */
export type BatchItem = { externalId: string } & (
  | { action: 'upsert' | 'create' | 'update'; payload: Payload }
  | { action: 'disable'; closing: Closing }
  | { action: 'enable' | 'delete' }
)

export type ItemOutcome = { status: number; listing: Listing; warnings: Warning[] } | { error: ApiError }

/** What takes time, asked for item by item as they are carried out. */
export type Provisions = {
  /**
   * For an item that creates and has something to wait for. Its photos are referenced then.
   * @throws ApiError why it is not to be had; StalePreparation where nobody foresaw that the item creates
   */
  ofCreation(index: number, creation: Creation): Promise<Fetched>
  /** For an item that moves its listing: what was found at the place, or null. */
  ofUpdate(index: number, place: PostalAddress): Located
}

/** What the items of one batch share. */
type Batch = {
  context: WriteContext
  deps: Deps
  agencyId: string
  /** The listings as the items before left them, by external id. */
  found: Map<string, Listing>
  addresses: AddressBook
  provisions: Provisions
}

/**
 * Runs the items in order. The agency must be locked. What they write is sent together in the end, so they cost little more than
 * their rows do.
 * @param stored the rows of `findListings`
 */
export async function commitBatch(
  context: WriteContext,
  deps: Deps,
  agencyId: string,
  items: readonly (BatchItem | null)[],
  provisions: Provisions,
  stored: readonly Listing[],
): Promise<(ItemOutcome | null)[]> {
  const found = new Map(stored.map((listing) => [listing.external_id ?? '', listing]))
  const addresses = await openAddressBook(context, agencyId, streetsOf(items, found))
  const ofItems = { ...context, findAtAddress: addresses.find }
  const batch: Batch = { context: ofItems, deps, agencyId, found, addresses, provisions }
  const outcomes: (ItemOutcome | null)[] = []
  for (const [index, item] of items.entries())
    outcomes.push(item === null ? null : await commitItem(batch, item, index))
  return outcomes
}

const findExisting = hotStatement<Listing>(
  `select ${listingColumns.join(', ')} from properties where agency_id = $1 and external_id = any ($2) and deleted_at is null`,
)

/** Finds the listings that the items are about. */
export function findListings(agencyId: string, items: readonly (BatchItem | null)[]): Statement<Listing> {
  const ids = items.flatMap((item) => (item === null ? [] : [item.externalId]))
  return findExisting.with([agencyId, [...new Set(ids)]])
}

/** Keys of the streets that the items are likely to ask for, by what is stored. */
function streetsOf(items: readonly (BatchItem | null)[], found: ReadonlyMap<string, Listing>): string[] {
  const streets = items.flatMap((item) => {
    const payload = item !== null && 'payload' in item ? item.payload : null
    if (payload === null || (payload.address === undefined && payload.location === undefined)) return []
    const { address, city, province } = found.get(item?.externalId ?? '') ?? noContent
    const location = payload.location === null ? { city: null, province: null } : payload.location
    const after = {
      address: payload.address === undefined ? address : payload.address,
      city: location?.city === undefined ? city : location.city,
      province: location?.province === undefined ? province : location.province,
    }
    return readAddress(after)?.key?.streetKey ?? []
  })
  return [...new Set(streets)]
}

async function commitItem(batch: Batch, item: BatchItem, index: number): Promise<ItemOutcome> {
  const { context, found, addresses } = batch
  const { writes, revisions, newListings } = context
  const listing = found.get(item.externalId) ?? null
  const takeBack = [writes.mark(), revisions.mark(), newListings.mark()]
  try {
    const outcome = await runItem(batch, item, index, listing)
    if (outcome.listing !== listing) addresses.note(listing, outcome.listing)
    if (item.action === 'delete') found.delete(item.externalId)
    else found.set(item.externalId, outcome.listing)
    return outcome
  } catch (thrown) {
    const error =
      thrown instanceof StalePreparation
        ? new ApiError('service_unavailable', {
            message:
              'The listing was created or removed while this item was being prepared. Send it again with a new Idempotency-Key.',
          })
        : thrown
    if (!(error instanceof ApiError)) throw error
    for (const back of takeBack) back()
    return { error }
  }
}

async function runItem(
  batch: Batch,
  item: BatchItem,
  index: number,
  listing: Listing | null,
): Promise<Written & { status: number }> {
  const { context, deps } = batch
  if (item.action === 'create' || (item.action === 'upsert' && listing === null))
    return { status: 201, ...(await createItem(batch, item, index, listing)) }
  if (listing === null)
    throw new ApiError('not_found', { message: `No listing has external_id "${item.externalId}".` })
  switch (item.action) {
    case 'upsert': {
      const located = locatedFor(batch, index, listing, withoutIgnored(item.payload))
      return { status: 200, ...(await commitUpsertOf(context, deps, listing, item.payload, located)) }
    }
    case 'update': {
      const located = locatedFor(batch, index, listing, item.payload)
      const baseUrl = deps.config.publicBaseUrl
      return { status: 200, ...(await commitUpdate(context, listing, item.payload, located, baseUrl)) }
    }
    case 'disable':
      return { status: 200, listing: await disableListing(context, listing, item.closing), warnings: [] }
    case 'enable':
      return { status: 200, listing: await enableListing(context, listing), warnings: [] }
    case 'delete':
      return { status: 200, listing: await deleteListing(context, listing), warnings: [] }
  }
}

/** Everything that can refuse the creation comes before what takes time is asked for. */
async function createItem(
  { context, deps, agencyId, addresses, provisions }: Batch,
  { externalId, payload: sent }: Extract<BatchItem, { payload: Payload }>,
  index: number,
  listing: Listing | null,
): Promise<Written> {
  const payload = { ...sent, external_id: externalId }
  const creation = checkCreation(deps, payload)
  if (listing !== null) throw externalIdExists(externalId)
  if (!creation.force) await checkAddressIsFree(addresses.find, creation.merged.content)
  context.newListings.takeOne(context.limits)
  const fetched = createsAtOnce(payload) ? nothingFetched : await provisions.ofCreation(index, creation)
  return storeCreation(context, agencyId, creation, fetched)
}

function locatedFor({ provisions }: Batch, index: number, listing: Listing, payload: Payload): Located {
  const place = updatesAtOnce(payload) ? null : placeToFind(mergePayload(listing, payload))
  return place === null ? null : provisions.ofUpdate(index, place)
}
