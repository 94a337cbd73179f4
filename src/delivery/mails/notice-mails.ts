/**
 * Security mails: what was done to an account, with an agency's keys or to its email, so that its owner notices what somebody else did.
 */
import { type Notice, noticeDone, noticeFailed, takeNotices } from '../../access/accounts/notices.ts'
import { formats } from '../../platform/web/format.ts'
import { attemptMail } from './attempt-mail.ts'
import { mailTexts, writeMail } from './write-mail.ts'
import type { Mail, MailDeps, Mailer } from './mailer.ts'

/** Sends what is due. @returns how many there were, up to `limit` */
export async function mailNotices(deps: MailDeps, limit: number): Promise<number> {
  const { db, clock, mailer } = deps
  if (mailer === null) return 0
  const waiting = await takeNotices(db, limit, clock)
  await Promise.all(waiting.map((notice) => mailNotice(deps, mailer, notice)))
  return waiting.length
}

async function mailNotice(deps: MailDeps, mailer: Mailer, notice: Notice): Promise<void> {
  const { db, clock } = deps
  const { id, account, recipient, failures } = notice
  const isUnread = account.disabled_at !== null && recipient === null
  const write = () => (isUnread ? null : noticeMail(deps, notice))
  const attempt = await attemptMail(deps, mailer, { what: 'a mail about an account', failures, write })
  if (attempt.outcome === 'waits') await noticeFailed(db, id, attempt.waitMs, clock)
  else await noticeDone(db, id)
}

function noticeMail({ config }: MailDeps, { id, event, at, account, agencyName, recipient }: Notice): Mail {
  const { serviceName: service, publicBaseUrl } = config
  const { language, texts } = mailTexts(account.language)
  const { links, notices } = texts
  const when = formats[language].plainMoment(at)
  const [subject, what, whatElse] =
    event.kind === 'writing_key'
      ? notices.writing_key(event.name, event.prefix, agencyName ?? service, event.by, when)
      : event.kind === 'factor_off'
        ? notices.factor_off(service, when, event.by)
        : event.kind === 'agency_email'
          ? notices.agency_email(event.agency, service, event.from, event.to, when)
          : notices[event.kind](service, when)
  const link =
    event.kind === 'writing_key'
      ? { text: links.keyEndsLink, url: `${publicBaseUrl}/dashboard/keys/${event.key_id}` }
      : event.kind === 'agency_email'
        ? { text: links.settingsLink, url: `${publicBaseUrl}/dashboard/settings` }
        : { text: links.resetLink, url: `${publicBaseUrl}/dashboard/forgot` }
  const messageId = `<${id}@${new URL(publicBaseUrl).hostname}>`
  const isOfAgency = recipient !== null && event.kind === 'agency_email'
  const paragraphs = [notices.hello(isOfAgency ? event.agency : account.name), what, whatElse]
  const frame = { language, service, foot: { text: texts.foot.always } }
  return writeMail({ to: recipient ?? account.email, subject, messageId }, frame, paragraphs, link)
}
