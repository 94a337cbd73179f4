/**
 * Brings the comparison keys of addresses up to the rules of this version (spec 'Address handling').
 */
import { addressRulesVersion } from '../addresses/normalize.ts'
import type { Db } from '../db/database.ts'
import { readAddress } from './duplicates.ts'

const atATime = 500

/**
 * Recomputes the keys that older rules made, a batch at a time, beside running servers. What an agency sees does not change.
 * @returns how many listings were looked at
 */
export async function recomputeAddressKeys(db: Db): Promise<number> {
  let done = 0
  for (;;) {
    const count = await recomputeSome(db)
    done += count
    if (count < atATime) return done
  }
}

async function recomputeSome(db: Db): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const listings = await tx
      .selectFrom('properties')
      .select(['agency_id', 'id', 'address', 'city', 'province'])
      .where('address_rules', '<', addressRulesVersion)
      .limit(atATime)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const listing of listings) {
      const key = readAddress(listing)?.key ?? null
      await tx
        .updateTable('properties')
        .set({
          street_key: key?.streetKey ?? null,
          city_key: key?.cityKey ?? null,
          address_rules: addressRulesVersion,
        })
        .where('agency_id', '=', listing.agency_id)
        .where('id', '=', listing.id)
        .execute()
    }
    return listings.length
  })
}
