/**
 * What the tests of accounts share: a database with an agency, and people with passwords.
 */
import { createAccount, type Account, type Role } from '../../src/accounts/accounts.ts'
import { makeLink, setPasswordByLink } from '../../src/accounts/links.ts'
import type { AccountDeps } from '../../src/accounts/sign-in.ts'
import { createAgency } from '../../src/agencies/agencies.ts'
import type { Clock } from '../../src/clock.ts'
import { openSecretBox } from '../../src/keys/secret-box.ts'
import { type Limits, limitsWith } from '../../src/limits/table.ts'
import { testDatabase } from '../support/database.ts'

export const device = { userAgent: 'Test/1.0', address: '198.51.100.7' }
export const password = 'una clave bien larga'

export type Open = AccountDeps & {
  clock: Clock
  agencyId: string
  /** An account with the password above. */
  person(role?: Role, email?: string): Promise<Account>
  drop(): Promise<void>
}

let count = 0

export async function openAccounts(changes: Partial<Record<keyof Limits, number>> = {}): Promise<Open> {
  const database = await testDatabase()
  const clock: Clock = { offsetMs: 0 }
  const { db } = database
  const agency = await createAgency(db, { name: 'Acme', slug: 'acme' }, clock)
  const secretBox = openSecretBox('a secret of the tests, long enough')
  return {
    db,
    clock,
    limits: limitsWith(changes),
    secretBox,
    agencyId: agency.id,
    async person(role = 'owner', email) {
      count += 1
      const agencyId = role === 'operator' ? null : agency.id
      const account = await createAccount(
        db,
        { email: email ?? `p${count}@acme.example`, agencyId, role },
        clock,
      )
      const token = await makeLink(db, account.id, 'invitation', clock)
      return (await setPasswordByLink(db, token, password, null, clock)).account
    },
    drop: () => database.drop(),
  }
}
