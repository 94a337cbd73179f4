/**
 * The lock that puts an agency's writes in order: its row of `agency_revisions`. The row has the number that every write raises, the
 * revision, and the counters of new listings.
 */
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/connection.ts'
import type { Db } from '../db/database.ts'
import { boundedLock, hotStatement } from '../db/statement.ts'
import { type Counters, type NewListings, newListings } from '../limits/new-listings.ts'

/** A revision of the agency and its moment, later than every one before, ISO 8601. */
export type Revision = { revision: number; at: string }

/** Gives out the revisions of one transaction. A write of a listing stores its revision with the listing. */
type Revisions = {
  /** The next one, for one write of one listing. */
  next(): Revision
  /** @returns a function that takes back what is given out from here on */
  mark(): () => void
}

/** What the agency's row, once locked, gives out. */
export type AgencyRow = { revisions: Revisions; newListings: NewListings }

/** Locks the agency's row until the transaction ends, and reads it. Values: agency, the clock's offset in milliseconds. */
export const lockRow = hotStatement<Revision & Counters>(`
  select revision + 1 as revision, hour, hour_new_listings, day, day_new_listings,
    clock_timestamp() + $2 * interval '1 millisecond' as now,
    greatest(
      date_trunc('milliseconds', clock_timestamp() + $2 * interval '1 millisecond'),
      changed_at + interval '1 millisecond'
    ) as at,
    ${boundedLock} as bounded
  from agency_revisions where agency_id = $1 for no key update`)

/** What a locked row gives out. @param rows those of `lockRow` */
export function agencyRow(agencyId: string, [row]: readonly (Revision & Counters)[]): AgencyRow {
  if (row === undefined) throw new Error(`agency ${agencyId} has no revision`)
  return { revisions: revisionsFrom(row), newListings: newListings(row) }
}

/** Waits for the agency's other writes and keeps later ones waiting. The first statement of every transaction that writes a listing. */
export async function lockAgency(tx: Tx, agencyId: string, clock: Clock): Promise<AgencyRow> {
  return agencyRow(agencyId, await lockRow(tx, [agencyId, clock.offsetMs]))
}

function revisionsFrom(first: Revision): Revisions {
  let last: Revision | null = null
  return {
    next() {
      last = last === null ? { revision: first.revision, at: first.at } : after(last)
      return last
    },
    mark() {
      const was = last
      return () => {
        last = was
      }
    },
  }
}

function after({ revision, at }: Revision): Revision {
  return { revision: revision + 1, at: new Date(Date.parse(at) + 1).toISOString() }
}

const store = hotStatement('update agency_revisions set revision = $2, changed_at = $3 where agency_id = $1')

/** Stores a revision that was given out for something other than a listing. */
export async function storeRevision(tx: Tx, agencyId: string, { revision, at }: Revision): Promise<void> {
  await store(tx, [agencyId, revision, at])
}

const select = hotStatement<{ revision: number }>(
  'select revision from agency_revisions where agency_id = $1',
)

/** The revision as it is now, unlocked; 0 for an agency that does not exist. */
export async function currentRevision(db: Db, agencyId: string): Promise<number> {
  const [row] = await select(db, [agencyId])
  return row?.revision ?? 0
}
