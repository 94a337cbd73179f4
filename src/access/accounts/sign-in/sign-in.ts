/** Signing in: email and password, then the second factor if there is one. Attempts are counted before they are checked. */
import { inTransaction } from '../../../platform/db/statements/transaction.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import { foldEmail } from '../../../platform/names/email.ts'
import { type ApiError, invalid } from '../../../platform/errors/errors.ts'
import type { PageLanguage } from '../../../platform/web/language/language.ts'
import {
  type Account,
  accountColumns,
  type AccountDeps,
  changeProfile,
  namesAround,
  toAccount,
} from '../accounts.ts'
import { clearSecondSteps, takeSecondStep, takeSignIn, clearAttempts } from './attempts.ts'
import { meetBrowser } from './browsers.ts'
import { asVerified } from './confirm.ts'
import { inHashingSlot, trustNetwork } from '../passwords/hashing.ts'
import { deadLink, hashForLink, setPasswordByLink } from '../mails/links.ts'
import { notifyAccount } from '../mails/notices.ts'
import { checkPasskeysSuffice } from '../passkeys/passkeys.ts'
import { checkPassword, hashPassword, matchesHash } from '../passwords/password.ts'
import { logEntrance, logFailure } from './sign-in-log.ts'
import { useSecondFactor } from './second-factor.ts'
import {
  completeSession,
  type Device,
  endSessions,
  renewSession,
  type Stage,
  startSession,
  type Verified,
} from './sessions.ts'

export type SignedIn = { token: string; stage: Stage; account: Account }

/** @throws ApiError 400 `password` for an incorrect email or password, without saying which; `rate_limited`; `service_unavailable` */
export async function signIn(
  deps: AccountDeps,
  email: string,
  password: string,
  device: Device,
): Promise<SignedIn> {
  const { db, clock } = deps
  const { account, verified } = await inHashingSlot({ ip: device.ip, isStranger: true }, async (derive) => {
    await takeSignIn(deps, email, device.ip)
    const row = await db
      .selectFrom('accounts')
      .select(accountColumns)
      .where('email', '=', foldEmail(email))
      .where('elsewhere', '=', false)
      .where('disabled_at', 'is', null)
      .executeTakeFirst()
    const passwordHash = row?.password_hash ?? null
    const isRight = await matchesHash(derive, password, passwordHash)
    if (!isRight || row === undefined || passwordHash === null) {
      await logFailure(db, 'sign_in_failed', email, device.ip, clock)
      throw wrongPassword()
    }
    trustNetwork(device.ip)
    return { account: toAccount(row), verified: { accountId: row.id, passwordHash } }
  })
  const signedIn = await inTransaction(db, (tx) => enter(tx, account, verified, device, clock))
  if (signedIn === null) throw wrongPassword()
  return signedIn
}

/** Begins a session. If it needs no second factor, records the sign-in. @returns null when the password is no longer valid */
async function enter(
  tx: Tx,
  account: Account,
  verified: Verified,
  device: Device,
  clock: Clock,
): Promise<SignedIn | null> {
  const session = await startSession(tx, verified, device, clock)
  if (session === null) return null
  // With a second factor, attempts count until that is correct too.
  if (session.stage === 'full') await recordSignIn(tx, account, device, clock)
  return { ...session, account }
}

/**
 * Logs a complete sign-in, clears the attempts from its network, and remembers network and browser.
 * @param account as it was before
 * @param passkey the name of the one that signed in, or null
 */
export async function recordSignIn(
  tx: Tx,
  account: Account,
  device: Device,
  clock: Clock,
  passkey: string | null = null,
): Promise<void> {
  await logEntrance(
    tx,
    account,
    'signed_in',
    { address: device.ip, ...(passkey !== null && { passkey }) },
    clock,
  )
  await clearAttempts(tx, account, device.ip, clock)
  await meetBrowser(tx, account, device, clock)
}

/**
 * Sets a password by a link and signs in with it, in one transaction: if that fails, the link stays valid.
 * @param name the person's name; null keeps it
 * @param language for an account that has none
 * @throws ApiError 400 `password`, `name`; 404 when the link is no longer valid; `service_unavailable`
 */
