/** Runs a write of listings without an Idempotency-Key: for people, and for the demonstration data. */
import type { RowsOf } from '../platform/db/connection.ts'
import type { Statement } from '../platform/db/statement.ts'
import type { Deps } from '../deps.ts'
import type { Author } from '../platform/writing/author.ts'
import { write } from '../platform/writing/write.ts'
import { openFetches } from './fetches.ts'
import { type WriteContext, writeContext } from './store.ts'

/**
 * @param first statements that run once the agency is locked
 * @param run receives their rows; it may run several times
 * @throws ApiError what `run` throws; `service_unavailable`
 */
export async function writeAs<T, const First extends readonly Statement[]>(
  deps: Deps,
  agencyId: string,
  author: Author,
  first: First,
  run: (context: WriteContext, rows: RowsOf<First>) => Promise<T>,
): Promise<T> {
  const fetches = openFetches(deps, agencyId)
  const { clock, config } = deps
  return await write(deps, agencyId, { outside: fetches, first }, (locked, rows) =>
    run(writeContext(locked, { clock, limits: config.limits, author, fetches }), rows),
  )
}
