/** Reminds an agency's owners by mail that a key expires (api.md 2.5), twice before it does. */
import { type Notice, type NoticeEvent, notifyOwners } from '../../access/accounts/mails/notices.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { inTransaction } from '../../platform/db/statements/transaction.ts'
import { keyReminderDays } from '../../limits/sizes.ts'
import { mailsIn } from './write-mail.ts'
import type { Mail, MailDeps } from './mailer.ts'
import { stopUrl } from './stop-links.ts'

type KeyEnds = Extract<NoticeEvent, { kind: 'key_ends' }>

const { first, last } = keyReminderDays
/** Marks the keys whose reminder is due. Values: the clock's offset, the maximum number of keys. */
const markDue = statement<Omit<KeyEnds, 'kind'> & { agency_id: string }>(`
  with moment as (
    select clock_timestamp() + $1::float8 * interval '1 ms' as now
  ), due as (
    select k.id as key_id, k.name, k.prefix, k.expires_at, k.agency_id,
      case when k.expires_at <= now + ${last} * interval '1 day' then ${last} else ${first} end as days
    from moment cross join api_keys k join agencies a on a.id = k.agency_id
    where k.revoked_at is null and a.active and coalesce(k.revokes_at > k.expires_at, true)
      and k.expires_at > now and k.expires_at <= now + ${first} * interval '1 day'
      -- The person who created a key for a shorter time knows its end.
      and k.created_at < k.expires_at - (${first} + 1) * interval '1 day'
      -- After the last reminder, the first is pointless.
      and not exists (
        select 1 from key_reminders r where r.key_id = k.id
          and r.days <= case when k.expires_at <= now + ${last} * interval '1 day' then ${last} else ${first} end
      )
    order by k.expires_at limit $2
  ), marked as (
    insert into key_reminders (key_id, days, sent_at) select key_id, days, now from due, moment
    on conflict do nothing returning key_id
  )
  select due.* from due join marked on marked.key_id = due.key_id order by due.expires_at`)

/**
 * Notifies the owners of up to `limit` keys whose reminder is due. A key is marked in the transaction that stores its notices, which wait
 * until the mail server has accepted them.
 * @returns the number of keys
 */
export async function remindOfKeys({ db, clock, mailer }: MailDeps, limit: number): Promise<number> {
  if (mailer === null) return 0
  return await inTransaction(db, async (tx) => {
    const due = await markDue(tx, [clock.offsetMs, limit])
    for (const { agency_id, ...key } of due)
      await notifyOwners(tx, agency_id, { kind: 'key_ends', ...key }, clock)
    return due.length
  })
}

/** Null if the owner wants no reminders. */
export function reminderMail(
  deps: MailDeps,
  { id, account, agencyName }: Notice,
  { key_id, name, prefix, expires_at, days }: KeyEnds,
): Mail | null {
  if (!account.key_reminders) return null
  const { language, service, texts, format, dashboardUrl, messageId, write } = mailsIn(
    deps.config,
    account.language,
  )
  const stop = stopUrl(deps, { kind: 'key_reminders', id: account.id, email: account.email }, language)
  const { keyEnds, keyEndsSubject, keyEndsLink } = texts.links
  const { keyReminder, chooseReminders, stop: stopText } = texts.foot
  const links = [
    { text: chooseReminders, url: dashboardUrl('/account') },
    { text: stopText, url: stop },
  ]
  return write(
    {
      to: account.email,
      subject: keyEndsSubject(name, days),
      messageId: messageId(id),
      stopUrl: stop,
    },
    { text: keyReminder, links },
    keyEnds(account.name, name, prefix, agencyName ?? service, format.plainDate(expires_at)),
    { text: keyEndsLink, url: dashboardUrl(`/keys/${key_id}`) },
  )
}
