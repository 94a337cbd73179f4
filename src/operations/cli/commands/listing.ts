/** `listing …`: shows and restores single listings, removed ones too (api.md 11.4). */
import { getAgency } from '../../../agencies/agencies.ts'
import { restoreRemoved } from '../../../listings/writing/states/restore.ts'
import { findAnyListing } from '../../../listings/reading/find.ts'
import { type DeliveredEntry, findDeliveredHistory } from '../../../listings/history/events.ts'
import type { Listing } from '../../../listings/listing.ts'
import { recomputedAtATime, recomputeAddresses } from '../../../listings/upkeep/recompute-addresses.ts'
import { isExternalId } from '../../../listings/fields/schema.ts'
import type { Input } from '../command.ts'
import { auditCommand, onDatabase, readingDatabase } from '../open.ts'
import { fields, listed } from '../output.ts'
import { databaseClock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { ApiError, invalid } from '../../../platform/errors/errors.ts'
import { systemActor } from '../../../writing/actor.ts'

export const show = readingDatabase(async (input, { db }) => {
  const listing = summary(await getAnyListing(db, input))
  return { json: listing, text: describe(listing) }
})

export const history = readingDatabase(async (input, { db }) => {
  const listing = await getAnyListing(db, input)
  const history = await findDeliveredHistory(db, listing.agency_id, listing.id)
  const columns = {
    AT: 'at',
    ACTION: 'action',
    BY: ({ actor }: DeliveredEntry) => `${actor.name ?? 'erased person'} (${actor.kind})`,
    CHANGED: ({ changes }: DeliveredEntry) => Object.keys(changes).join(' '),
    REQUEST: 'request_id',
    NOTIFIED: ({ notification }: DeliveredEntry) => describeNotification(notification),
  } as const
  return listed(history, columns, 'The listing has no history.')
})

export const restore = onDatabase(async (input, { db, config }) => {
  const agency = await getAgency(db, input.text('agency'))
  const deps = { db, clock: databaseClock, limits: config.limits }
  const externalId = readExternalId(input.optional('external-id'))
  const restored = await restoreRemoved(deps, agency.id, input.text('id'), externalId, operator)
  const listing = summary(restored)
  // The restore's own transaction wrote the listing's history.
  await auditCommand(db, 'listing_restored', agency.id, listing.id, { external_id: listing.external_id })
  const text = describe(listing)
  return { json: listing, text: (await lostPhotos(db, restored)) ? `${text}\n\n${withoutPhotos}` : text }
})

const withoutPhotos =
  'It has no photos: those it had were deleted with it when the test environment was emptied.'

/** Whether the listing lost its photos when it was last removed. */
async function lostPhotos(db: Db, { agency_id: agencyId, id }: Listing): Promise<boolean> {
  const history = await findDeliveredHistory(db, agencyId, id)
  return history.findLast(({ action }) => action === 'deleted')?.changes['photos'] !== undefined
}

/** Anyone with command line access is the operator. */
const operator = systemActor('command line', 'operator')

/** @throws ApiError 400 `external_id` */
function readExternalId(text: string | null): string | null | undefined {
  if (text === null) return undefined
  if (text === 'none') return null
  if (isExternalId(text)) return text
  throw invalid(
    'external_id',
    `--external-id must have 1 to 64 of the characters A-Z a-z 0-9 . _ : - or be "none".`,
  )
}

/** @throws ApiError 404 for an unknown agency, or a listing that it never had. */
async function getAnyListing(db: Db, input: Input): Promise<Listing> {
  const agency = await getAgency(db, input.text('agency'))
  const listing = await findAnyListing(db, agency.id, { id: input.text('id') })
  if (listing !== null) return listing
  throw new ApiError('not_found', {
    message: `The agency "${agency.slug}" has no listing "${input.text('id')}".`,
  })
}

function describeNotification(notification: DeliveredEntry['notification']): string {
  if (notification === null) return 'no longer kept'
  return (notification?.deliveries ?? []).map(({ channel, state }) => `${channel} ${state}`).join(', ')
}

type Summary = ReturnType<typeof summary>

function summary(listing: Listing) {
  return {
    id: listing.public_id,
    uuid: listing.id,
    external_id: listing.external_id,
    status: listing.status,
    deleted_at: listing.deleted_at,
  }
}

function describe(listing: Summary): string {
  return fields([
    ['id', listing.id],
    ['uuid', listing.uuid],
    ['external id', listing.external_id ?? 'none'],
    ['status', listing.status],
    ['removed', listing.deleted_at ?? 'no'],
  ])
}

/** `address recompute`: updates the keys that addresses are compared by (api.md 12.4). */
export const recompute = onDatabase(async (_input, { db }) => {
  const listings = await recomputeAddresses({ db, clock: databaseClock }, recomputedAtATime)
  await auditCommand(db, 'addresses_recomputed', null, String(listings))
  return { json: { listings }, text: `${listings} ${listings === 1 ? 'listing' : 'listings'} updated.` }
})
