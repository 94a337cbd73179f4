/**
 * Runs an operation that writes, in this order: claim the Idempotency-Key if there is slow work; prepare, without a transaction; then in
 * one transaction lock the agency, claim the key, run the operation, and commit effect and answer together. A plain creation needs one
 * statement instead of the transaction (`commitTogether`). Dry runs go elsewhere (dry-run.ts).
 */
import { ApiError, Problems } from '../errors.ts'
import { startingOver, underLock } from '../writing/under-lock.ts'
import { checkStillAdmitted } from './authenticate.ts'
import { isDryRun, runDry } from './dry-run.ts'
import type { Answer, Authenticated, Endpoint, KeptReference, WriteEndpoint } from './endpoint.ts'
import { errorBody } from './error-handler.ts'
import { foresee } from './foresee.ts'
import { standardHeaders } from './headers.ts'
import {
  answerOf,
  claimAlone,
  checkClaim,
  claimStatement,
  endRequest,
  findUse,
  freeClaim,
  isKept,
  renewingClaim,
  keepAnswer,
  type KeyedRequest,
  keyedRequest,
  answerStatement,
  KeyInUse,
  readIdempotencyKey,
  type Use,
} from './idempotency.ts'
import type { ClaimRow } from './idempotency-sql.ts'
import { requestHash } from './request-hash.ts'

type Input = Authenticated<unknown, unknown, unknown>

/** @throws what the operation throws. Nothing of the operation remains then, except the stored error if a retry is to get it again */
export async function runWrite(endpoint: WriteEndpoint, input: Input): Promise<Answer> {
  const key = await checkedKey(endpoint, input)
  if (isDryRun(endpoint, input)) return runDry(endpoint, input)
  if (key === null) return runPrepared(endpoint, input, null, false)
  const { db } = input.deps
  // A concurrent retry gets a 409 during slow work; without slow work it waits for the lock and then gets the stored answer.
  const isSlow = endpoint.runsAtOnce?.(input) !== true
  try {
    if (isSlow) await claimAlone(db, key)
    return await runPrepared(endpoint, input, key, isSlow)
  } catch (error) {
    const use = await settle(error, input, key, isSlow)
    if (use !== null) return await answerOf(use, (reference) => replayOf(endpoint, input, reference))
    throw error
  } finally {
    endRequest(key)
  }
}

async function replayOf(endpoint: WriteEndpoint, input: Input, reference: KeptReference): Promise<Answer> {
  if (endpoint.replay === undefined) throw new Error(`${endpoint.operationId} keeps no references`)
  return endpoint.replay(input, reference)
}

/** Stores the error for a retry, or frees the key. @returns the outcome if another request used the key; it goes before the error */
async function settle(
  error: unknown,
  input: Input,
  key: KeyedRequest,
  isClaimed: boolean,
): Promise<Use | null> {
  const { db } = input.deps
  if (error instanceof KeyInUse) return error.use
  if (isKept(error)) return keepAnswer(db, key, errorAnswer(error, input))
  if (isClaimed) await freeClaim(db, key)
  return !isClaimed && error instanceof ApiError ? findUse(db, key) : null
}

/** Prepares and commits. Starts over if the preparation turns out to be stale. */
async function runPrepared(
  endpoint: WriteEndpoint,
  input: Input,
  key: KeyedRequest | null,
  isSlow: boolean,
): Promise<Answer> {
  const { deps, caller, request } = input
  return await startingOver(async () => {
    const prepare = () => endpoint.prepare(input)
    const prepared = key !== null && isSlow ? await renewingClaim(deps.db, key, prepare) : await prepare()
    try {
      await checkStillAdmitted(deps, caller, request)
      if (key !== null && !isSlow) {
        const answer = await endpoint.commitTogether?.(input, prepared, key)
        if (answer != null) return answer
      }
      const read = endpoint.read?.(input, prepared)
      const first = [...(key === null ? [] : [claimStatement(key)]), ...(read === undefined ? [] : [read])]
      return await underLock(
        deps.db,
        caller.agency.id,
        deps.clock,
        async (locked, rows) => {
          if (key !== null) checkClaim(key, rows[0] as readonly ClaimRow[])
          const found = read === undefined ? [] : (rows.at(-1) ?? [])
          const answer = await endpoint.commit(locked, input, prepared, found)
          if (key !== null) locked.atCommit(() => [answerStatement(key, answer)])
          return answer
        },
        first,
      )
    } finally {
      // Deletes only what no listing uses: photos that the transaction put on a listing no longer belong to the preparation.
      await endpoint.discard?.(input, prepared)
    }
  })
}

/** The key of a request that has passed its checks. @throws ApiError `invalid_parameter` naming all that is wrong */
async function checkedKey(endpoint: WriteEndpoint, input: Input): Promise<KeyedRequest | null> {
  try {
    endpoint.check?.(input)
    return isDryRun(endpoint, input) ? null : keyOf(endpoint, input)
  } catch (error) {
    const problems = new Problems()
    problems.addThrown(error)
    await foresee(endpoint as Endpoint, input, problems)
    problems.throwIfAny()
    throw error
  }
}

function keyOf(endpoint: WriteEndpoint, input: Input): KeyedRequest | null {
  const { caller, request, requestId, deps } = input
  const key = readIdempotencyKey(input.idempotencyKey, endpoint.idempotency)
  if (key === null) return null
  const [path = ''] = (request.raw.url ?? '').split('?', 1)
  const hash = requestHash(request.method, path, input.sentBody)
  return keyedRequest(caller.agency.id, key, hash, requestId, deps.clock)
}

function errorAnswer(error: ApiError, { deps, requestId }: Input): Answer {
  const body = errorBody(error, requestId, standardHeaders(deps.config))
  return { status: error.status, body, headers: error.headers }
}
