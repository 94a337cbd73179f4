/** Browsers that people sign in from, recognised by a cookie. A sign-in from a new one is reported by mail. */
import { hash } from 'node:crypto'
import { browserDays } from '../../../limits/sizes.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import { now } from '../../../platform/db/statements/now.ts'
import { reaper } from '../../../platform/db/upkeep/reaper.ts'
import { browserName } from '../../../platform/web/browser-name.ts'
import type { Account } from '../accounts.ts'
import { notifyAccount } from '../mails/notices.ts'
import type { Device } from './sessions.ts'

/** Remembers the browser of a sign-in. The first sign-in of an account is not reported. @param account as it was before */
export async function meetBrowser(
  tx: Tx,
  { id, signed_in_at: signedInAt }: Account,
  { browser, userAgent }: Device,
  clock: Clock,
): Promise<void> {
  const browserHash = hash('sha256', `${id} ${browser}`, 'buffer')
  const known = await tx
    .updateTable('account_browsers')
    .set({ seen_at: now(clock) })
    .where('account_id', '=', id)
    .where('browser_hash', '=', browserHash)
    .returning('account_id')
    .executeTakeFirst()
  if (known !== undefined) return
  await tx
    .insertInto('account_browsers')
    .values({ account_id: id, browser_hash: browserHash, seen_at: now(clock) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (signedInAt !== null)
    await notifyAccount(tx, id, { kind: 'new_browser', browser: browserName(userAgent) }, clock)
}

/** Afterwards, a sign-in from the browser is reported again. */
export const reapBrowsers = reaper({
  table: 'account_browsers',
  key: 'account_id, browser_hash',
  column: 'seen_at',
  keptFor: `${browserDays} days`,
})
