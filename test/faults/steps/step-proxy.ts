/**
 * A proxy in front of PostgreSQL where each connection and each statement is a step that can fail (steps.ts). The driver sends several
 * statements in one packet; each ends with Sync or is a simple Query, and PostgreSQL responds to each with ReadyForQuery.
 */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { ClientConfig } from 'pg'
import { messageReader, openUpstream, throughPort } from '../../support/network/counting-proxy.ts'
import type { Steps } from './steps.ts'

export type StepProxy = {
  /** Connects through the proxy. */
  connection: ClientConfig
  /** Closes all connections. Resolves when their clients have closed them too. */
  closeConnections(): Promise<void>
  close(): void
}

export async function stepProxy(to: ClientConfig, steps: Steps): Promise<StepProxy> {
  const clients = new Set<Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    clients.add(client)
    client.once('close', () => clients.delete(client))
    relay(client, openUpstream(to), steps)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    connection: throughPort(to, port),
    async closeConnections() {
      const closed = [...clients].map((client) => once(client, 'close'))
      for (const client of clients) client.end()
      await Promise.all(closed)
    },
    close() {
      server.close()
      for (const client of clients) client.destroy()
    },
  }
}

/** Whether a response passes. With a rejected commit, only the error does, and not the tag of the rollback. */
type Fate = 'pass' | 'lose' | 'hide tag'

function relay(client: Socket, upstream: Socket, steps: Steps): void {
  /** The fates of the responses that PostgreSQL owes: one for the start, and one for each statement. */
  const owed: Fate[] = []
  let isCutting = false
  let group: Buffer[] = []
  let name = ''
  /** The text of each prepared statement. */
  const texts = new Map<string, string>()

  const cut = (): void => {
    client.destroy()
    upstream.destroy()
  }
  /** Cuts once everything that was sent has a response. */
  const cutWhenIdle = (): void => {
    isCutting = true
    if (owed.length === 0) cut()
  }

  const start = (bytes: Buffer): void => {
    // Only the start of a session is a step; a request to cancel a statement is not.
    const way = bytes.readUInt16BE(4) === 3 ? steps.take('connect') : null
    if (way === 'cut before') return cut()
    if (way === 'rejected') {
      client.end(errorResponse('FATAL', '53300', 'sorry, too many clients already'))
      return void upstream.destroy()
    }
    owed.push('pass')
    upstream.write(bytes)
    if (way === 'cut after') cutWhenIdle()
  }

  const finishStatement = (): void => {
    const statement = Buffer.concat(group)
    const isCommit = name === 'commit'
    const way = steps.take(name)
    group = []
    name = ''
    if (way === 'cut before') return cutWhenIdle()
    if (way === 'rejected') {
      owed.push(isCommit ? 'hide tag' : 'pass')
      // A commit that fails ends its transaction.
      return void upstream.write(simpleQuery(isCommit ? `rollback; ${raise}` : raise))
    }
    owed.push(way === 'cut after' ? 'lose' : 'pass')
    upstream.write(statement)
    if (way === 'cut after') cutWhenIdle()
  }

  const readClient = messageReader({ hasStart: true }, ({ type, bytes }) => {
    if (isCutting) return
    if (type === '') return start(bytes)
    // The password, and the end of the session.
    if (type === 'p' || type === 'X') return void upstream.write(bytes)
    group.push(bytes)
    name ||= statementName(type, bytes, texts)
    if (type === 'S' || type === 'Q') finishStatement()
  })
  const readUpstream = messageReader({ hasStart: false }, ({ type, bytes }) => {
    const [response = 'pass'] = owed
    const isHidden = response === 'lose' || (response === 'hide tag' && type === 'C')
    const isLast = type === 'Z'
    // A session that is cut after its start never becomes ready.
    if (!isHidden && !(isLast && isCutting && owed.length === 1)) client.write(bytes)
    if (isLast) owed.shift()
    if (isLast && isCutting && owed.length === 0) cut()
  })
  for (const [from, read, into] of [
    [client, readClient, upstream],
    [upstream, readUpstream, client],
  ] as const) {
    from.on('data', read)
    from.on('error', () => {})
    from.once('end', () => into.end())
    from.once('close', () => into.destroy())
  }
}

const raise = `do $$ begin
  raise exception using errcode = '53100', message = 'could not extend file: No space left on device';
end $$`

/** The statement's first words. @param texts the prepared statements, to which a new one is added */
export function statementName(type: string, bytes: Buffer, texts: Map<string, string>): string {
  // Parse begins with the statement's name, then its text; Bind with the portal's name, then the statement's.
  const [first = '', second = ''] = bytes.subarray(5).toString().split('\0', 2)
  if (type === 'P') texts.set(first, second)
  const text = type === 'P' ? second : type === 'B' ? (texts.get(second) ?? second) : first
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 60)
}

function simpleQuery(text: string): Buffer {
  return messageOf('Q', `${text}\0`)
}

function errorResponse(severity: string, code: string, message: string): Buffer {
  return messageOf('E', `S${severity}\0V${severity}\0C${code}\0M${message}\0\0`)
}

function messageOf(type: string, text: string): Buffer {
  const body = Buffer.from(text)
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
