/**
 * Many operations in one request (spec 'POST /properties/batch'). Each item does what its single operation would; they run in order,
 * and one that fails changes nothing and stops nobody.
 */
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { take } from '../limits/take.ts'
import { hotStatement, unawaitedStatement } from '../db/database.ts'
import { findListings, type PreparedItem } from './batch-preparation.ts'
import { commitCreation } from './create.ts'
import type { Listing, Warning } from './listing.ts'
import type { Payload } from './schema.ts'
import { type Closing, deleteListing, disableListing, enableListing } from './states.ts'
import { externalIdExists, StalePreparation, type WriteContext } from './store.ts'
import { commitUpdate } from './update.ts'
import { commitUpsert, type PreparedUpsert } from './upsert.ts'

export const actions = ['upsert', 'create', 'update', 'disable', 'enable', 'delete'] as const
export type BatchAction = (typeof actions)[number]

/** A checked item. */
export type BatchItem = { externalId: string } & (
  | { action: 'upsert' | 'create' | 'update'; payload: Payload }
  | { action: 'disable'; closing: Closing }
  | { action: 'enable' | 'delete' }
)

export type ItemOutcome = { status: number; listing: Listing; warnings: Warning[] } | { error: ApiError }

/**
 * Runs the prepared items in order. The agency must be locked.
 * @param context of each item: a savepoint of its own, which a failure takes back
 */
export async function commitBatch(
  context: WriteContext,
  deps: Deps,
  agencyId: string,
  items: readonly (BatchItem | null)[],
  prepared: readonly PreparedItem[],
): Promise<(ItemOutcome | null)[]> {
  const found = await findListings(context.tx, agencyId, items)
  const outcomes: (ItemOutcome | null)[] = []
  for (const [index, item] of items.entries()) {
    if (item === null) outcomes.push(null)
    else outcomes.push(await commitItem(context, deps, agencyId, item, prepared[index] ?? {}, found))
  }
  return outcomes
}

// Each item's is inside that of the item before: to release them would only cost a round trip each.
const begin = unawaitedStatement('savepoint item')
const undo = hotStatement('rollback to savepoint item')

async function commitItem(
  context: WriteContext,
  deps: Deps,
  agencyId: string,
  item: BatchItem,
  prepared: PreparedItem,
  found: Map<string, Listing>,
): Promise<ItemOutcome> {
  const listing = found.get(item.externalId) ?? null
  const ready = listing === null ? prepared.absent : prepared.present
  if (ready !== undefined && 'error' in ready) return ready
  await begin(context.tx, [])
  try {
    const outcome = await runItem(context, deps, agencyId, item, ready?.prepared ?? null, listing)
    // After the creation, because the single operation is refused for what is wrong with it before this limit is looked at.
    if (listing === null) await take(context.tx, 'new_listings', agencyId, 1, context.limits, context.clock)
    if (item.action === 'delete') found.delete(item.externalId)
    else found.set(item.externalId, outcome.listing)
    return outcome
  } catch (thrown) {
    const error =
      thrown instanceof StalePreparation
        ? new ApiError('service_unavailable', {
            message: 'The listing changed while this item was prepared. Send it again.',
          })
        : thrown
    if (!(error instanceof ApiError)) throw error
    await undo(context.tx, [])
    return { error }
  }
}

async function runItem(
  context: WriteContext,
  deps: Deps,
  agencyId: string,
  item: BatchItem,
  prepared: PreparedUpsert | null,
  listing: Listing | null,
): Promise<{ status: number; listing: Listing; warnings: Warning[] }> {
  if (listing === null && item.action !== 'create' && item.action !== 'upsert')
    throw new ApiError('not_found', { message: `No listing has external_id "${item.externalId}".` })
  switch (item.action) {
    case 'create': {
      if (listing !== null) throw externalIdExists(item.externalId)
      if (prepared === null || !('creation' in prepared)) throw new StalePreparation()
      return { status: 201, ...(await commitCreation(context, agencyId, prepared.creation)) }
    }
    case 'upsert': {
      const { created, ...written } = await commitUpsert(
        context,
        deps,
        agencyId,
        listing,
        item.payload,
        prepared ?? { located: null },
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
