/**
 * Many operations in one request (spec 'POST /properties/batch'). Each item does what its single operation would; they run in order,
 * and one that fails changes nothing and stops nobody.
 */
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { aheadStatement, hotStatement } from '../db/database.ts'
import { type AddressBook, openAddressBook } from './address-book.ts'
import { findListings, hasPhotos, type PreparedItem, streetsOf } from './batch-preparation.ts'
import { type AdmitCreation, commitCreation } from './create.ts'
import { checkAddressIsFree } from './duplicates.ts'
import type { Listing, Warning } from './listing.ts'
import type { Payload } from './schema.ts'
import { type Closing, deleteListing, disableListing, enableListing } from './states.ts'
import { externalIdExists, StalePreparation, type WriteContext } from './store.ts'
import { commitUpdate } from './update.ts'
import { commitUpsert, type PreparedUpsert, upsertsAtOnce } from './upsert.ts'

export const actions = ['upsert', 'create', 'update', 'disable', 'enable', 'delete'] as const
export type BatchAction = (typeof actions)[number]

/** A checked item. */
export type BatchItem = { externalId: string } & (
  | { action: 'upsert' | 'create' | 'update'; payload: Payload }
  | { action: 'disable'; closing: Closing }
  | { action: 'enable' | 'delete' }
)

export type ItemOutcome = { status: number; listing: Listing; warnings: Warning[] } | { error: ApiError }

/** What the items of one batch share. */
type Batch = {
  context: WriteContext
  deps: Deps
  agencyId: string
  /** The listings as the items before left them, by external id. */
  found: Map<string, Listing>
  addresses: AddressBook
}

/**
 * Runs the prepared items in order. The agency must be locked. What they write is sent together in the end, so they cost little more
 * than their rows do.
 */
export async function commitBatch(
  context: WriteContext,
  deps: Deps,
  agencyId: string,
  items: readonly (BatchItem | null)[],
  prepared: readonly PreparedItem[],
): Promise<(ItemOutcome | null)[]> {
  const found = await findListings(context.tx, agencyId, items)
  const addresses = await openAddressBook(context, agencyId, streetsOf(items, found))
  const ofItems = { ...context, findAtAddress: addresses.find }
  const batch: Batch = { context: ofItems, deps, agencyId, found, addresses }
  const outcomes: (ItemOutcome | null)[] = []
  for (const [index, item] of items.entries())
    outcomes.push(item === null ? null : await commitItem(batch, item, prepared[index] ?? {}))
  return outcomes
}

// Each item's is inside that of the item before: to release them would only cost a statement each.
const savepoint = aheadStatement('savepoint item')
const undo = hotStatement('rollback to savepoint item')

async function commitItem(batch: Batch, item: BatchItem, prepared: PreparedItem): Promise<ItemOutcome> {
  const { context, found, addresses } = batch
  const { tx, writes, revisions, newListings } = context
  const listing = found.get(item.externalId) ?? null
  const ready = listing === null ? prepared.absent : prepared.present
  if (ready !== undefined && 'error' in ready) return ready
  // Photos are referenced at once; everything else that an item writes is only collected.
  const writesAtOnce = ready !== undefined && hasPhotos(ready.prepared)
  if (writesAtOnce) {
    await writes.send()
    await savepoint(tx, [])
  }
  const takeBack = [writes.mark(), revisions.mark(), newListings.mark()]
  try {
    const outcome = await runItem(batch, item, ready?.prepared ?? null, listing)
    if (outcome.listing !== listing) addresses.note(listing, outcome.listing)
    if (item.action === 'delete') found.delete(item.externalId)
    else found.set(item.externalId, outcome.listing)
    return outcome
  } catch (thrown) {
    const error =
      thrown instanceof StalePreparation
        ? new ApiError('service_unavailable', {
            message:
              'The listing was made or removed while this item was prepared. Send it again, with another Idempotency-Key.',
          })
        : thrown
    if (!(error instanceof ApiError)) throw error
    for (const back of takeBack) back()
    if (writesAtOnce) await undo(tx, [])
    return { error }
  }
}

async function runItem(
  { context, deps, agencyId, addresses }: Batch,
  item: BatchItem,
  prepared: PreparedUpsert | null,
  listing: Listing | null,
): Promise<{ status: number; listing: Listing; warnings: Warning[] }> {
  if (listing === null && item.action !== 'create' && item.action !== 'upsert')
    throw new ApiError('not_found', { message: `No listing has external_id "${item.externalId}".` })
  // That its external id is free, the caller knows.
  const admit: AdmitCreation = async (content, force) => {
    if (!force) await checkAddressIsFree(addresses.find, content)
    await context.newListings.takeOne(context.limits)
  }
  switch (item.action) {
    case 'create': {
      if (listing !== null) throw externalIdExists(item.externalId)
      if (prepared === null || !('creation' in prepared)) throw new StalePreparation()
      return { status: 201, ...(await commitCreation(context, agencyId, prepared.creation, admit)) }
    }
    case 'upsert': {
      const { created, ...written } = await commitUpsert(
        context,
        deps,
        agencyId,
        item.externalId,
        listing,
        item.payload,
        // Where there is nothing to wait for, it does not matter whether it was foreseen that the listing is there.
        upsertsAtOnce(item.payload) ? null : (prepared ?? { located: null }),
        admit,
      )
      return { status: created ? 201 : 200, ...written }
    }
    case 'update': {
      const located = prepared !== null && 'located' in prepared ? prepared.located : null
      const baseUrl = deps.config.publicBaseUrl
      return {
        status: 200,
        ...(await commitUpdate(context, present(listing), item.payload, located, baseUrl)),
      }
    }
    case 'disable':
      return {
        status: 200,
        listing: await disableListing(context, present(listing), item.closing),
        warnings: [],
      }
    case 'enable':
      return { status: 200, listing: await enableListing(context, present(listing)), warnings: [] }
    case 'delete':
      return { status: 200, listing: await deleteListing(context, present(listing)), warnings: [] }
  }
}

function present(listing: Listing | null): Listing {
  if (listing === null) throw new ApiError('not_found')
  return listing
}
