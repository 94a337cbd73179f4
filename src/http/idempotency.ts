/**
 * Idempotency (spec 'Idempotency'): the first request with a key runs, and its answer is stored in the transaction of its effect; the
 * same request again gets that answer. A claim carries a lease, so that a crash frees the key, and a token, so that whoever
 * lost the lease cannot commit.
 */
import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { hotStatement, sqlState, type Db } from '../db/database.ts'
import { reaper } from '../db/reaper.ts'
import { type Part, type PartText, placed } from '../db/statement-parts.ts'
import { ApiError, type ErrorCode, invalid } from '../errors.ts'
import { uuidv7 } from '../ids.ts'
import type { AgencyRow } from '../properties/revision.ts'
import type { Answer } from './endpoint.ts'

const retentionHours = 24
const leaseSeconds = 60
/** So long a claim is probably that of a request that runs in another process: most have ended by then. */
const freshSeconds = 5
const keyPattern = /^[A-Za-z0-9._:-]{8,64}$/

export type Claim = { agencyId: string; key: string; token: string }

/** Errors that leave the key free: the request was not judged, or may well succeed next time. All others below 500 are kept. */
const freeing: ReadonlySet<ErrorCode> = new Set([
  'idempotent_request_in_progress',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
])

/**
 * The key as sent.
 * @returns null where none was sent and none is needed
 * @throws ApiError `idempotency_key_required`, `invalid_parameter`
 */
export function readIdempotencyKey(header: string | undefined, rule: 'required' | 'optional'): string | null {
  if (header === undefined || (header === '' && rule === 'required')) {
    if (rule === 'optional') return null
    throw new ApiError('idempotency_key_required', { parameter: 'Idempotency-Key' })
  }
  if (!keyPattern.test(header)) {
    throw invalid(
      'Idempotency-Key',
      'Idempotency-Key must be sent once, with 8 to 64 of the characters A-Z a-z 0-9 . _ : -',
    )
  }
  return header
}

/** What makes two requests the same: method, path and canonical body. */
export function requestHash(method: string, path: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${method}\n${path}\n${canonicalJson(body)}`)
    .digest()
}

/** JSON with the names of every object in order. Numbers too large for one are told from null. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join()}}`
}

/*
 * Committed asynchronously: a crash of the database that forgets a claim has not kept its effect either, which is committed after
 * it, and then for good.
 */
const claimKey = hotStatement<{ token: string }>(`
  insert into idempotency_keys as i (agency_id, key, request_hash, token, lease_until, expires_at)
  select $1, $2, $3, $4, now + ${leaseSeconds} * interval '1 second', now + ${retentionHours} * interval '1 hour'
  from (select clock_timestamp() + $5::float8 * interval '1 ms' as now, set_config('synchronous_commit', 'off', true)) moment
  on conflict (agency_id, key) do update set request_hash = excluded.request_hash, token = excluded.token,
    lease_until = excluded.lease_until, expires_at = excluded.expires_at, status = null, headers = null, body = null
  where i.expires_at <= excluded.lease_until - ${leaseSeconds} * interval '1 second'
    or (i.status is null and i.lease_until <= excluded.lease_until - ${leaseSeconds} * interval '1 second')
  returning token`)

type Stored = {
  request_hash: Buffer
  token: string
  /** What is left of the lease. */
  lease_seconds: number
  status: number | null
  headers: Record<string, string> | null
  body: string | null
}

const stored = `request_hash, token, ceil(extract(epoch from lease_until - moment.now))::int as lease_seconds, status, headers, body`
const moment = (offset: string) =>
  `(select clock_timestamp() + ${offset}::float8 * interval '1 ms' as now) moment`
const findKey = hotStatement<Stored>(
  `select ${stored} from idempotency_keys, ${moment('$3')} where agency_id = $1 and key = $2`,
)
const storeAnswer = hotStatement<{ token: string }>(`
  update idempotency_keys set status = $4, headers = $5, body = $6
  where agency_id = $1 and key = $2 and token = $3 and status is null returning token`)
