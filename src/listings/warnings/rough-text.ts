/**
 * What stands for the address where visitors search a place that they are shown approximately: the stored `rough_folded`.
 */
import { roughAddress } from '../addresses/rough-address.ts'
import { readAddress } from '../duplicates.ts'
import type { Content } from '../listing.ts'
import { fold } from '../list/search-text.ts'

/** The address as visitors see it, folded; empty if they see nothing of it. */
export function roughText(listing: Pick<Content, 'address' | 'city' | 'province'>): string {
  const { address } = listing
  const read = readAddress(listing)
  return address === null || read === null ? '' : fold(roughAddress(address, listing, read) ?? '')
}
