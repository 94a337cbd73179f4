/** Runs an operation dry (api.md 19): the same `run`, whose commit rolls back. */
import { getRoom } from '../../limits/usage.ts'
import { newDryRun } from '../../writing/dry-run.ts'
import { checkStillAdmitted } from '../admission/authenticate.ts'
import type { Authenticated, WriteEndpoint } from '../endpoint.ts'
import type { ApiResponse } from '../responses/response.ts'

/** Whether the request must have no effect: not without `dry_run`, or with `dry_run=false`. The query may be invalid. */
export function isDryRun(query: unknown): boolean {
  const { dry_run: sent = 'false' } = query as { dry_run?: unknown }
  return sent !== 'false'
}

/**
 * @returns the response of the real request with `dry_run`, `cost` and `room`, without an ETag: no listing has that version
 * @throws what the operation throws. A limit without room is reported instead
 */
export async function runDry(endpoint: WriteEndpoint, input: Authenticated): Promise<ApiResponse> {
  const { deps, caller, request } = input
  await checkStillAdmitted(deps, caller, request)
  const dryRun = newDryRun()
  const { status, body } = await endpoint.run({ ...input, keyed: null, dryRun })
  const room = await getRoom(deps, caller.agency.id, caller.key.id, dryRun)
  return { status, body: { ...(body as object), dry_run: true, cost: dryRun.cost, room } }
}
