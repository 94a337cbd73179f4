/**
 * Runs an operation that writes: claim its Idempotency-Key, prepare with no transaction open, then one transaction under the agency's
 * lock that holds effect and stored answer. What was prepared is taken back when that fails.
 */
import { ApiError } from '../errors.ts'
import { lockAgency } from '../properties/revision.ts'
import { StalePreparation } from '../properties/store.ts'
import type { Answer, Authenticated, WriteEndpoint } from './endpoint.ts'
import { errorBody } from './error-handler.ts'
import { standardHeaders } from './headers.ts'
import {
  type Claim,
  claim,
  free,
  isKept,
  keepAnswer,
  readIdempotencyKey,
  requestHash,
} from './idempotency.ts'

const maxAttempts = 3

type Input = Authenticated<unknown, unknown, unknown>

/** @throws whatever the operation throws; nothing of it lasts then but, where it is to be repeated, the error itself */
export async function runWrite(endpoint: WriteEndpoint, input: Input): Promise<Answer> {
  const { deps, caller, request } = input
  endpoint.check?.(input)
  const key = readIdempotencyKey(input.idempotencyKey, endpoint.idempotency)
  if (key === null) return attempt(endpoint, input, null)

  const path = (request.raw.url ?? '').split('?', 1)[0] ?? ''
  const hash = requestHash(request.method, path, input.sentBody)
  const claimed = await claim(deps.db, caller.agency.id, key, hash, input.requestId, deps.clock)
  if ('replay' in claimed) return claimed.replay
  try {
    return await attempt(endpoint, input, claimed.claim)
  } catch (error) {
    if (isKept(error)) await keepAnswer(deps.db, claimed.claim, errorAnswer(error, input))
    else await free(deps.db, claimed.claim)
    throw error
  }
}

async function attempt(endpoint: WriteEndpoint, input: Input, claimed: Claim | null): Promise<Answer> {
  for (let count = 1; ; count += 1) {
    const prepared = await endpoint.prepare(input)
    try {
      return await input.deps.db.transaction().execute(async (tx) => {
        await lockAgency(tx, input.caller.agency.id)
        const answer = await endpoint.commit(tx, input, prepared)
        if (claimed !== null) await keepAnswer(tx, claimed, answer)
        return answer
      })
    } catch (error) {
      if (!(error instanceof StalePreparation)) throw error
      if (count === maxAttempts) {
        throw new ApiError('service_unavailable', {
          message: 'The listing kept changing while the request was prepared. Send it again.',
          headers: { 'retry-after': '1' },
          cause: error,
        })
      }
    } finally {
      // What the transaction put on a listing is not the preparation's any more, so this takes back only what was not used.
      await endpoint.discard?.(input, prepared)
    }
  }
}

function errorAnswer(error: ApiError, { deps, requestId }: Input): Answer {
  const { notice } = standardHeaders(deps.config)
  return { status: error.status, body: errorBody(error, requestId, notice), headers: error.headers }
}
