/**
 * Sessions of the dashboard: a random token in a cookie, stored as a hash. A session ends when it is idle for too long, at a maximum age,
 * or when a person ends it.
 */
import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import type { Db } from '../../../platform/db/database.ts'
import { shortStatement, statement } from '../../../platform/db/statements/statement.ts'
import type { Row } from '../../../platform/db/types.ts'
import { reaper } from '../../../platform/db/upkeep/reaper.ts'
import { uuidv7 } from '../../../platform/names/ids.ts'
import { type Account, accountColumns, toAccount } from '../accounts.ts'
import { fromNow, now } from '../../../platform/db/statements/now.ts'

const minute = 60
const hour = 60 * minute
/** `factorSeconds`: the time to enter the second factor. */
export const sessionAges = { idleSeconds: 12 * hour, maxSeconds: 7 * 24 * hour, factorSeconds: 10 * minute }
/** Updates `seen_at` at most this often, so that pages cost no write. */
const seenEverySeconds = 60

/** `password`: the second factor is still missing. */
export type Stage = 'password' | 'full'

export type Session = {
  id: string
  stage: Stage
  account: Account
  has_passkey: boolean
  /** Null for operators. */
  agency: { id: string; name: string; slug: string; active: boolean } | null
}

/** The protection that an operator must set up before anything else, as the settings require; null for none. */
export function missingProtection(
  { account, has_passkey: hasPasskey }: Session,
  settings: Pick<Config, 'operatorSecondFactor' | 'operatorPasskey'>,
): 'factor' | 'passkey' | null {
  if (account.role !== 'operator') return null
  if (settings.operatorSecondFactor === 'required' && !account.has_second_factor) return 'factor'
  return settings.operatorPasskey === 'required' && !hasPasskey ? 'passkey' : null
}

type Client = Readonly<{ userAgent: string; ip: string }>
/** @property browser the token of its cookie, new if it sent none */
export type Device = Client & Readonly<{ browser: string }>

/** A correct password, with the hash that it was checked against. */
export type VerifiedPassword = Readonly<{ accountId: string; passwordHash: string }>
/** A passkey's response to a challenge. `counter`: its number of uses, as the authenticator reports it. */
export type VerifiedPasskey = Readonly<{
  accountId: string
  passkeyId: string
  challenge: string
  counter: number
}>
/** Proof of who someone is. */
export type Verified = VerifiedPassword | VerifiedPasskey

/**
 * Inserts a session if the account is enabled and has that password or passkey. A passkey needs no second factor. Values: the clock's
 * offset, account, hash of its password or null, passkey or null, the session's id, hash of its token, user agent, IP.
 */
const insertSession = statement<{ stage: Stage }>(`
  with moment as materialized (
    select clock_timestamp() + $1::float8 * interval '1 ms' as now
  ), entered as (
    update accounts a set signed_in_at = case when $4::uuid is null and totp_confirmed_at is not null then signed_in_at else now end
    from moment where a.id = $2 and disabled_at is null
      and (password_hash = $3::text or exists (select from account_passkeys p where p.id = $4::uuid and p.account_id = a.id))
    returning a.id, $4::uuid is not null or totp_confirmed_at is null as is_whole
  )
  insert into account_sessions (id, account_id, token_hash, stage, user_agent, address, created_at, seen_at, expires_at)
  select $5, id, $6, case when is_whole then 'full' else 'password' end, $7, $8, now, now,
    now + case when is_whole then ${sessionAges.maxSeconds} else ${sessionAges.factorSeconds} end * interval '1 second'
  from moment, entered returning stage`)

/**
 * Begins a session, unless the password was reset or the account disabled while it was being checked. The statement locks the account.
 * A reset or disabling changes the account first and then ends its sessions: either this statement sees the change, or the new session
 * ends with the others. For a passkey, call `lockVerified` first: it waits for a removal.
 * @returns the token for the cookie; null when the password is no longer valid
 */
export async function startSession(db: Db | Tx, verified: Verified, client: Client, clock: Clock) {
  const token = newToken()
  const proof = 'passkeyId' in verified ? [null, verified.passkeyId] : [verified.passwordHash, null]
  const { userAgent, ip } = client
  const session = [uuidv7(), tokenHash(token), userAgent.slice(0, 300), ip.slice(0, 64)]
  const values = [clock.offsetMs, verified.accountId, ...proof, ...session]
  const [row] = await insertSession(db, values)
  return row === undefined ? null : { token, stage: row.stage }
}

/**
 * Completes a session after its second factor, under a new token. The session keeps its id, so that ending it works before and after.
 * @returns the token for the cookie; null when the session was ended meanwhile
 */
