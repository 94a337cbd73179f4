/**
 * Detects listings with the same address (api.md 12.3): same agency, same street and number, and the same city if both are known.
 * Removed listings do not count. The check that decides runs under the agency's lock.
 */
import { type AddressKey, type NormalizedAddress, normalizeAddress } from '../addresses/normalize.ts'
import type { Tx } from '../db/connection.ts'
import type { Db } from '../db/database.ts'
import { hotStatement } from '../db/statement.ts'
import { ApiError } from '../errors.ts'
import { isImagined } from '../ids.ts'
import { remembering } from '../memory/bounded-map.ts'
import type { Content } from './listing.ts'

type Located = Pick<Content, 'address' | 'city' | 'province'>

/** Cached, because a write reads the same address several times, and a batch reads many. */
const read = remembering(1_000, (located: string): NormalizedAddress => {
  const [address, city, province] = JSON.parse(located) as [string, string | null, string | null]
  return normalizeAddress(address, { city, province })
})

/** The normalised address of a listing, or null without one. */
export function readAddress({ address, city, province }: Located): NormalizedAddress | null {
  return address === null ? null : read(JSON.stringify([address, city, province]))
}

/** The condition that a listing has an address, of SQL expressions. A null city matches any. */
export const isAtAddress = (agency: string, street: string, city: string): string =>
  `agency_id = ${agency} and street_key = ${street} and (city_key is null or ${city} is null or city_key = ${city})
    and deleted_at is null`

/**
 * Selects the oldest listing at an address. Parameters from `first` on: street key, city key (null matches any city), uuids to leave out.
 */
export const listingAtAddress = (first: number): string => `
  select public_id from properties
  where ${isAtAddress('$1', `$${first}`, `$${first + 1}::text`)} and id <> all ($${first + 2}::uuid[])
  order by created_at, public_id limit 1`

const find = hotStatement<{ public_id: string }>(listingAtAddress(2))

/** Public code of the agency's oldest listing at that address, or null. @param except uuids of listings that do not count */
export async function findAtAddress(
  db: Db | Tx,
  agencyId: string,
  key: AddressKey | null,
  except: readonly string[] = [],
): Promise<string | null> {
  if (key === null) return null
  const [found] = await find(db, [agencyId, key.streetKey, key.cityKey, except])
  return found?.public_id ?? null
}

/** As `findAtAddress`, which asks the database, or from an `AddressBook`. */
export type FindAtAddress = (key: AddressKey | null, except: readonly string[]) => Promise<string | null>

/**
 * @param selfId uuid of the listing itself, if it is stored already
 * @throws ApiError `duplicate_property` with `existing_id` if another listing of the agency has the address
 */
export async function checkAddressIsFree(
  find: FindAtAddress,
  content: Located,
  selfId: string | null = null,
): Promise<void> {
  const address = readAddress(content)
  if (address === null) return
  const existingId = await find(address.key, selfId === null ? [] : [selfId])
  if (existingId !== null) throw duplicateProperty(address, existingId)
}

/** 409 `duplicate_property`. */
export function duplicateProperty(address: NormalizedAddress, existingId: string): ApiError {
  const where = [`${address.street ?? ''} ${address.number ?? ''}`.trim(), address.city]
    .filter(Boolean)
    .join(', ')
  // In the dry run of a batch, the other listing may be one that an earlier item would create.
  const isStored = !isImagined(existingId)
  return new ApiError('duplicate_property', {
    parameter: 'address',
    message: `${where} is already listed ${isStored ? `as ${existingId}` : 'by an earlier item'}. Unit numbers are not compared: the same street and number in the same city are one address. If you mean to list both, for instance two units of one building, send force_duplicate: true.`,
    extra: { existing_id: isStored ? existingId : null },
  })
}

/** Whether an edit changes the normalised address. */
export function isAddressChanged(before: Located, after: Located): boolean {
  const was = readAddress(before)?.key ?? null
  const is = readAddress(after)?.key ?? null
  return was?.streetKey !== is?.streetKey || was?.cityKey !== is?.cityKey
}
