/** Makes the listing of a creation, before the database decides whether to create it. */
import { checkPublishable } from '../../fields/publishable.ts'
import { checkEnoughStored, checkSomeStored, downloadFor, storedPhotos } from '../../gallery/uploads.ts'
import type { Listing, Warning } from '../../listing.ts'
import { failedPhotos, type PhotoVerdict } from '../../photos/ingest.ts'
import { newPublicId, placeholderPublicId, uuidv7 } from '../../../platform/names/ids.ts'
import type { Fetches } from '../../store/fetches.ts'
import type { WriteContext } from '../../store/write-context.ts'
import { applyPin } from '../apply-pin.ts'
import type { Creation } from './check-creation.ts'
import type { NewListing } from './create-listings.ts'

/** A listing to create, with the outcome of its photos and the warnings about its address. */
export type PreparedListing = NewListing & {
  creation: Creation
  warnings: Warning[]
  verdicts: PhotoVerdict[]
}

/** A stand-in for timestamps that the database sets. */
const epoch = new Date(0).toISOString()
const unnumbered = { version: 0, created_at: epoch, updated_at: epoch, published_at: null, deleted_at: null }

/**
 * The listing that a creation makes, before it is stored. Requests its photos and its pin.
 * @throws ApiError `photo_ingest_failed`, `insufficient_photos`, `rate_limited`, `service_unavailable`
 */
export function prepareListing(
  { agencyId, actor, dryRun }: Pick<WriteContext, 'agencyId' | 'actor' | 'dryRun'>,
  creation: Creation,
  fetches: Fetches,
): PreparedListing {
  const { merged, publish, id = uuidv7() } = creation
  const verdicts = fetches.requestPhotos(creation.urls, downloadFor(agencyId))
  const photos = storedPhotos(verdicts)
  checkSomeStored(verdicts)
  if (publish) {
    checkEnoughStored(verdicts)
    checkPublishable(merged.content, photos.length, 'would have', failedPhotos(verdicts))
  }
  const { content, warnings } = applyPin(merged, fetches)
  const listing: Listing = {
    ...content,
    ...unnumbered,
    agency_id: agencyId,
    id,
    // By its placeholder, later items of a dry run's batch recognise a listing that will have another code.
    public_id: dryRun === null ? newPublicId() : placeholderPublicId(),
    status: publish ? 'published' : 'draft',
    photos,
    reserved: false,
    close_reason: null,
    closed_at: null,
    close_amount: null,
    close_currency: null,
  }
  return { creation, verdicts, warnings, listing, actor, comparesAddress: !creation.force, response: null }
}
