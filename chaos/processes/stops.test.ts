/**
 * A clean stop under load: running requests finish, idle clients are not waited for, the database is stopped, and the next start finds
 * everything as it was.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { publishable } from '../../test/support/app/app.ts'
import { type ApiResponse, ask, type Write } from '../support/ask.ts'
import { checkConsistency } from '../support/consistency.ts'
import { type Pictures, servePictures } from '../support/pictures.ts'
import { newService, type Service } from '../support/service.ts'

const writers = 12
/** The maximum time of a stop without long-running work; waiting for idle clients would take longer. */
const soonMs = 8_000

let pictures: Pictures
before(async () => {
  pictures = await servePictures()
})
after(() => pictures.close())
afterEach(() => pictures.release())

/** Writes as fast as possible until the service is gone. */
async function writeUntilGone(url: string, key: string, seen: ApiResponse[]): Promise<void> {
  const external = randomUUID()
  for (let turn = 0; ; turn += 1) {
    const response = await ask(url, key, {
      method: 'PUT',
      path: `/properties/external/${external}`,
      body: { title: `Casa ${turn}` },
    })
    if (response === null) return
    assert.ok([200, 201].includes(response.status), response.text)
    seen.push(response)
  }
}

/** A connection that has sent this text and sends nothing more. */
async function linger(url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.resume().write(text)
  return socket
}

async function stopUnderLoad(service: Service, agency: { id: string; key: string }, signal: NodeJS.Signals) {
  const { url } = service
  const seen: ApiResponse[] = []
  const writing = Promise.all(Array.from({ length: writers }, () => writeUntilGone(url, agency.key, seen)))
  // A write that is certain to be running when the signal arrives.
  pictures.hold()
  const photos = pictures.addresses(3, randomUUID())
  const slow: Write = {
    method: 'POST',
    path: '/properties',
    idempotencyKey: randomUUID(),
    body: publishable({ photos }),
  }
  const running = ask(url, agency.key, slow)
  const head = `POST /api/v1/properties HTTP/1.1\r\nhost: x\r\nuser-agent: A/1.0 (a@b.example)\r\nx-api-key: ${agency.key}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n`
  const others = await Promise.all([
    linger(url, ''),
    linger(url, 'GET /api/v1/health HTTP/1.1\r\nhost'),
    linger(url, 'GET /api/v1/health HTTP/1.1\r\nhost: x\r\n\r\n'),
    linger(url, `${head}\r\n{"title"`),
  ])
  while (pictures.waiting() === 0 || seen.length < 40) await delay(1)

  const began = performance.now()
  const stopping = service.stop(signal)
  // From now on the writers are rejected; their earlier requests got a response, or never started.
  await writing
  pictures.release()
  const response = await running
  assert.equal(response?.status, 201, `the running request was cut: ${response?.text}`)
  const code = await stopping
  const took = performance.now() - began
  assert.equal(code, 0, service.said())
  assert.ok(took < soonMs, `it took ${took} ms`)
  await Promise.all(others.map((socket) => socket.closed || once(socket, 'close')))
  return { seen, slow, response, took }
}

/** The number of writes in the history, after checking that it matches the listings. */
async function writesOf(service: Service, agencyId: string): Promise<number> {
  const db = new Client(service.connection())
  await db.connect()
  await checkConsistency(db, agencyId, service.dataDir)
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from listing_history where agency_id = $1',
    [agencyId],
  )
  await db.end()
  return rows[0]?.count ?? -1
}

for (const { what, signal, command } of [
  { what: 'SIGTERM', signal: 'SIGTERM', command: undefined },
  // In a terminal Ctrl-C reaches every process of the group: npm, and the service below it.
  { what: 'Ctrl-C under npm start', signal: 'SIGINT', command: ['npm', 'start'] },
] as const) {
  describe(what, () => {
    let service: Service
    let agency: { id: string; key: string }
    before(async () => {
      service = await newService({ ...pictures.settings }, command === undefined ? {} : { command })
      await service.start()
      agency = await service.newAgency('stopped')
    })
    after(() => service.end())

    test('under load, three times: no response is cut, idle clients are not waited for, and the next start is clean', async (context) => {
      for (let round = 0; round < 3; round += 1) {
        const before = await writesOf(service, agency.id)
        const { seen, slow, response, took } = await stopUnderLoad(service, agency, signal)
        assert.equal(service.isDatabaseRunning(), false)
        const log = readFileSync(join(service.dataDir, 'postgres-18', 'postgres.log'), 'utf8')
        assert.match(log.trimEnd(), /database system is shut down$/)
        await service.start()
        const again = await ask(service.url, agency.key, slow)
        assert.deepEqual([again?.replayed, again?.text], [true, response.text])
        // Effects and responses agree: no response was cut.
        assert.equal(await writesOf(service, agency.id), before + seen.length + 1)
        context.diagnostic(`${seen.length} writes, stopped in ${Math.round(took)} ms`)
      }
    })
  })
}
