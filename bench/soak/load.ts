/**
 * The load of a long run: a separate process that sends requests at a fixed rate, whether or not earlier ones got a response (open loop).
 * A request's time counts from the moment when it was due, so requests that wait behind a stall show it. Orders arrive over IPC.
 */
import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks'
import { type Dispatcher, Pool } from 'undici'
import { type Kind, kinds, type MixedRequest, openMix, type SoakAgency } from './mix.ts'

/** The first message starts the load; each later one sets the rate, and is answered with the report since the one before. */
export type SoakOrder = { origin: string; agencies: SoakAgency[] } | { perSecond: number }

/** Milliseconds. */
type Latency = { requests: number; p50: number; p99: number; p999: number; max: number }

export type SoakReport = Latency & {
  seconds: number
  errors: number
  /** The number of each error, by status or code, and an example. */
  errorKinds: Record<string, number>
  example: string | null
  /** Whole seconds without a response. */
  silentSeconds: number
  /** How late requests were sent, because the load itself was slow; included in the latency. */
  lateP99: number
  lateMax: number
  kinds: Partial<Record<Kind, Latency>>
}

const connections = 256
/** Beyond it, requests fail unsent, so that a long stall does not fill this process's memory. */
const maxWaiting = 20_000
const maxErrorKinds = 20

function open(origin: string, agencies: readonly SoakAgency[]): (perSecond: number) => SoakReport {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const next = openMix(agencies)
  const times = newHistogram()
  const late = newHistogram()
  const byKind = new Map(kinds.map((kind) => [kind, newHistogram()]))
  let errors = 0
  let errorKinds: Record<string, number> = {}
  let example: string | null = null
  let waiting = 0
  let beganAt = performance.now()
  let respondedAt = beganAt
  let silentSeconds = 0
  let spacingMs = 0
  let due = 0
  let timer: NodeJS.Timeout | undefined

  const respond = (): void => {
    const now = performance.now()
    const between = Math.floor((now - beganAt) / 1000) - Math.floor((respondedAt - beganAt) / 1000) - 1
    silentSeconds += Math.max(0, between)
    respondedAt = now
  }
  const fail = (what: string, request: MixedRequest, text: string): void => {
    errors += 1
    if (errorKinds[what] !== undefined || Object.keys(errorKinds).length < maxErrorKinds)
      errorKinds[what] = (errorKinds[what] ?? 0) + 1
    example ??= `${request.method} ${request.path}: ${what} ${text.replaceAll(/\s+/g, ' ').slice(0, 150)}`
  }
  const send = (dueAt: number): void => {
    const request = next()
    record(late, performance.now() - dueAt)
    if (waiting >= maxWaiting) return fail('not sent', request, '')
    waiting += 1
    const done = (): void => {
      waiting -= 1
      const ms = performance.now() - dueAt
      record(times, ms)
      record(byKind.get(request.kind) as RecordableHistogram, ms)
    }
    pool.dispatch(
      { method: request.method, path: request.path, headers: request.headers, body: request.body ?? null },
      handlerOf(request, {
        respond() {
          respond()
          done()
        },
        fail: (what, text) => fail(what, request, text),
        failed(error) {
          done()
          fail((error as NodeJS.ErrnoException).code ?? error.name, request, error.message)
        },
      }),
    )
  }
  const tick = (): void => {
    for (; due <= performance.now(); due += spacingMs) send(due)
    timer = setTimeout(tick, Math.max(1, due - performance.now()))
  }

  return (perSecond) => {
    respond()
    const now = performance.now()
    const report = {
      ...latencyOf(times),
      seconds: (now - beganAt) / 1000,
      errors,
      errorKinds,
      example,
      silentSeconds,
      lateP99: late.percentile(99) / 1000,
      lateMax: late.max / 1000,
      kinds: Object.fromEntries([...byKind].map(([kind, histogram]) => [kind, latencyOf(histogram)])),
    }
    for (const histogram of [times, late, ...byKind.values()]) histogram.reset()
    ;[errors, errorKinds, example, silentSeconds, beganAt, respondedAt] = [0, {}, null, 0, now, now]
    // If the rate stays the same, sending continues undisturbed.
    const wanted = perSecond === 0 ? 0 : 1000 / perSecond
    if (wanted !== spacingMs) {
      clearTimeout(timer)
      spacingMs = wanted
      due = now + wanted
      if (wanted !== 0) tick()
    }
    return report
  }
}

type Outcome = {
  respond(): void
  fail(what: string, text: string): void
  failed(error: Error): void
}

function handlerOf(request: MixedRequest, outcome: Outcome): Dispatcher.DispatchHandler {
  let status = 0
  let text = ''
  return {
    // Required by Undici.
    onRequestStart() {},
    onResponseStart(_controller, statusCode, headers) {
      status = statusCode
      const { etag } = headers
      if (statusCode === 200 && typeof etag === 'string') request.onEtag?.(etag)
    },
    onResponseData(_controller, chunk) {
      if (request.onBody !== undefined || !request.statuses.includes(status)) text += chunk.toString()
    },
    onResponseEnd() {
      outcome.respond()
      if (request.statuses.includes(status)) request.onBody?.(text)
      else outcome.fail(String(status), text)
    },
    onResponseError: (_controller, error) => outcome.failed(error),
  }
}

/** Counts microseconds, exact to three digits; its size does not depend on the number of requests. */
function newHistogram(): RecordableHistogram {
  return createHistogram({ lowest: 1, highest: 600_000_000, figures: 3 })
}

function record(histogram: RecordableHistogram, ms: number): void {
  histogram.record(Math.max(1, Math.round(ms * 1000)))
}

function latencyOf(histogram: RecordableHistogram): Latency {
  const at = (percent: number): number => (histogram.count === 0 ? 0 : histogram.percentile(percent) / 1000)
  return {
    requests: histogram.count,
    p50: at(50),
    p99: at(99),
    p999: at(99.9),
    max: histogram.count === 0 ? 0 : histogram.max / 1000,
  }
}

let setRate: ((perSecond: number) => SoakReport) | null = null
process.on('message', (order: SoakOrder) => {
  if ('origin' in order) setRate = open(order.origin, order.agencies)
  else process.send?.(setRate?.(order.perSecond))
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
