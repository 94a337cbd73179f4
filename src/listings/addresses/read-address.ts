/** Normalises the address of a listing. */
import { remembering } from '../../platform/memory/bounded-map.ts'
import { type NormalizedAddress, normalizeAddress } from './normalize.ts'

/** Cached, because a write reads the same address several times, and a batch reads many. */
const read = remembering(1_000, (parts: string): NormalizedAddress => {
  const [address, city, province] = JSON.parse(parts) as [string, string | null, string | null]
  return normalizeAddress(address, { city, province })
})

/** The normalised address of a listing, or null without one. */
export function readAddress({
  address,
  city,
  province,
}: {
  address: string | null
  city: string | null
  province: string | null
}): NormalizedAddress | null {
  return address === null ? null : read(JSON.stringify([address, city, province]))
}
