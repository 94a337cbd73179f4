/**
 * Finds the agency that pays for work: every limit on an agency's concurrent work counts by it. A twin's work is its agency's, or an agency
 * would double its share of the service by making a test key.
 */
import { type Executor, type SharingExecutor, shortStatement } from '../platform/db/statement.ts'
import { boundedMap } from '../platform/memory/bounded-map.ts'

const findPayer = shortStatement<{ payer: string }>(
  'select coalesce(test_of, id) as payer from agencies where id = $1',
)

/** An agency never becomes a twin, and a twin never another agency's, so each is read once per process. */
const known = boundedMap<string, string>({ most: 10_000 })

/** @returns the agency that a twin belongs to; any other agency itself */
export async function payerOf(db: Executor & Partial<SharingExecutor>, agencyId: string): Promise<string> {
  const remembered = known.get(agencyId)
  if (remembered !== undefined) return remembered
  const [found] = await findPayer(db, [agencyId])
  // The pictures of a new twin are stored before it is.
  if (found === undefined) return agencyId
  known.set(agencyId, found.payer)
  return found.payer
}
