/**
 * Runs a batch (api.md 16). Each item does what its single operation would do. The items run in order; a failed item changes nothing,
 * and the items after it still run.
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
  countCreation,
  createsAtOnce,
  type Fetched,
  imaginedFetch,
  storeCreation,
  type Written,
} from './create.ts'
import { checkAddressIsFree, readAddress } from './duplicates.ts'
import { type Listing, listingColumns, noContent } from './listing.ts'
import { type Located, placeToFind } from './locate.ts'
import type { Payload } from './schema.ts'
import { type Closing, deleteListing, disableListing } from './states.ts'
import { enableListing } from './publish.ts'
import { StalePreparation } from '../writing/under-lock.ts'
import { externalIdExists, type WriteContext } from './store.ts'
import { commitUpdate, updatesAtOnce } from './update.ts'
import { commitUpsertOf, withoutIgnored } from './upsert.ts'

export const actions = ['upsert', 'create', 'update', 'disable', 'enable', 'delete'] as const
export type BatchAction = (typeof actions)[number]

/** A validated item. */
export type BatchItem = { externalId: string } & (
  | { action: 'upsert' | 'create' | 'update'; payload: Payload }
  | { action: 'disable'; closing: Closing }
  | { action: 'enable' | 'delete' }
)

export type ItemOutcome = (Written & { status: number }) | { error: ApiError }

/** The results of slow work, photos and geocoding, that items ask for while they run. */
export type Provisions = {
  /**
   * For an item that creates a listing and needs photos or geocoding. References its photos.
   * @throws ApiError if fetching failed; StalePreparation if the rehearsal did not expect this item to create
   */
  ofCreation(index: number, creation: Creation): Promise<Fetched>
  /** For an item that changes its listing's address: what the geocoder found there, or null. */
  ofUpdate(index: number, place: PostalAddress): Located
}

/** The state that the items of one batch share. */
type Batch = {
  context: WriteContext
  deps: Deps
  /** The listings as the previous items left them, by external id. */
  found: Map<string, Listing>
  addresses: AddressBook
  provisions: Provisions
}

/**
 * Runs the items in order, under the agency's lock. Their writes are collected and sent with the commit, so the number of items does
 * not add statements.
 * @param stored the rows of `listingsStatement`
 * @returns an outcome for each item; null for each null in `items`
 */
export async function commitBatch(
  context: WriteContext,
  deps: Deps,
  items: readonly (BatchItem | null)[],
  provisions: Provisions,
  stored: readonly Listing[],
): Promise<(ItemOutcome | null)[]> {
  const found = new Map(stored.map((listing) => [listing.external_id ?? '', listing]))
  const addresses = await openAddressBook(context, context.agencyId, streetsOf(items, found))
  const ofItems = { ...context, findAtAddress: addresses.find }
  const batch: Batch = { context: ofItems, deps, found, addresses, provisions }
  const outcomes: (ItemOutcome | null)[] = []
  for (const [index, item] of items.entries())
    outcomes.push(item === null ? null : await commitItem(batch, item, index))
  return outcomes
}

const findExisting = hotStatement<Listing>(
  `select ${listingColumns.join(', ')} from properties where agency_id = $1 and external_id = any ($2) and deleted_at is null`,
)

/** Finds the listings that the items name. */
export function listingsStatement(
  agencyId: string,
  items: readonly (BatchItem | null)[],
): Statement<Listing> {
  const ids = items.flatMap((item) => (item === null ? [] : [item.externalId]))
  return findExisting.with([agencyId, [...new Set(ids)]])
}

/** Keys of the streets that the items will probably check for duplicates. An estimate: an earlier item may change a listing. */
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
  const rollbacks = [writes.mark(), revisions.mark(), newListings.mark()]
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
    for (const rollBack of rollbacks) rollBack()
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

/** Checks everything that can refuse the creation before it asks for photos and geocoding. */
async function createItem(
  { context, deps, addresses, provisions }: Batch,
  { externalId, payload: sent }: Extract<BatchItem, { payload: Payload }>,
  index: number,
  listing: Listing | null,
): Promise<Written> {
  const payload = { ...sent, external_id: externalId }
  const creation = checkCreation(deps, payload)
  if (listing !== null) throw externalIdExists(externalId)
  if (!creation.force) await checkAddressIsFree(addresses.find, creation.merged.content)
  await countCreation(context, creation)
  const fetched = createsAtOnce(payload)
    ? imaginedFetch(creation)
    : await provisions.ofCreation(index, creation)
  return storeCreation(context, creation, fetched)
}

function locatedFor({ provisions }: Batch, index: number, listing: Listing, payload: Payload): Located {
  const place = updatesAtOnce(payload) ? null : placeToFind(mergePayload(listing, payload))
  return place === null ? null : provisions.ofUpdate(index, place)
}
