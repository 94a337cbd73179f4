/**
 * Tests an address before a listing is written with it (api.md 15.16): parses it, looks it up on the map and looks for a listing that has
 * it. Saves nothing.
 */
import type { Deps } from '../../deps.ts'
import type { LimitDeps } from '../../limits/counters.ts'
import { take } from '../../limits/take.ts'
import { inTransaction } from '../../platform/db/statements/transaction.ts'
import { readAddress } from '../addresses/read-address.ts'
import type { PostalAddress } from '../geocoding/geocoder.ts'
import { findAtAddress } from './duplicates.ts'

/**
 * Counts toward the agency's limits of geocoding.
 * @returns the parsed address and its pin, whether the geocoder was unreachable, and the listing that has the address already
 * @throws ApiError `rate_limited`
 */
export async function testAddress(
  deps: LimitDeps & Pick<Deps, 'geocoder'>,
  agencyId: string,
  address: PostalAddress,
) {
  const { db, geocoder } = deps
  await inTransaction(db, (tx) => take(tx, 'geocoding', agencyId, 1, deps))
  const read = readAddress(address)
  const [found, existingId] = await Promise.all([
    geocoder.find(address),
    findAtAddress(db, agencyId, read?.key ?? null),
  ])
  const pin = found.status === 'found' ? found.pin : null
  return { read, pin, isUnavailable: found.status === 'unavailable', existingId }
}
