/** Edits a listing (api.md 10), or creates or edits it by its external id (api.md 15.9): the agency's lock decides which of the two. */
import { statement } from '../platform/db/statement.ts'
import type { Deps } from '../deps.ts'
import { ApiError, invalid, Problems } from '../platform/errors.ts'
import { mostErrors } from '../limits/sizes.ts'
import { namedPhoto } from './photos/names-and-urls.ts'
import { abandonPhotos } from './photos/unreferenced.ts'
import { applyPin, mergePayload } from './content.ts'
import { checkCreation, checkCreationFields, createListing, type Written } from './create.ts'
import { checkAddressIsFree, isAddressChanged } from './duplicates.ts'
import { findListing } from './find.ts'
import type { Listing, Warning } from './listing.ts'
import { checkPublishable } from './publishable.ts'
import { isExternalId, type Payload } from './schema.ts'
import { collectChange, externalIdExists, type WriteContext } from './store.ts'

/**
 * Edits a listing. `photos` can only reorder and remove the listing's own. The agency must be locked, and `before` read under the lock.
 * @throws ApiError `invalid_parameter`, `duplicate_property`, `external_id_exists`, and the 422s of publishing
 */
export async function updateListing(
  context: WriteContext,
  before: Listing,
  payload: Payload,
  baseUrl: string,
): Promise<Written> {
  const merged = mergePayload(before, payload)
  const { content, warnings } = applyPin(merged, context.fetches.locate, context.dryRun)
  const photos = photosAfter(before, payload, baseUrl)
  if (before.status === 'published') checkPublishable(content, photos.length, 'would have')
  if (isAddressChanged(before, content) && payload.force_duplicate !== true) {
    const db = { run: context.writes.read }
    await checkAddressIsFree(db, before.agency_id, content, before.id)
  }
  await checkExternalIdIsFree(context, before, content.external_id)
  const removed = before.photos.filter((photo) => !photos.includes(photo))
  const listing = collectChange(context, before, 'updated', { ...content, photos })
  if (removed.length > 0) await abandonPhotos(context.tx, before.agency_id, removed, context.clock)
  return { listing, warnings }
}

async function checkExternalIdIsFree({ tx }: WriteContext, before: Listing, externalId: string | null) {
  if (externalId === null || externalId === before.external_id) return
  if ((await findListing(tx, before.agency_id, { external_id: externalId })) !== null)
    throw externalIdExists(externalId)
}

/** One entry for each URL, all with the parameter `photos`. */
function notOwn(urls: readonly string[]): ApiError {
  const errors = urls.slice(0, mostErrors).map((url) => ({
    parameter: 'photos',
    message: `${url} is not a photo of this listing. Send the URLs of its own photos, in the order you want. To add or replace photos, use PUT /properties/{id}/photos.`,
  }))
  return new ApiError('invalid_parameter', { ...errors[0], errors })
}

function photosAfter(before: Listing, payload: Payload, baseUrl: string): string[] {
  if (payload.photos === undefined) return before.photos
  const known = (payload.photos ?? []).map((url) => {
    const photo = namedPhoto(url, baseUrl, before)?.photo ?? null
    return { url, photo: photo !== null && before.photos.includes(photo) ? photo : null }
  })
  const foreign = new Set(known.flatMap(({ url, photo }) => (photo === null ? url : [])))
  if (foreign.size > 0) throw notOwn([...foreign])
  const photos = known.flatMap(({ photo }) => photo ?? [])
  if (new Set(photos).size < photos.length)
    throw invalid('photos', 'photos has the same photo twice. Send each URL once.')
  return photos
}

/** Adds a problem if the body has another external id than the path. */
export function checkSameId(externalId: string, sent: unknown, problems: Problems): void {
  const { external_id: own } = (sent ?? {}) as { external_id?: unknown }
  if (own === undefined || own === externalId) return
  problems.add(
    'external_id',
    'external_id differs from the one in the path. Leave it out. To change it, use PATCH /properties/{id}.',
  )
}

/**
 * Creates the listing, or updates it and warns of fields that an update ignores. The agency must be locked.
 * @param existing the listing with the external id, read under the lock, or null
 * @throws ApiError as creating and editing do
 */
export async function upsertListing(
  context: WriteContext,
  deps: Deps,
  externalId: string,
  existing: Listing | null,
  payload: Payload,
): Promise<Written & { created: boolean }> {
  const problems = new Problems()
  checkSameId(externalId, payload, problems)
  if (!problems.isEmpty && existing === null) checkCreationFields(deps, payload, problems)
  problems.throwIfAny()
  if (existing === null) {
    const creation = checkCreation(deps, { ...payload, external_id: externalId })
    return { ...(await createListing(context, creation, { isLast: true })), created: true }
  }
  const { status: _status, photos: _photos, external_id: _externalId, ...edit } = payload
  const written = await updateListing(context, existing, edit, deps.config.publicBaseUrl)
  return { ...written, warnings: [...written.warnings, ...ignoredWarnings(payload)], created: false }
}

/** The fields that an upsert ignores on an update with a warning → the remedy. */
const ignored = {
  status: 'Use POST /properties/{id}/enable or /disable.',
  photos: 'Use PUT /properties/{id}/photos to set them, or POST to add some.',
}

function ignoredWarnings(payload: Payload): Warning[] {
  return (['status', 'photos'] as const)
    .filter((name) => payload[name] !== undefined)
    .map((name) => ({
      code: `${name}_ignored`,
      message: `${name} is ignored when a listing is updated. ${ignored[name]}`,
      parameter: name,
    }))
}

/** An upsert that is refused anyway, with its problems so far. */
type RefusedUpsert = { externalId: unknown; sent: unknown; problems: Problems; prefix: string }

const findTaken = statement<{ external_id: string }>(
  'select external_id from properties where agency_id = $1 and external_id = any ($2) and deleted_at is null',
)

/** Adds the problems of single fields that a creation would have, if no listing has the external id. An update ignores these fields. */
export async function checkRefusedUpserts(deps: Deps, agencyId: string, refused: readonly RefusedUpsert[]) {
  const candidates = refused.flatMap(({ externalId, sent, problems, prefix }) => {
    if (!isExternalId(externalId)) return []
    const further = new Problems()
    checkCreationFields(deps, sent, further, prefix)
    return further.isEmpty ? [] : [{ externalId, problems, further }]
  })
  if (candidates.length === 0) return
  const rows = await findTaken(deps.db, [agencyId, candidates.map(({ externalId }) => externalId)])
  const found = new Set(rows.map(({ external_id: id }) => id))
  for (const { externalId, problems, further } of candidates)
    if (!found.has(externalId)) problems.attempt(() => further.throwIfAny())
}
