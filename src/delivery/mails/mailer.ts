/** The connection to the mail server. */
import type { Transporter } from 'nodemailer'
import type { Clock } from '../../platform/time/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import type { SecretBox } from '../../access/secrets/secret-box.ts'
import { DeliveryFailure, inOneLine } from '../notifications/failure.ts'
import type { Log } from '../../platform/log/log.ts'

export type Mail = Readonly<{
  to: string
  subject: string
  /** Receives replies; by default the service. */
  replyTo?: Readonly<{ name: string; address: string }>
  text: string
  html?: string
  /** The same for every attempt to send the same mail, so that readers recognise a repeat. */
  messageId?: string
  /** The language of the texts, such as `es-AR`. */
  language?: string
  /** Unsubscribes the reader with one click (RFC 8058). Absent on mails that are always sent. */
  stopUrl?: string
}>

export type Mailer = Readonly<{
  /** Hands a mail to the mail server. @throws DeliveryFailure when the server rejects it, or is too slow */
  send: (mail: Mail) => Promise<void>
  /** Connects and signs in, without sending anything. @throws DeliveryFailure */
  check: () => Promise<void>
}>

export type MailDeps = Readonly<{
  config: Pick<Config, 'serviceName' | 'publicBaseUrl'>
  db: Db
  clock: Clock
  /** Null if mail is not configured. */
  mailer: Mailer | null
  secretBox: SecretBox
  log: Pick<Log, 'warn'>
}>

const timeoutMs = 10_000

/** An error of the library: the command that failed, and the server's response, if there was one. */
type SmtpError = { code?: string; command?: string; responseCode?: number; message: string }

/** The mailer of SMTP_URL, or null if mail is not configured. */
export function openMailer({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): Mailer | null {
  if (smtpUrl === null || mailFrom === null) return null
  let transport: Promise<Transporter> | undefined
  // Loaded with the first mail, because it takes a tenth of a second.
  const connected = () =>
    (transport ??= import('nodemailer').then(({ createTransport }) =>
      createTransport(smtpUrl, {
        from: mailFrom,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        // The library must not fetch any part of a mail from files or URLs.
        disableFileAccess: true,
        disableUrlAccess: true,
      } as object),
    ))
  return {
    async send({ language, stopUrl, ...mail }) {
      const headers = {
        // Asks automatic responders not to answer (RFC 3834).
        'Auto-Submitted': 'auto-generated',
        'Content-Language': language ?? [],
        'List-Unsubscribe': stopUrl === undefined ? [] : `<${stopUrl}>`,
        // RFC 8058 requires https.
        'List-Unsubscribe-Post': stopUrl?.startsWith('https:') === true ? 'List-Unsubscribe=One-Click' : [],
      }
      const subject = asRead(mail.subject)
      const { replyTo } = mail
      const replyHead = replyTo === undefined ? {} : { replyTo: { ...replyTo, name: asRead(replyTo.name) } }
      const server = await connected()
      await server.sendMail({ ...mail, ...replyHead, subject, from: mailFrom, headers }).catch(fail)
    },
    async check() {
      await (await connected()).verify().catch(fail)
    },
  }
}

/** In a header `=?utf-8?Q?…?=` would be decoded, line breaks included. This shows it as written. */
function asRead(text: string): string {
  return text.replaceAll('=?', '= ?')
}

/** @throws DeliveryFailure of the matching kind */
function fail(error: unknown): never {
  const { code, responseCode = 0, message } = error as SmtpError
  const kind = code === 'EAUTH' ? 'mail_sign_in' : responseCode > 0 ? 'mail_refused' : 'mail_unreachable'
  const why = { kind, said: inOneLine(message, 300) } as const
  throw new DeliveryFailure(why, { isFinal: isLastWord(error as SmtpError), cause: error })
}

/** Rejections that apply to every mail: the sender's address, the sign-in, the right to relay. */
const ofTheService = /relay|authenticat|sender/i

/**
 * Whether this mail will never be accepted: a 5xx for its recipient or its content (RFC 5321 '4.2.1'). Other rejections concern the
 * service, and its operator can fix them. An enhanced code decides if there is one (RFC 3463): 5.1, 5.2, 5.4 and 5.6 (recipient,
 * mailbox, route, content) concern the mail, but 5.1.7 and 5.1.8 the sender's address.
 */
function isLastWord({ command, responseCode = 0, message }: SmtpError): boolean {
  if (command !== 'RCPT TO' && command !== 'DATA') return false
  if (responseCode < 550 || responseCode > 599) return false
  const enhanced = /\b5\d\d[ -]5\.(\d{1,3}\.\d{1,3})\b/.exec(message)?.[1]
  if (enhanced === undefined) return !ofTheService.test(message)
  return /^[1246]\./.test(enhanced) && !/^1\.[78]$/.test(enhanced)
}
