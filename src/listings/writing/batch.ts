/**
 * Runs a batch (api.md 16). Each item does what its single operation would do. The items run in order; a failed item changes nothing,
 * and the items after it still run.
 */
import { statement, type Statement } from '../../platform/db/statements/statement.ts'
import type { Deps } from '../../deps.ts'
import { ApiError, asApiError } from '../../platform/errors/errors.ts'
import { checkCreation, type Creation } from './create/check-creation.ts'
import { createListings, type Written } from './create/create.ts'
import { readAddress } from '../addresses/read-address.ts'
import { type Listing, listingColumns } from '../listing.ts'
import type { Payload } from '../fields/schema.ts'
import type { Closing } from './states/closing.ts'
import { deleteListing, disableListing, enableListing } from './states/states.ts'
import type { WriteContext } from '../store/write-context.ts'
import { updateListing } from './update.ts'
import { upsertListing } from './upsert.ts'

export const actions = ['upsert', 'create', 'update', 'disable', 'enable', 'delete'] as const
export type BatchAction = (typeof actions)[number]

/** A validated item. */
export type BatchItem = { externalId: string } & (
  | { action: 'upsert' | 'create' | 'update'; payload: Payload }
  | { action: 'disable'; closing: Closing }
  | { action: 'enable' | 'delete' }
)

export type ItemOutcome = (Written & { created: boolean }) | { error: ApiError }

type Outcomes = (ItemOutcome | null)[]

/** The state that the items of one batch share. */
type Batch = {
  context: WriteContext
  deps: Deps
  /** The listings as the previous items left them, by external id. */
  found: Map<string, Listing>
  outcomes: Outcomes
  /** Consecutive creations, to be sent together. They differ in external id and street. */
  waiting: { index: number; creation: Creation }[]
}

/**
 * Runs the items in order, under the agency's lock. Changes are sent together with the commit, and consecutive creations in one statement,
 * so more items do not mean more statements.
 * @param stored the rows of `listingsStatement`
 * @returns an outcome for each item; null for each null in `items`
 */
export async function runBatch(
  context: WriteContext,
  deps: Deps,
  items: readonly (BatchItem | null)[],
  stored: readonly Listing[],
): Promise<Outcomes> {
  const found = new Map(stored.map((listing) => [listing.external_id ?? '', listing]))
  const batch: Batch = { context, deps, found, outcomes: items.map(() => null), waiting: [] }
  for (const [index, item] of items.entries()) if (item !== null) await runItem(batch, item, index)
  await createWaiting(batch)
  return batch.outcomes
}

const selectListings = statement<Listing>(
  `select ${listingColumns.join(', ')} from properties where agency_id = $1 and external_id = any ($2) and deleted_at is null`,
)

/** Finds the listings that the items name. */
export function listingsStatement(
  agencyId: string,
  items: readonly (BatchItem | null)[],
): Statement<Listing> {
  const ids = items.flatMap((item) => (item === null ? [] : [item.externalId]))
  return selectListings.with([agencyId, [...new Set(ids)]])
}

async function runItem(batch: Batch, item: BatchItem, index: number): Promise<void> {
  const { found, outcomes, waiting } = batch
  if (waiting.some(({ creation }) => creation.merged.content.external_id === item.externalId))
    await createWaiting(batch)
  const listing = found.get(item.externalId) ?? null
  if (item.action === 'create' || (item.action === 'upsert' && listing === null))
    return await createItem(batch, item, index)
  await createWaiting(batch)
  await undoingErrors(batch, index, async () => {
    const written = await changeFound(batch, item, index, listing)
    if (item.action === 'delete') found.delete(item.externalId)
    else found.set(item.externalId, written.listing)
    outcomes[index] = { ...written, created: false }
  })
}

/**
 * Runs an item. If it fails, its error is its outcome, and nothing that it collected is stored. A statement that it has run stays, so items
 * run statements that write only after everything that may fail (write-context.ts).
 */
async function undoingErrors(
  { context: { writes, revisions, fetches }, outcomes }: Batch,
  index: number,
  run: () => Promise<void>,
): Promise<void> {
  const rollbacks = [writes.mark(), revisions.mark()]
  try {
    await run()
  } catch (error) {
    for (const rollBack of rollbacks) rollBack()
    fetches.forItem(index).cancel()
    outcomes[index] = { error: asApiError(error) }
  }
}

async function changeFound(
  batch: Batch,
  item: Exclude<BatchItem, { action: 'create' }>,
  index: number,
  listing: Listing | null,
): Promise<Written> {
  const { context, deps } = batch
  if (listing === null)
    throw new ApiError('not_found', { message: `No listing has external_id "${item.externalId}".` })
  const ofItem = { ...context, fetches: context.fetches.forItem(index) }
  switch (item.action) {
    case 'disable':
      return { listing: await disableListing(context, listing, item.closing), warnings: [] }
    case 'enable':
      return { listing: await enableListing(context, listing), warnings: [] }
    case 'delete':
      return { listing: await deleteListing(context, listing), warnings: [] }
    case 'upsert':
      return await upsertListing(ofItem, deps, item.externalId, listing, item.payload)
    default:
      return await updateListing(ofItem, listing, item.payload, deps.config.publicBaseUrl)
  }
}

/** Queues the creation, to be sent with those that follow. First sends queued ones that it may conflict with. */
async function createItem(
  batch: Batch,
  { externalId, payload: sent }: Extract<BatchItem, { payload: Payload }>,
  index: number,
): Promise<void> {
  let creation: Creation
  try {
    creation = checkCreation(batch.deps, { ...sent, external_id: externalId })
  } catch (error) {
    batch.outcomes[index] = { error: asApiError(error) }
    return
  }
  const street = streetOf(creation)
  if (batch.waiting.some((earlier) => street !== null && streetOf(earlier.creation) === street))
    await createWaiting(batch)
  batch.waiting.push({ index, creation })
}

const streetOf = ({ merged }: Creation): string | null => readAddress(merged.content)?.key?.streetKey ?? null

/** Sends the queued creations. */
async function createWaiting({ context, found, outcomes, waiting }: Batch): Promise<void> {
  const sent = waiting.splice(0)
  if (sent.length === 0) return
  const created = await createListings(
    context,
    sent.map(({ index, creation }) => ({ creation, fetches: context.fetches.forItem(index) })),
  )
  for (const [nth, { index }] of sent.entries()) {
    const outcome = created[nth]
    if (outcome === undefined) continue
    outcomes[index] = outcome instanceof ApiError ? { error: outcome } : { ...outcome, created: true }
    if (!(outcome instanceof ApiError)) found.set(outcome.listing.external_id ?? '', outcome.listing)
  }
}
