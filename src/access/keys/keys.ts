/** Creates, lists, rotates and revokes keys (api.md 2.5). The key itself leaves this file once, when it is created. */
import type { Clock } from '../../platform/time/clock.ts'
import { isPast, parseDateTime } from '../../platform/time/date-time.ts'
import type { Tx } from '../../platform/db/statements/connection.ts'
import { type Db, violatedConstraint } from '../../platform/db/database.ts'
import { readNow } from '../../platform/db/statements/now.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { ApiError, invalid } from '../../platform/errors/errors.ts'
import { isUuid, uuidv7 } from '../../platform/names/ids.ts'
import { realAgencyId } from '../../limits/real-agency.ts'
import {
  displayPrefix,
  fingerprint,
  isWholeKey,
  type KeyKind,
  newApiKey,
  newSigningSecret,
} from './key-format.ts'
import { keyStatus } from './check-key.ts'
import { checkExpiry, checkName, checkOrigins, checkScopes, rotatedExpiry, type Scope } from './key-rules.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

export type KeyDeps = Readonly<{ secretBox: SecretBox; clock: Clock; serviceName: string }>

export type KeyInput = Readonly<{
  /** A uuid, so that a form sent twice makes one key; a new one by default. */
  id?: string
  name: string
  /** Empty: `properties:read`. */
  scopes?: readonly string[]
  /** ISO 8601; null or absent: depends on the scopes. */
  expires_at?: string | null
  allowed_origins?: readonly string[]
  signature_required?: boolean
}>

/** Shown once: the key, and the signing secret where the key requires signatures. */
export type NewKey = {
  id: string
  key: string
  prefix: string
  scopes: Scope[]
  expires_at: string | null
  signing_secret?: string
}

/** `last_used_at`: to the minute; null: unused, or unknown. */
export type ListedKey = Awaited<ReturnType<typeof listKeys>>[number]

/** Creates a key for an existing agency: a test key if that is a twin. @throws ApiError 400 naming the field that breaks a rule. */
export async function createKey(db: Db | Tx, agencyId: string, input: KeyInput, deps: KeyDeps) {
  const plan = await planKey(db, input, await kindOf(db, agencyId), deps.clock)
  return await insertKey(db, agencyId, plan, deps)
}

/** Checks the input as `createKey` does, but creates nothing. @throws ApiError 400 naming the field that breaks a rule. */
export async function planKey(db: Db | Tx, input: KeyInput, kind: KeyKind, clock: Clock) {
  const name = checkName(input.name)
  const scopes = checkScopes(input.scopes ?? [])
  const origins = checkOrigins(scopes, input.allowed_origins ?? [], kind)
  const now = new Date(await readNow(db, clock))
  const expiresAt = checkExpiry(scopes, input.expires_at ?? null, now)
  const signed = input.signature_required ?? false
  return { id: input.id ?? uuidv7(), kind, name, scopes, origins, signed, now, expiresAt }
}

/** One key of the agency, in any state. @throws ApiError 404 without such a key in the agency */
export async function getKey(db: Db | Tx, agencyId: string, keyId: string, clock: Clock): Promise<ListedKey> {
  const [key] = isUuid(keyId) ? await listKeys(db, agencyId, clock, keyId) : []
  if (key === undefined) throw noSuchKey()
  return key
}

/** Finds keys in any state by their whole text or, if the text is not a whole key, by their prefix. */
export async function findKeysByText(db: Db, text: string): Promise<{ id: string; agency_id: string }[]> {
  const query = db.selectFrom('api_keys').select(['id', 'agency_id']).orderBy('created_at')
  return await (
    isWholeKey(text)
      ? query.where('fingerprint', '=', fingerprint(text))
      : query.where('prefix', '=', text.replace(/…$/, ''))
  ).execute()
}

/** The keys of an agency, including revoked and expired ones, oldest first; or only one of them. */
export async function listKeys(db: Db | Tx, agencyId: string, clock: Clock, keyId: string | null = null) {
  const now = await readNow(db, clock)
  let query = db
    .selectFrom('api_keys as k')
    .innerJoin('agencies as a', 'a.id', 'k.agency_id')
    .leftJoin('key_usage as u', (join) =>
      join.onRef('u.agency_id', '=', 'k.agency_id').onRef('u.key_id', '=', 'k.id'),
    )
    .select(['k.id', 'k.name', 'k.prefix', 'k.scopes', 'k.allowed_origins', 'k.signature_required'])
    .select(['k.created_at', 'k.expires_at', 'k.revoked_at', 'k.revokes_at', 'a.test_of'])
    // A counter at the epoch was never charged: the key is unused.
    .select(({ fn, val }) => fn<string | null>('nullif', ['u.minute', val('epoch')]).as('last_used_at'))
    .where('k.agency_id', '=', agencyId)
    .orderBy('k.created_at')
    .orderBy('k.id')
  if (keyId !== null) query = query.where('k.id', '=', keyId)
  const rows = await query.execute()
  return rows.map(({ id, name, prefix, test_of, ...row }) => ({
    id,
    name,
    prefix,
    test: test_of !== null,
    status: keyStatus(row, now),
    ...row,
    // A key past its `revokes_at` counts as revoked at that time.
    revoked_at: row.revoked_at ?? (isPast(row.revokes_at, now) ? row.revokes_at : null),
  }))
}

