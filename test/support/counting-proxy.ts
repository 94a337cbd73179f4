/** A proxy in front of PostgreSQL that counts statements and round trips. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'

export type Counts = {
  statements: number
  /** Times that a client sent something after receiving the previous answer. */
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
    let isAnswered = true
    const count = messageCounter((type) => {
      if (type === 'E' || type === 'Q') counts.statements += 1
    })
    client.on('data', (bytes) => {
      if (isAnswered) counts.roundTrips += 1
      isAnswered = false
      count(bytes)
    })
    upstream.on('data', () => {
      isAnswered = true
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

/** Reads the type of each frontend message: a letter, a length that includes itself, and the rest. The first message has no letter. */
function messageCounter(tell: (type: string) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0)
  let letters = 0
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= letters + 4) {
      const end = letters + rest.readUInt32BE(letters)
      if (rest.length < end) return
      if (letters === 1) tell(String.fromCharCode(rest[0] ?? 0))
      rest = rest.subarray(end)
      letters = 1
    }
  }
}
