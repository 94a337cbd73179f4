/**
 * Many operations in one request (spec 'POST /properties/batch'). Each item does what its single operation would; they run in order,
 * and one that fails changes nothing and stops nobody.
 */
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { take } from '../limits/take.ts'
import { hotStatement, type Db, type Tx } from '../db/database.ts'
import { mergePayload } from './content.ts'
import { commitCreation, discardCreation, prepareCreation } from './create.ts'
import { type Listing, listingColumns, noContent, type Warning } from './listing.ts'
import { locate, type Located } from './locate.ts'
import type { Payload } from './schema.ts'
import { type Closing, deleteListing, disableListing, enableListing } from './states.ts'
import { externalIdExists, StalePreparation, type WriteContext } from './store.ts'
import { commitUpdate, prepareUpdate } from './update.ts'
import { commitUpsert, type PreparedUpsert, prepareUpsert } from './upsert.ts'

export const actions = ['upsert', 'create', 'update', 'disable', 'enable', 'delete'] as const
export type BatchAction = (typeof actions)[number]

/** A checked item. */
export type BatchItem = { externalId: string } & (
  | { action: 'upsert' | 'create' | 'update'; payload: Payload }
  | { action: 'disable'; closing: Closing }
  | { action: 'enable' | 'delete' }
)

/** What was prepared for an item, or why it fails. */
export type PreparedItem = { error: ApiError } | { prepared: PreparedUpsert | null }

export type ItemOutcome = { status: number; listing: Listing; warnings: Warning[] } | { error: ApiError }

const findExisting = hotStatement<Listing>(
  `select ${listingColumns.join(', ')} from properties where agency_id = $1 and external_id = any ($2) and deleted_at is null`,
)

async function existing(
  db: Db | Tx,
  agencyId: string,
  items: readonly (BatchItem | null)[],
): Promise<Map<string, Listing>> {
  const ids = items.flatMap((item) => (item === null ? [] : [item.externalId]))
  const listings = await findExisting(db, [agencyId, [...new Set(ids)]])
  return new Map(listings.map((listing) => [listing.external_id ?? '', listing]))
}

/**
 * Prepares all items side by side.
 * @param items null where an item has failed already
 */
export async function prepareBatch(
  deps: Deps,
  agencyId: string,
  items: readonly (BatchItem | null)[],
): Promise<(PreparedItem | null)[]> {
  const found = await existing(deps.db, agencyId, items)
  /** Whether the listing will be there when the item's turn comes, as far as the items before it tell. */
  const present = new Map<string, boolean>()
  const works = items.map((item) => {
    if (item === null) return null
    const { externalId, action } = item
    const follows = present.has(externalId)
    const isThere = present.get(externalId) ?? found.has(externalId)
    present.set(
      externalId,
      action === 'delete' ? false : isThere || action === 'create' || action === 'upsert',
    )
    return () => prepareItem(deps, agencyId, item, { follows, isThere })
  })
  return Promise.all(
    works.map(async (work) => {
      if (work === null) return null
      try {
        return { prepared: await work() }
      } catch (error) {
        if (error instanceof ApiError) return { error }
        throw error
      }
    }),
  )
}

/** `follows`: an item before this one is about the same listing, so what is stored now says nothing yet. */
async function prepareItem(
  deps: Deps,
  agencyId: string,
  item: BatchItem,
  { follows, isThere }: { follows: boolean; isThere: boolean },
): Promise<PreparedUpsert | null> {
  if (item.action !== 'upsert' && item.action !== 'create' && item.action !== 'update') return null
  const { action, externalId, payload } = item
  if (!follows) {
    if (action === 'update')
      return { located: await prepareUpdate(deps, agencyId, { external_id: externalId }, payload) }
    if (action === 'upsert') return prepareUpsert(deps, agencyId, externalId, payload)
    return { creation: await prepareCreation(deps, agencyId, { ...payload, external_id: externalId }) }
  }
  if (action === 'update' || (action === 'upsert' && isThere))
    return { located: await locateAlone(deps, payload) }
  const options = { isExternalIdFree: true }
  return { creation: await prepareCreation(deps, agencyId, { ...payload, external_id: externalId }, options) }
}

/** Looks for the place that the payload itself names; the transaction uses it if the merged listing is there. */
async function locateAlone(deps: Deps, { address, location }: Payload): Promise<Located> {
  return locate(deps.geocoder, mergePayload(noContent, { address, location }))
}

/**
 * Runs the prepared items in order. The agency must be locked.
 * @param context of each item: a savepoint of its own, which a failure takes back
 */
export async function commitBatch(
  context: WriteContext,
  deps: Deps,
  agencyId: string,
  items: readonly (BatchItem | null)[],
  prepared: readonly (PreparedItem | null)[],
): Promise<(ItemOutcome | null)[]> {
  const found = await existing(context.tx, agencyId, items)
  const outcomes: (ItemOutcome | null)[] = []
  for (const [index, item] of items.entries()) {
    const ready = prepared[index]
    if (item === null || ready == null) outcomes.push(null)
    else if ('error' in ready) outcomes.push(ready)
    else outcomes.push(await commitItem(context, deps, agencyId, item, ready.prepared, found))
  }
  return outcomes
}

// Each item's is inside that of the item before: to release them would only cost a round trip each.
const begin = hotStatement('savepoint item')
const undo = hotStatement('rollback to savepoint item')

async function commitItem(
  context: WriteContext,
  deps: Deps,
  agencyId: string,
  item: BatchItem,
  prepared: PreparedUpsert | null,
  found: Map<string, Listing>,
): Promise<ItemOutcome> {
  await begin(context.tx, [])
  try {
    const outcome = await runItem(context, deps, agencyId, item, prepared, found.get(item.externalId) ?? null)
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
  const creates = item.action === 'create' || item.action === 'upsert'
  if (creates && listing === null) {
    await take(context.tx, 'new_listings', agencyId, 1, context.limits, context.clock)
  } else if (listing === null)
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

/** Takes back what items stored and did not use. */
export async function discardBatch(
  deps: Deps,
  agencyId: string,
  prepared: readonly (PreparedItem | null)[],
): Promise<void> {
  await Promise.all(
    prepared.map(async (item) => {
      if (item !== null && 'prepared' in item && item.prepared !== null && 'creation' in item.prepared) {
        await discardCreation(deps, agencyId, item.prepared.creation)
      }
    }),
  )
}
