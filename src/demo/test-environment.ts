/**
 * An agency's test environment (api.md 2.8): its twin, which is made and filled with samples for the first test key, and emptied and
 * filled again when somebody asks for it. Either is one transaction, so nobody sees half of it.
 */
import { type Agency, findAgency, twinSlug } from '../agencies/agencies.ts'
import { createTwin, findTwin, testSlugTaken } from '../agencies/twins.ts'
import type { Tx } from '../db/connection.ts'
import { violatedConstraint } from '../db/database.ts'
import { hotStatement } from '../db/statement.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { ApiError, checked } from '../errors.ts'
import { uuidv7 } from '../ids.ts'
import { discardPhotos, referencePhotos } from '../photos/unreferenced.ts'
import {
  checkCreation,
  type Creation,
  type Fetched,
  fetchForCreation,
  createListing,
} from '../properties/create.ts'
import { canonicalPayload, checkPayload } from '../properties/payload.ts'
import { removeAllListings } from '../properties/remove-all.ts'
import type { Payload } from '../properties/schema.ts'
import { disableListing } from '../properties/states.ts'
import { collectChange, writeContext, type WriteContext } from '../properties/store.ts'
import { storedPhotos } from '../properties/uploads.ts'
import type { Author } from '../writing/author.ts'
import { type Locked, underLock, underLockWithin } from '../writing/under-lock.ts'
import type { DemoListing } from './listings.ts'
import { type PictureMemory, pictureMemory, pictureUrl, unlimited, withPictures } from './picture-photos.ts'
import { testSamples } from './test-samples.ts'

const author: Author = { kind: 'system', id: null, name: 'test environment', requestId: null }
/** Kept by the process: scaling the pictures takes a second. */
const kept = pictureMemory()

/** A sample whose photos are stored. */
type Prepared = { sample: DemoListing; creation: Creation; fetched: Fetched }

/**
 * Runs the work in a transaction with the agency's twin, which the transaction creates and fills if there is none.
 * @param pictures those that are read and scaled already
 * @throws ApiError 400 `test` if another agency has the slug that the twin would get; what the work throws
 */
export async function withTwin<T>(
  deps: Deps,
  agency: Pick<Agency, 'id' | 'slug'>,
  work: (tx: Tx, twin: Agency) => Promise<T>,
  pictures = kept,
): Promise<T> {
  const twin = await findTwin(deps.db, agency.id)
  if (twin !== null) return await inTransaction(deps.db, (tx) => work(tx, twin))
  if ((await findAgency(deps.db, twinSlug(agency.slug))) !== null) throw testSlugTaken(agency.slug)
  const id = uuidv7()
  return await withSamples(deps, id, pictures, (prepared) =>
    inTransaction(deps.db, async (tx) => {
      const made = await createTwin(tx, agency.id, id, deps.clock)
      await underLockWithin(tx, id, deps.clock, (locked) => fill(deps, locked, prepared))
      return await work(tx, made)
    }),
  ).catch(async (error: unknown) => {
    // Another process was faster, or created an agency with the slug.
    if (!['agencies_slug_key', 'agencies_test_of_key'].includes(violatedConstraint(error) ?? '')) throw error
    const theirs = await findTwin(deps.db, agency.id)
    if (theirs === null) throw testSlugTaken(agency.slug)
    return await inTransaction(deps.db, (tx) => work(tx, theirs))
  })
}

const forget = hotStatement('delete from idempotency_keys where agency_id = $1')

/**
 * Removes all listings of the twin and fills it with samples again. Revisions go on and counters stay; Idempotency-Keys are forgotten.
 * @param note runs in the transaction, for the audit log
 * @returns how many samples there are
 */
export async function resetTwin(
  deps: Deps,
  twin: Agency,
  note: (tx: Tx) => Promise<void>,
  pictures = kept,
): Promise<{ listings: number }> {
  return await withSamples(deps, twin.id, pictures, (prepared) =>
    underLock(deps.db, twin.id, deps.clock, async (locked) => {
      await removeAllListings(contextOf(deps, locked))
      await forget(locked.tx, [twin.id])
      await fill(deps, locked, prepared)
      await note(locked.tx)
      return { listings: prepared.length }
    }),
  )
}

/** Stores the samples' photos for the work. Those that no listing has in the end are deleted. */
async function withSamples<T>(
  deps: Deps,
  twinId: string,
  pictures: PictureMemory,
  work: (prepared: readonly Prepared[]) => Promise<T>,
): Promise<T> {
  const filling = withPictures(deps, twinId, pictures)
  const prepared: Prepared[] = []
  try {
    for (const sample of testSamples) prepared.push(await prepare(filling, twinId, sample))
    return await work(prepared)
  } finally {
    await discardPhotos(deps.photos, twinId, photosOf(prepared))
  }
}

/** @throws ApiError `service_unavailable` */
async function prepare(deps: Deps, twinId: string, sample: DemoListing): Promise<Prepared> {
  const payload = canonicalPayload({
    ...sample.payload,
    photos: sample.pictures.map((name) => pictureUrl(deps, name)),
    status: sample.status === 'draft' ? 'draft' : 'published',
  }) as Payload
  checked((problems) => checkPayload(payload, new Set(), problems))
  const creation = checkCreation(deps, payload)
  try {
    const fetched = await fetchForCreation(deps, twinId, creation, async () => {})
    return { sample, creation, fetched }
  } catch (error) {
    // The pictures are ours: if one is not stored, the storage failed.
    throw new ApiError('service_unavailable', { retryAfter: 5, cause: error })
  }
}

function photosOf(prepared: readonly Prepared[]): string[] {
  return prepared.flatMap(({ fetched }) => storedPhotos(fetched.verdicts))
}

/** Stores the samples. They count toward no limit. */
async function fill(deps: Deps, locked: Locked, prepared: readonly Prepared[]): Promise<void> {
  const context = contextOf(deps, locked)
  await referencePhotos(locked.tx, locked.agencyId, photosOf(prepared))
  for (const { sample, creation, fetched } of prepared) {
    const { listing } = await createListing(context, creation, fetched, { isCounted: false })
    if (sample.reserved === true) collectChange(context, listing, 'reserved', { reserved: true })
    if (sample.status === 'disabled') await disableListing(context, listing, sample.disable ?? {})
  }
  await context.writes.send()
}

function contextOf({ clock }: Deps, locked: Locked): WriteContext {
  return writeContext(locked, { clock, limits: unlimited, author })
}
