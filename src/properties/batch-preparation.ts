/**
 * Does the slow work of a batch before its transaction (api.md 16). A dry run finds the items that will create
 * a listing or change its address. Photos and geocoding are fetched in parallel for these items only. If a creation fails, a later item
 * may create the listing instead, so there is another dry run.
 */
import type { Tx } from '../db/connection.ts'
import { hotStatement } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { gathering, type PostalAddress } from '../geocoding/geocoder.ts'
import { payerOf } from '../limits/payer.ts'
import { openPhotoShare } from '../photos/share.ts'
import { discardPhotos, referencePhotos } from '../photos/unreferenced.ts'
import { type BatchItem, commitBatch, listingsStatement, type Provisions } from './batch.ts'
import type { Listing } from './listing.ts'
import { type Creation, createsAtOnce, type Fetched, fetchForCreation, nothingFetched } from './create.ts'
import { isSamePlace, type Located, placeToFind } from './locate.ts'
import { type Locked, dryRunUnderLock, StalePreparation } from '../writing/under-lock.ts'
import type { WriteContext } from './store.ts'
import { storedPhotos, takeDownloads } from './uploads.ts'
import { updatesAtOnce } from './update.ts'

/** The results of an item's slow work, or the error of its creation. Empty if the item needs none. */
export type PreparedItem = { creation?: Fetched | ApiError; located?: Located }

/** The slow work that an item needs before it can run. */
type Want = { index: number; creation: Creation } | { index: number; place: PostalAddress }

/**
 * Runs the batch dry and fetches what its items need, until no creation fails.
 * @param items null for an item that has already failed
 * @param contextOf makes the context of a dry run
 */
export async function prepareBatch(
  deps: Deps,
  agencyId: string,
  items: readonly (BatchItem | null)[],
  contextOf: (locked: Locked) => WriteContext,
): Promise<PreparedItem[]> {
  const prepared: PreparedItem[] = items.map(() => ({}))
  if (!items.some(mayWait)) return prepared
  const share = openPhotoShare(await payerOf(deps.db, agencyId))
  const ofAll = { ...deps, photos: { ...deps.photos, share } }
  try {
    for (;;) {
      const findWants = async (locked: Locked, [stored]: readonly [Listing[]]): Promise<Want[]> => {
        const asked: Want[] = []
        const provisions = standIns(prepared, asked)
        const outcomes = await commitBatch(contextOf(locked), deps, items, provisions, stored)
        return asked.filter(({ index }) => 'listing' in (outcomes[index] ?? {}))
      }
      const wants = await dryRunUnderLock(deps.db, agencyId, deps.clock, findWants, [
        listingsStatement(agencyId, items),
      ])
      // The transaction will go like the dry run, unless fetching for a creation has just failed.
      if (await fetchWanted(ofAll, agencyId, wants, prepared)) return prepared
    }
  } catch (error) {
    await discardBatch(deps, agencyId, prepared)
    throw error
  }
}

/** Whether the item may need slow work. */
function mayWait(item: BatchItem | null): boolean {
  if (item === null || !('payload' in item)) return false
  return !updatesAtOnce(item.payload) || (item.action !== 'update' && !createsAtOnce(item.payload))
}

/** Provisions for the dry run before the transaction: records in `asked` what the items need, and returns placeholders for what is not fetched yet. */
function standIns(prepared: readonly PreparedItem[], asked: Want[]): Provisions {
  return {
    async createPrepared(index, creation, create) {
      const prior = prepared[index]?.creation
      if (prior instanceof ApiError) throw prior
      if (prior !== undefined) return create(prior)
      const written = await create({
        ...nothingFetched(creation),
        located: standIn(placeToFind(creation.merged)),
      })
      asked.push({ index, creation })
      return written
    },
    ofUpdate(index, place) {
      const prior = prepared[index]?.located ?? null
      if (prior !== null && isSamePlace(prior.place, place)) return prior
      asked.push({ index, place })
      return standIn(place)
    },
  }
}

/** Provisions for the dry run of a request. */
export const noProvisions: Provisions = {
  createPrepared: (_index, creation, create) => create(nothingFetched(creation)),
  ofUpdate: () => null,
}

/** A placeholder with coordinates: a later item may remove the coordinates that this item is to get. */
function standIn(place: PostalAddress | null): Located {
  return place && { place, found: { status: 'found', pin: { lat: 0, lng: 0, status: 'approximate' } } }
}

/** Fetches into `prepared`. @returns whether no creation failed */
async function fetchWanted(
  deps: Deps,
  agencyId: string,
  wants: readonly Want[],
  prepared: PreparedItem[],
): Promise<boolean> {
  const places = wants.flatMap((want) => placeOf(want) ?? [])
  const gathered = { ...deps, geocoder: gathering(deps.geocoder, places) }
  let charges: Promise<unknown> = Promise.resolve()
  const fetch = async (want: Want): Promise<PreparedItem> => {
    if ('place' in want)
      return { located: { place: want.place, found: await gathered.geocoder.find(want.place) } }
    // One after another: if the daily photo limit is nearly used up, the first items get what is left.
    const charge = (): Promise<void> => {
      const charged = charges.then(() => takeDownloads(deps, agencyId, want.creation.urls))
      charges = charged.catch(() => {})
      return charged
    }
    try {
      return { creation: await fetchForCreation(gathered, agencyId, want.creation, charge) }
    } catch (error) {
      if (error instanceof ApiError) return { creation: error }
      throw error
    }
  }
  const fetched = await Promise.allSettled(
    wants.map(async (want) => {
      prepared[want.index] = { ...prepared[want.index], ...(await fetch(want)) }
    }),
  )
  for (const outcome of fetched) if (outcome.status === 'rejected') throw outcome.reason
  return wants.every(({ index }) => !(prepared[index]?.creation instanceof ApiError))
}

function placeOf(want: Want): PostalAddress | null {
  return 'place' in want ? want.place : placeToFind(want.creation.merged)
}

// Savepoints nest and are never released: releasing would cost a statement each.
const savepoint = hotStatement('savepoint item')
const undo = hotStatement('rollback to savepoint item')

/** Provisions for the transaction: returns what was prepared, and references the photos of items that create. */
export function preparedProvisions(tx: Tx, agencyId: string, prepared: readonly PreparedItem[]): Provisions {
  return {
    async createPrepared(index, creation, create) {
      const prior = prepared[index]?.creation
      if (prior instanceof ApiError) throw prior
      const photos = prior === undefined ? [] : storedPhotos(prior.verdicts)
      await savepoint(tx, [])
      try {
        await referencePhotos(tx, agencyId, photos)
        const written = await create(prior ?? nothingFetched(creation))
        // The dry run found that something was in its way, which has gone since.
        if (prior === undefined) throw new StalePreparation()
        return written
      } catch (error) {
        await undo(tx, [])
        throw error
      }
    },
    ofUpdate(index) {
      const { located, creation } = prepared[index] ?? {}
      return located ?? (creation === undefined || creation instanceof ApiError ? null : creation.located)
    },
  }
}

/** Deletes prepared photos that no listing references. */
export async function discardBatch(
  deps: Deps,
  agencyId: string,
  prepared: readonly PreparedItem[],
): Promise<void> {
  const photos = prepared.flatMap(({ creation }) =>
    creation === undefined || creation instanceof ApiError ? [] : storedPhotos(creation.verdicts),
  )
  await discardPhotos(deps.photos, agencyId, photos)
}
