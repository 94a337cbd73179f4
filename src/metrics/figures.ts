/**
 * The metrics of this process for Prometheus. Counts kept elsewhere are read when scraped; only requests are observed one by one.
 * Label values come from the source: no agency, no key, no IP.
 */
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Deps } from '../deps.ts'
import { poolFigures } from '../db/database.ts'
import { allCounts } from '../figures.ts'

const prefix = 'listings_'
const durationBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 45]

/** What every process of the service reports. */
export function processFigures(deps: Deps): Registry {
  const registry = new Registry()
  const registers = [registry]
  // In milliseconds. Each look at the event loop wakes an idle process.
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
  gauge('process_memory_most_bytes', 'Resident memory of the largest process.', {
    aggregator: 'max',
    read: () => process.memoryUsage.rss(),
  })
  for (const state of ['open', 'idle', 'waiting'] as const) {
    const what = state === 'waiting' ? 'Statements waiting for a connection' : `Connections that are ${state}`
    gauge(`database_pool_${state}`, `${what}, of the pool for transactions.`, {
      read: () => poolFigures()[state],
    })
  }
  gauge(
    'database_up',
    'Whether the database is up, as far as the processes have noticed: 0 as soon as one cannot reach it.',
    {
      aggregator: 'min',
      read: () => (deps.db.isAway() ? 0 : 1),
    },
  )
  const { replica } = deps
  if (replica !== null) {
    const reads: Counter = new Counter({
      name: `${prefix}replica_reads_total`,
      help: 'Reads offered to the replica, by outcome; those it did not answer went to the primary.',
      labelNames: ['outcome'],
      registers,
      collect() {
        reads.reset()
        for (const [outcome, amount] of Object.entries(replica.counts)) reads.inc({ outcome }, amount)
      },
    })
  }
  if (deps.config.geocoder !== 'none') {
    gauge('geocoder_breakers_open', 'Processes that send the geocoding service nothing because it fails.', {
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
    help: 'Time taken by those attempts, in seconds.',
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

/** Observes each request once it is answered. */
export function watchRequests(registry: Registry): (app: FastifyInstance) => void {
  const registers = [registry]
  const durations = new Histogram({
    name: `${prefix}http_request_duration_seconds`,
    help: 'Time from a request’s headers to the end of its answer, by method, route, status and error code.',
    labelNames: ['method', 'route', 'status', 'code'],
    buckets: durationBuckets,
    registers,
  })
  const replays = new Counter({
    name: `${prefix}idempotency_replays_total`,
    help: 'Answers replayed for an Idempotency-Key.',
    registers,
  })
  return (app) => {
    const running: Gauge = new Gauge({
      name: `${prefix}http_requests_in_flight`,
      help: 'Requests in progress.',
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
