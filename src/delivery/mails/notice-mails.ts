/**
 * Sends the notices that wait as mails. Nearly all are about security: changes to an account, to an agency's keys or to its email, so that
 * the owner notices changes by others.
 */
import {
  erasedActor,
  type Notice,
  noticeDone,
  type NoticeEvent,
  leaseNotices,
  retryNotice,
} from '../../access/accounts/mails/notices.ts'
import { reminderMail } from './key-reminders.ts'
import { mailChore } from './mail-queue.ts'
import type { Mail, MailDeps } from './mailer.ts'
import { mailsIn } from './write-mail.ts'

export const mailNotices = mailChore<Notice>({
  what: 'a mail about an account',
  lease: leaseNotices,
  write: noticeMail,
  settle: ({ db, clock }, { id }, { waitMs }) =>
    waitMs === null ? noticeDone(db, id) : retryNotice(db, id, waitMs, clock),
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
  const [subject, what, whatElse] = textOf(mails, event, when, agencyName ?? service)
  const link = linkOf(links, event)
  const head = { to: recipient ?? account.email, subject, messageId: mails.messageId(id) }
  const reader = recipient !== null && event.kind === 'agency_email' ? event.agency : account.name
  const url = dashboardUrl(link.path)
  return mails.write(head, { text: foot.always }, [notices.hello(reader), what, whatElse], {
    text: link.text,
    url,
  })
}

type Mails = ReturnType<typeof mailsIn>
type Written = Exclude<NoticeEvent, { kind: 'key_ends' }>

function textOf({ service, texts: { notices } }: Mails, event: Written, when: string, agency: string) {
  const actor = 'by' in event ? event.by : null
  const by = actor === erasedActor ? notices.erased : actor
  switch (event.kind) {
    case 'writing_key':
      return notices.writing_key(event.name, event.prefix, agency, by, when)
    case 'factor_off':
      return notices.factor_off(service, when, by)
    case 'agency_email':
      return notices.agency_email(event.agency, service, event.from, event.to, when)
    case 'passkey_added':
    case 'passkey_removed':
    case 'passkey_copied':
      return notices[event.kind](service, when, event.name)
    case 'new_browser':
      return notices.new_browser(service, when, event.browser)
    default:
      return notices[event.kind](service, when)
  }
}

/** The page that helps a person who did not expect the event. */
function linkOf(links: Mails['texts']['links'], event: Written) {
  switch (event.kind) {
    case 'writing_key':
      return { text: links.keyEndsLink, path: `/keys/${event.key_id}` }
    case 'agency_email':
      return { text: links.settingsLink, path: '/settings' }
    case 'passkey_added':
    case 'passkey_removed':
    case 'passkey_copied':
      return { text: links.passkeysLink, path: '/account/passkeys' }
    case 'new_browser':
      return { text: links.sessionsLink, path: '/account' }
    default:
      return { text: links.resetLink, path: '/forgot' }
  }
}
