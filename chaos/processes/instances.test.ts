/**
 * Two instances behind a load balancer, one of them killed and restarted every few seconds under load: only requests in progress on the
 * killed one fail, no limit is exceeded, nothing is lost, and nothing happens twice.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { freshAddress } from '../../test/support/app/app.ts'
import { type ApiResponse, ask, type Write } from '../support/ask.ts'
import { checkConsistency, openClaims, passLeases } from '../support/consistency.ts'
import { ownPostgres, type OwnPostgres } from '../support/postgres.ts'
import { roundRobin, type RoundRobin } from '../support/round-robin.ts'
import { newDataDir, newService, type Service } from '../support/service.ts'

const kills = 6
const clients = 4
const readsPerDay = 1_500
const limits = {
  reads_per_minute: 1e6,
  reads_per_day: readsPerDay,
  writes_per_minute: 1e6,
  writes_per_day: 1e6,
  new_listings_per_hour: 1e6,
  new_listings_per_day: 1e6,
}

/** Two instances on one database, behind a balancer. */
type Rig = {
  postgres: OwnPostgres
  dataDir: string
  instances: Service[]
  balancer: RoundRobin
  /** The number of requests that never got a response. */
  unanswered: number
  end(): Promise<void>
}

/** @param workers processes of each instance; a kill ends all of them, like that of a container or a unit */
async function newRig(workers: number): Promise<Rig> {
  const postgres = await ownPostgres()
  const dataDir = newDataDir()
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    LIMITS: JSON.stringify(limits),
    WORKERS: String(workers),
  }
  const instances = [await newService(settings, { toAll: true }), await newService(settings, { toAll: true })]
  for (const instance of instances) await instance.start()
  const balancer = await roundRobin(instances.map(({ url }) => url))
  return {
    postgres,
    dataDir,
    instances,
    balancer,
    unanswered: 0,
    async end() {
      await balancer.close()
      for (const instance of instances) await instance.end()
      await postgres.end()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A write that is sent with the same key until it gets a response. */
type Keyed = Write & { idempotencyKey: string; titles: string[]; response: ApiResponse | null }

function creation(): Keyed {
  const title = randomUUID()
  const body = { title, address: freshAddress(), external_id: randomUUID() }
  return {
    method: 'POST',
    path: '/properties',
    body,
    idempotencyKey: randomUUID(),
    titles: [title],
    response: null,
  }
}

function batch(): Keyed {
  const items = Array.from({ length: 5 }, () => ({ external_id: randomUUID(), title: randomUUID() }))
  return {
    method: 'POST',
    path: '/properties/batch',
    body: { items },
    idempotencyKey: randomUUID(),
    titles: items.map(({ title }) => title),
    response: null,
  }
}

/** Sends it until it gets a response, or the key is claimed by a request that died. */
async function send(rig: Rig, key: string, write: Keyed): Promise<void> {
  while (write.response === null) {
    const response = await ask(rig.balancer.url, key, write)
    assert.ok(response !== null, 'the balancer cut a connection')
    if (response.status === 502) {
      rig.unanswered += 1
      continue
    }
    if (response.status === 409 && response.body.error.code === 'idempotent_request_in_progress') return
    assert.ok([200, 201].includes(response.status), `${response.status} ${response.text}`)
    write.response = response
  }
}

/** Reads back what was just created, from either instance. */
async function readBack(rig: Rig, key: string, { response }: Keyed): Promise<void> {
  const id = response?.body.data?.['id']
  if (id === undefined) return
  const read = await ask(rig.balancer.url, key, { method: 'GET', path: `/properties/${String(id)}` })
  assert.ok(read !== null)
  if (read.status === 502) rig.unanswered += 1
  else assert.equal(read.status, 200, read.text)
}

for (const workers of [1, 2]) {
  test(`${kills} kills of an instance with WORKERS=${workers}`, async (context) => {
    const rig = await newRig(workers)
    try {
      await killAmidLoad(rig, context)
    } finally {
      await rig.end()
    }
  })
}

async function killAmidLoad(rig: Rig, context: TestContext): Promise<void> {
  const { instances, balancer, postgres, dataDir } = rig
  const [first] = instances as [Service]
  const agency = await first.newAgency('killed', 'properties:write')
  const keys = [agency.key]
  while (keys.length < clients) {
    const words = ['--agency', 'killed', '--name', randomUUID(), '--scope', 'properties:write']
    const { key = '' } = await first.svc('key', 'create', ...words)
    keys.push(key)
  }
  const limited = await first.newAgency('limited', 'properties:read')

  let isOver = false
  const writes: Keyed[] = []
  const writing = keys.map(async (key) => {
    for (let turn = 0; !isOver; turn += 1) {
      const write = turn % 5 === 4 ? batch() : creation()
      writes.push(write)
      await send(rig, key, write)
      if (turn % 2 === 0) await readBack(rig, key, write)
      await delay(10)
    }
  })
  const reads = { granted: 0, refused: 0, lost: 0 }
  const reading = Array.from({ length: 3 }, async () => {
    while (!isOver) {
      const response = await ask(balancer.url, limited.key, { method: 'GET', path: '/properties?per_page=1' })
      assert.ok(response !== null)
      if (response.status === 502) reads.lost += 1
      else if (response.status === 200) reads.granted += 1
      else {
        assert.equal(response.status, 429, response.text)
        reads.refused += 1
      }
      await delay(5)
    }
  })

  const killed: { instance: string; from: number; to: number }[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    await delay(1_500 + Math.random() * 1_000)
    const victim = instances[kill % 2] as Service
    const from = performance.now()
    await victim.killServer()
    killed.push({ instance: victim.url, from, to: performance.now() })
    await delay(300)
    await victim.start()
  }
  // Wait until the limit is reached and some reads are rejected.
  for (let turn = 0; reads.refused < 20 && turn < 600; turn += 1) await delay(100)
  isOver = true
  await Promise.all([...writing, ...reading])

  // Only requests in progress on an instance when it was killed have failed.
  for (const { instance, from, to, path, why } of balancer.lost) {
    const isKilled = killed.some((kill) => kill.instance === instance && from <= kill.to && to >= kill.from)
    assert.ok(isKilled, `${path} failed with ${why} on an instance that nobody killed`)
  }
  assert.equal(rig.unanswered + reads.lost, balancer.lost.length)

  // The limit is not exceeded, and all of it is granted, counting reads whose response was lost.
  assert.ok(reads.granted <= readsPerDay, `${reads.granted} reads were granted`)
  assert.ok(
    reads.granted + reads.lost >= readsPerDay,
    `${reads.granted} reads were granted, ${reads.lost} lost`,
  )

  const db = new Client(postgres.connection)
  await db.connect()
  try {
    await passLeases(db, agency.id)
    for (const write of writes) await send(rig, agency.key, write)
    assert.deepEqual(await openClaims(db, agency.id), [])
    const { rows } = await db.query<{ title: string; count: number }>(
      `select title, count(*)::int as count
       from listing_history h join properties p on p.agency_id = h.agency_id and p.id = h.property_id
       where h.agency_id = $1 and action = 'created' group by 1`,
      [agency.id],
    )
    const counts = new Map(rows.map(({ title, count }) => [title, count]))
    const wanted = writes.flatMap(({ titles }) => titles)
    for (const title of wanted)
      assert.equal(counts.get(title), 1, `${title} was created ${counts.get(title)} times`)
    assert.equal(counts.size, wanted.length)
    await checkConsistency(db, agency.id, dataDir)
  } finally {
    await db.end()
  }
  context.diagnostic(
    `${writes.length} writes of ${counts(writes)} listings, ${reads.granted} reads granted and ${reads.refused} refused; ${balancer.lost.length} requests were under way on an instance when it was killed`,
  )
}

function counts(writes: readonly Keyed[]): number {
  return writes.reduce((sum, { titles }) => sum + titles.length, 0)
}
