/**
 * One attempt to send a mail that waits in a queue.
 */
import { failureOf } from '../notifications/failure.ts'
import { waitAfter } from '../notifications/waits.ts'
import type { Mail, MailDeps, Mailer } from './mailer.ts'

/** `refused`: it never leaves. `waitMs`: until the next attempt. */
export type Attempt =
  | Readonly<{ outcome: 'sent' | 'refused' }>
  | Readonly<{ outcome: 'waits'; waitMs: number }>

type Queued = Readonly<{
  /** For the log, such as `an enquiry`. */
  what: string
  /** Failed attempts so far. */
  failures: number
  longestWaitMs?: number
  /** Null if no one should get it any longer. */
  write: () => Promise<Mail | null> | Mail | null
}>

export async function attemptMail(
  { log }: Pick<MailDeps, 'log'>,
  mailer: Mailer,
  { what, failures, longestWaitMs = Number.POSITIVE_INFINITY, write }: Queued,
): Promise<Attempt> {
  try {
    const mail = await write()
    if (mail !== null) await mailer.send(mail)
    return { outcome: 'sent' }
  } catch (error) {
    const { isFinal } = failureOf(error)
    log.warn({ err: error }, isFinal ? `${what} was refused` : `${what} could not be sent; it is retried`)
    if (isFinal) return { outcome: 'refused' }
    return { outcome: 'waits', waitMs: Math.min(waitAfter(failures + 1, 0, Math.random), longestWaitMs) }
  }
}
