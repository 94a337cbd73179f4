/**
 * The figures of this process as Prometheus wants them. What is counted elsewhere is read when it is asked for; only requests are
 * observed one by one. Labels are names that stand in the source: no agency, no key, no address.
 */
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Deps } from '../deps.ts'
import { isAway, poolFigures } from '../db/database.ts'
import { allCounts } from '../figures.ts'

const prefix = 'listings_'
const durationBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 45]

/** What any process of the service can tell of itself. */
export function processFigures(deps: Deps): Registry {
  const registry = new Registry()
  const registers = [registry]
  // Every so many milliseconds the event loop is looked at, which wakes a process that rests.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 })
  for (const count of allCounts) {
    const counter: Counter = new Counter({
      name: prefix + count.name,
      help: count.help,
      labelNames: [count.label],
      registers,
      collect() {
        counter.reset()
        for (const [value, amount] of count.read()) counter.inc({ [count.label]: value }, amount)
      },
    })
  }
  gauge('process_memory_most_bytes', 'Resident memory of the process that has most.', {
    aggregator: 'max',
    read: () => process.memoryUsage.rss(),
  })
  for (const state of ['open', 'idle', 'waiting'] as const) {
    const what =
      state === 'waiting' ? 'Statements that wait for a connection' : `Connections that are ${state}`
    gauge(`database_pool_${state}`, `${what}, of the pool for transactions.`, {
      read: () => poolFigures()[state],
    })
  }
  gauge(
    'database_up',
    'Whether the database is there, as far as the processes have noticed: 0 as soon as one has not found it.',
    {
      aggregator: 'min',
      read: () => (isAway(deps.db) ? 0 : 1),
    },
  )
  const { replica } = deps
  if (replica !== null) {
    const reads: Counter = new Counter({
      name: `${prefix}replica_reads_total`,
      help: 'Reads that the replica could answer, by what became of them; those that it did not answer went to the primary.',
      labelNames: ['outcome'],
      registers,
      collect() {
        reads.reset()
        for (const [outcome, amount] of Object.entries(replica.counts)) reads.inc({ outcome }, amount)
      },
    })
  }
  if (deps.config.geocoder !== 'none') {
    gauge('geocoder_breakers_open', 'Processes that leave the geocoding service alone because it fails.', {
      read: () => (deps.geocoder.isReady() ? 0 : 1),
    })
  }
  const labelNames = ['channel', 'outcome']
  const deliveries: Counter = new Counter({
    name: `${prefix}deliveries_total`,
    help: 'Attempts to deliver a notification.',
    labelNames,
    registers,
    collect() {
      deliveries.reset()
      for (const { channel, outcome, attempts } of deps.deliveryTally.read())
        deliveries.inc({ channel, outcome }, attempts)
    },
  })
  const seconds: Counter = new Counter({
    name: `${prefix}delivery_seconds_total`,
    help: 'Time that those attempts took, in seconds.',
    labelNames,
    registers,
    collect() {
      seconds.reset()
      for (const { channel, outcome, seconds: amount } of deps.deliveryTally.read())
        seconds.inc({ channel, outcome }, amount)
    },
  })
  return registry

  function gauge(
    name: string,
    help: string,
    { aggregator = 'sum', read }: { aggregator?: 'sum' | 'max' | 'min'; read: () => number },
  ): void {
    const made: Gauge = new Gauge({
      name: prefix + name,
      help,
      registers,
      aggregator,
      collect: () => made.set(read()),
    })
  }
}

/** Observes the requests of an application, each once it is answered. */
export function watchRequests(registry: Registry): (app: FastifyInstance) => void {
  const registers = [registry]
  const durations = new Histogram({
    name: `${prefix}http_request_duration_seconds`,
    help: 'Time from a request’s headers to the end of its answer, by method, pattern of the route, status and code of the error.',
    labelNames: ['method', 'route', 'status', 'code'],
    buckets: durationBuckets,
    registers,
  })
  const replays = new Counter({
    name: `${prefix}idempotency_replays_total`,
    help: 'Answers that repeat the one that an Idempotency-Key got before.',
    registers,
  })
  return (app) => {
    const running: Gauge = new Gauge({
      name: `${prefix}http_requests_in_flight`,
      help: 'Requests that are being answered.',
      registers,
      collect: () => running.set(app.closing.running()),
    })
    app.addHook('onResponse', async (request, reply) => {
      durations.observe(
        {
          method: request.method,
          route: request.routeOptions.url ?? 'none',
          status: String(reply.statusCode),
          code: request.failure ?? '',
        },
        reply.elapsedTime / 1_000,
      )
      if (reply.hasHeader('idempotent-replayed')) replays.inc()
    })
  }
}
