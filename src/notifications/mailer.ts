/**
 * Mail leaves through here and nowhere else.
 */
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import { DeliveryFailure, inOneLine } from './failure.ts'

export type Mail = Readonly<{
  to: string
  subject: string
  text: string
  html?: string
  /** The same for every attempt to send the same mail, so that a repeat can be told. */
  messageId?: string
  /** Of the mail's texts, such as `es-AR`. */
  language?: string
}>

export type Mailer = Readonly<{
  /** Hands a mail to the mail server. @throws DeliveryFailure when it does not take it, or not in time */
  send: (mail: Mail) => Promise<void>
  /** Connects and signs in, without sending anything. @throws DeliveryFailure */
  check: () => Promise<void>
}>

const timeoutMs = 10_000

/** The mailer of SMTP_URL, or null where mail is not configured. */
export function openMailer({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): Mailer | null {
  if (smtpUrl === null || mailFrom === null) return null
  const transport = createTransport(smtpUrl, {
    from: mailFrom,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // A mail is what it says: nothing of it is fetched from files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object)
  return {
    async send({ language, ...mail }) {
      // Nobody answers to a machine, and machines that would are told so (RFC 3834).
      const headers = { 'Auto-Submitted': 'auto-generated', 'Content-Language': language ?? [] }
      await transport.sendMail({ ...mail, from: mailFrom, headers }).catch(fail)
    },
    async check() {
      await transport.verify().catch(fail)
    },
  }
}

/** What the library throws, by kind. A mail server's 5xx is its last word on that mail (RFC 5321 '4.2.1'). @throws DeliveryFailure */
function fail(error: unknown): never {
  const {
    code,
    responseCode = 0,
    message,
  } = error as { code?: string; responseCode?: number; message: string }
  const kind = code === 'EAUTH' ? 'mail_sign_in' : responseCode > 0 ? 'mail_refused' : 'mail_unreachable'
  const why = { kind, said: inOneLine(message, 300) } as const
  // A wrong password of the service is set right some day.
  throw new DeliveryFailure(why, { isFinal: kind === 'mail_refused' && responseCode >= 500, cause: error })
}
