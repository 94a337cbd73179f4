/** METRICS_PORT: metrics summed over all processes, liveness and readiness. */
// alone: it waits for processes that start
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../support/network/free-port.ts'
import { type EmbeddedDatabase, startEmbedded } from '../../../src/platform/db/embedded/embedded.ts'
import { openAsServed, type TestDatabase, testDatabase } from '../../support/database/database.ts'
import { readExposition, type Sample, sumOf } from './exposition.ts'
import { agencyWithKey, type ServerProcess, startServer } from '../../support/app/server.ts'
import { until } from '../../support/until.ts'

let database: TestDatabase
/** A database that can be stopped. */
let embedded: EmbeddedDatabase
let dataDir: string
before(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'listings-metrics-'))
  ;[database, embedded] = await Promise.all([
    testDatabase(),
    startEmbedded({ dataDir, log: () => {}, durable: false }),
  ])
})
after(async () => {
  await database.drop()
  // Left open, it would keep this process from ending.
  await embedded.release()
  rmSync(dataDir, { recursive: true, force: true })
})

const durations = 'listings_http_request_duration_seconds'

for (const workers of [1, 2]) {
  describe(`the metrics port with WORKERS=${workers}`, () => {
    let server: ServerProcess
    let watch: string
    let agency: Awaited<ReturnType<typeof agencyWithKey>>
    before(async () => {
      const port = await freePort()
      watch = `http://127.0.0.1:${port}`
      const { connection } = workers === 1 ? embedded : database
      server = await startServer(connection, {
        WORKERS: String(workers),
        METRICS_PORT: String(port),
        LIMITS: '{"reads_per_day": 40}',
      })
      // The server has migrated it.
      const db = await openAsServed({ connection, poolSize: 1, namedStatements: false })
      agency = await agencyWithKey(db)
      await db.destroy()
    })
    after(() => server.end())

    const ask = async (path: string, init: RequestInit = {}): Promise<number> => {
      // A new connection for each request, so that every process gets some.
      const headers = {
        'x-api-key': agency.key,
        'user-agent': 'ListingTests/1.0 (tests@example.com)',
        connection: 'close',
      }
      const { status, body } = await fetch(`${server.url}${path}`, {
        ...init,
        headers: { ...headers, ...(init.headers as Record<string, string>) },
      })
      await body?.cancel()
      return status
    }
    const scrape = async (): Promise<Sample[]> => {
      const response = await fetch(`${watch}/metrics`)
      assert.equal(response.status, 200)
      assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
      const text = await response.text()
      for (const secret of [agency.key, agency.slug, agency.id, agency.keyId])
        assert.ok(!text.includes(secret), secret)
      return readExposition(text)
    }

    test('sums the metrics of all processes', async () => {
      const statuses = await Promise.all(Array.from({ length: 60 }, () => ask('/api/v1/me')))
      assert.equal(statuses.filter((status) => status === 200).length, 40)
      const post = { method: 'POST', body: '{}' }
      const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      assert.equal(await ask('/api/v1/properties', { ...post, headers }), 201)
      assert.equal(await ask('/api/v1/properties', { ...post, headers }), 201)
      assert.equal(await ask('/api/v1/nothing'), 404)

      const samples = await scrape()
      const me = { method: 'GET', route: '/api/v1/me' }
      assert.equal(sumOf(samples, `${durations}_count`, { ...me, status: '200', code: '' }), 40)
      assert.equal(sumOf(samples, `${durations}_count`, { ...me, status: '429', code: 'rate_limited' }), 20)
      assert.equal(sumOf(samples, `${durations}_bucket`, { ...me, le: '+Inf' }), 60)
      assert.equal(
        sumOf(samples, `${durations}_count`, { route: 'none', status: '404', code: 'not_found' }),
        1,
      )
      assert.equal(sumOf(samples, 'listings_limit_refusals_total', { limit: 'reads_per_day' }), 20)
      assert.equal(sumOf(samples, 'listings_idempotency_replays_total'), 1)
      assert.equal(sumOf(samples, 'listings_http_requests_in_flight'), 0)
      assert.ok(sumOf(samples, 'listings_admission_statements_total', { outcome: 'answered' }) > 0)
      assert.ok(sumOf(samples, 'listings_admission_seconds_total') > 0)
      assert.equal(sumOf(samples, 'listings_database_up'), 1)
      assert.deepEqual(
        samples.filter(({ name }) => name === 'listings_photos_total').map(({ labels }) => labels['outcome']),
        ['stored', 'duplicate', 'failed_source', 'failed_storage', 'failed_late'],
      )
      assert.ok(!samples.some(({ name }) => name === 'listings_replica_reads_total'))
      for (const name of [
        'listings_outbox_pending',
        'listings_outbox_set_aside',
        'listings_outbox_oldest_pending_seconds',
        'listings_database_pool_open',
        'listings_reaping_overdue_seconds',
        'listings_photos_condemned',
        'nodejs_eventloop_lag_max_seconds',
        'process_cpu_seconds_total',
      ])
        assert.ok(
          samples.some((sample) => sample.name === name),
          name,
        )
    })

    test('serves liveness and readiness, and nothing else', async () => {
      for (const [path, status] of [
        ['/live', 200],
        ['/ready', 200],
        ['/api/v1/health', 404],
        ['/', 404],
      ] as const)
        assert.equal((await fetch(`${watch}${path}`)).status, status, path)
      assert.equal((await fetch(`${watch}/metrics`, { method: 'POST' })).status, 405)
      assert.equal(await ask('/metrics'), 404)
    })

    if (workers > 1) {
      test('keeps the counts of a process that has ended', async () => {
        const replaced = server.says(/starting another/)
        process.kill(server.serving()[0] ?? 0, 'SIGKILL')
        await replaced
        await until(async () => (await fetch(`${watch}/ready`)).status === 200)
        assert.equal(sumOf(await scrape(), `${durations}_count`, { route: '/api/v1/me' }), 60)
        assert.equal((await fetch(`${watch}/ready`)).status, 200)
      })
    } else {
      test('is alive but not ready without its database', async () => {
        await embedded.release()
        await until(async () => (await fetch(`${watch}/ready`)).status === 503)
        assert.equal((await fetch(`${watch}/live`)).status, 200)
        await until(async () => sumOf(await scrape(), 'listings_database_up') === 0)
        // Earlier results from the database are shown for two more seconds.
        const asked = /^listings_(outbox_pending|reaping_overdue_seconds|photos_condemned)$/
        await until(async () => !(await scrape()).some(({ name }) => asked.test(name)))
      })
    }
  })
}

test('a start names a metrics port that is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  for (const workers of ['1', '2'])
    await assert.rejects(
      startServer(database.connection, { WORKERS: workers, METRICS_PORT: String(port) }),
      /^Error: the server ended: [\d.:T-]+Z METRICS_PORT [^\n]+\n$/,
    )
  taken.close()
})

test('a worker process serves metrics too', async () => {
  const port = await freePort()
  const worker = await startServer(database.connection, { METRICS_PORT: String(port) }, 'worker')
  try {
    const samples = readExposition(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
    assert.ok(samples.some(({ name }) => name === 'listings_outbox_pending'))
    assert.equal((await fetch(`http://127.0.0.1:${port}/ready`)).status, 200)
    worker.signal('SIGTERM')
    assert.equal(await worker.ended, 0)
  } finally {
    await worker.end()
  }
})
