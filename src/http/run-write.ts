/**
 * Runs an operation that writes. From top to bottom: claim the Idempotency-Key if there is slow work to do; prepare, with no transaction
 * open; then one transaction that locks the agency, claims the key, does the operation, and commits effect and answer together.
 */
import { ApiError } from '../errors.ts'
import { StalePreparation, underLock } from '../writing/under-lock.ts'
import { checkStillAdmitted } from './authenticate.ts'
import type { Answer, Authenticated, WriteEndpoint } from './endpoint.ts'
import { errorBody } from './error-handler.ts'
import { standardHeaders } from './headers.ts'
import {
  answerOf,
  claimKey,
  claimStatement,
  type ClaimRow,
  endRequest,
  findUse,
  freeClaim,
  isClaimed,
  isKept,
  keepAnswer,
  type KeyedRequest,
  keyedRequest,
  answerStatement,
  KeyInUse,
  readIdempotencyKey,
  requestHash,
  type Use,
} from './idempotency.ts'

const maxAttempts = 3

type Input = Authenticated<unknown, unknown, unknown>

/** @throws whatever the operation throws; nothing of it lasts then but, where it is to be repeated, the error itself */
export async function runWrite(endpoint: WriteEndpoint, input: Input): Promise<Answer> {
  endpoint.check?.(input)
  const key = keyOf(endpoint, input)
  if (key === null) return runPrepared(endpoint, input, null)
  const { db } = input.deps
  // The same request meanwhile gets a 409 while this one does slow work; else it waits for the lock, and then gets the answer.
  const isSlow = endpoint.runsAtOnce?.(input) !== true
  try {
    if (isSlow) await claimKey(db, key, true)
    return await runPrepared(endpoint, input, key)
  } catch (error) {
    const use = await settle(error, input, key, isSlow)
    if (use !== null) return answerOf(use)
    throw error
  } finally {
    endRequest(key)
  }
}

/** Keeps the error for a repetition, or frees the key. @returns what another request used the key for, which goes before the error */
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

/** Prepares and commits, again where the preparation turns out to be stale. */
async function runPrepared(endpoint: WriteEndpoint, input: Input, key: KeyedRequest | null): Promise<Answer> {
  const { deps, caller, request } = input
  for (let attempt = 1; ; attempt += 1) {
    const prepared = await endpoint.prepare(input)
    try {
      await checkStillAdmitted(deps, caller, request)
      const read = endpoint.read?.(input, prepared)
      const first = [...(key === null ? [] : [claimStatement(key)]), ...(read === undefined ? [] : [read])]
      return await underLock(
        deps.db,
        caller.agency.id,
        deps.clock,
        async (locked, rows) => {
          if (key !== null && !isClaimed(rows[0] as ClaimRow[], key)) await claimKey(locked.tx, key, false)
          const found = read === undefined ? [] : (rows.at(-1) ?? [])
          const answer = await endpoint.commit(locked, input, prepared, found)
          if (key !== null) locked.atCommit(() => [answerStatement(key, answer)])
          return answer
        },
        first,
      )
    } catch (error) {
      if (!(error instanceof StalePreparation)) throw error
      if (attempt === maxAttempts) {
        throw new ApiError('service_unavailable', {
          message: 'The listing kept changing while the request was prepared. Send it again.',
          retryAfter: 1,
          cause: error,
        })
      }
    } finally {
      // What the transaction put on a listing is not the preparation's any more, so this takes back only what was not used.
      await endpoint.discard?.(input, prepared)
    }
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
  const { notice } = standardHeaders(deps.config)
  return { status: error.status, body: errorBody(error, requestId, notice), headers: error.headers }
}
