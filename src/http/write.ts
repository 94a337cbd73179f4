/**
 * Runs operations that write. `runWrite` is around the operation: it stores or replays the response for an Idempotency-Key, and completes
 * the answer of a dry run. Inside, the operation calls `commitWrite` once, for its transaction: that claims the key, and commits the
 * response together with the effect.
 */
import type { Statement } from '../db/statement.ts'
import { ApiError } from '../errors.ts'
import { findRoom } from '../limits/room.ts'
import { type DryRun, newDryRun } from '../writing/dry-run.ts'
import type { Locked } from '../writing/under-lock.ts'
import { type Outside, write } from '../writing/write.ts'
import { checkStillAdmitted } from './authenticate.ts'
import type { Answer, KeptReference } from './answer.ts'
import type { Authenticated, WriteEndpoint, WriteRequest } from './endpoint.ts'
import { errorBody } from './error-handler.ts'
import { standardHeaders } from './headers.ts'
import {
  answerOf,
  answerStatement,
  checkClaim,
  type ClaimRow,
  claimAlone,
  claimStatement,
  endRequest,
  freeClaim,
  isKept,
  isKeyMissing,
  keepAnswer,
  type KeyedRequest,
  keyedRequest,
  KeyInUse,
  renewingClaim,
} from './idempotency.ts'
import { requestHash } from './request-hash.ts'

type Input = Authenticated<unknown, unknown, unknown>

/** @throws what the operation throws. Nothing of the operation remains then, except the stored error if a retry is to get it again */
export async function runWrite(endpoint: WriteEndpoint, input: Input): Promise<Answer> {
  if (!asksForEffect(input.query)) return await runDry(endpoint, input)
  const key = keyOf(endpoint, input)
  await checkStillAdmitted(input.deps, input.caller, input.request)
  if (key === null) return await endpoint.run({ ...input, key, dryRun: null })
  try {
    return await endpoint.run({ ...input, key, dryRun: null }).catch(async (error: unknown) => {
      await settle(error, input, key)
      throw error
    })
  } catch (error) {
    if (!(error instanceof KeyInUse)) throw error
    return await answerOf(error.use, (reference) => replayOf(endpoint, input, reference))
  } finally {
    endRequest(key)
  }
}

/**
 * Runs the operation's transaction under the agency's lock. It runs again after something was fetched for it (writing/write.ts).
 * @param first a read that is sent with the lock's statement and runs once the lock is held
 * @param run does everything that lasts, and nothing outside the database. Receives the rows of `first`
 */
export async function commitWrite<Row>(
  { deps, caller, request, key, dryRun }: WriteRequest,
  outside: Outside,
  first: Statement<Row> | null,
  run: (locked: Locked, rows: readonly Row[]) => Promise<Answer>,
): Promise<Answer> {
  const claim = key === null ? [] : [claimStatement(key)]
  const options = {
    outside,
    first: [...claim, ...(first === null ? [] : [first])],
    isDry: dryRun !== null,
    async fetching(fetch: () => Promise<void>) {
      // A concurrent retry gets a 409 meanwhile. Otherwise it waits for the lock, and then gets the stored answer.
      if (key === null) await fetch()
      else {
        await claimAlone(deps.db, key)
        await renewingClaim(deps.db, key, fetch)
      }
      await checkStillAdmitted(deps, caller, request)
    },
  }
  return await write(deps, caller.agency.id, options, async (locked, rows) => {
    if (key !== null) checkClaim(key, rows[0] as readonly ClaimRow[])
    const answer = await run(locked, first === null ? [] : (rows.at(-1) as readonly Row[]))
    if (key !== null) locked.atCommit(() => [answerStatement(key, answer)])
    return answer
  })
}

/** Claims the key before anything that a replay must not do again. @throws KeyInUse */
export async function claimFirst({ deps, key }: Pick<WriteRequest, 'deps' | 'key'>): Promise<void> {
  if (key !== null) await claimAlone(deps.db, key)
}

/** Whether the query, valid or not, asks for anything but a dry run. */
export function asksForEffect(query: unknown): boolean {
  const { dry_run: dryRun = 'false' } = query as { dry_run?: unknown }
  return dryRun === 'false'
}

/**
 * Runs the operation dry (api.md 19).
 * @returns the answer of the real request with `dry_run`, `cost` and `room`, without an ETag: no listing has that version
 * @throws what the operation throws, except for limits without room
 */
async function runDry(endpoint: WriteEndpoint, input: Input): Promise<Answer> {
  const { deps, caller, request } = input
  await checkStillAdmitted(deps, caller, request)
  const dryRun: DryRun = newDryRun()
  const { status, body } = await endpoint.run({ ...input, key: null, dryRun })
  const { id } = caller.agency
  const room = await findRoom(deps.db, id, caller.key.id, deps.config.limits, deps.clock, dryRun)
  return { status, body: { ...(body as object), dry_run: true, cost: dryRun.cost, room } }
}

/** Stores the error for a retry, or frees the key. @throws KeyInUse if another request used the key: its outcome goes before the error */
async function settle(error: unknown, input: Input, key: KeyedRequest): Promise<void> {
  const { db } = input.deps
  if (error instanceof KeyInUse) throw error
  if (isKept(error)) return await keepAnswer(db, key, errorAnswer(error, input))
  if (!key.isClaimed && error instanceof ApiError && error.status < 500) await claimAlone(db, key)
  if (key.isClaimed) await freeClaim(db, key)
}

async function replayOf(endpoint: WriteEndpoint, input: Input, reference: KeptReference): Promise<Answer> {
  if (endpoint.replay === undefined) throw new Error(`${endpoint.operationId} keeps no references`)
  return endpoint.replay(input, reference)
}

function keyOf(endpoint: WriteEndpoint, input: Input): KeyedRequest | null {
  const { caller, request, requestId, deps, idempotencyKey: key } = input
  if (isKeyMissing(key, endpoint.idempotency))
    throw new ApiError('idempotency_key_required', { parameter: 'Idempotency-Key' })
  if (key === undefined) return null
  const [path = ''] = (request.raw.url ?? '').split('?', 1)
  const hash = requestHash(request.method, path, input.sentBody)
  return keyedRequest(caller.agency.id, key, hash, requestId, deps.clock)
}

function errorAnswer(error: ApiError, { deps, requestId }: Input): Answer {
  const body = errorBody(error, requestId, standardHeaders(deps.config))
  return { status: error.status, body, headers: error.headers }
}
