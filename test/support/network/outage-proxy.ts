/** A proxy in front of PostgreSQL that can act like a stopped database, a frozen one, or a network that drops everything. */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { ClientConfig } from 'pg'
import { openUpstream, throughPort } from './counting-proxy.ts'

export type OutageProxy = {
  /** Connects through the proxy. */
  connection: ClientConfig
  /** Nothing passes in either direction; connections stay open and new ones are accepted. */
  swallow(): void
  /** Cuts connections and refuses new ones. */
  stop(): Promise<void>
  /** Forwards everything again. Dropped data is lost, along with its connections. */
  restore(): Promise<void>
  /** Connection attempts since the last call. */
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
