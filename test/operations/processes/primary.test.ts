/** Several processes on one port: replacing and stopping them loses no request, except those of a killed process. */
// alone: it waits for processes that start
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../support/network/free-port.ts'
import { type Pictures, servePictures } from '../../../chaos/support/pictures.ts'
import { publishable } from '../../support/app/app.ts'
import { type TestDatabase, testDatabase } from '../../support/database/database.ts'
import { readExposition, sumOf } from '../metrics/exposition.ts'
import { agencyWithKey, type ServerProcess, startServer } from '../../support/app/server.ts'
import { until } from '../../support/until.ts'

const streams = 8
/** The pause between requests of a stream: without it they would starve the starting process of CPU. */
const pauseMs = 20

let database: TestDatabase
let pictures: Pictures
let server: ServerProcess
let metricsPort: number
let key: string
const limits = { reads_per_minute: 1e6, reads_per_day: 1e6, writes_per_minute: 1e6, writes_per_day: 1e6 }
const start = () =>
  startServer(database.connection, {
    WORKERS: '2',
    METRICS_PORT: String(metricsPort),
    LIMITS: JSON.stringify(limits),
    ...pictures.settings,
  })

before(async () => {
  ;[database, pictures] = await Promise.all([testDatabase(), servePictures()])
  metricsPort = await freePort()
  key = (await agencyWithKey(database.db)).key
  server = await start()
})
after(async () => {
  await server.end()
  await pictures.close()
  await database.drop()
})

const headers = (): Record<string, string> => ({
  'x-api-key': key,
  'user-agent': 'ListingTests/1.0 (tests@example.com)',
})

/** Keeps sending requests, on kept connections and on fresh ones. @returns a function that stops it and returns the results */
function keepRequesting(): () => Promise<{ successes: number; failed: string[] }> {
  let goesOn = true
  let successes = 0
  const failed: string[] = []
  const requesting = Array.from({ length: streams }, async (_, index) => {
    const fresh: Record<string, string> = index % 2 === 0 ? { connection: 'close' } : {}
    while (goesOn) {
      try {
        const response = await fetch(`${server.url}/api/v1/me`, {
          headers: { ...headers(), ...fresh },
          signal: AbortSignal.timeout(20_000),
        })
        const text = await response.text()
        if (response.status === 200) successes += 1
        else failed.push(text)
      } catch (error) {
        const { message, cause } = error as Error
        failed.push(`${message} ${(cause as Error | undefined)?.message} ${JSON.stringify(fresh)}`)
      }
      await delay(pauseMs)
    }
  })
  return async () => {
    goesOn = false
    await Promise.all(requesting)
    return { successes, failed }
  }
}

/** A creation that stays in progress until the pictures are released. */
async function runningWrite(): Promise<{ response: Promise<Response> }> {
  pictures.hold()
  const response = fetch(`${server.url}/api/v1/properties`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(publishable({ photos: pictures.addresses(3, randomUUID()) })),
  })
  response.catch(() => {})
  await until(() => pictures.waiting() > 0)
  return { response }
}

test('a killed process is replaced, and only its requests in progress fail', async () => {
  const [killed, spared] = server.serving()
  const stop = keepRequesting()
  const said = server.says(/ended with SIGKILL; starting another/)
  process.kill(Number(killed), 'SIGKILL')
  await said
  // Waits until the other one listens.
  await until(async () => (await fetch(`http://127.0.0.1:${metricsPort}/ready`)).status === 200)
  const { successes, failed } = await stop()
  assert.ok(failed.length <= streams, failed.join('\n'))
  assert.ok(successes > 0)
  assert.ok(server.serving().includes(Number(spared)))
  assert.ok(!server.serving().includes(Number(killed)))
})

test('a process that hangs is killed and replaced, and is counted', async () => {
  const [hung, spared] = server.serving()
  const noticed = server.says(
    new RegExp(`serving process ${hung} has not answered for 10 seconds; killing it`),
  )
  const replaced = server.says(new RegExp(`${hung} ended with SIGKILL; starting another`))
  process.kill(Number(hung), 'SIGSTOP')
  await Promise.all([noticed, replaced])
  await until(async () => (await fetch(`http://127.0.0.1:${metricsPort}/ready`)).status === 200)
  assert.ok(server.serving().includes(Number(spared)))
  assert.ok(!server.serving().includes(Number(hung)))
  const samples = readExposition(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())
  assert.equal(sumOf(samples, 'listings_processes_hung_total', { state: 'listening' }), 1)
  assert.equal(sumOf(samples, 'listings_processes_hung_total', { state: 'stopping' }), 0)
})

test('when the primary process is killed, the others finish their requests and exit', async () => {
  const { response } = await runningWrite()
  server.signal('SIGKILL')
  pictures.release()
  assert.equal((await response).status, 201)
  // Waits until no process has its output open.
  await server.ended
  await assert.rejects(fetch(`${server.url}/api/v1/health`))
})

test('SIGTERM ends all processes once their requests are finished', async () => {
  await server.end()
  server = await start()
  const { response } = await runningWrite()
  server.signal('SIGTERM')
  server.signal('SIGINT')
  await until(() => server.said().includes('Stopping'))
  pictures.release()
  assert.equal((await response).status, 201)
  assert.equal(await server.ended, 0)
  const lines = server.said().trimEnd().split('\n')
  assert.match(lines[0] ?? '', /^\S+Z Svc listens on /)
  for (const line of lines) assert.match(line, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \S/)
})

test('a process that hangs does not keep the others from stopping', async () => {
  await server.end()
  server = await start()
  process.kill(Number(server.serving()[0]), 'SIGSTOP')
  const killed = server.says(/has not answered for 10 seconds; killing it/)
  server.signal('SIGTERM')
  await killed
  assert.equal(await server.ended, 0)
})
