/** Signs in people of an agency for the dashboard's pages. Sessions expire, so every run creates its own. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { createAccount, findAccountByEmail } from '../../src/access/accounts/accounts.ts'
import { makeLink } from '../../src/access/accounts/mails/links.ts'
import { useLink } from '../../test/support/app/people.ts'
import { startSession } from '../../src/access/accounts/sign-in/sessions.ts'
import { databaseClock } from '../../src/platform/time/clock.ts'
import { cookieJar } from '../../src/pages/framework/cookies.ts'
import { openDatabase } from '../../src/platform/db/database.ts'

/** The service's URL, whose scheme decides the names of its cookies. */
export const publicBaseUrl = 'https://listings.example'

/** @returns the Cookie header of each agency's owner, in order */
export async function cookiesOf(
  connection: pg.ClientConfig,
  agencyIds: readonly string[],
): Promise<{ cookie: string }[]> {
  const db = openDatabase({ connection, poolSize: 2 })
  const name = cookieJar({ publicBaseUrl }).named('session')
  const device = { userAgent: 'ListingsBench/1.0', ip: '127.0.0.1' }
  const cookies: { cookie: string }[] = []
  for (const agencyId of agencyIds) {
    const email = `owner-${agencyId}@bench.example`
    const account =
      (await findAccountByEmail(db, email)) ??
      (await createAccount(db, { email, agencyId, role: 'owner' }, databaseClock))
    const link = await makeLink(db, account.id, 'invitation', databaseClock)
    const { verified } = await useLink(db, link, randomUUID(), null, databaseClock)
    const session = await startSession(db, verified, device, databaseClock)
    cookies.push({ cookie: `${name}=${session?.token}` })
  }
  await db.destroy()
  return cookies
}
