/** People signed in to a running service, created through its embedded database. */
import { randomUUID } from 'node:crypto'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { startSession } from '../../src/access/accounts/sign-in/sessions.ts'
import { databaseClock as clock } from '../../src/platform/time/clock.ts'
import { csrfToken } from '../../src/pages/dashboard/forms/csrf.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import type { Service } from './service.ts'

export type SignedIn = { cookie: string; csrf: string }

/** A member of each agency. */
export async function membersOf(service: Service, agencyIds: readonly string[]): Promise<SignedIn[]> {
  const db = openDatabase({ connection: service.connection(), poolSize: 1 })
  const device = { userAgent: 'chaos', ip: '127.0.0.1' }
  const people: SignedIn[] = []
  try {
    for (const agencyId of agencyIds) {
      const email = `${randomUUID()}@chaos.example`
      const { id } = await createAccount(db, { email, role: 'member', agencyId, language: 'en' }, clock)
      await db.updateTable('accounts').set({ password_hash: 'none' }).where('id', '=', id).execute()
      const session = await startSession(db, { accountId: id, passwordHash: 'none' }, device, clock)
      if (session === null) throw new Error('no session')
      people.push({ cookie: `dashboard-session=${session.token}`, csrf: csrfToken(session.token) })
    }
  } finally {
    await db.destroy()
  }
  return people
}
