/**
 * Who is signed in. A session is a random token in a cookie, stored as a hash; it ends by itself after a while without use, after a
 * while in any case, and when somebody ends it.
 */
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/connection.ts'
import type { Db } from '../db/database.ts'
import { shortStatement } from '../db/statement.ts'
import { reaper } from '../db/reaper.ts'
import { uuidv7 } from '../ids.ts'
import { type Account, accountColumns, toAccount } from './accounts.ts'
import { fromNow, now } from './now.ts'
import { isToken, newToken, tokenHash } from './tokens.ts'

const hour = 3600
/** Without use, and at most. */
export const sessionAges = { idleSeconds: 12 * hour, longestSeconds: 7 * 24 * hour, factorSeconds: hour / 6 }
/** Being seen is written down so often at most: a session that is used costs no write a page. */
const seenEverySeconds = 60

/** `password`: the second factor is still to come. */
export type Stage = 'password' | 'full'

export type Session = {
  id: string
  stage: Stage
  account: Account
  /** Null for operators. */
  agency: { id: string; name: string; slug: string; active: boolean; revision: number } | null
}

export type Device = Readonly<{ userAgent: string; address: string }>

/** A password that was right: of whom, and the hash that it was held against. */
export type Verified = Readonly<{ accountId: string; passwordHash: string }>

/**
 * Begins a session, if the password is still the account's: it may have been reset, or the account disabled, while it was verified.
 * The statement locks the account. Whoever changes password or state does so before ending sessions, so one of the two sees the other.
 * @returns the token for the cookie; null when the password is not good any more
 */
export async function startSession(
  db: Db | Tx,
  { accountId, passwordHash }: Verified,
  device: Device,
  clock: Clock,
): Promise<{ token: string; stage: Stage } | null> {
  const token = newToken()
  const { rows } = await sql<{ stage: Stage }>`
    with entered as (
      update accounts set signed_in_at = case when totp_confirmed_at is null then ${now(clock)} else signed_in_at end
      where id = ${accountId} and password_hash = ${passwordHash} and disabled_at is null
      returning id, totp_confirmed_at is null as is_whole
    )
    insert into account_sessions (id, account_id, token_hash, stage, user_agent, address, created_at, seen_at, expires_at)
    select ${uuidv7()}, id, ${tokenHash(token)}, case when is_whole then 'full' else 'password' end,
      ${device.userAgent.slice(0, 300)}, ${device.address.slice(0, 64)}, ${now(clock)}, ${now(clock)},
      case when is_whole then ${fromNow(clock, sessionAges.longestSeconds)} else ${fromNow(clock, sessionAges.factorSeconds)} end
    from entered returning stage`.execute(db)
  const [row] = rows
  return row === undefined ? null : { token, stage: row.stage }
}

/**
 * Makes a session that waited for the second factor a whole one, under a new token: the same row, so that whatever ends it finds it
 * before and after.
 * @returns the token for the cookie; null when it was ended meanwhile
 */
export async function completeSession(
  tx: Tx,
  accountId: string,
  sessionId: string,
  clock: Clock,
): Promise<string | null> {
  const token = newToken()
  // The account before its sessions, as everywhere.
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute()
  const { numUpdatedRows } = await tx
    .updateTable('account_sessions')
    .set({
      stage: 'full',
      token_hash: tokenHash(token),
      seen_at: now(clock),
      expires_at: fromNow(clock, sessionAges.longestSeconds),
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

type Row = Record<string, unknown> & {
  session_id: string
  stage: Stage
  stale: boolean
  agency_name: string | null
  slug: string
  active: boolean
  revision: number
}

const select = shortStatement<Row>(`
  select s.id as session_id, s.stage, s.seen_at < m.now - ${seenEverySeconds} * interval '1 second' as stale,
    g.name as agency_name, g.slug, g.active, r.revision, ${accountColumns.map((column) => `a.${column}`).join(', ')}
  from (select clock_timestamp() + $2::float8 * interval '1 ms' as now) m
  cross join account_sessions s
  join accounts a on a.id = s.account_id
  left join agencies g on g.id = a.agency_id
  left join agency_revisions r on r.agency_id = a.agency_id
  where s.token_hash = $1 and s.expires_at > m.now
    and s.seen_at > m.now - ${sessionAges.idleSeconds} * interval '1 second' and a.disabled_at is null`)

const touch = shortStatement(`
  update account_sessions set seen_at = clock_timestamp() + $2::float8 * interval '1 ms', address = $3
  where token_hash = $1`)

/** The session of a cookie, and that it was seen; null when there is none (any more). */
export async function findSession(
  db: Db,
  token: string,
  address: string,
  clock: Clock,
): Promise<Session | null> {
  if (!isToken(token)) return null
  const [row] = await select(db, [tokenHash(token), clock.offsetMs])
  if (row === undefined) return null
  if (row.stale) await touch(db, [tokenHash(token), clock.offsetMs, address.slice(0, 64)])
  const { session_id: id, stage, stale: _stale, agency_name: name, slug, active, revision, ...rest } = row
  const account = toAccount(rest)
  const agency =
    account.agency_id === null || name === null
      ? null
      : { id: account.agency_id, name, slug, active, revision }
  return { id, stage, account, agency }
}

export type ListedSession = {
  id: string
  user_agent: string
  address: string
  created_at: string
  seen_at: string
}

/** Where somebody is signed in, the one used last first. */
export async function listSessions(db: Db, accountId: string, clock: Clock): Promise<ListedSession[]> {
  return await db
    .selectFrom('account_sessions')
    .select(['id', 'user_agent', 'address', 'created_at', 'seen_at'])
    .where('account_id', '=', accountId)
    .where('stage', '=', 'full')
    .where('expires_at', '>', now(clock))
    .where('seen_at', '>', fromNow(clock, -sessionAges.idleSeconds))
    .orderBy('seen_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Ends a session of that account. @returns whether there was one */
export async function endSession(db: Db | Tx, accountId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('account_sessions')
    .where('account_id', '=', accountId)
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends all sessions of that account but one; with null all. */
export async function endSessions(db: Db | Tx, accountId: string, but: string | null): Promise<void> {
  await db
    .deleteFrom('account_sessions')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id is distinct from ${but}::uuid`)
    .execute()
}

/** Deletes sessions that are over. */
export const reapSessions = reaper({ table: 'account_sessions', key: 'id', column: 'expires_at' })