export async function completeSession(tx: Tx, accountId: string, sessionId: string, clock: Clock) {
  const token = newToken()
  // Lock the account before its sessions, like all other code.
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute()
  const { numUpdatedRows } = await tx
    .updateTable('account_sessions')
    .set({
      stage: 'full',
      token_hash: tokenHash(token),
      seen_at: now(clock),
      expires_at: fromNow(clock, sessionAges.maxSeconds),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', sessionId)
    .where('stage', '=', 'password')
    .where('expires_at', '>', now(clock))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return null
  await tx
    .updateTable('accounts')
    .set({ signed_in_at: now(clock) })
    .where('id', '=', accountId)
    .execute()
  return token
}

/** Gives a session a new token. @returns the token for the cookie; null when the session was ended meanwhile */
export async function renewSession(tx: Tx, accountId: string, sessionId: string): Promise<string | null> {
  const token = newToken()
  const { numUpdatedRows } = await tx
    .updateTable('account_sessions')
    .set({ token_hash: tokenHash(token) })
    .where('account_id', '=', accountId)
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return numUpdatedRows === 0n ? null : token
}

type SessionRow = Record<string, unknown> & {
  session_id: string
  stage: Stage
  stale: boolean
  has_passkey: boolean
  agency_name: string | null
  slug: string
  active: boolean
}

/** Empty if the session has expired or was idle for too long, or if the account is disabled. Values: token hash, the clock's offset. */
const selectSession = shortStatement<SessionRow>(`
  select s.id as session_id, s.stage, s.seen_at < m.now - ${seenEverySeconds} * interval '1 second' as stale,
    exists (select from account_passkeys p where p.account_id = a.id) as has_passkey,
    g.name as agency_name, g.slug, g.active, ${accountColumns.map((column) => `a.${column}`).join(', ')}
  from (select clock_timestamp() + $2::float8 * interval '1 ms' as now) m
  cross join account_sessions s
  join accounts a on a.id = s.account_id
  left join agencies g on g.id = a.agency_id
  where s.token_hash = $1 and s.expires_at > m.now
    and s.seen_at > m.now - ${sessionAges.idleSeconds} * interval '1 second' and a.disabled_at is null`)

/** Values: token hash, the clock's offset, IP. */
const touchSession = shortStatement(`
  update account_sessions set seen_at = clock_timestamp() + $2::float8 * interval '1 ms', address = $3
  where token_hash = $1`)

/** The session of a cookie, or null; updates `seen_at`. */
export async function findSession(db: Db, token: string, ip: string, clock: Clock): Promise<Session | null> {
  if (!isToken(token)) return null
  const [row] = await selectSession(db, [tokenHash(token), clock.offsetMs])
  if (row === undefined) return null
  if (row.stale) await touchSession(db, [tokenHash(token), clock.offsetMs, ip.slice(0, 64)])
  const { session_id: id, stage, stale: _stale, has_passkey, agency_name: name, slug, active, ...rest } = row
  const account = toAccount(rest)
  const agency =
    account.agency_id === null || name === null ? null : { id: account.agency_id, name, slug, active }
  return { id, stage, account, has_passkey, agency }
}

export type ListedSession = Row<'account_sessions', 'id' | 'user_agent' | 'created_at' | 'seen_at'> & {
  ip: string
}

/** The account's complete sessions, the last used first. */
export async function listSessions(db: Db, accountId: string, clock: Clock): Promise<ListedSession[]> {
  return await db
    .selectFrom('account_sessions')
    .select(['id', 'user_agent', 'address as ip', 'created_at', 'seen_at'])
    .where('account_id', '=', accountId)
    .where('stage', '=', 'full')
    .where('expires_at', '>', now(clock))
    .where('seen_at', '>', fromNow(clock, -sessionAges.idleSeconds))
    .orderBy('seen_at', 'desc')
    .orderBy('id')
    .execute()
}

/** @returns whether there was such a session */
export async function endSession(db: Db | Tx, accountId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('account_sessions')
    .where('account_id', '=', accountId)
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends the account's sessions. @param but the one to keep, or null */
export async function endSessions(db: Db | Tx, accountId: string, but: string | null): Promise<void> {
  await db
    .deleteFrom('account_sessions')
    .where('account_id', '=', accountId)
    .where('id', 'is distinct from', but)
    .execute()
}

export const reapSessions = reaper({ table: 'account_sessions', key: 'id', column: 'expires_at' })

/** A token of a session or of a link in an email: 256 random bits, as 43 characters that fit in a URL. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}

/** A fast hash suffices, as the token cannot be guessed. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
