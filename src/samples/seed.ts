/**
 * Fills an empty database with demonstration data, through the same functions as requests. An interrupted fill can continue: each
 * listing is recorded in the transaction that creates it, and the end in the one that creates the keys (keys.ts).
 */
import { createAgency, findAgency, type Agency } from '../agencies/agencies.ts'
import { setAgencyDetails } from '../agencies/details.ts'
import { dayMs } from '../platform/time/days.ts'
import { svcCommand } from '../platform/program/svc-command.ts'
import type { Tx } from '../platform/db/statements/connection.ts'
import type { Db } from '../platform/db/database.ts'
import { statement } from '../platform/db/statements/statement.ts'
import type { Deps } from '../deps.ts'
import { checked } from '../platform/errors/errors.ts'
import { checkCreation } from '../listings/writing/create/check-creation.ts'
import { createListing } from '../listings/writing/create/create.ts'
import { type Actor, systemActor } from '../writing/actor.ts'
import type { Listing } from '../listings/listing.ts'
import { canonicalPayload, checkPayload } from '../listings/fields/payload.ts'
import type { Payload } from '../listings/fields/schema.ts'
import { noteFailedPhotos } from '../listings/gallery/photo-notes.ts'
import { photoWhyText } from '../listings/photos/failure.ts'
import { setPlaceBlurred } from '../listings/writing/set-place-blurred.ts'
import type { Closing } from '../listings/writing/states/closing.ts'
import { deleteListing, disableListing } from '../listings/writing/states/states.ts'
import { collectChange, type WriteContext } from '../listings/store/write-context.ts'
import { writeAs } from '../listings/store/write-as.ts'
import { type DemoKeys, finishWithKeys, openKeys, readOlderKeys } from './keys.ts'
import { demoAgencies, type DemoListing } from './listings.ts'
import { type PictureMemory, pictureMemory, pictureUrl, withPictures } from './pictures.ts'
import { seedVisits, type Visited } from './visits.ts'

const actor = systemActor('demonstration')
/** The actor of listings with failed photos: an integration, as at most agencies. */
const system: Actor = { ...actor, kind: 'key', name: 'CRM (demo)' }
const ofSource = { status: 'failed', photo: null, isOurs: false } as const
const atATime = 4

/** Marks an empty database as one to fill. */
const begin = statement(`
  insert into demonstration (started_at)
  select clock_timestamp() where not exists (select from agencies) on conflict do nothing`)

/** `listings`: the names of those made so far. `sealed_keys`: null until the fill is complete. Empty if none was begun. */
const readMark = statement<{ listings: string[]; sealed_keys: Buffer | null }>(
  'select listings, sealed_keys from demonstration',
)

/** Together with the next statement: keeps the fill from counting toward the agency's limits. */
const forgetUsage = statement('delete from agency_usage where agency_id = $1')
const forgetListings = statement(
  'update agency_revisions set hour_new_listings = 0, day_new_listings = 0 where agency_id = $1',
)

/**
 * Fills the database if it has no agency yet, or continues an interrupted fill. Several processes may do so at once.
 * @param print prints a line for the operator
 * @param mayFill false: only return the keys of a complete fill
 * @param pictures tests pass ones that cost nothing to scale
 * @returns the demonstration keys, or null if the database has other data
 */
export async function seedDemo(
  deps: Deps,
  print: (line: string) => void,
  mayFill = true,
  pictures = pictureMemory(),
): Promise<DemoKeys | null> {
  if (mayFill) await begin(deps.db, [])
  const [mark] = await readMark(deps.db, [])
  if (mark === undefined) return await readOlderKeys(deps)
  if (mark.sealed_keys !== null) return openKeys(deps, mark.sealed_keys)
  if (!mayFill) {
    print(`The demonstration data in the database is incomplete. To complete it, run: ${svcCommand} demo`)
    return null
  }
  print(
    mark.listings.length === 0
      ? 'Filling the empty database with demonstration data …'
      : 'Completing the demonstration data of a start that was interrupted …',
  )
  return await fill(deps, new Set(mark.listings), pictures)
}

async function fill(deps: Deps, made: ReadonlySet<string>, pictures: PictureMemory) {
  const agencies: Agency[] = []
  for (const { listings, details, ...profile } of demoAgencies) {
    const agency = await openAgency(deps, profile)
    agencies.push(agency)
    await setAgencyDetails(deps.db, agency.id, details, deps.clock)
    const seeding = withPictures(deps, agency.id, pictures)
    const queue = listings.filter((listing) => !made.has(nameOf(agency, listing)))
    await Promise.all(Array.from({ length: atATime }, () => seedQueue(seeding, agency, queue)))
    await seedVisits(deps.db, agency.id, await visitedOf(deps.db, agency, listings), deps.clock)
    await forgetUsage(deps.db, [agency.id])
    await forgetListings(deps.db, [agency.id])
  }
  const [first] = agencies
  return first === undefined ? null : await finishWithKeys(deps, first, pictures)
}

/** The agency of an interrupted fill, or a new one. */
async function openAgency({ db, clock }: Deps, profile: Parameters<typeof createAgency>[1]): Promise<Agency> {
  const found = await findAgency(db, profile.slug)
  if (found !== null) return found
  return await createAgency(db, profile, clock).catch(async (error: unknown) => {
    // Another process is filling the database too, and was faster.
    const theirs = await findAgency(db, profile.slug)
    if (theirs === null) throw error
    return theirs
  })
}