export async function signInByLink(
  { db, clock }: AccountDeps,
  link: string,
  password: string,
  name: string | null,
  device: Device,
  language: PageLanguage | null = null,
): Promise<SignedIn> {
  const wanted = await hashForLink(db, link, password, name, device.ip, clock)
  return await inTransaction(db, async (tx) => {
    const { account, verified } = await setPasswordByLink(tx, wanted, clock)
    if (account.language === null && language !== null) await changeProfile(tx, account.id, { language })
    const signedIn = await enter(tx, account, verified, device, clock)
    if (signedIn === null) throw deadLink()
    return signedIn
  })
}

/**
 * The second step of signing in: a code of the app, or a recovery code. The session gets a new token. The code is used up by the same
 * transaction: a failure costs no recovery code.
 * @returns null when the session was ended meanwhile
 * @throws ApiError 400 `code`; `rate_limited`
 */
export async function passSecondFactor(
  deps: AccountDeps,
  session: { id: string; account: Account },
  code: string,
  device: Device,
): Promise<string | null> {
  const { account } = session
  const { db, clock } = deps
  await takeSecondStep(deps, 'code', account.id)
  const passed = await inTransaction(db, async (tx) => {
    if (!(await useSecondFactor(tx, deps, account.id, code))) return false
    const token = await completeSession(tx, account.id, session.id, clock)
    if (token === null) return null
    await clearSecondSteps(tx, 'code', account.id)
    await recordSignIn(tx, account, device, clock)
    return token
  })
  if (passed !== false) return passed
  await logFailure(db, 'factor_failed', account.email, device.ip, clock)
  throw invalid('code', 'This code is not valid or was already used.', 'wrong_code')
}

/**
 * Changes a signed-in person's password, or sets one where it was removed. The session gets a new token; the others end.
 * @param ip the client's
 * @returns null, with nothing changed, when the session was ended meanwhile
 * @throws ApiError 400 `current`, `passkey`, `password`; `service_unavailable`
 */
export async function changePassword(
  deps: AccountDeps,
  session: Readonly<{ id: string; account: Account }>,
  verified: Verified,
  password: string,
  ip: string,
): Promise<string | null> {
  const checked = await checkPassword(password, await namesAround(deps.db, session.account))
  const hash = await inHashingSlot({ ip, isStranger: false }, (derive) => hashPassword(derive, checked))
  return await replacePassword(deps, session, verified, hash, ip)
}

/**
 * Removes the password of a person with two passkeys, which are then the only way to sign in, except for a link by mail. The session gets a
 * new token; the others end.
 * @param ip the client's
 * @returns null, with nothing changed, when the session was ended meanwhile
 * @throws ApiError 400 `current`; 400 `passkey` without two passkeys
 */
export async function removePassword(
  deps: AccountDeps,
  session: Readonly<{ id: string; account: Account }>,
  verified: Verified,
  ip: string,
): Promise<string | null> {
  return await replacePassword(deps, session, verified, null, ip)
}

/** @param hash null removes it */
async function replacePassword(
  deps: AccountDeps,
  { id, account }: Readonly<{ id: string; account: Account }>,
  verified: Verified,
  hash: string | null,
  ip: string,
): Promise<string | null> {
  // A password set meanwhile stays.
  return await asVerified(deps, account, verified, ip, async (tx) => {
    if (hash === null) await checkPasskeysSuffice(tx, account.id)
    const token = await renewSession(tx, account.id, id)
    if (token === null) return null
    await tx.updateTable('accounts').set({ password_hash: hash }).where('id', '=', account.id).execute()
    await endSessions(tx, account.id, id)
    const kind = hash === null ? 'password_removed' : 'password_changed'
    await logEntrance(tx, account, kind, {}, deps.clock)
    await notifyAccount(tx, account.id, { kind }, deps.clock)
    return token
  })
}

function wrongPassword(): ApiError {
  return invalid('password', 'Incorrect email or password.', 'wrong_password')
}
