/**
 * Runs a batch (api.md 16). Each item does what its single operation would do. The items run in order; a failed item changes nothing,
 * and the items after it still run.
 */
import { hotStatement, type Statement } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import type { PostalAddress } from '../geocoding/geocoder.ts'
import { mergePayload } from './content.ts'
import {
  checkCreation,
  type Creation,
  createsAtOnce,
  type Fetched,
  nothingFetched,
  createListing,
  createListings,
  type Written,
} from './create.ts'
import { readAddress } from './duplicates.ts'
import { type Listing, listingColumns } from './listing.ts'
import { type Located, placeToFind } from './locate.ts'
import type { Payload } from './schema.ts'
import { type Closing, deleteListing, disableListing } from './states.ts'
import { enableListing } from './publish.ts'
import { StalePreparation } from '../writing/under-lock.ts'
import type { WriteContext } from './store.ts'
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
   * For an item that creates a listing and needs photos or geocoding: runs `create` with what was fetched, and references its photos. Undoes
   * both if one fails.
   * @throws ApiError of `create`, or if fetching failed; StalePreparation if the dry run did not expect this item to create
   */
  createPrepared(
    index: number,
    creation: Creation,
    create: (fetched: Fetched) => Promise<Written>,
  ): Promise<Written>
  /** For an item that changes its listing's address: what the geocoder found there, or null. */
  ofUpdate(index: number, place: PostalAddress): Located
}

type Outcomes = (ItemOutcome | null)[]

/** A creation that waits to be sent with those after it. */
type Waiting = { index: number; creation: Creation; fetched: Fetched }

/** The state that the items of one batch share. */
type Batch = {
  context: WriteContext
  deps: Deps
  /** The listings as the previous items left them, by external id. */
  found: Map<string, Listing>
  provisions: Provisions
  outcomes: Outcomes
  /** Creations without photos, one after the other. They differ in external id and street. */
  waiting: Waiting[]
}

/**
 * Runs the items in order, under the agency's lock. Changes are collected and sent with the commit, and creations that follow each other
 * are sent together, so that their number does not add statements.
 * @param stored the rows of `listingsStatement`
 * @returns an outcome for each item; null for each null in `items`
 */
export async function commitBatch(
  context: WriteContext,
  deps: Deps,
  items: readonly (BatchItem | null)[],
  provisions: Provisions,
  stored: readonly Listing[],
): Promise<Outcomes> {
  const found = new Map(stored.map((listing) => [listing.external_id ?? '', listing]))
  const batch: Batch = { context, deps, found, provisions, outcomes: items.map(() => null), waiting: [] }
  for (const [index, item] of items.entries()) if (item !== null) await commitItem(batch, item, index)
  await createWaiting(batch)
  return batch.outcomes
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

async function commitItem(batch: Batch, item: BatchItem, index: number): Promise<void> {
  const { found, outcomes, waiting } = batch
  if (waiting.some(({ creation }) => creation.merged.content.external_id === item.externalId))
    await createWaiting(batch)
  const listing = found.get(item.externalId) ?? null
  if (item.action === 'create' || (item.action === 'upsert' && listing === null))
    return await createItem(batch, item, index)
  await createWaiting(batch)
  await undoingErrors(batch, index, async () => {
    const written = await changeListing(batch, item, index, listing)
    if (item.action === 'delete') found.delete(item.externalId)
    else found.set(item.externalId, written.listing)
    outcomes[index] = { status: 200, ...written }
  })
}

/** Runs an item. If it fails, its error is its outcome, and nothing that it collected is stored. */
async function undoingErrors(
  { context: { writes, revisions }, outcomes }: Batch,
  index: number,
  run: () => Promise<void>,
): Promise<void> {
  const rollbacks = [writes.mark(), revisions.mark()]
  try {
    await run()
  } catch (error) {
    for (const rollBack of rollbacks) rollBack()
    outcomes[index] = { error: itemError(error) }
  }
}

/** @throws whatever is not the error of a single item */
function itemError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (!(thrown instanceof StalePreparation)) throw thrown
  return new ApiError('service_unavailable', {
    message:
      'The listing was created or removed while this item was being prepared. Send it again with a new Idempotency-Key.',
  })
}

async function changeListing(
  batch: Batch,
  item: Exclude<BatchItem, { action: 'create' }>,
  index: number,
  listing: Listing | null,
): Promise<Written> {
  const { context, deps } = batch
  if (listing === null)
    throw new ApiError('not_found', { message: `No listing has external_id "${item.externalId}".` })
  switch (item.action) {
    case 'disable':
      return { listing: await disableListing(context, listing, item.closing), warnings: [] }
    case 'enable':
      return { listing: await enableListing(context, listing), warnings: [] }
    case 'delete':
      return { listing: await deleteListing(context, listing), warnings: [] }
    case 'upsert': {
      const located = locatedFor(batch, index, listing, withoutIgnored(item.payload))
      return await commitUpsertOf(context, deps, listing, item.payload, located)
    }
    default: {
      const located = locatedFor(batch, index, listing, item.payload)
      return await commitUpdate(context, listing, item.payload, located, deps.config.publicBaseUrl)
    }
  }
}

/** Creates a listing, or lets it wait for those after it if it has no photos. */
async function createItem(
  batch: Batch,
  { externalId, payload: sent }: Extract<BatchItem, { payload: Payload }>,
  index: number,
): Promise<void> {
  const { context, deps, provisions, found, outcomes } = batch
  const payload = { ...sent, external_id: externalId }
  let creation: Creation
  try {
    creation = checkCreation(deps, payload)
  } catch (error) {
    outcomes[index] = { error: itemError(error) }
    return
  }
  const street = streetOf(creation)
  if (batch.waiting.some((earlier) => street !== null && streetOf(earlier.creation) === street))
    await createWaiting(batch)
  if (createsAtOnce(payload)) {
    batch.waiting.push({ index, creation, fetched: nothingFetched(creation) })
    return
  }
  await createWaiting(batch)
  // What earlier items have changed is not among what is undone if this one fails.
  await context.writes.send()
  await undoingErrors(batch, index, async () => {
    const written = await provisions.createPrepared(index, creation, (fetched) =>
      createListing(context, creation, fetched),
    )
    found.set(externalId, written.listing)
    outcomes[index] = { status: 201, ...written }
  })
}

const streetOf = ({ merged }: Creation): string | null => readAddress(merged.content)?.key?.streetKey ?? null

/** Creates the listings that wait. */
async function createWaiting({ context, found, outcomes, waiting }: Batch): Promise<void> {
  const sent = waiting.splice(0)
  if (sent.length === 0) return
  const created = await createListings(context, sent)
  for (const [place, { index }] of sent.entries()) {
    const outcome = created[place]
    if (outcome === undefined) continue
    outcomes[index] = outcome instanceof ApiError ? { error: outcome } : { status: 201, ...outcome }
    if (!(outcome instanceof ApiError)) found.set(outcome.listing.external_id ?? '', outcome.listing)
  }
}

function locatedFor({ provisions }: Batch, index: number, listing: Listing, payload: Payload): Located {
  const place = updatesAtOnce(payload) ? null : placeToFind(mergePayload(listing, payload))
  return place === null ? null : provisions.ofUpdate(index, place)
}