/**
 * Creates a new key with the configuration of an old one: name, scopes, origins, signatures and lifetime. The old one keeps working
 * until it is revoked.
 * @throws ApiError 404 without such a key in the agency, 400 `id` when it is revoked.
 */
export async function rotateKey(
  tx: Tx,
  agencyId: string,
  keyId: string,
  deps: KeyDeps,
  newId: string = uuidv7(),
): Promise<NewKey> {
  const { key: old, now: at } = await lockUnrevoked(tx, agencyId, keyId, deps.clock)
  const now = new Date(at)
  const scopes = checkScopes(old.scopes)
  const { name, allowed_origins: origins, signature_required: signed, expires_at: end } = old
  const lifetimeMs = end === null ? null : Date.parse(end) - Date.parse(old.created_at)
  const expiresAt = rotatedExpiry(scopes, lifetimeMs, now)
  const kind = await kindOf(tx, agencyId)
  const plan = { id: newId, kind, name, scopes, origins, signed, now, expiresAt }
  return await insertKey(tx, agencyId, plan, deps)
}

/**
 * Locks a key, so that its rotations and revocations run one at a time.
 * @throws ApiError 404 without such a key, 400 `id` when it is revoked
 */
async function lockUnrevoked(tx: Tx, agencyId: string, keyId: string, clock: Clock) {
  const key = await tx
    .selectFrom('api_keys')
    .select(['name', 'scopes', 'allowed_origins', 'signature_required'])
    .select(['created_at', 'expires_at', 'revoked_at', 'revokes_at'])
    .where('agency_id', '=', agencyId)
    .where('id', '=', keyId)
    .forUpdate()
    .executeTakeFirst()
  if (key === undefined) throw noSuchKey()
  const now = await readNow(tx, clock)
  if (keyStatus(key, now) === 'revoked')
    throw invalid('id', 'This key is revoked. Create a new one.', 'key_revoked')
  return { key, now }
}

/** Revokes a key at a given time, unless it was revoked before. Values: agency, key, time. */
const revoke = statement<{ id: string; name: string; prefix: string; revoked_at: string }>(`
  update api_keys set revoked_at = least(coalesce(revoked_at, $3::timestamptz), revokes_at)
  where agency_id = $1 and id = $2 returning id, name, prefix, revoked_at`)

/** Revokes a key at once and for good. Idempotent. @throws ApiError 404 without such a key in the agency. */
export async function revokeKey(db: Db | Tx, agencyId: string, keyId: string, clock: Clock) {
  const now = await readNow(db, clock)
  const [row] = await revoke(db, [agencyId, keyId, now])
  if (row === undefined) throw noSuchKey()
  return row
}

/**
 * Sets when a replaced key stops working; null: not before it is revoked.
 * @param at ISO 8601, like `expires_at`
 * @throws ApiError 404 without such a key in the agency; 400 `revokes_at` (not a date, or past), `id` (revoked)
 */
export async function setRevocation(
  tx: Tx,
  agencyId: string,
  keyId: string,
  at: string | null,
  clock: Clock,
): Promise<void> {
  const { now } = await lockUnrevoked(tx, agencyId, keyId, clock)
  const moment = at === null ? null : parseDateTime(at)
  if (at !== null && moment === null)
    throw invalid('revokes_at', 'revokes_at must be a date such as 2027-03-31.', 'date_odd')
  if (isPast(moment, now)) throw invalid('revokes_at', 'revokes_at must be in the future.', 'date_past')
  await tx
    .updateTable('api_keys')
    .set({ revokes_at: moment })
    .where('agency_id', '=', agencyId)
    .where('id', '=', keyId)
    .execute()
}

/** The agency of a key. Only for the operator, who identifies keys by id alone. */
export async function findKeyAgencyId(db: Db | Tx, keyId: string): Promise<string | null> {
  const row = await db.selectFrom('api_keys').select('agency_id').where('id', '=', keyId).executeTakeFirst()
  return row?.agency_id ?? null
}

type KeyPlan = Awaited<ReturnType<typeof planKey>>

async function kindOf(db: Db | Tx, agencyId: string): Promise<KeyKind> {
  return (await realAgencyId(db, agencyId)) === agencyId ? 'live' : 'test'
}

async function insertKey(db: Db | Tx, agencyId: string, plan: KeyPlan, deps: KeyDeps): Promise<NewKey> {
  const { id } = plan
  const key = newApiKey(deps.serviceName, plan.kind)
  const prefix = displayPrefix(key)
  const signingSecret = plan.signed ? newSigningSecret(deps.serviceName) : null
  const expires_at = plan.expiresAt?.toISOString() ?? null
  const insert = db.insertInto('api_keys').values({
    id,
    agency_id: agencyId,
    name: plan.name,
    prefix,
    fingerprint: fingerprint(key),
    scopes: plan.scopes,
    allowed_origins: plan.origins,
    signature_required: plan.signed,
    signing_secret: signingSecret === null ? null : deps.secretBox.seal(signingSecret),
    created_at: plan.now.toISOString(),
    expires_at,
  })
  await insert.execute().catch((error: unknown) => {
    if (violatedConstraint(error) !== 'api_keys_pkey') throw error
    throw invalid('id', 'This form was already sent, and its key was shown then.', 'form_sent')
  })
  const made = { id, key, prefix, scopes: plan.scopes, expires_at }
  return signingSecret === null ? made : { ...made, signing_secret: signingSecret }
}

function noSuchKey(): ApiError {
  return new ApiError('not_found', { message: 'No key has this id.' })
}
