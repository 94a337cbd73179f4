/** A proxy in front of PostgreSQL that counts statements and round trips. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'

export type Counts = {
  statements: number
  /** Times that a client sent something after receiving the previous response. */
  roundTrips: number
}

export type CountingProxy = {
  /** Connects through the proxy. */
  connection: ClientConfig
  /** The counts since the last call. */
  counts(): Counts
  close(): void
}

export async function countingProxy(to: ClientConfig): Promise<CountingProxy> {
  let counts: Counts = { statements: 0, roundTrips: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = openUpstream(to)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    let hasResponse = true
    const count = messageReader({ hasStart: true }, ({ type }) => {
      if (type === 'E' || type === 'Q') counts.statements += 1
    })
    client.on('data', (bytes) => {
      if (hasResponse) counts.roundTrips += 1
      hasResponse = false
      count(bytes)
    })
    upstream.on('data', () => {
      hasResponse = true
    })
    client.pipe(upstream).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    connection: throughPort(to, port),
    counts() {
      const passed = counts
      counts = { statements: 0, roundTrips: 0 }
      return passed
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** A raw connection to PostgreSQL. */
export function openUpstream({ connectionString, host = 'localhost', port = 5432 }: ClientConfig): Socket {
  if (connectionString === undefined)
    return host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(Number(port), host)
  const address = new URL(connectionString)
  return connect(Number(address.port || 5432), address.hostname)
}

/** The same database through a port of this machine. */
export function throughPort(to: ClientConfig, port: number): ClientConfig {
  if (to.connectionString === undefined) return { ...to, host: '127.0.0.1', port }
  return {
    connectionString: Object.assign(new URL(to.connectionString), { host: `127.0.0.1:${port}` }).href,
  }
}

/** A message of the protocol. Its type is a letter; the first message of a client has none. */
type Message = { type: string; bytes: Buffer }

/** Splits what arrives into messages: a letter, a length that includes itself, and the rest. */
export function messageReader({ hasStart }: { hasStart: boolean }, take: (message: Message) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let letters = hasStart ? 0 : 1
  return (bytes: Buffer): void => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= letters + 4) {
      const end = letters + rest.readUInt32BE(letters)
      if (rest.length < end) return
      const type = letters === 0 ? '' : String.fromCharCode(rest[0] ?? 0)
      const message = { type, bytes: rest.subarray(0, end) }
      rest = rest.subarray(end)
      letters = 1
      take(message)
    }
  }
}
