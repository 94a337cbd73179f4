/**
 * Links in mails with which their readers stop getting more of the kind, without signing in (RFC 8058). The token is sealed, so nobody can
 * make one, read one or try others.
 */
import { audit } from '../../access/accounts/audit.ts'
import { changeProfile } from '../../access/accounts/accounts.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { SecretBox } from '../../access/keys/secret-box.ts'
import { getPreferences, setPreferences } from '../notifications/preferences.ts'
import type { PageLanguage } from '../../platform/web/language.ts'

/** The kinds of mail that can be stopped: those about an agency's listings, and an owner's reminders of keys. */
const stoppable = ['changes', 'key_reminders'] as const
export type Stoppable = (typeof stoppable)[number]

/** The mails that a link stops. It is void once the agency or the account has another email. */
export type Stop = Readonly<{
  kind: Stoppable
  /** The id of the agency (`changes`) or the account (`key_reminders`). */
  id: string
  email: string
}>

type Sealing = Readonly<{ secretBox: SecretBox; config: Pick<Config, 'publicBaseUrl'> }>

/** So that no other sealed text is taken for a link. */
const mark = 'stop'
const longestToken = 1_000

export function stopUrl({ secretBox, config }: Sealing, stop: Stop, language: PageLanguage): string {
  const token = secretBox.seal(JSON.stringify([mark, stop.kind, stop.id, stop.email])).toString('base64url')
  return `${config.publicBaseUrl}${language === 'en' ? '/en' : ''}/unsubscribe/${token}`
}

/** Null for anything that is not a token of this service. */
export function readStop(secretBox: SecretBox, token: string): Stop | null {
  if (token.length > longestToken || !/^[\w-]+$/.test(token)) return null
  try {
    const [what, kind, id, email] = JSON.parse(
      secretBox.open(Buffer.from(token, 'base64url')),
    ) as readonly string[]
    const known = stoppable.find((one) => one === kind)
    if (what !== mark || known === undefined || id === undefined || email === undefined) return null
    return { kind: known, id, email }
  } catch {
    return null
  }
}

/** Whether the mails still come, and what the log names. */
type Found = { isOn: boolean; agencyId: string | null; subject: string }

/** Null where the email is no longer theirs. */
export async function findStop(db: Db, { kind, id, email }: Stop): Promise<Found | null> {
  if (kind === 'changes') {
    const agency = await db
      .selectFrom('agencies')
      .select('slug')
      .where('id', '=', id)
      .where('email', '=', email)
      .where('test_of', 'is', null)
      .executeTakeFirst()
    if (agency === undefined) return null
    const { mail } = await getPreferences(db, id)
    return { isOn: mail, agencyId: id, subject: agency.slug }
  }
  const account = await db
    .selectFrom('accounts')
    .select(['key_reminders', 'agency_id'])
    .where('id', '=', id)
    .where('email', '=', email)
    .executeTakeFirst()
  if (account === undefined) return null
  return { isOn: account.key_reminders, agencyId: account.agency_id, subject: email }
}

/** Stops the mails; again, it changes nothing. @returns false where the email is no longer theirs */
export async function stopMails(
  { db, clock }: { db: Db; clock: Clock },
  stop: Stop,
  requestId: string,
): Promise<boolean> {
  const found = await findStop(db, stop)
  if (found?.isOn !== true) return found !== null
  const { agencyId, subject } = found
  const { kind, id, email } = stop
  // The mail's reader, who is not signed in.
  const by = { kind: 'person', id: null, name: email, requestId } as const
  await inTransaction(db, async (tx) => {
    if (kind === 'changes') {
      await setPreferences(tx, id, { mail: false })
      await audit(tx, by, { action: 'agency_changed', agencyId, subject, details: { mail: false } }, clock)
    } else {
      await changeProfile(tx, id, { key_reminders: false })
      const details = { key_reminders: false }
      await audit(tx, by, { action: 'profile_changed', agencyId, subject, details }, clock)
    }
  })
  return true
}
