/** The rule for duplicates, restated for tests (migrations/functions/create_listings.sql decides). */
import type { AddressKey } from '../../../src/listings/addresses/normalize.ts'

/** Whether two addresses are the same: equal street and number, and the same city when both are known. */
export function isSameAddress(a: AddressKey | null, b: AddressKey | null): boolean {
  if (a === null || b === null || a.streetKey !== b.streetKey) return false
  return a.cityKey === null || b.cityKey === null || a.cityKey === b.cityKey
}
