/**
 * Signing in: e-mail and password, then the second factor where there is one. Tries are counted before they are looked at.
 */
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { invalid } from '../errors.ts'
import type { Limits } from '../limits/table.ts'
import { type Account, accountColumns, toAccount } from './accounts.ts'
import { forgiveSignIns, takeSignIn } from './attempts.ts'
import { checkPassword, hashPassword, isPassword } from './password.ts'
import { type Sealer, takeSecondFactor } from './second-factor.ts'
import { type Device, endSession, endSessions, type Stage, startSession } from './sessions.ts'

export type AccountDeps = Readonly<{ db: Db; clock: Clock; limits: Limits; secretBox: Sealer }>

export type SignedIn = { token: string; stage: Stage; account: Account }

/**
 * @throws ApiError 400 `password` when the two do not belong together, whatever the reason; `rate_limited`
 */
export async function signIn(
  deps: AccountDeps,
  email: string,
  password: string,
  device: Device,
): Promise<SignedIn> {
  await takeSignIn(deps, email, device.address)
  const row = await deps.db
    .selectFrom('accounts')
    .select(accountColumns)
    .where('email', '=', email.trim().toLowerCase())
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (!(await isPassword(password, row?.password_hash ?? null)) || row === undefined) {
    throw invalid('password', 'Email and password do not belong together.', 'wrong_password')
  }
  const account = toAccount(row)
  const stage = account.has_second_factor ? 'password' : 'full'
  // With a second factor the tries go on counting until that is there as well.
  if (stage === 'full') await forgiveSignIns(deps.db, account.email)
  return { token: await startSession(deps.db, account.id, stage, device, deps.clock), stage, account }
}

/**
 * The second step: a code of the second factor, or a recovery code, for a session that waits for it. The session gets a new token.
 * @throws ApiError 400 `code`; `rate_limited`
 */
export async function passSecondFactor(
  deps: AccountDeps,
  session: { id: string; account: Account },
  code: string,
  device: Device,
): Promise<string> {
  const { account } = session
  await takeSignIn(deps, account.email, device.address)
  if (!(await takeSecondFactor(deps, account.id, code))) {
    throw invalid('code', 'This code is not valid, or was used already.', 'wrong_code')
  }
  await forgiveSignIns(deps.db, account.email)
  await endSession(deps.db, account.id, session.id)
  return await startSession(deps.db, account.id, 'full', device, deps.clock)
}

/**
 * Holds somebody who is signed in to the password once more, before what must not be done by a passer-by.
 * @throws ApiError 400 `current`; `rate_limited`
 */
export async function confirmPassword(
  deps: AccountDeps,
  account: Account,
  password: string,
  address: string,
): Promise<void> {
  await takeSignIn(deps, account.email, address)
  const row = await deps.db
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', account.id)
    .executeTakeFirst()
  if (!(await isPassword(password, row?.password_hash ?? null))) {
    throw invalid('current', 'This is not your password.', 'wrong_current')
  }
  await forgiveSignIns(deps.db, account.email)
}

/**
 * Changes the password of somebody signed in; the other sessions end.
 * @throws ApiError 400 `current`, `password`; `rate_limited`
 */
export async function changePassword(
  deps: AccountDeps,
  session: { id: string; account: Account },
  current: string,
  password: string,
  address: string,
): Promise<void> {
  const { account } = session
  checkPassword(password, account.email)
  await confirmPassword(deps, account, current, address)
  const hash = await hashPassword(password)
  await deps.db.transaction().execute(async (tx) => {
    await tx.updateTable('accounts').set({ password_hash: hash }).where('id', '=', account.id).execute()
    await endSessions(tx, account.id, session.id)
  })
}
