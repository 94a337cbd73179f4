/** Receivers of notifications: a real mail server and a real marketplace, which record what they receive and can be made to fail. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type ReceivedEvent = {
  headers: IncomingHttpHeaders
  body: string
  id: string
  type: string
  timestamp: string
  data: {
    event_id: string
    sequence: number
    changes: Record<string, { from: unknown; to: unknown }>
    closing: { reason: string; closed_at: string | null; close_price: unknown } | null
    listing: Record<string, unknown> & { id: string; title: string | null; status: string }
  }
}

/** The marketplace's response to an event; 204 by default. */
export type Respond = (event: ReceivedEvent, response: ServerResponse) => void

export type MarketplaceSink = {
  url: string
  /** All requests with an event, in order of arrival. */
  received: ReceivedEvent[]
  /** The events of one listing, as `published 1`. */
  of(id: string): string[]
  respondWith(with_: Respond): void
  close(): Promise<void>
}

const taken: Respond = (_event, response) => void response.writeHead(204).end()

export async function marketplaceSink(port = 0): Promise<MarketplaceSink> {
  const received: ReceivedEvent[] = []
  let respond = taken
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method !== 'POST') return response.writeHead(405).end()
      const event = JSON.parse(body) as Pick<ReceivedEvent, 'type' | 'timestamp' | 'data'>
      const one = { ...event, headers: request.headers, body, id: String(request.headers['webhook-id']) }
      received.push(one)
      return respond(one, response)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received,
    of: (id) =>
      received
        .filter(({ data }) => data.listing.id === id)
        .map(({ type, data }) => `${type.replace('listing.', '')} ${data.sequence}`),
    respondWith(with_) {
      respond = with_
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type ReceivedMail = { to: string[]; source: string }

/** The SMTP commands at which the server can reject a mail. */
export type MailCommand = 'AUTH' | 'MAIL FROM' | 'RCPT TO' | 'DATA'

export type MailSink = {
  url: string
  received: ReceivedMail[]
  /** Rejects everything from now on, by default at RCPT TO, or accepts it again. */
  refuse(isRefusing: boolean, responseCode?: number, said?: string, at?: MailCommand): void
  close(): Promise<void>
}

export async function mailSink(port = 0): Promise<MailSink> {
  const received: ReceivedMail[] = []
  let refusal: { error: Error; at: MailCommand } | null = null
  const refused = (at: MailCommand): Error | null => (refusal?.at === at ? refusal.error : null)
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onAuth(_credentials, _session, callback) {
      callback(refused('AUTH'), { user: 'listings' })
    },
    onMailFrom(_address, _session, callback) {
      callback(refused('MAIL FROM'))
    },
    onRcptTo(_address, _session, callback) {
      callback(refused('RCPT TO'))
    },
    onData(stream, { envelope }, callback) {
      const to = envelope.rcptTo.map(({ address }) => address)
      const keep = async (): Promise<void> => {
        const source = await text(stream)
        const error = refused('DATA')
        if (error === null) received.push({ to, source })
        callback(error)
      }
      // Fails if the sender dies halfway through a mail. Nothing waits for a response then.
      keep().catch(() => {})
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    refuse(isRefusing, responseCode = 550, said = 'Mailbox unavailable for now', at = 'RCPT TO') {
      refusal = isRefusing ? { error: Object.assign(new Error(said), { responseCode }), at } : null
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

/** A header of a mail, unfolded and decoded. */
export function headerOf({ source }: ReceivedMail, name: string): string {
  const head = source.split('\r\n\r\n', 1)[0] ?? ''
  const line = new RegExp(`^${name}:(.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(head)?.[1] ?? ''
  return decodeWords(line.replaceAll(/\r\n[ \t]+/g, ' ').trim())
}

/** The parts of a mail by type, decoded. */
export function partsOf({ source }: ReceivedMail): { text: string; html: string } {
  const boundary = /boundary="([^"]+)"/.exec(source)?.[1] ?? ''
  const part = (type: string): string => {
    const found = new RegExp(
      `Content-Type: ${type};[^\\r\\n]*\\r\\n((?:[^\\r\\n]+\\r\\n)*)\\r\\n([\\s\\S]*?)\\r\\n--${boundary}`,
    ).exec(source)
    const [, headers = '', body = ''] = found ?? []
    const decoded = /base64/i.test(headers)
      ? Buffer.from(body, 'base64').toString('utf8')
      : /quoted-printable/i.test(headers)
        ? decodeQuoted(body.replaceAll(/=\r\n/g, ''))
        : body
    return decoded.replaceAll('\r\n', '\n')
  }
  return { text: part('text/plain'), html: part('text/html') }
}

function decodeWords(line: string): string {
  return line
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, encoded: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(encoded, 'base64').toString('utf8')
        : decodeQuoted(encoded.replaceAll('_', ' ')),
    )
}

function decodeQuoted(encoded: string): string {
  const bytes = encoded.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
