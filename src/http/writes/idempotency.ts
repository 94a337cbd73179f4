/**
 * Idempotency (api.md 7). The first request with a key runs, and its response is stored in the transaction of its effect; a retry gets the
 * stored response. A response that shows listings is stored as a reference to them, so that content is stored once.
 *
 * The transaction begins by claiming the key. A request that fetches also claims it before fetching and renews the claim meanwhile; the
 * lease is short, so that a crash soon frees the key. The transaction recognises the request's claim by a token. A creation by one
 * statement claims nothing: that statement stores the response (listings/writing/create/create-listings.ts).
 */
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { reaper } from '../../platform/db/upkeep/reaper.ts'
import { boundedLock, statement, type Statement } from '../../platform/db/statements/statement.ts'
import { inTransaction } from '../../platform/db/statements/transaction.ts'
import { catalogue } from '../../platform/errors/error-catalogue.ts'
import { ApiError, type Problems } from '../../platform/errors/errors.ts'
import { uuidv7 } from '../../platform/names/ids.ts'
import { idempotencyKeyLength } from '../../limits/sizes.ts'
import { retentionHours } from '../../writing/reference-to-store.ts'
import type { ApiResponse, StoredReference } from '../responses/response.ts'

/** The lease is short, so that a retry succeeds soon after a process has died. */
const leaseSeconds = 10
/**
 * After the last renewal, a request rarely waits longer than the lease for its slot and its lock (12 s at most). If it does, a retry may
 * claim the key and fetch again; by the token, only one of the two commits.
 */
const renewEveryMs = 2_000
const { min, max } = idempotencyKeyLength
/** A regular expression for one character of a key. */
export const keyCharacter = '[A-Za-z0-9._:-]'
const keyPattern = new RegExp(`^${keyCharacter}{${min},${max}}$`)

export type KeyedRequest = {
  agencyId: string
  key: string
  hash: Buffer
  requestId: string
  /** Identifies this request's claim. */
  token: string
  clock: Clock
  /** Whether the key was claimed outside the effect's transaction. */
  isClaimed: boolean
}

/** Adds a problem if the Idempotency-Key header is malformed. */
export function checkIdempotencyKey(header: string | undefined, rule: KeyRule, problems: Problems): void {
  if (header === undefined || isKeyMissing(header, rule) || keyPattern.test(header)) return
  problems.add(
    'Idempotency-Key',
    `Idempotency-Key must be sent once, with ${min} to ${max} of the characters A-Z a-z 0-9 . _ : -`,
  )
}

/** Whether a key is required and none was sent. */
export function isKeyMissing(header: string | undefined, rule: KeyRule): boolean {
  return rule === 'required' && (header === undefined || header === '')
}

type KeyRule = 'required' | 'optional'

/** A key in use: it has a response that has not expired, or a claim within its lease. */
type UsedKey = {
  /** The token of the request. */
  used_by: string
  used_hash: Buffer
  /** Until the lease ends. */
  seconds_left: number
  /** Null while the request runs. */
  status: number | null
  headers: Record<string, string> | null
  /** Null if a reference is stored instead: `rest` and, except for a batch, `property_id` at `revision`. */
  body: string | null
  property_id: string | null
  revision: number | null
  rest: string | null
}

type ClaimRow = { is_claimed: true } | ({ is_claimed: false } & UsedKey)

/**
 * See migrations/functions/claim_key.sql. Values: agency, key, hash of the request, token, seconds of the lease, hours until expiry, the
 * clock's offset, whether the claim commits alone.
 */
const claim = statement<ClaimRow>('select * from claim_key($1, $2, $3, $4, $5, $6, $7, $8)')
/** Values: agency, key, token, status; headers and body of a whole response; listing, revision and rest of a reference. */
const storeResponse = statement(`
  update idempotency_keys set status = $4, headers = $5, body = $6, property_id = $7, revision = $8, rest = $9
  where agency_id = $1 and key = $2 and token = $3`)
/** Bounds the wait for the key's row, and how long a frozen process can hold it. */
const setLockTimeouts = statement(`select ${boundedLock}`)
/** Leaves a stored response and the claim of another request alone. */
const freeKey = statement(
  'delete from idempotency_keys where agency_id = $1 and key = $2 and token = $3 and status is null',
)

/** The outcome for a request whose key is in use: the stored response or the reference to it, or an error. */
type Outcome = { replay: ApiResponse } | { reference: StoredReference } | { refusal: ApiError }

/** Thrown when the key is in use, so that the transaction is rolled back. */
export class KeyInUse extends Error {
  override readonly name = 'KeyInUse'
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super('the key is in use')
    this.outcome = outcome
  }
}

/** Tokens of the requests that run in this process. */
const running = new Set<string>()

/** Notes that a request with this key runs, until `endRequest`. It has claimed nothing yet. */
export function beginRequest(
  agencyId: string,
  key: string,
  hash: Buffer,
  requestId: string,
  clock: Clock,
): KeyedRequest {
  const token = uuidv7()
  running.add(token)
  return { agencyId, key, hash, requestId, clock, token, isClaimed: false }
}

