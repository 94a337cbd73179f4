/**
 * Detects listings with the same address (api.md 12.3): same agency, same street and number, and the same city if both are known.
 * Removed listings do not count. Edits are decided by `checkAddressIsFree`, creations by `create_listings`, both under the agency's lock.
 */
import { type AddressKey, type NormalizedAddress } from '../addresses/normalize.ts'
import { type Executor, statement } from '../../platform/db/statements/statement.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import { isPlaceholder } from '../../platform/names/ids.ts'
import { readAddress } from '../addresses/read-address.ts'
import type { Addressed } from '../fields/content.ts'

/** Values: agency id, street key, city key (null matches any city), uuids of listings that do not count. */
const selectAtAddress = statement<{ public_id: string | null }>(
  'select listing_at_address($1, $2, $3, $4) as public_id',
)

/** Public code of the agency's oldest listing at that address, or null. */
export async function findAtAddress(
  db: Executor,
  agencyId: string,
  key: AddressKey | null,
  except: readonly string[] = [],
): Promise<string | null> {
  if (key === null) return null
  const [found] = await selectAtAddress(db, [agencyId, key.streetKey, key.cityKey, except])
  return found?.public_id ?? null
}

/** @throws ApiError `duplicate_property` with `existing_id` if another listing of the agency than `selfId` has the address */
export async function checkAddressIsFree(db: Executor, agencyId: string, content: Addressed, selfId: string) {
  const address = readAddress(content)
  if (address === null) return
  const existingId = await findAtAddress(db, agencyId, address.key, [selfId])
  if (existingId !== null) throw duplicateProperty(address, existingId)
}

export function duplicateProperty(address: NormalizedAddress, existingId: string): ApiError {
  const where = [`${address.street ?? ''} ${address.number ?? ''}`.trim(), address.city]
    .filter(Boolean)
    .join(', ')
  // In the dry run of a batch, the other listing may be one that an earlier item would create.
  const isStored = !isPlaceholder(existingId)
  return new ApiError('duplicate_property', {
    parameter: 'address',
    message: `${where} is already listed ${isStored ? `as ${existingId}` : 'by an earlier item'}. Unit numbers are not compared: the same street and number in the same city are one address. If you mean to list both, for instance two units of one building, send force_duplicate: true.`,
    extra: { existing_id: isStored ? existingId : null },
  })
}

export function isAddressChanged(before: Addressed, after: Addressed): boolean {
  const was = readAddress(before)?.key ?? null
  const is = readAddress(after)?.key ?? null
  return was?.streetKey !== is?.streetKey || was?.cityKey !== is?.cityKey
}
