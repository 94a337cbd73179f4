/** Runs writes outside requests of the API: as `writeListings` in api/ does, without an Idempotency-Key and without dry runs. */
import type { Deps } from '../../deps.ts'
import type { NamedRows, NamedStatements } from '../../platform/db/statements/named-statements.ts'
import type { Actor } from '../../writing/actor.ts'
import { runUntilComplete } from '../../writing/run-until-complete.ts'
import { openFetches } from './fetches.ts'
import { type WriteContext, writeContext } from './write-context.ts'

/**
 * Runs the write under the agency's lock, outside any request.
 * @param first statements that run once the agency is locked
 * @param run receives their rows; it may run several times
 * @throws ApiError what `run` throws; `service_unavailable`
 */
export async function writeAs<T, First extends NamedStatements>(
  deps: Deps,
  agencyId: string,
  actor: Actor,
  first: First,
  run: (context: WriteContext, rows: NamedRows<First>) => Promise<T>,
): Promise<T> {
  const fetches = openFetches(deps, agencyId)
  return await runUntilComplete(deps, agencyId, { outside: fetches, first }, (locked, rows) =>
    run(writeContext(locked, deps, actor, { fetches }), rows),
  )
}
