/**
 * Passkeys: the public keys of WebAuthn credentials that sign people in. They are added, removed and used only while the account is locked,
 * so that a person without a password always has two.
 */
import { maxPasskeys } from '../../../limits/sizes.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import type { Db } from '../../../platform/db/database.ts'
import { now } from '../../../platform/db/statements/now.ts'
import type { Row } from '../../../platform/db/types.ts'
import { ApiError, invalid } from '../../../platform/errors/errors.ts'
import { isUuid, uuidv7 } from '../../../platform/names/ids.ts'
import { checkPersonName } from '../../../platform/names/plain-name.ts'
import { accountColumns, toAccount } from '../accounts.ts'
import { useChallenge } from './passkey-challenges.ts'
import { endSessions, type VerifiedPasskey } from '../sign-in/sessions.ts'

const columns = ['id', 'name', 'created_at', 'used_at'] as const

export type Passkey = Row<'account_passkeys', (typeof columns)[number]>

/** A person without a password needs this many: one may get lost. */
export const minWithoutPassword = 2

/** The account's passkeys, oldest first. */
export async function listPasskeys(db: Db | Tx, accountId: string): Promise<Passkey[]> {
  return await db
    .selectFrom('account_passkeys')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** @throws ApiError 404 */
export async function getPasskey(db: Db | Tx, accountId: string, id: string): Promise<Passkey> {
  const passkeys = isUuid(id) ? await listPasskeys(db, accountId) : []
  const passkey = passkeys.find((one) => one.id === id.toLowerCase())
  if (passkey === undefined) throw noSuchPasskey()
  return passkey
}

/** The credential ids of the account's passkeys. */
export async function credentialIdsOf(db: Db, accountId: string): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('account_passkeys')
    .select('credential_id')
    .where('account_id', '=', accountId)
    .execute()
  return rows.map(({ credential_id: id }) => id)
}

/** A passkey with its account; null if there is none or the account is disabled. */
export async function findByCredential(db: Db, credentialId: Buffer) {
  const row = await db
    .selectFrom('account_passkeys as p')
    .innerJoin('accounts as a', 'a.id', 'p.account_id')
    .select(['p.id as passkey_id', 'p.name as passkey_name', 'p.public_key'])
    .select(accountColumns.map((column) => `a.${column}` as const))
    .where('p.credential_id', '=', credentialId)
    .where('a.disabled_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return null
  const { passkey_id: id, passkey_name: name, public_key: publicKey, ...account } = row
  return { id, name, publicKey, account: toAccount(account) }
}

/** A credential that a browser just made, checked. */
export type NewCredential = Readonly<{
  challenge: string
  credentialId: Buffer
  publicKey: Buffer
  counter: number
}>

/**
 * Adds a passkey. The other sessions end, as with any change of how someone signs in. The caller has locked the account.
 * @throws ApiError 400 `name`, `passkey`
 */
export async function addPasskey(
  tx: Tx,
  session: Readonly<{ id: string; account: Readonly<{ id: string }> }>,
  { challenge, credentialId, publicKey, counter }: NewCredential,
  name: string,
  clock: Clock,
): Promise<void> {
  const { account } = session
  // Security mails contain it, so it must not hold a link.
  const checked = checkPersonName(name)
  if ((await listPasskeys(tx, account.id)).length >= maxPasskeys)
    throw invalid('passkey', `An account can have at most ${maxPasskeys} passkeys.`, 'passkeys_full')
  await useChallenge(tx, challenge, clock)
  const added = await tx
    .insertInto('account_passkeys')
    .values({
      id: uuidv7(),
      account_id: account.id,
      credential_id: credentialId,
      public_key: publicKey,
      counter,
      name: checked,
      created_at: now(clock),
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined) throw invalid('passkey', 'This passkey was added already.', 'passkey_there')
  await endSessions(tx, account.id, session.id)
}

/** @throws ApiError 400 `name`; 404 */
export async function renamePasskey(tx: Tx, accountId: string, id: string, name: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('account_passkeys')
    .set({ name: checkPersonName(name) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw noSuchPasskey()
}

/**
 * Removes a passkey, and ends the other sessions, which may have begun with it. The caller has locked the account.
 * @throws ApiError 404; 400 `passkey` for a person without a password, who needs two
 */
export async function removePasskey(
  tx: Tx,
  session: Readonly<{ id: string; account: Readonly<{ id: string }> }>,
  id: string,
): Promise<void> {
  const { account } = session
  const row = await tx
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', account.id)
    .executeTakeFirstOrThrow()
  if (row.password_hash === null) await checkPasskeysSuffice(tx, account.id, 1)
  const { numDeletedRows } = await tx
    .deleteFrom('account_passkeys')
    .where('account_id', '=', account.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw noSuchPasskey()
  await endSessions(tx, account.id, session.id)
}

/** @throws ApiError 400 `passkey` if the account would have too few passkeys to do without a password */
export async function checkPasskeysSuffice(tx: Tx, accountId: string, removing = 0): Promise<void> {
  if ((await listPasskeys(tx, accountId)).length - removing < minWithoutPassword)
    throw invalid('passkey', 'Without a password you need two passkeys.', 'passkeys_needed')
}

/**
 * Accepts a passkey's response: uses its challenge up and stores its counter. A counter that did not rise means that a copy of the passkey
 * exists, unless the authenticator does not count. The caller has locked the account.
 * @throws ApiError 400 `passkey`; its reason is `passkey_copied` for such a counter
 */
export async function usePasskey(tx: Tx, used: VerifiedPasskey, clock: Clock): Promise<void> {
  const { accountId, passkeyId, challenge, counter } = used
  await useChallenge(tx, challenge, clock)
  const { numUpdatedRows } = await tx
    .updateTable('account_passkeys')
    .set({ counter, used_at: now(clock) })
    .where('account_id', '=', accountId)
    .where('id', '=', passkeyId)
    .where((where) => (counter === 0 ? where('counter', '=', 0) : where('counter', '<', counter)))
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  const passkeys = await listPasskeys(tx, accountId)
  // Removed meanwhile.
  if (!passkeys.some(({ id }) => id === passkeyId)) throw wrongPasskey()
  throw invalid('passkey', 'This passkey was refused: a copy of it may exist.', 'passkey_copied')
}

/** @param cause for the log */
export function wrongPasskey(cause?: unknown): ApiError {
  return new ApiError('invalid_parameter', {
    parameter: 'passkey',
    message: 'This passkey was not accepted.',
    reason: 'wrong_passkey',
    cause,
  })
}

function noSuchPasskey(): ApiError {
  return new ApiError('not_found', { message: 'There is no such passkey.' })
}
