/**
 * The agency's revision: the lock that puts an agency's writes in order, and the number every write raises.
 */
import type { Clock } from '../clock.ts'
import { hotStatement, unawaitedStatement, type Db, type Tx } from '../db/database.ts'

const lock = unawaitedStatement('select 1 from agency_revisions where agency_id = $1 for no key update')

const raise = hotStatement<{ revision: number; at: string }>(`
  update agency_revisions
  set revision = revision + 1,
      changed_at = greatest(
        date_trunc('milliseconds', clock_timestamp() + $2 * interval '1 millisecond'),
        changed_at + interval '1 millisecond'
      )
  where agency_id = $1
  returning revision, changed_at as at`)

/** Makes the transaction's next statements wait for the agency's other writes. The first of every transaction that writes a listing. */
export async function lockAgency(tx: Tx, agencyId: string): Promise<void> {
  await lock(tx, [agencyId])
}

/** A revision of the agency and its moment, later than every one before, ISO 8601. */
export type Revision = { revision: number; at: string }

/** Raises the revision by one, for one write of one listing or of the agency's profile. */
export async function raiseRevision(tx: Tx | Db, agencyId: string, clock: Clock): Promise<Revision> {
  const [row] = await raise(tx, [agencyId, clock.offsetMs])
  if (row === undefined) throw new Error(`agency ${agencyId} has no revision`)
  return row
}
