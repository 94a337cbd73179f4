/** Links that stop a kind of mail without signing in (RFC 8058). */
import { audit } from '../../access/audit-log/entries.ts'
import { changeProfile } from '../../access/accounts/accounts.ts'
import { findAgencyById } from '../../agencies/agencies.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import { inTransaction } from '../../platform/db/statements/transaction.ts'
import type { SecretBox } from '../../access/secrets/secret-box.ts'
import { openToken, sealToken } from '../../access/secrets/sealed-token.ts'
import { getPreferences, setPreferences } from '../notifications/preferences.ts'
import type { PageLanguage } from '../../platform/web/language/language.ts'

/** Mails about an agency's listings, and an owner's reminders of keys. */
const stoppable = ['changes', 'key_reminders'] as const
export type Stoppable = (typeof stoppable)[number]

/** The mails that a link stops. The link is void once the agency or the account has another email. */
export type Stop = Readonly<{
  kind: Stoppable
  /** The id of the agency (`changes`) or the account (`key_reminders`). */
  id: string
  email: string
}>

type Sealing = Readonly<{ secretBox: SecretBox; config: Pick<Config, 'publicBaseUrl'> }>

const mark = 'stop'

export function stopUrl({ secretBox, config }: Sealing, { kind, id, email }: Stop, language: PageLanguage) {
  const token = sealToken(secretBox, mark, [kind, id, email])
  return `${config.publicBaseUrl}${language === 'en' ? '/en' : ''}/unsubscribe/${token}`
}

/** Null for anything that is not a token of this service. */
export function readStop(secretBox: SecretBox, token: string): Stop | null {
  const [name, id, email] = openToken(secretBox, mark, token) ?? []
  const kind = stoppable.find((one) => one === name)
  if (kind === undefined || id === undefined || email === undefined) return null
  return { kind, id, email }
}

/** Whether the mails are wanted. `subject`: the name in the audit log. */
type Subscription = { isOn: boolean; agencyId: string | null; subject: string }

/** Null if the email is no longer theirs. */
export async function findStop(db: Db, { kind, id, email }: Stop): Promise<Subscription | null> {
  if (kind === 'changes') {
    const agency = await findAgencyById(db, id)
    if (agency?.email !== email || agency.test_of !== null) return null
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

/** Stops the mails. A second call changes nothing. @returns false if the email is no longer theirs */
export async function stopMails({ db, clock }: { db: Db; clock: Clock }, stop: Stop, requestId: string) {
  const found = await findStop(db, stop)
  if (found?.isOn !== true) return found !== null
  const { agencyId, subject } = found
  const { kind, id, email } = stop
  // The reader of the mail, who is not signed in.
  const by = { kind: 'person', id: null, name: email, requestId } as const
  const details = kind === 'changes' ? { mail: false } : { key_reminders: false }
  const action = kind === 'changes' ? 'agency_changed' : 'profile_changed'
  await inTransaction(db, async (tx) => {
    if (kind === 'changes') await setPreferences(tx, id, { mail: false })
    else await changeProfile(tx, id, { key_reminders: false })
    await audit(tx, by, { action, agencyId, subject, details }, clock)
  })
  return true
}
