/**
 * Finds the real agency of a twin. It pays for the twin's work: every limit on an agency's concurrent work counts by it. Otherwise
 * an agency could double its share of the service by creating a test key.
 */
import { type Executor, type SharingExecutor, shortStatement } from '../platform/db/statements/statement.ts'
import { boundedMap } from '../platform/memory/bounded-map.ts'

const find = shortStatement<{ real_id: string }>(
  'select coalesce(test_of, id) as real_id from agencies where id = $1',
)

/** An agency never becomes a twin, and a twin never another agency's, so each is read once per process. */
const known = boundedMap<string, string>({ max: 10_000 })

/** @returns for a twin the id of its real agency, otherwise the id itself */
export async function realAgencyId(
  db: Executor & Partial<SharingExecutor>,
  agencyId: string,
): Promise<string> {
  const remembered = known.get(agencyId)
  if (remembered !== undefined) return remembered
  const [found] = await find(db, [agencyId])
  // The pictures of a new twin are stored before it is.
  if (found === undefined) return agencyId
  known.set(agencyId, found.real_id)
  return found.real_id
}
