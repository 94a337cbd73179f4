/**
 * What takes time in a batch, for all of its items side by side and before any of them is carried out (spec 'POST
 * /properties/batch'): each is prepared for what the items before it will have left, and where that cannot be told, for both.
 */
import type { Db, Tx } from '../db/database.ts'
import { hotStatement } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { gathering } from '../geocoding/gather.ts'
import { openPhotoShare } from '../photos/share.ts'
import type { BatchItem } from './batch.ts'
import { mergePayload } from './content.ts'
import { prepareCreation } from './create.ts'
import { readAddress } from './duplicates.ts'
import { noSuchListing } from './find.ts'
import { type Content, type Listing, listingColumns, noContent } from './listing.ts'
import { locate, placeToFind } from './locate.ts'
import { storedPhotos } from './uploads.ts'
import { prepareUpdateOf } from './update.ts'
import { discardUpsert, type PreparedUpsert, prepareUpsertOf } from './upsert.ts'

/** What was prepared, or why it fails. */
export type Preparation = { error: ApiError } | { prepared: PreparedUpsert }

/** For an item that finds its listing there, and for one that does not; undefined where that was not foreseen, or needs nothing. */
export type PreparedItem = { present?: Preparation; absent?: Preparation }

const findExisting = hotStatement<Listing>(
  `select ${listingColumns.join(', ')} from properties where agency_id = $1 and external_id = any ($2) and deleted_at is null`,
)

/** The listings that the items are about, by external id. */
export async function findListings(
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
): Promise<PreparedItem[]> {
  const found = await findListings(deps.db, agencyId, items)
  const forecasts = foresee(items, found)
  const places = items.flatMap((item, index) => placesOf(item, forecasts[index]))
  const ofAll = {
    ...deps,
    geocoder: gathering(deps.geocoder, places),
    photos: { ...deps.photos, share: openPhotoShare(agencyId) },
  }
  return Promise.all(items.map((item, index) => prepareItem(ofAll, agencyId, item, forecasts[index], found)))
}

/** What the items before it leave for an item. */
type Forecast = {
  /** Of its listing, where it is there and those items succeed; if not, its address may be placed later instead of now. */
  content: Content
  /** Whether an item before it is about the same listing, so that what is stored now says nothing. */
  follows: boolean
  /** No item before it can have made or removed the listing, which is stored. */
  isCertain: boolean
  /** Listings, by uuid, that items before it may have moved or removed: their addresses may be free by then. */
  moved: readonly string[]
}

function foresee(
  items: readonly (BatchItem | null)[],
  found: ReadonlyMap<string, Listing>,
): (Forecast | undefined)[] {
  const known = new Map<string, { content: Content; isCertain: boolean }>()
  const moved: string[] = []
  return items.map((item) => {
    if (item === null) return undefined
    const { externalId } = item
    const listing = found.get(externalId)
    const before = known.get(externalId) ?? {
      content: listing ?? noContent,
      isCertain: listing !== undefined,
    }
    const forecast = { ...before, follows: known.has(externalId), moved: [...moved] }
    const isCertain = before.isCertain && item.action !== 'delete'
    // A creation of what is there certainly fails.
    const content =
      item.action === 'create' && before.isCertain ? before.content : contentAfter(before.content, item)
    known.set(externalId, { content, isCertain })
    if (listing !== undefined && mayMove(item)) moved.push(listing.id)
    return forecast
  })
}

function mayMove(item: BatchItem): boolean {
  if (item.action === 'delete') return true
  return 'payload' in item && (item.payload.address !== undefined || item.payload.location !== undefined)
}

function contentAfter(before: Content, item: BatchItem): Content {
  if (item.action === 'delete') return noContent
  return merged(before, item)?.content ?? before
}

/** Null where the item would fail: then it changes nothing, and its own turn says why. */
function merged(before: Content, item: BatchItem) {
  if (!('payload' in item)) return null
  try {
    return mergePayload(before, item.payload)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** Where an item will be looked for. */
function placesOf(item: BatchItem | null, forecast: Forecast | undefined) {
  if (item === null || forecast === undefined) return []
  const befores = forecast.isCertain ? [forecast.content] : [forecast.content, noContent]
  return befores.flatMap((before) => {
    const after = merged(before, item)
    return (after === null ? null : placeToFind(after)) ?? []
  })
}

async function prepareItem(
  deps: Deps,
  agencyId: string,
  item: BatchItem | null,
  forecast: Forecast | undefined,
  found: ReadonlyMap<string, Listing>,
): Promise<PreparedItem> {
  if (item === null || forecast === undefined || !('payload' in item)) return {}
  const { action, externalId } = item
  const payload = { ...item.payload, external_id: externalId }
  const { moved } = forecast
  if (!forecast.follows) {
    const either = await settle(async () => {
      const listing = found.get(externalId) ?? null
      if (action === 'upsert')
        return prepareUpsertOf(deps, agencyId, externalId, listing, item.payload, moved)
      if (action === 'create') {
        const externalIdIs = listing === null ? 'free' : 'taken'
        return { creation: await prepareCreation(deps, agencyId, payload, { moved, externalIdIs }) }
      }
      if (listing === null) throw noSuchListing()
      return { located: await prepareUpdateOf(deps, listing, item.payload, moved) }
    })
    return { present: either, absent: either }
  }
  const creates = (externalIdIs: 'free' | 'taken') =>
    settle(async () => ({
      creation: await prepareCreation(deps, agencyId, payload, { moved, externalIdIs }),
    }))
  const updates = settle(async () => {
    const after = merged(forecast.content, item)
    return { located: after === null ? null : await locate(deps.geocoder, after) }
  })
  const [present, absent] = await Promise.all([
    action === 'create' ? creates('taken') : updates,
    action === 'update' || forecast.isCertain ? undefined : creates('free'),
  ])
  return { present, absent }
}

/** Keys of the streets that the items are likely to ask for, by what is stored. */
export function streetsOf(
  items: readonly (BatchItem | null)[],
  found: ReadonlyMap<string, Listing>,
): string[] {
  const streets = items.flatMap((item) => {
    if (item === null || !mayMove(item)) return []
    const after = merged(found.get(item.externalId) ?? noContent, item)
    return after === null ? [] : (readAddress(after.content)?.key?.streetKey ?? [])
  })
  return [...new Set(streets)]
}

/** Whether the preparation stored photos. */
export function hasPhotos(prepared: PreparedUpsert): boolean {
  return prepared !== null && 'creation' in prepared && storedPhotos(prepared.creation.verdicts).length > 0
}

async function settle(prepare: () => Promise<PreparedUpsert>): Promise<Preparation> {
  try {
    return { prepared: await prepare() }
  } catch (error) {
    if (error instanceof ApiError) return { error }
    throw error
  }
}

/** Takes back what items stored and did not use. */
export async function discardBatch(
  deps: Deps,
  agencyId: string,
  items: readonly PreparedItem[],
): Promise<void> {
  const preparations = new Set(items.flatMap(({ present, absent }) => [present, absent]))
  await Promise.all(
    [...preparations].map(async (preparation) => {
      if (preparation !== undefined && 'prepared' in preparation)
        await discardUpsert(deps, agencyId, preparation.prepared)
    }),
  )
}
