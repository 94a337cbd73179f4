/** The load: a separate process that keeps a number of connections busy for a while, and reports the results. Orders arrive over IPC. */
import { performance } from 'node:perf_hooks'
import { Client, type Dispatcher } from 'undici'

export type LoadRequest = {
  method: 'GET' | 'POST' | 'PUT'
  /**
   * In path, body and header values, `__n__` is replaced by a number that is never used again, and `__moment__` by a time before 2000 that
   * has not been used for long.
   */
  path: string
  headers: Record<string, string>
  body?: string
}

export type LoadOrder = {
  origin: string
  connections: number
  durationMs: number
  /** Sent in turn over all connections. */
  requests: LoadRequest[]
  /** The expected statuses; any other fails the benchmark. */
  statuses: number[]
  /** Whether texts contain `__n__` or `__moment__`. */
  unique: boolean
  /** Maximum requests per second, spread evenly over the connections; unlimited by default. */
  perSecond?: number
}

export type LoadReport = {
  requests: number
  seconds: number
  /** Milliseconds. */
  p50: number
  p99: number
  bytes: number
  cpuSeconds: number
}

let sent = Math.floor(Date.now() / 1000) * 1_000_000

async function run(order: LoadOrder): Promise<LoadReport> {
  const clients = Array.from(
    { length: order.connections },
    () => new Client(order.origin, { pipelining: 1, keepAliveTimeout: 60_000 }),
  )
  const latencies: number[] = []
  let bytes = 0
  const cpu = process.cpuUsage()
  const begin = performance.now()
  const end = begin + order.durationMs
  const spacingMs = order.perSecond === undefined ? 0 : (order.connections * 1000) / order.perSecond
  await Promise.all(
    clients.map(
      (client, index) =>
        new Promise<void>((resolve, reject) => {
          let due = begin + (index * spacingMs) / order.connections
          const next = () => {
            const started = performance.now()
            if (started >= end) return resolve()
            if (started < due) return void setTimeout(next, due - started)
            due = Math.max(due + spacingMs, started)
            let status = 0
            let refusal = ''
            const handler: Dispatcher.DispatchHandler = {
              // Required by Undici.
              onRequestStart() {},
              onResponseStart(_controller, statusCode) {
                status = statusCode
              },
              onResponseData(_controller, chunk) {
                bytes += chunk.length
                if (!order.statuses.includes(status)) refusal += chunk.toString()
              },
              onResponseEnd() {
                if (!order.statuses.includes(status)) return reject(new Error(`status ${status}: ${refusal}`))
                latencies.push(performance.now() - started)
                next()
              },
              onResponseError: (_controller, error) => reject(error),
            }
            client.dispatch(prepare(order), handler)
          }
          next()
        }),
    ),
  )
  const seconds = (performance.now() - begin) / 1000
  const { user, system } = process.cpuUsage(cpu)
  await Promise.all(clients.map((client) => client.close()))
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN
  return {
    requests: latencies.length,
    seconds,
    p50: at(0.5),
    p99: at(0.99),
    bytes,
    cpuSeconds: (user + system) / 1e6,
  }
}

function prepare(order: LoadOrder): Dispatcher.DispatchOptions {
  const number = sent++
  const request = order.requests[number % order.requests.length] as LoadRequest
  if (!order.unique) return { ...request, body: request.body ?? null }
  const fill = (text: string) =>
    text.replaceAll('__n__', String(number)).replaceAll('__moment__', momentOf(number))
  return {
    method: request.method,
    path: fill(request.path),
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, fill(value)])),
    body: request.body === undefined ? null : fill(request.body),
  }
}

function momentOf(number: number): string {
  return new Date(number % 900_000_000_000).toISOString()
}

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
