/**
 * The agency's revision: the lock that puts an agency's writes in order, and the number that every write raises. Its row also counts new
 * listings.
 */
import type { Clock } from '../clock.ts'
import { aheadStatement, boundedLock, type Db, hotStatement, type Tx } from '../db/database.ts'
import { type Part, type PartText, placed, statementsWith } from '../db/statement-parts.ts'
import { type Counters, type NewListings, newListings } from '../limits/new-listings.ts'

/** A revision of the agency and its moment, later than every one before, ISO 8601. */
export type Revision = { revision: number; at: string }

/** Gives out the revisions of one transaction. Whoever writes a listing at one stores it with the listing. */
export type Revisions = {
  /** The next one, for one write of one listing. */
  next(): Promise<Revision>
  /** @returns a function that takes back what is given out from here on */
  mark(): () => void
}

/** What the agency's row, once locked, gives out. */
export type AgencyRow = {
  revisions: Revisions
  newListings: NewListings
  /** What was asked along, as it was before the lock was waited for; its columns are null where nothing was found. */
  found<Row>(): Promise<Row>
}

/** @param along a query for at most one row */
const lockWith = statementsWith((along: PartText | null) =>
  aheadStatement<Revision & Counters>(`
  select revision + 1 as revision, hour, hour_new_listings, day, day_new_listings,
    clock_timestamp() + $2 * interval '1 millisecond' as now,
    greatest(
      date_trunc('milliseconds', clock_timestamp() + $2 * interval '1 millisecond'),
      changed_at + interval '1 millisecond'
    ) as at,
    ${boundedLock} as bounded${along === null ? '' : ', along.*'}
  from agency_revisions r ${along === null ? '' : `left join lateral (${placed(along, 2)}) along on true`}
  where r.agency_id = $1 for no key update of r`),
)

/** Makes the transaction's next statements wait for the agency's other writes. The first of every transaction that writes a listing. */
export async function lockAgency(
  tx: Tx,
  agencyId: string,
  clock: Clock,
  along: Part | null = null,
): Promise<AgencyRow> {
  const lock = lockWith(along?.text ?? null)
  const locked = await lock(tx, [agencyId, clock.offsetMs, ...(along?.values ?? [])])
  const row = async () => only(await locked.rows(), agencyId)
  const found = async <Row>() => (await row()) as Row
  return { revisions: revisionsFrom(row), newListings: newListings(row), found }
}

function revisionsFrom(first: () => Promise<Revision>): Revisions {
  let last: Revision | null = null
  return {
    async next() {
      last = last === null ? await first() : after(last)
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

function only<Row>([row]: readonly Row[], agencyId: string): Row {
  if (row === undefined) throw new Error(`agency ${agencyId} has no revision`)
  return row
}

function after({ revision, at }: Revision): Revision {
  return { revision: revision + 1, at: new Date(Date.parse(at) + 1).toISOString() }
}

const store = hotStatement('update agency_revisions set revision = $2, changed_at = $3 where agency_id = $1')

/** Stores a revision that was given out for something other than a listing. */
export async function storeRevision(tx: Tx, agencyId: string, { revision, at }: Revision): Promise<void> {
  await store(tx, [agencyId, revision, at])
}

/** The revision as it is now, unlocked. */
export async function currentRevision(db: Db, agencyId: string): Promise<number> {
  const row = await db
    .selectFrom('agency_revisions')
    .select('revision')
    .where('agency_id', '=', agencyId)
    .executeTakeFirst()
  return row?.revision ?? 0
}
