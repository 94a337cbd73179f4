/**
 * Mail leaves through here and nowhere else.
 */
import { createTransport } from 'nodemailer'
import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import type { SecretBox } from '../keys/secret-box.ts'
import { DeliveryFailure, inOneLine } from '../notifications/failure.ts'

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

/** What the jobs that send mails work with. */
export type MailDeps = Readonly<{
  config: Pick<Config, 'serviceName' | 'publicBaseUrl'>
  db: Db
  clock: Clock
  /** Null where mail is not configured. */
  mailer: Mailer | null
  secretBox: SecretBox
  log: { warn(details: object, message: string): void }
}>

const timeoutMs = 10_000

/** What the library throws: with the command that failed, and what the server answered to it, if it did. */
type SmtpError = { code?: string; command?: string; responseCode?: number; message: string }

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

/** What the library throws, by kind. @throws DeliveryFailure */
function fail(error: unknown): never {
  const { code, responseCode = 0, message } = error as SmtpError
  const kind = code === 'EAUTH' ? 'mail_sign_in' : responseCode > 0 ? 'mail_refused' : 'mail_unreachable'
  const why = { kind, said: inOneLine(message, 300) } as const
  throw new DeliveryFailure(why, { isFinal: isLastWord(error as SmtpError), cause: error })
}

/** What the service is refused for meets every mail: its own address as the sender, its sign-in, its right to relay. */
const ofTheService = /relay|authenticat|sender/i

/**
 * Whether this mail will never be taken: a 5xx to its recipient or its content (RFC 5321 '4.2.1'). What is refused of the service is set
 * right by the operator some day. Where the answer has an enhanced code, that tells (RFC 3463): addresses, mailboxes, routes and content
 * are the mail's own; 1.7 and 1.8 are the sender's address.
 */
function isLastWord({ command, responseCode = 0, message }: SmtpError): boolean {
  if (command !== 'RCPT TO' && command !== 'DATA') return false
  if (responseCode < 550 || responseCode > 599) return false
  const enhanced = /\b5\d\d[ -]5\.(\d{1,3}\.\d{1,3})\b/.exec(message)?.[1]
  if (enhanced === undefined) return !ofTheService.test(message)
  return /^[1246]\./.test(enhanced) && !/^1\.[78]$/.test(enhanced)
}
