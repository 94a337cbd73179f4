/**
 * Confirms who a signed-in person is, before an action that a passer-by must not take: by the password or, for people without one, by a
 * passkey.
 */
import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import { inTransaction } from '../../../platform/db/statements/transaction.ts'
import { ApiError, invalid } from '../../../platform/errors/errors.ts'
import type { Account, AccountDeps } from '../accounts.ts'
import { clearSecondSteps, takeSecondStep } from './attempts.ts'
import { inHashingSlot } from '../passwords/hashing.ts'
import { notifyAccount } from '../mails/notices.ts'
import { listPasskeys, usePasskey, wrongPasskey } from '../passkeys/passkeys.ts'
import { matchesHash } from '../passwords/password.ts'
import type { Verified, VerifiedPasskey, VerifiedPassword } from './sessions.ts'
import { logFailure } from './sign-in-log.ts'
import { type PasskeyDeps, verifyAssertion } from '../passkeys/webauthn.ts'

/** @param ip the client's @throws ApiError 400 `current`; `rate_limited`; `service_unavailable` */
export async function confirmPassword(
  deps: AccountDeps,
  account: Account,
  password: string,
  ip: string,
): Promise<VerifiedPassword> {
  return await inHashingSlot({ ip, isStranger: false }, async (derive) => {
    await takeSecondStep(deps, 'password', account.id)
    const row = await deps.db
      .selectFrom('accounts')
      .select('password_hash')
      .where('id', '=', account.id)
      .executeTakeFirst()
    const passwordHash = row?.password_hash ?? null
    if (!(await matchesHash(derive, password, passwordHash)) || passwordHash === null) throw wrongCurrent()
    await clearSecondSteps(deps.db, 'password', account.id)
    return { accountId: account.id, passwordHash }
  })
}

/** @param formToken binds the challenge @param sent the script's JSON @throws ApiError 400 `passkey`; `rate_limited` */
export async function confirmPasskey(
  deps: PasskeyDeps,
  account: Account,
  formToken: string,
  sent: string,
): Promise<VerifiedPasskey> {
  await takeSecondStep(deps, 'passkey', account.id)
  const { verified } = await verifyAssertion(deps, { act: 'confirm', formToken }, sent)
  if (verified.accountId !== account.id) throw wrongPasskey()
  await clearSecondSteps(deps.db, 'passkey', account.id)
  return verified
}

/**
 * Runs a transaction that first locks the account, before its sessions, and checks that the proof still holds. A copied passkey is
 * reported.
 * @throws ApiError 400 `current` when another password was set meanwhile; 400 `passkey`
 */
export async function asVerified<T>(
  deps: AccountDeps,
  account: Account,
  verified: Verified,
  ip: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(deps.db, async (tx) => {
      await lockVerified(tx, verified, deps.clock)
      return await work(tx)
    })
  } catch (error) {
    const isCopy = error instanceof ApiError && error.reason === 'passkey_copied'
    if (isCopy && 'passkeyId' in verified) await reportCopy(deps, account, verified.passkeyId, ip)
    throw error
  }
}

async function lockVerified(tx: Tx, verified: Verified, clock: Clock): Promise<void> {
  const ofAccount = tx.selectFrom('accounts').select('id').where('id', '=', verified.accountId).forUpdate()
  if ('passkeyId' in verified) {
    await ofAccount.execute()
    return await usePasskey(tx, verified, clock)
  }
  const still = await ofAccount.where('password_hash', '=', verified.passwordHash).executeTakeFirst()
  if (still === undefined) throw wrongCurrent()
}

/** Logs the copy and mails the person, but not each time, as with wrong passwords. */
async function reportCopy(
  { db, clock }: AccountDeps,
  { id, email }: Account,
  passkeyId: string,
  ip: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await logFailure(tx, 'passkey_refused', email, ip, clock))) return
    const passkey = (await listPasskeys(tx, id)).find((one) => one.id === passkeyId)
    // The person may have removed it meanwhile.
    if (passkey !== undefined)
      await notifyAccount(tx, id, { kind: 'passkey_copied', name: passkey.name }, clock)
  })
}

function wrongCurrent(): ApiError {
  return invalid('current', 'Incorrect current password.', 'wrong_current')
}
