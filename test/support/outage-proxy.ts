/**
 * Stands between a client and PostgreSQL, and can behave as a database does that was stopped, or as one that is frozen or behind a
 * network that loses everything.
 */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { ClientConfig } from 'pg'
import { openUpstream, throughPort } from './counting-proxy.ts'

export type OutageProxy = {
  /** Through the proxy. */
  connection: ClientConfig
  /** From now on nothing passes in either direction; connections stay, and new ones are taken. */
  swallow(): void
  /** Connections are cut, and new ones refused. */
  stop(): Promise<void>
  /** As at the beginning. What was swallowed is lost, and so are the connections of that time. */
  restore(): Promise<void>
  /** How many connections were asked for since this was asked for last. */
  arrivals(): number
  close(): void
}

export async function outageProxy(to: ClientConfig): Promise<OutageProxy> {
  let isSwallowing = false
  let arrivals = 0
  let port = 0
  let server: Server
  const sockets = new Set<Socket>()
  const listen = async (): Promise<void> => {
    server = createServer((client) => {
      arrivals += 1
      sockets.add(client)
      client.on('error', () => {})
      client.once('close', () => sockets.delete(client))
      if (isSwallowing) return void client.resume()
      const upstream = openUpstream(to)
      sockets.add(upstream)
      upstream.on('error', () => {})
      for (const [from, into] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        from.on('data', (bytes) => {
          if (!isSwallowing) into.write(bytes)
        })
        from.once('close', () => {
          if (!isSwallowing) into.destroy()
          sockets.delete(from)
        })
      }
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as { port: number }).port
  }
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  await listen()
  return {
    connection: throughPort(to, port),
    swallow() {
      isSwallowing = true
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
    async restore() {
      if (isSwallowing) cut()
      isSwallowing = false
      if (!server.listening) await listen()
    },
    arrivals() {
      const count = arrivals
      arrivals = 0
      return count
    },
    close() {
      server.close()
      cut()
    },
  }
}