const freeKey = hotStatement(
  'delete from idempotency_keys where agency_id = $1 and key = $2 and token = $3 and status is null',
)

/** What a companion that writes no row fails the transaction with: a division by zero. */
const keptNothing = '22012'

const answerOfClaim: PartText = (place) => `
  update idempotency_keys set status = ${place(4)}, headers = ${place(5)}, body = ${place(6)}
  where agency_id = ${place(1)} and key = ${place(2)} and token = ${place(3)} and status is null`

/** A key in use: not expired, and not a claim whose lease is over. */
const use: PartText = (place) => `
  select ${stored} from idempotency_keys, ${moment(place(3))}
  where agency_id = ${place(1)} and key = ${place(2)} and expires_at > moment.now and (status is not null or lease_until > moment.now)`
const findInUse = hotStatement<Stored>(placed(use))

const firstAnswer: PartText = (place) => `
  insert into idempotency_keys as i (agency_id, key, request_hash, token, lease_until, expires_at, status, headers, body)
  select ${place(1)}, ${place(2)}, ${place(3)}, gen_random_uuid(), now, now + ${retentionHours} * interval '1 hour',
    ${place(5)}, ${place(6)}, ${place(7)}
  from ${moment(place(4))}
  on conflict (agency_id, key) do update set request_hash = excluded.request_hash, token = excluded.token,
    lease_until = excluded.lease_until, expires_at = excluded.expires_at,
    status = excluded.status, headers = excluded.headers, body = excluded.body
  where i.expires_at <= excluded.lease_until or (i.status is null and i.lease_until <= excluded.lease_until)`
const tryInsertAnswer = hotStatement(`${placed(firstAnswer)} returning 1`)

/** A request that takes its key in the transaction of its effect. */
export type KeyedRequest = { agencyId: string; key: string; hash: Buffer; requestId: string }

/** Looks whether the key is in use, along with the lock of the agency. */
export function lookAlong({ agencyId, key }: KeyedRequest, clock: Clock): Part {
  return { text: use, values: [agencyId, key, clock.offsetMs] }
}

/** What the key was used for when the lock was asked for, or null. The request that held the lock then may have taken it since. */
export async function useFound({ found }: AgencyRow, request: KeyedRequest): Promise<Use | null> {
  const inUse = await found<Stored | { request_hash: null }>()
  return inUse.request_hash === null ? null : judgeUse(inUse, request.hash, request.requestId)
}

/** What the key is used for, asked outside of a transaction; null when it is free. */
export async function findUse(db: Db, request: KeyedRequest, clock: Clock): Promise<Use | null> {
  const [inUse] = await findInUse(db, [request.agencyId, request.key, clock.offsetMs])
  return inUse === undefined ? null : judgeUse(inUse, request.hash, request.requestId)
}

/** Stores the answer and takes the key, with the effect: the transaction fails where the key was taken, see `isKeyLost`. */
export function withFirstAnswer({ agencyId, key, hash }: KeyedRequest, answer: Answer, clock: Clock): Part {
  return { text: firstAnswer, values: [agencyId, key, hash, clock.offsetMs, ...storedAs(answer)] }
}

/**
 * Stores the answer of a request that had no effect.
 * @returns null, or what the key was used for meanwhile
 */
export async function keepFirstAnswer(
  db: Db,
  request: KeyedRequest,
  answer: Answer,
  clock: Clock,
): Promise<Use | null> {
  const { agencyId, key, hash, requestId } = request
  for (;;) {
    const kept = await tryInsertAnswer(db, [agencyId, key, hash, clock.offsetMs, ...storedAs(answer)])
    if (kept.length > 0) return null
    const [use] = await findKey(db, [agencyId, key, clock.offsetMs])
    if (use !== undefined) return judgeUse(use, hash, requestId)
  }
}

/** Whether a transaction failed because its key was taken by another request. */
export function isKeyLost(error: unknown): boolean {
  return sqlState(error) === keptNothing
}

/** What a key in use means for a request that comes with it. */
export type Use = { replay: Answer } | { refusal: ApiError }

