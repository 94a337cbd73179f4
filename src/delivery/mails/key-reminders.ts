/** Reminds an agency's owners by mail that a key expires (api.md 2.5), twice before it does. */
import { ownersWhoCanSignIn } from '../../access/accounts/accounts.ts'
import { statement } from '../../platform/db/statement.ts'
import { keyReminderDays } from '../../limits/sizes.ts'
import { mailsIn } from './write-mail.ts'
import type { MailDeps } from './mailer.ts'
import { stopUrl } from './stop-links.ts'

type Due = {
  key_id: string
  name: string
  prefix: string
  expires_at: string
  agency_id: string
  agency_name: string
  days: number
}

const { first, last } = keyReminderDays
/** Marks the keys whose reminder is due. Values: the clock's offset, the maximum number of keys. */
const takeDue = statement<Due>(`
  with moment as (
    select clock_timestamp() + $1::float8 * interval '1 ms' as now
  ), due as (
    select k.id as key_id, k.name, k.prefix, k.expires_at, k.agency_id, a.name as agency_name,
      case when k.expires_at <= now + ${last} * interval '1 day' then ${last} else ${first} end as days
    from moment cross join api_keys k join agencies a on a.id = k.agency_id
    where k.revoked_at is null and a.active and coalesce(k.revokes_at > k.expires_at, true)
      and k.expires_at > now and k.expires_at <= now + ${first} * interval '1 day'
      -- Anyone who created a key for a shorter time knows.
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
 * Sends the reminders that are due, of up to `limit` keys. A key is marked before its mails are sent: a lost mail is better than one a
 * minute.
 * @returns the number of keys
 */
export async function remindOfKeys(deps: MailDeps, limit: number): Promise<number> {
  if (deps.mailer === null) return 0
  const due = await takeDue(deps.db, [deps.clock.offsetMs, limit])
  for (const key of due) await remind(deps, key)
  return due.length
}

async function remind(deps: MailDeps, key: Due): Promise<void> {
  const { db, config, mailer, log } = deps
  const owners = await ownersWhoCanSignIn(db, key.agency_id)
  for (const { id, email, name, language: chosen } of owners.filter((owner) => owner.key_reminders)) {
    const { language, texts, format, dashboardUrl, write } = mailsIn(config, chosen)
    const stop = stopUrl(deps, { kind: 'key_reminders', id, email }, language)
    const { keyEnds, keyEndsSubject, keyEndsLink } = texts.links
    const { keyReminder, chooseReminders, stop: stopText } = texts.foot
    const links = [
      { text: chooseReminders, url: dashboardUrl('/account') },
      { text: stopText, url: stop },
    ]
    const mail = write(
      { to: email, subject: keyEndsSubject(key.name, key.days), stopUrl: stop },
      { text: keyReminder, links },
      keyEnds(name, key.name, key.prefix, key.agency_name, format.plainDate(key.expires_at)),
      { text: keyEndsLink, url: dashboardUrl(`/keys/${key.key_id}`) },
    )
    try {
      await mailer?.send(mail)
    } catch (error) {
      log.warn({ err: error }, 'a reminder of a key could not be sent')
    }
  }
}
