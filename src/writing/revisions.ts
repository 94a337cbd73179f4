/** An agency's revision, which every write of a listing increments and stores with the listing. The agency's lock orders them. */
import type { Tx } from '../platform/db/statements/connection.ts'
import type { Db } from '../platform/db/database.ts'
import { statement, type Statement } from '../platform/db/statements/statement.ts'

/** A revision of the agency, and its ISO 8601 timestamp, later than that of every earlier revision. */
export type Revision = { revision: number; at: string }

/** Assigns the revisions of one transaction. */
export type Revisions = {
  /** The next revision, for one write of one listing. */
  next(): Revision
  /** The one assigned last; null if none was. */
  last(): Revision | null
  /** Continues after a revision that the database has assigned. */
  follow(revision: Revision): void
  /** @returns a function that takes back all revisions assigned after this call */
  mark(): () => void
}

/** @param first the revision to assign first */
export function revisionsFrom(first: Revision): Revisions {
  let last: Revision | null = null
  return {
    next() {
      last = last === null ? { revision: first.revision, at: first.at } : after(last)
      return last
    },
    last: () => last,
    follow(revision) {
      last = revision
    },
    mark() {
      const marked = last
      return () => {
        last = marked
      }
    },
  }
}

function after({ revision, at }: Revision): Revision {
  return { revision: revision + 1, at: new Date(Date.parse(at) + 1).toISOString() }
}

// Model cached-responses: raise
const raise = statement('update agency_revisions set revision = $2, changed_at = $3 where agency_id = $1')

/** Stores the last revision that a transaction has assigned. */
export function raiseStatement(agencyId: string, { revision, at }: Revision): Statement {
  return raise.with([agencyId, revision, at])
}

/** Stores a revision assigned to something other than a listing. */
export async function storeRevision(tx: Tx, agencyId: string, revision: Revision): Promise<void> {
  await tx.run(raiseStatement(agencyId, revision))
}

const selectRevision = statement<{ revision: number }>(
  'select revision from agency_revisions where agency_id = $1',
)

/** The current revision, read without a lock; 0 for an unknown agency. */
export async function currentRevision(db: Db, agencyId: string): Promise<number> {
  const [row] = await selectRevision(db, [agencyId])
  return row?.revision ?? 0
}