/** @throws ApiError `idempotency_key_reuse`, `idempotent_request_in_progress` */
export function answerOf(use: Use): Answer {
  if ('refusal' in use) throw use.refusal
  return use.replay
}

function judgeUse(use: Stored, hash: Buffer, requestId: string): Use {
  if (!use.request_hash.equals(hash)) return { refusal: new ApiError('idempotency_key_reuse') }
  return use.status === null
    ? { refusal: inProgress(secondsToWait(use)) }
    : { replay: replayed(use, requestId) }
}

/** Claims of requests that run in this process. */
const running = new Set<string>()

/** A request that runs may be over any moment. Of another process nobody knows: what it leaves, if it died, is free after the lease. */
function secondsToWait({ token, lease_seconds: left }: Stored): number {
  if (running.has(token)) return 1
  return Math.max(1, left > leaseSeconds - freshSeconds ? freshSeconds : left)
}

export function inProgress(seconds = 1): ApiError {
  return new ApiError('idempotent_request_in_progress', { headers: { 'retry-after': String(seconds) } })
}

/** Status, headers and body. The text of the body is kept for whoever sends it. */
function storedAs(answer: Answer): unknown[] {
  answer.text ??= JSON.stringify(answer.body)
  return [answer.status, answer.headers ?? {}, answer.text]
}

/**
 * Claims the key for this request, which is to end the claim, whatever becomes of it.
 * @returns the claim when the request is to run, or the answer it got the first time
 * @throws ApiError `idempotency_key_reuse`, `idempotent_request_in_progress`
 */
export async function claim(
  db: Db,
  agencyId: string,
  key: string,
  hash: Buffer,
  requestId: string,
  clock: Clock,
): Promise<{ claim: Claim } | { replay: Answer }> {
  const token = uuidv7()
  // Freed between the two statements: claimed again.
  for (;;) {
    const claimed = await claimKey(db, [agencyId, key, hash, token, clock.offsetMs])
    if (claimed.length > 0) {
      running.add(token)
      return { claim: { agencyId, key, token } }
    }
    const [use] = await findKey(db, [agencyId, key, clock.offsetMs])
    if (use !== undefined) return { replay: answerOf(judgeUse(use, hash, requestId)) }
  }
}

/** The request does not run any more. */
export function endClaim({ token }: Claim): void {
  running.delete(token)
}

function replayed({ status, headers, body }: Stored, requestId: string): Answer {
  const content = JSON.parse(body ?? 'null') as { error?: Record<string, unknown> }
  if (content.error !== undefined && (status ?? 0) >= 400) content.error['request_id'] = requestId
  return { status: status ?? 0, body: content, headers: { ...headers, 'idempotent-replayed': 'true' } }
}

/** Stores the answer of a claimed key with the effect: the transaction fails where the lease was lost, see `isKeyLost`. */
export function withAnswer({ agencyId, key, token }: Claim, answer: Answer): Part {
  return { text: answerOfClaim, values: [agencyId, key, token, ...storedAs(answer)] }
}

/**
 * Stores the answer of a request that had no effect.
 * @throws ApiError `idempotent_request_in_progress` when the lease was lost meanwhile
 */
export async function keepAnswer(db: Db, { agencyId, key, token }: Claim, answer: Answer): Promise<void> {
  const kept = await storeAnswer(db, [agencyId, key, token, ...storedAs(answer)])
  if (kept.length === 0) throw inProgress()
}

/** Whether the same request again is to get the same error. */
export function isKept(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    ![400, 401, 403].includes(error.status) &&
    error.status < 500 &&
    !freeing.has(error.code) &&
    // It names photos that failed: their sources may do better next time.
    !('photos' in error.extra)
  )
}

/** Frees the key for a retry. */
export async function free(db: Db, { agencyId, key, token }: Claim): Promise<void> {
  await freeKey(db, [agencyId, key, token])
}

/** Deletes keys whose 24 hours are over. */
export const reapIdempotencyKeys = reaper({
  table: 'idempotency_keys',
  key: 'agency_id, key',
  column: 'expires_at',
})
