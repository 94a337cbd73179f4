/** Creates listings (api.md 15.7). Every new listing is created here or in create-at-once.ts; `create_listings` decides about all. */
import type { Listing, Warning } from '../../listing.ts'
import type { Fetches } from '../../store/fetches.ts'
import type { WriteContext } from '../../store/write-context.ts'
import { noNotes } from '../../store/photo-sources.ts'
import {
  notePhotoResults,
  type PhotoResult,
  photoResults,
  photoWarnings,
  referenceStored,
} from '../../gallery/uploads.ts'
import { requestedUrls } from '../../photos/names-and-urls.ts'
import { ApiError, asApiError } from '../../../platform/errors/errors.ts'
import type { Creation } from './check-creation.ts'
import { asCreated, type Created, createStatement } from './create-listings.ts'
import { prepareListing, type PreparedListing } from './prepare-listing.ts'
import { errorOf } from './rejection.ts'

/** The result of a write: the listing after it, warnings and, for a creation, the outcome of each photo. */
export type Written = { listing: Listing; warnings: Warning[]; photos?: PhotoResult[] }

type CreateOptions = {
  /** Whether the listings count toward the limit of new listings; true by default. */
  isCharged?: boolean
  /** Whether nothing later in the transaction depends on their rows. Then a run that is rolled back stores no rows. */
  isLast?: boolean
}

/** Creates a listing. The agency must be locked. @throws the ApiError that `createListings` returns; nothing is stored then */
export async function createListing(
  context: WriteContext,
  creation: Creation,
  options: CreateOptions = {},
): Promise<Written> {
  const wanted = [{ creation, fetches: context.fetches }]
  const [outcome] = await createListings(context, wanted, options)
  if (outcome instanceof ApiError) throw outcome
  return outcome as Written
}

/**
 * Creates listings that differ in external id and street, by one statement. The agency must be locked.
 * @returns for each, the result or its error: that of its photos, or else the first of `external_id_exists`, `duplicate_property` and
 *   `rate_limited`
 */
export async function createListings(
  context: WriteContext,
  wanted: readonly { creation: Creation; fetches: Fetches }[],
  { isCharged = true, isLast = false }: CreateOptions = {},
): Promise<(Written | ApiError)[]> {
  const { clock, limits, writes, dryRun } = context
  const prepared = wanted.map(({ creation, fetches }) => {
    try {
      return prepareListing(context, creation, fetches)
    } catch (error) {
      return asApiError(error)
    }
  })
  const sent = prepared.flatMap((one) => (one instanceof ApiError ? [] : [one]))
  // A dry run is not refused by limits: it reports those that have no room for its cost.
  const charged = isCharged && dryRun === null ? limits : null
  const stores = !isLast || context.willCommit()
  const rows = sent.length === 0 ? [] : await writes.runAfter(createStatement(sent, clock, charged, stores))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const outcomes: (Written | ApiError)[] = []
  for (const [index, one] of prepared.entries()) {
    const outcome = one instanceof ApiError ? one : await outcomeOf(context, one, byId.get(one.listing.id))
    if (outcome instanceof ApiError) wanted[index]?.fetches.cancel()
    outcomes.push(outcome)
  }
  const created = outcomes.flatMap((outcome) => (outcome instanceof ApiError ? [] : outcome.listing.photos))
  await referenceStored(context, created)
  return outcomes
}

async function outcomeOf(
  context: WriteContext,
  { creation, listing: prepared, verdicts, warnings }: PreparedListing,
  created: Created | undefined,
): Promise<Written | ApiError> {
  if (created === undefined) throw new Error('create_listings always gives a row')
  if (created.rejection !== null) return await errorOf({ ...context, db: context.tx }, creation, created)
  const listing = asCreated(prepared, created)
  context.revisions.follow(created)
  context.writes.collectEvent(listing)
  context.dryRun?.addCost({ new_listings: 1, photos: requestedUrls(creation.urls).length })
  const photos = photoResults(verdicts, listing.photos)
  notePhotoResults({ ...context, at: created.at }, listing.id, noNotes, photos, listing.photos)
  return { listing, warnings: [...warnings, ...photoWarnings(verdicts, 'photos')], photos }
}
