/**
 * Runs operations that write. `runWrite` wraps the operation: it replays the response of an Idempotency-Key that was used, stores an error
 * that a retry must get again, and completes the response of a dry run. The operation runs its transaction by `commitWrite`, which claims
 * the key, and commits the response together with the effect.
 */
import { createHash } from 'node:crypto'
import type { Statement } from '../../platform/db/statements/statement.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import { findRoom } from '../../limits/usage.ts'
import { type DryRun, newDryRun } from '../../platform/writing/dry-run.ts'
import type { Locked } from '../../platform/writing/under-lock.ts'
import { type Outside, runUntilComplete } from '../../platform/writing/run-until-complete.ts'
import { checkStillAdmitted } from '../admission/authenticate.ts'
import type { ApiResponse } from '../responses/response.ts'
import type { Authenticated, WriteEndpoint, WriteRequest } from '../endpoint.ts'
import { errorBody } from '../responses/error-handler.ts'
import {
  responseOf,
  responseStatement,
  checkClaim,
  type ClaimRow,
  claimAlone,
  claimStatement,
  endRequest,
  freeClaim,
  isKept,
  isKeyMissing,
  keepResponse,
  type KeyedRequest,
  keyedRequest,
  KeyInUse,
  renewingClaim,
} from './idempotency.ts'

/** @throws what the operation throws. No listing has changed then, and an error that a retry must get again is stored */
export async function runWrite(endpoint: WriteEndpoint, input: Authenticated): Promise<ApiResponse> {
  if (!hasEffect(input.query)) return await runDry(endpoint, input)
  await checkStillAdmitted(input.deps, input.caller, input.request)
  const key = keyOf(endpoint, input)
  const run = async (): Promise<ApiResponse> => await endpoint.run({ ...input, key, dryRun: null })
  if (key === null) return await run()
  try {
    return await run().catch(async (error: unknown) => {
      await settle(error, input, key)
      throw error
    })
  } catch (error) {
    if (!(error instanceof KeyInUse)) throw error
    // Model idempotency-key: replay
    return await responseOf(error.outcome, async (reference) => {
      if (endpoint.replay === undefined)
        throw new Error(`${endpoint.operationId} cannot replay a reference`, { cause: error })
      return await endpoint.replay(input, reference)
    })
  } finally {
    endRequest(key)
  }
}

/**
 * Runs the operation's transaction under the agency's lock, again after something was fetched for it (run-until-complete.ts).
 * @param first a read that is sent with the lock's statement and runs once the lock is held
 * @param run makes every change, in the database alone. Receives the rows of `first`
 */
export async function commitWrite<Row>(
  { deps, caller, request, key, dryRun }: WriteRequest,
  outside: Outside,
  first: Statement<Row> | null,
  run: (locked: Locked, rows: readonly Row[]) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const claim = key === null ? [] : [claimStatement(key)]
  const options = {
    outside: {
      ...outside,
      // A retry gets 409 while this fetches. When nothing is fetched, a retry waits for the lock and gets the stored response.
      async fetch() {
        if (key === null) await outside.fetch()
        else {
          // Model idempotency-key: claim alone
          await claimAlone(deps.db, key)
          await renewingClaim(deps.db, key, outside.fetch)
        }
        await checkStillAdmitted(deps, caller, request)
      },
    },
    first: [...claim, ...(first === null ? [] : [first])],
    isDry: dryRun !== null,
  }
  return await runUntilComplete(deps, caller.agency.id, options, async (locked, rows) => {
    // Model idempotency-key: claim
    if (key !== null) checkClaim(key, rows[0] as readonly ClaimRow[])
    const response = await run(locked, first === null ? [] : (rows.at(-1) as readonly Row[]))
    // Model idempotency-key: commit
    if (key !== null) locked.atCommit(() => [responseStatement(key, response)])
    return response
  })
}

/** Whether the request should have an effect: without `dry_run`, or with `dry_run=false`. The query may be invalid. */
export function hasEffect(query: unknown): boolean {
  const { dry_run: dryRun = 'false' } = query as { dry_run?: unknown }
  return dryRun === 'false'
}

/**
 * Runs the operation dry (api.md 19).
 * @returns the response of the real request with `dry_run`, `cost` and `room`, without an ETag: no listing has that version
 * @throws what the operation throws. A limit without room is reported instead
 */
async function runDry(endpoint: WriteEndpoint, input: Authenticated): Promise<ApiResponse> {
  const { deps, caller, request } = input
  await checkStillAdmitted(deps, caller, request)
  const dryRun: DryRun = newDryRun()
  const { status, body } = await endpoint.run({ ...input, key: null, dryRun })
  const { id } = caller.agency
  const room = await findRoom(deps.db, id, caller.key.id, deps.config.limits, deps.clock, dryRun)
  return { status, body: { ...(body as object), dry_run: true, cost: dryRun.cost, room } }
}

/** Stores the error for a retry, or frees the key. @throws KeyInUse if another request used the key: its outcome takes precedence */
async function settle(error: unknown, input: Authenticated, key: KeyedRequest): Promise<void> {
  const { db, config } = input.deps
  if (error instanceof KeyInUse) throw error
  if (isKept(error)) {
    const body = errorBody(error, input.requestId, config.publicBaseUrl)
    return await keepResponse(db, key, { status: error.status, body, headers: error.headers })
  }
  if (!key.isClaimed && error instanceof ApiError && error.status < 500) await claimAlone(db, key)
  // Model idempotency-key: free
  if (key.isClaimed) await freeClaim(db, key)
}

function keyOf(endpoint: WriteEndpoint, input: Authenticated): KeyedRequest | null {
  const { caller, request, requestId, deps, idempotencyKey: key } = input
  if (isKeyMissing(key, endpoint.idempotency))
    throw new ApiError('idempotency_key_required', { parameter: 'Idempotency-Key' })
  if (key === undefined) return null
  const [path = ''] = (request.raw.url ?? '').split('?', 1)
  const hash = requestHash(request.method, path, input.sentBody)
  return keyedRequest(caller.agency.id, key, hash, requestId, deps.clock)
}

/** Hash of method, path and canonical body. Requests with the same hash are the same (api.md 7). */
export function requestHash(method: string, path: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${method}\n${path}\n${canonicalJson(body)}`)
    .digest()
}

/** JSON with the names of every object sorted. A number too large for a double is written as `Infinity`, not as null. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  let text = ''
  if (Array.isArray(value)) {
    for (const element of value) text += `${text === '' ? '[' : ','}${canonicalJson(element)}`
    return text === '' ? '[]' : `${text}]`
  }
  const members = value as Record<string, unknown>
  for (const name of Object.keys(members).sort())
    text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${canonicalJson(members[name])}`
  return text === '' ? '{}' : `${text}}`
}
