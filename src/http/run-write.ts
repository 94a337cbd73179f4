/**
 * Runs an operation that writes: prepare with no transaction open, then one transaction under the agency's lock that holds effect and
 * stored answer. What was prepared is taken back when that fails.
 *
 * An Idempotency-Key is claimed before the preparation where that takes time. Where it does not, the transaction looks whether the
 * key is free and takes it with the answer: a round trip and two writes less.
 */
import { ApiError } from '../errors.ts'
import type { Part } from '../db/statement-parts.ts'
import { type Locked, StalePreparation, underLock } from '../properties/store.ts'
import { checkStillAdmitted } from './authenticate.ts'
import type { Answer, Authenticated, WriteEndpoint } from './endpoint.ts'
import { errorBody } from './error-handler.ts'
import { standardHeaders } from './headers.ts'
import {
  answerOf,
  claim,
  endClaim,
  findUse,
  free,
  inProgress,
  isKept,
  isKeyLost,
  keepAnswer,
  keepFirstAnswer,
  type KeyedRequest,
  readIdempotencyKey,
  requestHash,
  lookAlong,
  type Use,
  useFound,
  withAnswer,
  withFirstAnswer,
} from './idempotency.ts'

const maxAttempts = 3

type Input = Authenticated<unknown, unknown, unknown>

/** What a transaction does with the operation: runs it, and whatever goes with it. */
type Carry = (locked: Locked, run: () => Promise<Answer>) => Promise<Answer>

/** @throws whatever the operation throws; nothing of it lasts then but, where it is to be repeated, the error itself */
export async function runWrite(endpoint: WriteEndpoint, input: Input): Promise<Answer> {
  const { caller, request } = input
  endpoint.check?.(input)
  const key = readIdempotencyKey(input.idempotencyKey, endpoint.idempotency)
  if (key === null) return attempt(endpoint, input, (_locked, run) => run())
  const path = (request.raw.url ?? '').split('?', 1)[0] ?? ''
  const hash = requestHash(request.method, path, input.sentBody)
  const keyed = { agencyId: caller.agency.id, key, hash, requestId: input.requestId }
  return endpoint.runsAtOnce?.(input) === true
    ? runAtOnce(endpoint, input, keyed)
    : runClaimed(endpoint, input, keyed)
}

async function runClaimed(endpoint: WriteEndpoint, input: Input, keyed: KeyedRequest): Promise<Answer> {
  const { deps } = input
  const { agencyId, key, hash, requestId } = keyed
  const claimed = await claim(deps.db, agencyId, key, hash, requestId, deps.clock)
  if ('replay' in claimed) return claimed.replay
  try {
    return await attempt(endpoint, input, async ({ writes }, run) => {
      const answer = await run()
      writes.accompany(withAnswer(claimed.claim, answer))
      return answer
    })
  } catch (error) {
    if (isKept(error)) await keepAnswer(deps.db, claimed.claim, errorAnswer(error, input))
    else await free(deps.db, claimed.claim)
    throw isKeyLost(error) ? inProgress() : error
  } finally {
    endClaim(claimed.claim)
  }
}

/** What the key says; thrown, so that the transaction is rolled back. */
class KeyInUse extends Error {
  readonly use: Use
  constructor(use: Use) {
    super('the key is in use')
    this.use = use
  }
}

async function runAtOnce(endpoint: WriteEndpoint, input: Input, keyed: KeyedRequest): Promise<Answer> {
  const { db, clock } = input.deps
  const carry: Carry = async (locked, run) => {
    // Sent together with what the operation asks first; and whatever that finds, the key comes before it.
    const [outcome] = await Promise.allSettled([run()])
    const use = await useFound(locked, keyed)
    if (use !== null) throw new KeyInUse(use)
    if (outcome.status === 'rejected') throw outcome.reason
    locked.writes.accompany(withFirstAnswer(keyed, outcome.value, clock))
    return outcome.value
  }
  for (let count = 1; ; count += 1) {
    try {
      return await attempt(endpoint, input, carry, lookAlong(keyed, clock))
    } catch (error) {
      if (error instanceof KeyInUse) return answerOf(error.use)
      // Claimed since it was looked for, by a request that takes its time: the next look finds it.
      if (isKeyLost(error) && count < maxAttempts) continue
      if (isKeyLost(error)) throw inProgress()
      if (!(error instanceof ApiError)) throw error
      // The request that held the lock may have been the same one.
      const use = await (isKept(error)
        ? keepFirstAnswer(db, keyed, errorAnswer(error, input), clock)
        : findUse(db, keyed, clock))
      if (use !== null) return answerOf(use)
      throw error
    }
  }
}

async function attempt(
  endpoint: WriteEndpoint,
  input: Input,
  carry: Carry,
  along: Part | null = null,
): Promise<Answer> {
  const { db, clock } = input.deps
  for (let count = 1; ; count += 1) {
    const prepared = await endpoint.prepare(input)
    try {
      await checkStillAdmitted(input.deps, input.caller, input.request)
      const run = (locked: Locked) => carry(locked, () => endpoint.commit(locked, input, prepared))
      return await underLock(db, input.caller.agency.id, clock, run, along)
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

function errorAnswer(error: ApiError, { deps, requestId }: Pick<Input, 'deps' | 'requestId'>): Answer {
  const { notice } = standardHeaders(deps.config)
  return { status: error.status, body: errorBody(error, requestId, notice), headers: error.headers }
}
