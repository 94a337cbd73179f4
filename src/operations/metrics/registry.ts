/**
 * This process's metrics for Prometheus. Counters kept elsewhere are read at each scrape; only requests are observed one by one. Label
 * values are fixed in the source, so they reveal no agency, key or IP.
 */
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { poolFigures } from '../../platform/db/database.ts'
import { allCounters } from '../../platform/log/counters.ts'

const prefix = 'listings_'
const durationBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 45]

/** The metrics of every process. */
export function processRegistry(deps: Deps): Registry {
  const registry = new Registry()
  const registers = [registry]
  // In milliseconds. Each sample of the event loop wakes an idle process.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 })
  for (const { name, help, labels, read } of allCounters)
    counter(name, help, labels, () =>
      [...read()].map(([key, amount]) => {
        const values = labels.length === 1 ? [key] : key.split(' ')
        return [Object.fromEntries(labels.map((label, index) => [label, values[index] ?? ''])), amount]
      }),
    )
  gauge(
    'process_memory_most_bytes',
    'Resident memory of the largest process.',
    () => process.memoryUsage.rss(),
    'max',
  )
  for (const state of ['open', 'idle', 'waiting'] as const) {
    const what = state === 'waiting' ? 'Statements waiting for a connection' : `Connections that are ${state}`
    gauge(`database_pool_${state}`, `${what}, of the pool for transactions.`, () => poolFigures()[state])
  }
  const upHelp =
    'Whether the database is up, as far as the processes have noticed: 0 as soon as one cannot reach it.'
  gauge('database_up', upHelp, () => (deps.db.isAway() ? 0 : 1), 'min')
  const nodesAway = async () =>
    (await deps.db.nodes()).filter((node) => node !== deps.db && node.isAway()).length
  gauge('database_nodes_away', 'Nodes of Citus that a process cannot reach.', nodesAway, 'max')
  const unreadableHelp =
    'Stored secrets that neither SECRET_KEY nor SECRET_KEY_PREVIOUS decrypts, as of the start of the process.'
  gauge('secrets_unreadable', unreadableHelp, () => deps.storedSecrets.unreadable, 'max')
  const { replica } = deps
  if (replica !== null) {
    const help = 'Reads offered to the replica, by outcome; those it did not answer went to the primary.'
    counter('replica_reads_total', help, ['outcome'], () =>
      Object.entries(replica.counts).map(([outcome, amount]) => [{ outcome }, amount]),
    )
  }
  if (deps.config.geocoder !== 'none') {
    const help = 'Processes that send the geocoding service nothing because it fails.'
    gauge('geocoder_breakers_open', help, () => (deps.geocoder.isReady() ? 0 : 1))
  }
  return registry

  /** @param read returns each value with its labels */
  function counter(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => readonly (readonly [Record<string, string>, number])[],
  ): void {
    const made: Counter = new Counter({
      name: prefix + name,
      help,
      labelNames,
      registers,
      collect() {
        made.reset()
        for (const [labels, amount] of read()) made.inc(labels, amount)
      },
    })
  }

  function gauge(
    name: string,
    help: string,
    read: () => number | Promise<number>,
    aggregator: 'sum' | 'max' | 'min' = 'sum',
  ): void {
    const made: Gauge = new Gauge({
      name: prefix + name,
      help,
      registers,
      aggregator,
      collect: async () => made.set(await read()),
    })
  }
}

/** Observes each request once its response is sent. */
export function watchRequests(registry: Registry): (app: FastifyInstance) => void {
  const registers = [registry]
  const durations = new Histogram({
    name: `${prefix}http_request_duration_seconds`,
    help: 'Time from a request’s headers to the end of its response, by method, route, status and error code.',
    labelNames: ['method', 'route', 'status', 'code'],
    buckets: durationBuckets,
    registers,
  })
  const replays = new Counter({
    name: `${prefix}idempotency_replays_total`,
    help: 'Responses replayed for an Idempotency-Key.',
    registers,
  })
  return (app) => {
    const running: Gauge = new Gauge({
      name: `${prefix}http_requests_in_flight`,
      help: 'Requests in progress.',
      registers,
      collect: () => running.set(app.runningRequests().length),
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
