/**
 * Finds duplicates within one transaction whose writes are not all sent yet. Gives the result that `findAtAddress` would give if they were.
 */
import { hotStatement } from '../db/statement.ts'
import { type FindAtAddress, readAddress } from './duplicates.ts'
import type { Listing } from './listing.ts'
import type { WriteContext } from './store.ts'

export type AddressBook = {
  find: FindAtAddress
  /** Records the write of a listing. */
  note(before: Listing | null, after: Listing): void
}

type Entry = { id: string; public_id: string; city_key: string | null; created_at: string }

const listingsInStreets = hotStatement<Entry & { street_key: string }>(`
  select street_key, id, public_id, city_key, created_at from properties
  where agency_id = $1 and street_key = any ($2) and deleted_at is null`)

/** @param streets keys to load at once; others are loaded on demand */
export async function openAddressBook(
  { tx, writes }: WriteContext,
  agencyId: string,
  streets: readonly string[],
): Promise<AddressBook> {
  const known = new Map<string, Map<string, Entry>>()

  const load = async (wanted: readonly string[]): Promise<void> => {
    if (wanted.length === 0) return
    for (const street of wanted) known.set(street, new Map())
    for (const { street_key: street, ...entry } of await listingsInStreets(tx, [agencyId, wanted]))
      known.get(street)?.set(entry.id, entry)
  }
  await load(streets)

  return {
    async find(key, except) {
      if (key === null) return null
      if (!known.has(key.streetKey)) {
        await writes.send()
        await load([key.streetKey])
      }
      const there = [...(known.get(key.streetKey)?.values() ?? [])].filter(
        ({ id, city_key: city }) =>
          !except.includes(id) && (city === null || key.cityKey === null || city === key.cityKey),
      )
      return there.sort(byAge)[0]?.public_id ?? null
    },
    note(before, after) {
      const left = before === null ? null : (readAddress(before)?.key ?? null)
      if (left !== null) known.get(left.streetKey)?.delete(after.id)
      const key = after.deleted_at === null ? (readAddress(after)?.key ?? null) : null
      if (key === null) return
      const { id, public_id, created_at } = after
      known.get(key.streetKey)?.set(id, { id, public_id, city_key: key.cityKey, created_at })
    },
  }
}

function byAge(a: Entry, b: Entry): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1
  return a.public_id < b.public_id ? -1 : 1
}
