/** An HTTP proxy in front of the application that fails like a network or a busy service, as scripted by a test. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Dispatcher, request } from 'undici'

/** The fault injected into a request; `pass` once the script is over. */
export type Fault =
  | 'pass'
  /** The connection breaks, and the service never sees the request. */
  | 'refuse'
  /** The service acts, and the response is lost. */
  | 'lose response'
  /** The service acts, and half of the response arrives. */
  | 'cut response'
  /** The service acts, and the response waits until the proxy closes. */
  | 'hold response'
  /** The proxy responds itself, and the service never sees the request. */
  | { status: number; headers?: Record<string, string>; body?: string }

export type FaultProxy = {
  url: string
  /** All requests received, including those that the service never saw. */
  requests: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[]
  /** The requests in progress at the proxy or the service. */
  running(): number
  /** Sets the faults of the next requests, in order. */
  script(...faults: Fault[]): void
  close(): Promise<void>
}

/** @param decide chooses the fault of a request once the script is over */
export async function faultProxy(
  target: string,
  decide: (request: { method: string; path: string; number: number }) => Fault | Promise<Fault> = () =>
    'pass',
): Promise<FaultProxy> {
  const faults: Fault[] = []
  const requests: FaultProxy['requests'] = []
  let running = 0
  const server = createServer((incoming, outgoing) => {
    running += 1
    void handle(incoming, outgoing)
      .catch(() => outgoing.destroy())
      .finally(() => {
        running -= 1
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces)
    const { method = '', url: path = '', headers } = incoming
    requests.push({ method, path, headers, body: body.toString() })
    const fault = faults.shift() ?? (await decide({ method, path, number: requests.length }))
    if (fault === 'refuse') return void incoming.socket.destroy()
    if (typeof fault === 'object') return void outgoing.writeHead(fault.status, fault.headers).end(fault.body)
    const { host: _, connection: __, 'transfer-encoding': ___, ...passed } = headers
    const response = await request(target + path, {
      method: method as Dispatcher.HttpMethod,
      headers: passed,
      body: body.length === 0 ? null : body,
    })
    const text = await response.body.text()
    if (fault === 'lose response') return void incoming.socket.destroy()
    if (fault === 'hold response') return
    const { 'transfer-encoding': ____, connection: _____, ...received } = response.headers
    outgoing.writeHead(response.statusCode, { ...received, 'content-length': Buffer.byteLength(text) })
    if (fault === 'pass') return void outgoing.end(text)
    outgoing.write(text.slice(0, text.length / 2), () => incoming.socket.destroy())
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    running: () => running,
    script: (...more) => void faults.push(...more),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
