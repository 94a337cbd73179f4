/**
 * Dry runs (api.md 19): the transaction of a write runs with an imagined preparation and is rolled back. Nothing is fetched, looked up,
 * notified or remembered. Limits do not refuse; the answer tells what the write would take and whether there is room for it.
 */
import { findRoom } from '../limits/room.ts'
import { newDryRun } from '../writing/dry-run.ts'
import { dryRunUnderLock } from '../writing/under-lock.ts'
import { checkStillAdmitted } from './authenticate.ts'
import type { Answer, Authenticated, WriteEndpoint } from './endpoint.ts'

type Input = Authenticated<unknown, unknown, unknown>

/** Whether the request asks for a dry run of an operation that can be tried. */
export function isDryRun({ imagine }: WriteEndpoint, { query }: Input): boolean {
  return imagine !== undefined && (query as { dry_run?: string }).dry_run === 'true'
}

/**
 * Runs the operation and rolls it back.
 * @returns the answer of the real request with `dry_run`, `cost` and `room`, without an ETag: no listing has that version
 * @throws what the operation throws, except for limits without room
 */
export async function runDry(endpoint: WriteEndpoint, asked: Input): Promise<Answer> {
  const { deps, caller, request } = asked
  const dryRun = newDryRun()
  const input = { ...asked, dryRun }
  const prepared = await endpoint.imagine?.(input)
  await checkStillAdmitted(deps, caller, request)
  const read = endpoint.read?.(input, prepared)
  const { status, body } = await dryRunUnderLock(
    deps.db,
    caller.agency.id,
    deps.clock,
    (locked, [rows = []]) => endpoint.commit(locked, input, prepared, rows),
    read === undefined ? [] : [read],
  )
  const { limits } = deps.config
  const room = await findRoom(deps.db, caller.agency.id, caller.key.id, limits, deps.clock, dryRun)
  return { status, body: { ...(body as object), dry_run: true, cost: dryRun.cost, room } }
}
