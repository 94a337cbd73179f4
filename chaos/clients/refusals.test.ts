/**
 * A flood of rejected requests, with an exhausted key and without a key, while an old snapshot prevents the removal of row versions: the
 * flood writes almost nothing, and a well-behaved key is served throughout.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { ask } from '../support/ask.ts'
import { newService, type Service } from '../support/service.ts'

const flood = 10_000
const atOnce = 32
const processes = 2
const writesOfADay = 20

let service: Service
let db: Client
before(async () => {
  const wide = { reads_per_minute: 1e6, reads_per_day: 1e6, writes_per_minute: 1e6 }
  service = await newService({
    WORKERS: String(processes),
    LIMITS: JSON.stringify({ ...wide, writes_per_day: writesOfADay }),
  })
  await service.start()
  db = await connect()
})
after(async () => {
  await db.end()
  await service.end()
})

async function connect(): Promise<Client> {
  const client = new Client(service.connection())
  await client.connect()
  return client
}

const pagesOf = async (table: string): Promise<number> => {
  const { rows } = await db.query<{ pages: number }>(
    `select (pg_relation_size($1::regclass) / current_setting('block_size')::int)::int as pages`,
    [table],
  )
  return rows[0]?.pages ?? 0
}

/** The milliseconds of a read of `/me`, which must succeed. */
async function readMs(key: string): Promise<number> {
  const began = performance.now()
  const response = await ask(service.url, key, { method: 'GET', path: '/me' })
  assert.equal(response?.status, 200, response?.text)
  return performance.now() - began
}

function percentiles(milliseconds: number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${sorted.length}`
}

/** Sends `count` requests, a fixed number at a time. @returns the number of responses by status */
async function send(count: number, request: () => Promise<number>): Promise<Record<number, number>> {
  const tally: Record<number, number> = {}
  let left = count
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left > 0) {
        left -= 1
        const status = await request()
        tally[status] = (tally[status] ?? 0) + 1
      }
    }),
  )
  return tally
}

test(`${2 * flood} refused requests under an old snapshot`, async (context) => {
  const greedy = await service.newAgency('greedy', 'properties:write')
  const steady = await service.newAgency('steady', 'properties:read')
  const old = await connect()
  await old.query('begin isolation level repeatable read')
  await old.query('select 1')
  const alone: number[] = []
  for (let count = 0; count < 300; count += 1) alone.push(await readMs(steady.key))
  const writing = async (): Promise<number> =>
    (await ask(service.url, greedy.key, { method: 'DELETE', path: '/properties/ZZZZ9999' }))?.status ?? 0
  const spent = await send(writesOfADay + atOnce, writing)
  assert.deepEqual(spent, { 404: writesOfADay, 429: atOnce })
  const [keysBefore, keylessBefore] = [await pagesOf('key_usage'), await pagesOf('subject_usage')]

  let goesOn = true
  const beside: number[] = []
  const reading = (async () => {
    while (goesOn) beside.push(await readMs(steady.key))
  })()
  const began = performance.now()
  const [ofKey, keyless] = await Promise.all([
    send(flood, writing),
    send(flood, async () => {
      const response = await fetch(`${service.url}/api/v1/me`, { headers: { 'user-agent': 'Chaos/1.0' } })
      await response.arrayBuffer()
      return response.status
    }),
  ])
  const minutes = Math.ceil((performance.now() - began) / 60_000) + 1
  goesOn = false
  await reading
  await old.query('rollback')
  await old.end()

  assert.deepEqual(ofKey, { 429: flood })
  assert.ok((keyless[401] ?? 0) <= 60 * minutes, JSON.stringify(keyless))
  assert.equal((keyless[401] ?? 0) + (keyless[429] ?? 0), flood)
  // A version takes at most 160 bytes: accepted requests may have added one, rejected ones none.
  const grown = [(await pagesOf('key_usage')) - keysBefore, (await pagesOf('subject_usage')) - keylessBefore]
  const granted = [beside.length, 2 * (keyless[401] ?? 0)]
  for (const [index, pages] of grown.entries())
    assert.ok(
      pages <= Math.ceil((granted[index] ?? 0) / 50) + 2,
      `${pages} pages for ${granted[index]} granted`,
    )

  // All rejections are counted, and a few are logged.
  await db.end()
  await service.stop()
  await service.start()
  db = await connect()
  const { rows } = await db.query<{ kept: number; counted: number }>(
    `select (select count(*)::int from request_log where agency_id = $1 and code = 'rate_limited') as kept,
      (select sum(requests)::int from request_days where agency_id = $1 and code = 'rate_limited') as counted`,
    [greedy.id],
  )
  const [log] = rows
  assert.equal(log?.counted, flood + atOnce)
  assert.ok(log.kept <= 10 * processes * (minutes + 1), `${log.kept} rows`)
  context.diagnostic(`GET /me alone: ${percentiles(alone)}; beside the floods: ${percentiles(beside)}`)
  context.diagnostic(`pages more: ${grown.join(' and ')}; ${log.kept} rows of the log; ${minutes} minutes`)
})
