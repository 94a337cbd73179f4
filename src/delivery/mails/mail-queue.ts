/**
 * Mails that wait in the database until the mail server accepts or finally rejects them. Notices and enquiries wait in tables of their
 * own; a mail with a link waits in the link's row, because it ends with the link.
 */
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { failureOf } from '../notifications/failure.ts'
import { waitAfter } from '../notifications/retry-schedule.ts'
import type { Mail, MailDeps, Mailer } from './mailer.ts'

/**
 * `dropped`: no one should get it any longer. `rejected`: the mail server will never take it.
 * `waitMs`: until the next attempt; null if there is none.
 */
type Attempt = Readonly<{ outcome: 'sent' | 'dropped' | 'rejected' | 'waits'; waitMs: number | null }>

type Waiting = Readonly<{ failures: number }>

export type MailQueue<Due extends Waiting> = Readonly<{
  /** For the log, such as `an enquiry`. */
  what: string
  maxWaitMs?: number
  /** Leases up to `limit` mails that are due. */
  lease: (db: Db, limit: number, clock: Clock) => Promise<Due[]>
  /** Null if no one should get it any longer. */
  write: (deps: MailDeps, due: Due) => Promise<Mail | null> | Mail | null
  settle: (deps: MailDeps, due: Due, attempt: Attempt) => Promise<void>
}>

/** @returns a chore that sends the mails that are due. It returns how many, up to `limit` */
export function mailChore<Due extends Waiting>(queue: MailQueue<Due>) {
  return async (deps: MailDeps, limit: number): Promise<number> => {
    const { db, clock, mailer } = deps
    if (mailer === null) return 0
    const due = await queue.lease(db, limit, clock)
    await Promise.all(due.map((one) => attemptMail(deps, mailer, queue, one)))
    return due.length
  }
}

/** Tries to send a mail once, and stores the outcome. */
export async function attemptMail<Due extends Waiting>(
  deps: MailDeps,
  mailer: Mailer,
  { what, maxWaitMs = Number.POSITIVE_INFINITY, write, settle }: MailQueue<Due>,
  due: Due,
): Promise<Attempt> {
  const send = async (): Promise<Attempt> => {
    const mail = await write(deps, due)
    if (mail === null) return { outcome: 'dropped', waitMs: null }
    await mailer.send(mail)
    return { outcome: 'sent', waitMs: null }
  }
  const attempt = await send().catch((err: unknown): Attempt => {
    const { isFinal } = failureOf(err)
    deps.log.warn(
      { err },
      isFinal ? `the mail server rejected ${what}` : `${what} could not be sent; it is retried`,
    )
    if (isFinal) return { outcome: 'rejected', waitMs: null }
    const waitMs = Math.min(waitAfter(due.failures + 1, 0), maxWaitMs)
    return { outcome: 'waits', waitMs }
  })
  // If this fails, the mail stays stored and is sent again once its lease expires.
  await settle(deps, due, attempt).catch((err: unknown) =>
    deps.log.warn({ err }, `the outcome of ${what} could not be stored; it is sent again`),
  )
  return attempt
}
