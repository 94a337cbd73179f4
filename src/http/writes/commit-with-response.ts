/** Commits the effect of a request together with its response, under the request's Idempotency-Key. */
import type { Statement } from '../../platform/db/statements/statement.ts'
import { type Outside, runUntilComplete } from '../../writing/run-until-complete.ts'
import type { Locked } from '../../writing/under-lock.ts'
import { checkStillAdmitted } from '../admission/authenticate.ts'
import type { WriteRequest } from '../endpoint.ts'
import type { ApiResponse } from '../responses/response.ts'
import { checkClaim, claimAlone, claimStatement, renewingClaim, responseStatement } from './idempotency.ts'

/**
 * Runs the write of a request until it is complete. Its transaction first claims the key, and at last stores the response.
 * @param first a read that is sent with the lock's statement and runs once the lock is held
 * @param run makes every change, in the database alone. Receives the rows of `first`
 * @throws KeyInUse, and as `runUntilComplete` does
 */
export async function commitWithResponse<Row>(
  request: WriteRequest,
  outside: Outside,
  first: Statement<Row> | null,
  run: (locked: Locked, rows: readonly Row[]) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const { deps, caller, keyed, dryRun } = request
  const options = {
    outside: { ...outside, fetch: () => fetchClaimed(request, outside) },
    first: { claim: keyed && claimStatement(keyed), found: first },
    dryRun,
  }
  return await runUntilComplete(deps, caller.agency.id, options, async (locked, { claim, found }) => {
    // Model idempotency-key: claim
    if (keyed !== null) checkClaim(keyed, claim)
    const response = await run(locked, found)
    // Model idempotency-key: commit
    if (keyed !== null) locked.atCommit(() => [responseStatement(keyed, response)])
    return response
  })
}

/** Fetches while a retry gets 409. When nothing is fetched, a retry waits for the lock instead, and gets the stored response. */
async function fetchClaimed({ deps, caller, request, keyed }: WriteRequest, outside: Outside): Promise<void> {
  if (keyed === null) await outside.fetch()
  else {
    // Model idempotency-key: claim alone
    await claimAlone(deps.db, keyed)
    await renewingClaim(deps.db, keyed, () => outside.fetch())
  }
  await checkStillAdmitted(deps, caller, request)
}
