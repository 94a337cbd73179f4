/**
 * An agency's test environment (api.md 2.8): its twin, which is created and filled with samples for the first test key, and emptied and
 * refilled on request. Each of these is one transaction, so nobody sees an intermediate state.
 */
import { type Agency, findAgency } from '../agencies/agencies.ts'
import { twinSlug } from '../agencies/slugs.ts'
import { createTwin, findTwin, testSlugTaken } from '../agencies/twins.ts'
import type { Deps } from '../deps.ts'
import { sizeLimits } from '../limits/sizes.ts'
import { checkCreation, type Creation } from '../listings/writing/create/check-creation.ts'
import { createListing } from '../listings/writing/create/create.ts'
import { type FetchesOfWrite, openFetches } from '../listings/store/fetches.ts'
import { downloadFor } from '../listings/gallery/uploads.ts'
import { canonicalPayload, checkPayload } from '../listings/fields/payload.ts'
import { removeAllListings } from '../listings/writing/states/remove-all.ts'
import type { Payload } from '../listings/fields/schema.ts'
import { disableListing } from '../listings/writing/states/states.ts'
import { collectChange, writeContext, type WriteContext } from '../listings/store/write-context.ts'
import { demoAgencies, type DemoListing } from './listings.ts'
import { type PictureMemory, pictureMemory, pictureUrl, unlimited, withPictures } from './pictures.ts'
import type { Tx } from '../platform/db/statements/connection.ts'
import { violatedConstraint } from '../platform/db/database.ts'
import { statement } from '../platform/db/statements/statement.ts'
import { inTransaction } from '../platform/db/statements/transaction.ts'
import { ApiError, checked } from '../platform/errors/errors.ts'
import { uuidv7 } from '../platform/names/ids.ts'
import { systemActor } from '../writing/actor.ts'
import { type Locked, underLock, underLockWithin } from '../writing/under-lock.ts'

const actor = systemActor('test environment')
/** Cached for the process's lifetime: scaling the pictures takes a second. */
const cachedPictures = pictureMemory()

/** Samples to create, and their dependencies. */
type Samples = {
  creations: readonly { sample: DemoListing; creation: Creation }[]
  fetches: FetchesOfWrite
}

/**
 * Runs the work in a transaction with the agency's twin, which the transaction creates and fills if there is none.
 * @param pictures already scaled
 * @throws ApiError 400 `test` if another agency has the slug that the twin would get; what the work throws
 */
export async function withTwin<T>(
  deps: Deps,
  agency: Pick<Agency, 'id' | 'slug'>,
  work: (tx: Tx, twin: Agency) => Promise<T>,
  pictures = cachedPictures,
): Promise<T> {
  const twin = await findTwin(deps.db, agency.id)
  if (twin !== null) return await inTransaction(deps.db, (tx) => work(tx, twin))
  if ((await findAgency(deps.db, twinSlug(agency.slug))) !== null) throw testSlugTaken(agency.slug)
  const id = uuidv7()
  return await withSamples(deps, id, pictures, (samples) =>
    inTransaction(deps.db, async (tx) => {
      const made = await createTwin(tx, agency.id, id, deps.clock)
      await underLockWithin(tx, id, deps.clock, (locked) => fill(deps, locked, samples))
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

const forget = statement('delete from idempotency_keys where agency_id = $1')

/**
 * Removes all listings of the twin and refills it with samples. Revisions and counters continue; Idempotency-Keys are forgotten.
 * @param note runs in the transaction, for the audit log
 * @returns how many samples there are
 */
export async function resetTwin(
  deps: Deps,
  twin: Agency,
  note: (tx: Tx) => Promise<void>,
  pictures = cachedPictures,
) {
  return await withSamples(deps, twin.id, pictures, (samples) =>
    underLock(deps.db, twin.id, deps.clock, async (locked) => {
      await removeAllListings(contextOf(deps, locked))
      await forget(locked.tx, [twin.id])
      await fill(deps, locked, samples)
      await note(locked.tx)
      return { listings: samples.creations.length }
    }),
  )
}

/**
 * Stores the samples' photos for the work, and deletes those that no listing uses afterwards. They count toward no limit.
 * @throws ApiError `service_unavailable`
 */
async function withSamples<T>(
  deps: Deps,
  twinId: string,
  pictures: PictureMemory,
  work: (samples: Samples) => Promise<T>,
): Promise<T> {
  const filling = withPictures(deps, twinId, pictures)
  const creations = testSamples.map((sample) => ({ sample, creation: creationOf(filling, sample) }))
  const fetches = openFetches(filling, twinId, false)
  try {
    for (const [index, { creation }] of creations.entries())
      fetches.forItem(index).requestPhotos(creation.urls, downloadFor(twinId))
    await fetches.fetch()
    // The pictures are ours: if one is not stored, the storage failed.
    if (fetches.fetchedPhotos().some(({ photo }) => photo === null)) throw new ApiError('service_unavailable')
    return await work({ creations, fetches })
  } finally {
    await fetches.discard()
  }
}

function creationOf(deps: Deps, sample: DemoListing): Creation {
  const payload = canonicalPayload({
    ...sample.payload,
    photos: sample.pictures.map((name) => pictureUrl(deps, name)),
    status: sample.status === 'draft' ? 'draft' : 'published',
  }) as Payload
  checked((problems) => checkPayload(payload, new Set(), problems))
  return checkCreation(deps, payload)
}

/** Stores the samples. They count toward no limit. */
async function fill(deps: Deps, locked: Locked, { creations, fetches }: Samples): Promise<void> {
  const context = contextOf(deps, locked)
  for (const [index, { sample, creation }] of creations.entries()) {
    const ofSample = { ...context, fetches: fetches.forItem(index) }
    const { listing } = await createListing(ofSample, creation, { isCharged: false })
    if (sample.reserved === true) collectChange(context, listing, 'reserved', { reserved: true })
    if (sample.status === 'disabled') await disableListing(context, listing, sample.disable ?? {})
  }
  await context.writes.send()
}

function contextOf({ clock }: Deps, locked: Locked): WriteContext {
  return writeContext(locked, { clock, limits: unlimited }, actor)
}

/** Numbers of the demonstration's external ids, such as `RN-0412`. */
const chosen = [412, 377, 429, 405, 318, 289, 441, 420, 402, 415, 370, 423, 333, 447]

/** `SAMPLE-01`, `SAMPLE-02` and so on. Each published one has a pin, so that nothing needs a lookup. */
export const testSamples: readonly DemoListing[] = chosen.map((number, index) => {
  const id = `RN-${String(number).padStart(4, '0')}`
  const found = demoAgencies
    .flatMap(({ listings }) => listings)
    .find(({ payload }) => payload.external_id === id)
  if (found === undefined) throw new Error(`the demonstration has no listing ${id}`)
  const external_id = `SAMPLE-${String(index + 1).padStart(2, '0')}`
  const pictures = found.pictures.slice(0, sizeLimits.photos_to_publish)
  return { ...found, payload: { ...found.payload, external_id }, pictures }
})
