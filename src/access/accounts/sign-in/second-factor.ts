/**
 * The second factor: time-based codes (RFC 6238) of an app, and recovery codes in case it is lost. The secret is encrypted at rest; no
 * code works twice.
 */
import { hash, randomInt } from 'node:crypto'
import { generateSecret, generateURI, verifySync } from 'otplib'
import { inTransaction } from '../../../platform/db/statements/transaction.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import type { Db } from '../../../platform/db/database.ts'
import { invalid } from '../../../platform/errors/errors.ts'
import type { Row } from '../../../platform/db/types.ts'
import { now } from '../../../platform/db/statements/now.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { endSessions } from './sessions.ts'

type FactorDeps = Readonly<{ db: Db; clock: Clock; secretBox: SecretBox }>

/** Tolerates phones whose clocks are off. */
const toleranceSeconds = 30
const recoveryCodeCount = 10
const codeAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const codeLength = 10

/** The session that is enabling the second factor. */
type Enrolling = Readonly<{ id: string; account: Readonly<{ id: string; email: string }> }>

/**
 * Creates a secret for this attempt. It takes effect when one of its codes is entered in the same session, so nobody can have planted or
 * read it before. It ends with the session.
 * @returns null when the session was ended meanwhile
 * @throws ApiError 400 `code` when there is a second factor already
 */
export async function beginSecondFactor({ db, secretBox }: FactorDeps, session: Enrolling, issuer: string) {
  const secret = generateSecret()
  return await inTransaction(db, async (tx) => {
    const row = await tx
      .updateTable('account_sessions as s')
      .from('accounts as a')
      .set({ pending_totp_secret: secretBox.seal(secret) })
      .whereRef('a.id', '=', 's.account_id')
      .where('s.id', '=', session.id)
      .where('s.account_id', '=', session.account.id)
      .returning('a.totp_confirmed_at')
      .executeTakeFirst()
    if (row === undefined) return null
    if (row.totp_confirmed_at !== null) throw alreadyThere()
    return enrolment(secret, session, issuer)
  })
}

/** The same attempt again, after a mistake; null where there is none. */
export async function pendingSecondFactor({ db, secretBox }: FactorDeps, session: Enrolling, issuer: string) {
  const sealed = await pendingSecret(db, session)
  return sealed === null ? null : enrolment(secretBox.open(sealed), session, issuer)
}

/** For the app: a URI (for a QR code), and the secret to type. */
function enrolment(secret: string, { account }: Enrolling, issuer: string) {
  return { secret, uri: generateURI({ issuer, label: account.email, secret }) }
}

async function pendingSecret(db: Db | Tx, { id, account }: Enrolling): Promise<Buffer | null> {
  const row = await db
    .selectFrom('account_sessions')
    .select('pending_totp_secret')
    .where('id', '=', id)
    .where('account_id', '=', account.id)
    .executeTakeFirst()
  return row?.pending_totp_secret ?? null
}

/**
 * Turns the second factor on. The other sessions end: they began without it.
 * @returns the recovery codes, which are never shown again
 * @throws ApiError 400 `code`
 */
export async function confirmSecondFactor(
  tx: Tx,
  { clock, secretBox }: Omit<FactorDeps, 'db'>,
  session: Enrolling,
  code: string,
): Promise<string[]> {
  const { id } = session.account
  const row = await factorOf(tx, id, clock)
  if (row.totp_confirmed_at !== null) throw alreadyThere()
  const sealed = await pendingSecret(tx, session)
  const step = sealed === null ? null : stepOf(() => secretBox.open(sealed), code, row)
  if (step === null)
    throw invalid('code', 'This code is not valid. Enter the one that the app shows now.', 'wrong_code')
  await tx
    .updateTable('accounts')
    .set({ totp_secret: sealed, totp_confirmed_at: now(clock), totp_last_step: step })
    .where('id', '=', id)
    .execute()
  await endSessions(tx, id, session.id)
  await tx
    .updateTable('account_sessions')
    .set({ pending_totp_secret: null })
    .where('id', '=', session.id)
    .execute()
  return await replaceRecoveryCodes(tx, id)
}

/** Turns it off, and deletes secret and recovery codes. */
export async function removeSecondFactor(tx: Tx, accountId: string): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ totp_secret: null, totp_confirmed_at: null, totp_last_step: null })
    .where('id', '=', accountId)
    .execute()
  await tx.deleteFrom('account_recovery_codes').where('account_id', '=', accountId).execute()
}

/** Uses up a code of the app, or a recovery code. @returns whether it was valid */
export async function useSecondFactor(
  tx: Tx,
  { clock, secretBox }: Omit<FactorDeps, 'db'>,
  accountId: string,
  code: string,
): Promise<boolean> {
  const row = await factorOf(tx, accountId, clock)
  const { totp_secret: sealed } = row
  if (sealed === null || row.totp_confirmed_at === null) return false
  const step = stepOf(() => secretBox.open(sealed), code, row)
  if (step !== null) {
    await tx.updateTable('accounts').set({ totp_last_step: step }).where('id', '=', accountId).execute()
    return true
  }
  const used = await tx
    .updateTable('account_recovery_codes')
    .set({ used_at: now(clock) })
    .where('account_id', '=', accountId)
    .where('code_hash', '=', codeHash(accountId, code))
    .where('used_at', 'is', null)
    .returning('account_id')
    .executeTakeFirst()
  return used !== undefined
}

/** How many recovery codes are left. */
export async function countRecoveryCodes(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('account_recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.left
}

/** Makes new recovery codes; the old ones stop working. */
export async function replaceRecoveryCodes(tx: Tx, accountId: string): Promise<string[]> {
  await tx.deleteFrom('account_recovery_codes').where('account_id', '=', accountId).execute()
  const codes = Array.from({ length: recoveryCodeCount }, newCode)
  await tx
    .insertInto('account_recovery_codes')
    .values(codes.map((code) => ({ account_id: accountId, code_hash: codeHash(accountId, code) })))
    .execute()
  return codes
}

type Factor = Row<'accounts', 'totp_secret' | 'totp_confirmed_at' | 'totp_last_step'> & { at: string }

/** Locks the account, so that two requests cannot use the same code. */
async function factorOf(tx: Tx, accountId: string, clock: Clock): Promise<Factor> {
  return await tx
    .selectFrom('accounts')
    .select(['totp_secret', 'totp_confirmed_at', 'totp_last_step'])
    .select(now(clock).as('at'))
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** The time step of a valid code; null for any other, and for a step already used. */
function stepOf(openSecret: () => string, code: string, { totp_last_step: last, at }: Factor): number | null {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const epoch = Math.floor(new Date(at).getTime() / 1000)
  const result = verifySync({
    secret: openSecret(),
    token,
    epoch,
    epochTolerance: toleranceSeconds,
    ...(last === null ? {} : { afterTimeStep: last }),
  })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

function newCode(): string {
  const letters = Array.from({ length: codeLength }, () => codeAlphabet[randomInt(codeAlphabet.length)])
  return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`
}

function codeHash(accountId: string, code: string): Buffer {
  const bare = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return hash('sha256', `${accountId} ${bare}`, 'buffer')
}

function alreadyThere() {
  return invalid('code', 'Two-step verification is already on.', 'factor_there')
}
