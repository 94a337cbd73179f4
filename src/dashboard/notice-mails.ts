/**
 * The mails that tell people what was done to their account or with their agency's keys, so that whoever did not do it hears of it.
 */
import { type Notice, noticeDone, noticeFailed, takeNotices } from '../accounts/notices.ts'
import type { Deps } from '../deps.ts'
import { failureOf } from '../notifications/failure.ts'
import type { Mail, Mailer } from '../notifications/mailer.ts'
import { waitAfter } from '../notifications/waits.ts'
import { formatOf } from './format.ts'
import { mailOf, messagesFor } from './mails.ts'

/** Sends those whose turn it is. @returns how many there were, up to `limit` */
export async function mailNotices(deps: Deps, limit: number): Promise<number> {
  const { db, clock, mailer } = deps
  if (mailer === null) return 0
  const waiting = await takeNotices(db, limit, clock)
  await Promise.all(waiting.map((notice) => mailNotice(deps, mailer, notice)))
  return waiting.length
}

async function mailNotice(deps: Deps, mailer: Mailer, notice: Notice): Promise<void> {
  const { db, clock, log } = deps
  if (notice.account.disabled_at !== null) return await noticeDone(db, notice.id)
  try {
    await mailer.send(noticeMail(deps, notice))
  } catch (error) {
    const { isFinal } = failureOf(error)
    log.warn(
      { err: error },
      isFinal ? 'a mail about an account was refused' : 'a mail about an account is tried again',
    )
    if (!isFinal)
      return await noticeFailed(db, notice.id, waitAfter(notice.failures + 1, 0, Math.random), clock)
  }
  await noticeDone(db, notice.id)
}

function noticeMail({ config }: Deps, { id, told, at, account, agencyName }: Notice): Mail {
  const { serviceName: service, publicBaseUrl } = config
  const { mail, notices } = messagesFor(account.language)
  const when = formatOf(account.language === 'en' ? 'en' : 'es').plainMoment(at)
  const [subject, what, whatElse] =
    told.kind === 'writing_key'
      ? notices.writing_key(told.name, told.prefix, agencyName ?? service, told.by, when)
      : told.kind === 'factor_off'
        ? notices.factor_off(service, when, told.by)
        : notices[told.kind](service, when)
  const link =
    told.kind === 'writing_key'
      ? { text: mail.keyEndsLink, url: `${publicBaseUrl}/dashboard/keys/${told.key_id}` }
      : { text: mail.resetLink, url: `${publicBaseUrl}/dashboard/forgot` }
  return {
    ...mailOf(account.email, subject, [notices.hello(account.name), what, whatElse], link),
    messageId: `<${id}@${new URL(publicBaseUrl).hostname}>`,
    language: account.language === 'en' ? 'en' : 'es-AR',
  }
}