/** The name a listing is recorded under. */
function nameOf({ slug }: Agency, { payload }: DemoListing): string {
  return `${slug}/${payload.external_id ?? payload.title ?? ''}`
}

async function seedQueue(deps: Deps, agency: Agency, queue: DemoListing[]): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const photos = next.pictures.map((name) => pictureUrl(deps, name))
    await seedListing(deps, agency, next, photos)
  }
}

async function seedListing(deps: Deps, agency: Agency, demo: DemoListing, photos: string[]): Promise<void> {
  const status = demo.status === 'published' || demo.status === 'disabled' ? 'published' : 'draft'
  const payload = canonicalPayload({ ...demo.payload, photos, status, force_duplicate: true }) as Payload
  checked((problems) => checkPayload(payload, new Set(), problems))
  const name = nameOf(agency, demo)
  const creation = checkCreation(deps, payload)
  const made = await writeAs(deps, agency.id, actor, {}, async (context) => {
    if (!(await record(context.tx, name))) return null
    // Not counted: limits do not apply to the demonstration.
    const { listing: created, photos } = await createListing(context, creation, { isCharged: false })
    for (const { why } of photos ?? [])
      if (why !== null)
        throw new Error(`A picture of the demonstration could not be stored: ${photoWhyText(why)}`)
    const listing = demo.isBlurred === true ? await setPlaceBlurred(context, created, true) : created
    await context.writes.send()
    const past = await backdate(context, listing, demo.published_days_ago)
    if (demo.reserved === true) collectChange(context, past, 'reserved', { reserved: true })
    if (demo.status === 'disabled') await disableListing(context, past, closingOf(demo, context.at))
    if (demo.status === 'removed') await deleteListing(context, past)
    await context.writes.send()
    await backdateChange(context, listing, changedDaysAgo(demo))
    return listing
  })
  if (made === null) return
  const failures = demo.failed_photos?.map((one) => ({ ...one, ...ofSource })) ?? []
  await noteFailedPhotos(deps, agency.id, { id: made.public_id }, system, failures)
}

/** Dates a listing's events halfway between its publication and now. */
function changedDaysAgo({ published_days_ago: days }: DemoListing): number {
  return Math.ceil(days / 2)
}

function closingOf(demo: DemoListing, now: string): Closing {
  const { disable = {} } = demo
  if (disable.reason !== 'sold' && disable.reason !== 'rented') return disable
  return { ...disable, closed_at: daysBefore(now, changedDaysAgo(demo)) }
}

function daysBefore(moment: string, days: number): string {
  return new Date(Date.parse(moment) - days * dayMs).toISOString()
}

/** Empty if the listing is already recorded, or another process has completed the fill. */
const addRecord = statement(`
  update demonstration set listings = array_append(listings, $1)
  where sealed_keys is null and $1 <> all (listings) returning 1`)

/** @returns false if it is already recorded */
async function record(tx: Tx, name: string): Promise<boolean> {
  return (await addRecord(tx, [name])).length > 0
}

/** The codes of listings that were ever published. */
const findPublished = statement<{ public_id: string; external_id: string | null }>(
  'select public_id, external_id from properties where agency_id = $1 and published_at is not null',
)

/** The listings that visitors have seen. */
async function visitedOf(db: Db, agency: Agency, all: readonly DemoListing[]): Promise<Visited[]> {
  const rows = await findPublished(db, [agency.id])
  const codes = new Map(rows.map((row) => [row.external_id, row.public_id]))
  return all.flatMap((demo) => {
    const { external_id: name = null } = demo.payload
    const publicId = codes.get(name)
    const lastDaysAgo = demo.status === 'published' ? 0 : changedDaysAgo(demo)
    return name === null || publicId === undefined
      ? []
      : [{ name, publicId, publishedDaysAgo: demo.published_days_ago, lastDaysAgo }]
  })
}

/** Backdates a listing. Values: agency, listing, creation and change, publication. */
const setMoments = statement(`
  update properties set created_at = $3, updated_at = $3, published_at = $4 where agency_id = $1 and id = $2`)

/** Backdates a listing's history. Values: agency, listing, time. */
const setHistory = statement('update listing_history set at = $3 where agency_id = $1 and property_id = $2')

/** Moves creation, publication and change some days back, so that not all have the same date. */
async function backdate({ tx }: WriteContext, listing: Listing, days: number): Promise<Listing> {
  const { agency_id: agencyId, id } = listing
  const at = daysBefore(listing.created_at, days)
  const publishedAt = listing.published_at === null ? null : at
  await setMoments(tx, [agencyId, id, at, publishedAt])
  await setHistory(tx, [agencyId, id, at])
  return { ...listing, created_at: at, updated_at: at, published_at: publishedAt }
}

/** Backdates the history from a given time on. */
const setLaterHistory = statement(`
  update listing_history set at = $3 where agency_id = $1 and property_id = $2 and at >= $4 returning 1`)

/** Backdates a listing's last change, which may have removed it. */
const setChanged = statement(`
  update properties set updated_at = $3, deleted_at = case when deleted_at is not null then $3::timestamptz end
  where agency_id = $1 and id = $2`)

/** Backdates later changes. */
async function backdateChange({ tx }: WriteContext, listing: Listing, days: number): Promise<void> {
  const { agency_id: agencyId, id, created_at: createdAt } = listing
  const at = daysBefore(createdAt, days)
  const moved = await setLaterHistory(tx, [agencyId, id, at, createdAt])
  if (moved.length > 0) await setChanged(tx, [agencyId, id, at])
}
