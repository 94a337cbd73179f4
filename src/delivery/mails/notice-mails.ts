/**
 * Mails of notices. Nearly all are about security: changes to an account, to an agency's keys or to its email, so that the owner notices
 * changes by others.
 */
import {
  erasedAuthor,
  type Notice,
  noticeDone,
  noticeFailed,
  takeNotices,
} from '../../access/accounts/notices.ts'
import { reminderMail } from './key-reminders.ts'
import { mailChore } from './mail-queue.ts'
import type { Mail, MailDeps } from './mailer.ts'
import { mailsIn } from './write-mail.ts'

export const mailNotices = mailChore<Notice>({
  what: 'a mail about an account',
  take: takeNotices,
  write: noticeMail,
  settle: ({ db, clock }, { id }, { waitMs }) =>
    waitMs === null ? noticeDone(db, id) : noticeFailed(db, id, waitMs, clock),
})

/** Null for a disabled account, or one that does not want it. */
function noticeMail(deps: MailDeps, notice: Notice): Mail | null {
  const { id, event, at, account, agencyName, recipient } = notice
  if (account.disabled_at !== null && recipient === null) return null
  if (event.kind === 'key_ends') return reminderMail(deps, notice, event)
  const mails = mailsIn(deps.config, account.language)
  const { service, dashboardUrl } = mails
  const { links, notices, foot } = mails.texts
  const when = mails.format.plainMoment(at)
  const author = 'by' in event ? event.by : null
  const by = author === erasedAuthor ? notices.erased : author
  const [subject, what, whatElse] =
    event.kind === 'writing_key'
      ? notices.writing_key(event.name, event.prefix, agencyName ?? service, by, when)
      : event.kind === 'factor_off'
        ? notices.factor_off(service, when, by)
        : event.kind === 'agency_email'
          ? notices.agency_email(event.agency, service, event.from, event.to, when)
          : notices[event.kind](service, when)
  const link =
    event.kind === 'writing_key'
      ? { text: links.keyEndsLink, url: dashboardUrl(`/keys/${event.key_id}`) }
      : event.kind === 'agency_email'
        ? { text: links.settingsLink, url: dashboardUrl('/settings') }
        : { text: links.resetLink, url: dashboardUrl('/forgot') }
  const head = { to: recipient ?? account.email, subject, messageId: mails.messageId(id) }
  const reader = recipient !== null && event.kind === 'agency_email' ? event.agency : account.name
  return mails.write(head, { text: foot.always }, [notices.hello(reader), what, whatElse], link)
}
