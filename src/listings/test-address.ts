/**
 * Tests an address (api.md 15.16): parses it, looks it up on the map and looks for a listing that has it. Counts toward the agency's
 * limits of geocoding, and saves nothing.
 */
import { inTransaction } from '../platform/db/transaction.ts'
import type { Deps } from '../deps.ts'
import type { Pin, PostalAddress } from './geocoding/geocoder.ts'
import { take } from '../limits/take.ts'
import { findAtAddress, readAddress } from './duplicates.ts'

type TestedAddress = {
  /** The parsed address; null where it could not be parsed. */
  read: ReturnType<typeof readAddress>
  pin: Pin | null
  /** Whether there is no pin because the geocoder could not be asked. */
  isUnavailable: boolean
  /** The listing that has the address already. */
  existingId: string | null
}

/** @throws ApiError `rate_limited` */
export async function testAddress(
  { db, clock, config, geocoder }: Pick<Deps, 'db' | 'clock' | 'config' | 'geocoder'>,
  agencyId: string,
  place: PostalAddress,
): Promise<TestedAddress> {
  await inTransaction(db, (tx) => take(tx, 'geocoding', agencyId, 1, config.limits, clock))
  const read = readAddress(place)
  const [found, existingId] = await Promise.all([
    geocoder.find(place),
    findAtAddress(db, agencyId, read?.key ?? null),
  ])
  const pin = found.status === 'found' ? found.pin : null
  return { read, pin, isUnavailable: found.status === 'unavailable', existingId }
}