/** The statement that claims the key, for `checkClaim`. @param commitsAlone whether it runs outside the transaction of the effect */
export function claimStatement(
  { agencyId, key, hash, token, clock }: KeyedRequest,
  commitsAlone = false,
): Statement<ClaimRow> {
  return claim.with([agencyId, key, hash, token, leaseSeconds, retentionHours, clock.offsetMs, commitsAlone])
}

/** @param rows the result of a `claimStatement`. @throws KeyInUse */
export function checkClaim(request: KeyedRequest, [row]: readonly ClaimRow[]): void {
  if (row === undefined) throw new Error('claim_key returned no row')
  if (!row.is_claimed) throw new KeyInUse(outcomeFor(row, request))
}

/** Claims the key outside the effect's transaction. @throws KeyInUse */
export async function claimAlone(db: Db, request: KeyedRequest): Promise<void> {
  checkClaim(request, await db.run(claimStatement(request, true)))
  request.isClaimed = true
}

/** Renews the claim while the work runs. If all renewals fail, another request may claim the key, which the transaction notices. */
export async function renewingClaim<T>(db: Db, request: KeyedRequest, work: () => Promise<T>): Promise<T> {
  let renewal: Promise<unknown> | null = null
  const timer = setInterval(() => {
    // Model idempotency-key: renew
    renewal ??= db
      .run(claimStatement(request, true))
      .catch(() => {})
      .finally(() => {
        renewal = null
      })
  }, renewEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    // A renewal that arrived after the key was freed would claim it again.
    await renewal
  }
}

function outcomeFor(used: UsedKey, { hash, requestId }: KeyedRequest): Outcome {
  if (!used.used_hash.equals(hash)) return { refusal: new ApiError('idempotency_key_reuse') }
  const { status, property_id: listingId, revision, rest } = used
  if (status === null)
    return { refusal: new ApiError('idempotent_request_in_progress', { retryAfter: secondsToWait(used) }) }
  if (rest === null) return { replay: whole(used, requestId) }
  return { reference: { status, listingId, revision, rest: JSON.parse(rest) as object } }
}

/** @param recall makes a response from its reference @throws ApiError `idempotency_key_reuse`, `idempotent_request_in_progress` */
export async function responseOf(
  outcome: Outcome,
  recall: (reference: StoredReference) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  if ('refusal' in outcome) throw outcome.refusal
  const response = 'reference' in outcome ? await recall(outcome.reference) : outcome.replay
  return { ...response, headers: { ...response.headers, 'idempotent-replayed': 'true' } }
}

/** A request of this process may end at any moment. One of another process may have died: then its key is free after the lease. */
function secondsToWait({ used_by: token, seconds_left: left }: UsedKey): number {
  return running.has(token) ? 1 : Math.max(1, left)
}

function whole({ status, headers, body }: UsedKey, requestId: string): ApiResponse {
  const content = JSON.parse(body ?? 'null') as { error?: Record<string, unknown> }
  if (content.error !== undefined && (status ?? 0) >= 400) content.error['request_id'] = requestId
  return { status: status ?? 0, body: content, headers: { ...headers } }
}

/**
 * The statement that stores the response or its reference, in a transaction that has claimed the key. Sets the `text` of a response that is
 * stored whole, so that it is serialised once.
 */
export function responseStatement({ agencyId, key, token }: KeyedRequest, response: ApiResponse): Statement {
  const { status, headers = {}, reference } = response
  const claimed = [agencyId, key, token, status]
  if (reference !== undefined) {
    const { listingId, revision, rest } = reference
    return storeResponse.with([...claimed, null, null, listingId, revision, JSON.stringify(rest)])
  }
  response.text ??= JSON.stringify(response.body)
  return storeResponse.with([...claimed, headers, response.text, null, null, null])
}

/** Stores the response of a refused request, which had no effect. @throws KeyInUse */
export async function storeRefusal(db: Db, request: KeyedRequest, response: ApiResponse): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [, rows] = await tx.runAll([setLockTimeouts.with([]), claimStatement(request)])
    checkClaim(request, rows)
    // Model idempotency-key: keep response
    await tx.commit([responseStatement(request, response)])
  })
}

/** Frees the key for a retry. */
export async function freeClaim(db: Db, { agencyId, key, token }: KeyedRequest): Promise<void> {
  await freeKey(db, [agencyId, key, token])
}

/** Notes that the request no longer runs. */
export function endRequest({ token }: KeyedRequest): void {
  running.delete(token)
}

/** Whether the error is stored, so that a retry gets it again. */
export function isReplayed(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false
  const { isReplayed = false } = catalogue[error.code]
  // The sources of photos that failed may work at the next attempt.
  return isReplayed === 'unless photos failed' ? !('photos' in error.extra) : isReplayed
}

/** Deletes keys after their 24 hours. */
export const reapIdempotencyKeys = reaper({
  table: 'idempotency_keys',
  key: 'agency_id, key',
  column: 'expires_at',
})
