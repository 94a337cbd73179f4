/**
 * Runs an operation that writes, once for its Idempotency-Key: replays the response if the key was used, and stores an error that a retry
 * must get again. The operation itself commits its response together with its effect (commit-with-response.ts).
 */
import { ApiError } from '../../platform/errors/errors.ts'
import { checkStillAdmitted } from '../admission/authenticate.ts'
import type { Authenticated, WriteEndpoint } from '../endpoint.ts'
import { errorBody } from '../responses/error-handler.ts'
import type { ApiResponse } from '../responses/response.ts'
import {
  beginRequest,
  claimAlone,
  endRequest,
  freeClaim,
  isKeyMissing,
  isReplayed,
  type KeyedRequest,
  KeyInUse,
  responseOf,
  storeRefusal,
} from './idempotency.ts'
import { requestHash } from './request-hash.ts'
import { pathOf } from '../../platform/web/request-target.ts'

/** @throws what the operation throws. No listing has changed then, and an error that a retry must get again is stored */
export async function runIdempotently(endpoint: WriteEndpoint, input: Authenticated): Promise<ApiResponse> {
  await checkStillAdmitted(input.deps, input.caller, input.request)
  const keyed = begin(endpoint, input)
  try {
    return await runAndSettle(endpoint, input, keyed)
  } catch (error) {
    if (!(error instanceof KeyInUse)) throw error
    // Model idempotency-key: replay
    return await responseOf(error.outcome, async (reference) => {
      if (endpoint.replay === undefined)
        throw new Error(`${endpoint.operationId} cannot replay a reference`, { cause: error })
      return await endpoint.replay(input, reference)
    })
  } finally {
    if (keyed !== null) endRequest(keyed)
  }
}

/** Null without an Idempotency-Key. */
function begin(endpoint: WriteEndpoint, input: Authenticated): KeyedRequest | null {
  const { caller, request, requestId, deps, idempotencyKey: key } = input
  if (isKeyMissing(key, endpoint.idempotency))
    throw new ApiError('idempotency_key_required', { parameter: 'Idempotency-Key' })
  if (key === undefined) return null
  const hash = requestHash(request.method, pathOf(request.raw.url), input.sentBody)
  return beginRequest(caller.agency.id, key, hash, requestId, deps.clock)
}

async function runAndSettle(
  endpoint: WriteEndpoint,
  input: Authenticated,
  keyed: KeyedRequest | null,
): Promise<ApiResponse> {
  try {
    return await endpoint.run({ ...input, keyed, dryRun: null })
  } catch (error) {
    if (keyed !== null) await settle(error, input, keyed)
    throw error
  }
}

/** Stores the error for a retry, or frees the key. @throws KeyInUse if another request used the key: its outcome takes precedence */
async function settle(error: unknown, input: Authenticated, keyed: KeyedRequest): Promise<void> {
  const { db, config } = input.deps
  if (error instanceof KeyInUse) throw error
  if (isReplayed(error)) {
    const body = errorBody(error, input.requestId, config.publicBaseUrl)
    return await storeRefusal(db, keyed, { status: error.status, body, headers: error.headers })
  }
  // Only a claim shows whether another request has used the key.
  if (!keyed.isClaimed && error instanceof ApiError && error.status < 500) await claimAlone(db, keyed)
  // Model idempotency-key: free
  if (keyed.isClaimed) await freeClaim(db, keyed)
}
