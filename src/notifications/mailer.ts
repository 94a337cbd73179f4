/**
 * Mail leaves through here and nowhere else.
 */
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'

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
  /** Hands a mail to the mail server. @throws Error when it does not take it, or not in time */
  send: (mail: Mail) => Promise<void>
  /** Connects and signs in, without sending anything. @throws Error */
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
      await transport.sendMail({ ...mail, from: mailFrom, headers })
    },
    async check() {
      await transport.verify()
    },
  }
}
