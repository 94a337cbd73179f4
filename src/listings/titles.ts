/** Titles of listings by their codes, for tables of figures. */
import type { Db } from '../platform/db/database.ts'
import { statement } from '../platform/db/statement.ts'

const select = statement<{ public_id: string; title: string | null }>(
  'select public_id, title from properties where agency_id = $1 and public_id = any($2::text[])',
)

export async function findTitles(
  db: Db,
  agencyId: string,
  codes: readonly string[],
): Promise<Map<string, string | null>> {
  if (codes.length === 0) return new Map()
  const rows = await select(db, [agencyId, codes])
  return new Map(rows.map((row) => [row.public_id, row.title]))
}
