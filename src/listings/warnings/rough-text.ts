/**
 * The stored `rough_folded`: replaces the address in visitors' searches where the place is shown approximately.
 */
import { roughAddress } from '../addresses/rough-address.ts'
import { readAddress } from '../duplicates.ts'
import type { Content } from '../listing.ts'
import { fold } from '../list/search.ts'

/** The address as visitors see it, folded; empty if they see nothing of it. */
export function roughText(listing: Pick<Content, 'address' | 'city' | 'province'>): string {
  const { address } = listing
  const read = readAddress(listing)
  return address === null || read === null ? '' : fold(roughAddress(address, listing, read) ?? '')
}
