/** Accounts for tests. Password hashes use cheap argon2 parameters, because hashing as the service does takes longer than most tests. */
import { argon2Sync, randomBytes } from 'node:crypto'
import { type Account, createAccount } from '../../../src/access/accounts/accounts.ts'
import { hashForLink, setPasswordByLink } from '../../../src/access/accounts/mails/links.ts'
import type { Clock } from '../../../src/platform/time/clock.ts'
import type { Db } from '../../../src/platform/db/database.ts'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'

export const password = 'una clave bien larga'

const cost = { memory: 8, passes: 1, parallelism: 1 }
const nonce = randomBytes(16)
const tag = argon2Sync('argon2id', { message: password, nonce, ...cost, tagLength: 32 })
const hash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${nonce.toString('base64')}$${tag.toString('base64')}`

/** An account with the password above. */
export async function createPerson(
  db: Db,
  input: Parameters<typeof createAccount>[1],
  clock: Clock,
): Promise<Account> {
  const account = await createAccount(db, input, clock)
  await db.updateTable('accounts').set({ password_hash: hash }).where('id', '=', account.id).execute()
  return { ...account, has_password: true, has_accepted: true }
}

/** Sets the password of a link's account. @param name null keeps the account's */
export async function useLink(db: Db, token: string, chosen: string, name: string | null, clock: Clock) {
  const wanted = await hashForLink(db, token, chosen, name, '127.0.0.1', clock)
  return await inTransaction(db, (tx) => setPasswordByLink(tx, wanted, clock))
}
