/** Shared setup for the account tests: a database with an agency, and people with passwords. */
import assert from 'node:assert/strict'
import { generateSync } from 'otplib'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import type { Account, AccountDeps, Role } from '../../../src/access/accounts/accounts.ts'
import { confirmPassword } from '../../../src/access/accounts/sign-in/confirm.ts'
import { changePassword } from '../../../src/access/accounts/sign-in/sign-in.ts'
import { beginSecondFactor, confirmSecondFactor } from '../../../src/access/accounts/sign-in/second-factor.ts'
import {
  findSession,
  newToken,
  type Session,
  startSession,
} from '../../../src/access/accounts/sign-in/sessions.ts'
import { createAgency } from '../../../src/agencies/agencies.ts'
import type { Clock } from '../../../src/platform/time/clock.ts'
import { openSecretBox } from '../../../src/access/secrets/secret-box.ts'
import { type Limits, limitsWith } from '../../../src/limits/table.ts'
import { testDatabase } from '../../support/database/database.ts'
import { createPerson } from '../../support/app/people.ts'

export const device = { userAgent: 'Test/1.0', ip: '198.51.100.7', browser: newToken() }

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
    person(role = 'owner', email) {
      count += 1
      const agencyId = role === 'operator' ? null : agency.id
      return createPerson(db, { email: email ?? `p${count}@acme.example`, agencyId, role }, clock)
    },
    drop: () => database.drop(),
  }
}

/** Turns the second factor on, in a session of its own. @param steps offset of the code's time from now, in steps of 30 s */
export async function enrol(
  t: Open,
  person: Account,
  steps = 0,
): Promise<{ secret: string; codes: string[]; session: Session }> {
  const { password_hash: passwordHash } = await t.db
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  const verified = { accountId: person.id, passwordHash: passwordHash ?? '' }
  const { token } = (await startSession(t.db, verified, device, t.clock)) ?? assert.fail()
  const session = await findSession(t.db, token, device.ip, t.clock)
  assert.ok(session)
  const { secret } = (await beginSecondFactor(t, session, 'Svc')) ?? assert.fail()
  const codes = await inTransaction(t.db, (tx) =>
    confirmSecondFactor(tx, t, session, codeOf(t, secret, steps)),
  )
  return { secret, codes, session }
}

/** Changes the password of someone who types the current one. */
export async function changeByPassword(
  t: AccountDeps,
  session: Session,
  current: string,
  next: string,
  ip = device.ip,
): Promise<string | null> {
  const verified = await confirmPassword(t, session.account, current, ip)
  return await changePassword(t, session, verified, next, ip)
}

/** The code that an authenticator app would show the given number of steps from now. */
export function codeOf({ clock }: Open, secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor((Date.now() + clock.offsetMs) / 1000) + steps * 30 })
}
