/**
 * The feed of changes for a minute: 50 writers through two servers, the operator's `listing restore` in between, and one reader that is
 * killed at random times and resumes from its stored cursor (api.md 14.5). Its copy equals the table, removals included.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { ask, type Write } from '../support/ask.ts'
import { type Pictures, servePictures } from '../support/pictures.ts'
import { ownPostgres, type OwnPostgres } from '../support/postgres.ts'
import { newDataDir, newService, type Service } from '../support/service.ts'
import type { StoredCopy } from './feed-reader.ts'

const writers = 50
/** Listings that every writer publishes, suspends, edits and deletes. */
const published = 20
const seconds = Number(process.env['CHAOS_SECONDS'] ?? 60)
const patienceMs = 120_000

let postgres: OwnPostgres
let dataDir: string
const servers: Service[] = []
let pictures: Pictures
before(async () => {
  dataDir = newDataDir()
  pictures = await servePictures()
  postgres = await ownPostgres()
  for (let index = 0; index < 2; index += 1) {
    const server = await newService({
      ...pictures.settings,
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
    })
    servers.push(server)
    await server.start()
  }
})
after(async () => {
  for (const server of servers) await server.end()
  await postgres?.end()
  await pictures?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const urlOf = (turn: number) => servers[turn % servers.length]?.url ?? ''

test(`${writers} writers for ${seconds} s, and a reader killed at random`, async (context) => {
  const [server] = servers
  assert.ok(server)
  const slug = 'feed'
  const { id: agencyId, key } = await server.newAgency(slug)
  const { key: readKey = '' } = await server.svc(
    'key',
    'create',
    '--agency',
    slug,
    '--name',
    'reader',
    '--scope',
    'properties:read',
  )
  const db = new Client(postgres.connection)
  await db.connect()

  const shared: string[] = []
  for (let made = 0; made < published; made += 1) {
    const body = { ...publishable(), address: `Calle ${made + 1} 100`, photos: pictures.addresses(3, 'all') }
    const response = await ask(server.url, key, {
      method: 'POST',
      path: '/properties',
      body,
      idempotencyKey: randomUUID(),
    })
    assert.equal(response?.status, 201, response?.text)
    shared.push(String(response.body.data['id']))
  }

  const until = Date.now() + seconds * 1_000
  const copies = [key, readKey].map((ofKey, index) => ({
    key: ofKey,
    file: join(dataDir, `copy-${index}.json`),
  }))
  const killing = copies.map(async (copy, index) => {
    let kills = 0
    for (; Date.now() < until; kills += 1) {
      const reader = startReader(urlOf(index), copy)
      await delay(Math.min(randomInt(500, 5_000), Math.max(0, until - Date.now())))
      await kill(reader)
    }
    return kills
  })
  const [written, restored, kills] = await Promise.all([
    Promise.all(Array.from({ length: writers }, (_, writer) => write(writer, key, shared, until))),
    restoring(server, db, agencyId, slug, until),
    Promise.all(killing),
  ])

  for (const copy of copies) {
    const reader = startReader(urlOf(0), copy, 'once')
    assert.deepEqual(await once(reader, 'exit'), [0, null])
  }
  const { rows } = await db.query<{
    id: string
    version: string
    status: string
    title: string
    gone: boolean
  }>(
    `select public_id as id, version, status, title, deleted_at is not null as gone from properties where agency_id = $1`,
    [agencyId],
  )
  await db.end()
  for (const { key: ofKey, file } of copies) {
    const { listings, pages, removals } = JSON.parse(readFileSync(file, 'utf8')) as StoredCopy
    const shown = rows.filter(({ gone, status }) => !gone && (ofKey === key || status === 'published'))
    const expected = shown.map(({ id, status, title }): [string, object] => [id, { status, title }])
    assert.deepEqual(sorted(Object.entries<object>(listings)), sorted(expected))
    context.diagnostic(`${shown.length} listings, ${pages} pages, ${removals} removals reported`)
  }
  assert.ok(restored > 0, 'nothing was restored')
  assert.ok(
    written.every((done) => done > 0),
    'a writer could not write',
  )
  const revisions = Math.max(...rows.map(({ version }) => Number(version)))
  context.diagnostic(
    `${written.reduce((sum, count) => sum + count, 0)} writes, ${revisions} revisions, ${rows.filter(({ gone }) => gone).length} of ${rows.length} removed, ${restored} restored, readers killed ${kills.join(' and ')} times`,
  )
})

const publishable = () => ({
  title: randomUUID(),
  type: 'Casa',
  operation: 'sale',
  price: { amount: 1, currency: 'USD' },
  location: { city: 'La Plata', lat: -34.9, lng: -57.9 },
  status: 'published',
})

const sorted = <T>(entries: [string, T][]) => entries.sort(([a], [b]) => (a < b ? -1 : 1))

function startReader(url: string, { key, file }: { key: string; file: string }, mode = 'on'): ChildProcess {
  return fork(join(import.meta.dirname, 'feed-reader.ts'), [url, file, mode], {
    env: { ...process.env, FEED_KEY: key },
  })
}

async function kill(reader: ChildProcess): Promise<void> {
  assert.equal(reader.exitCode, null, 'the reader ended by itself')
  reader.kill('SIGKILL')
  await once(reader, 'exit')
}

/**
 * Writes to the writer's own listings, to listings that all publish and suspend, and to shared external ids.
 * @returns the number of writes carried out
 */
async function write(writer: number, key: string, shared: readonly string[], until: number): Promise<number> {
  let done = 0
  // On a busy machine, all writes of a writer may be rejected: it continues until one succeeds.
  for (let turn = 0; Date.now() < until || (done === 0 && Date.now() < until + patienceMs); turn += 1) {
    const title = randomUUID()
    const common = `/properties/${shared[randomInt(shared.length)]}`
    const external = `w-${randomInt(5) === 0 ? randomInt(writers) : writer}-${randomInt(10)}`
    const items = Array.from({ length: 5 }, (_, place) => ({
      external_id: `b-${writer}-${randomInt(20)}`,
      ...(place === 4 ? { action: 'delete' } : { title }),
    }))
    const choices: Write[] = [
      { method: 'PUT', path: `/properties/external/${external}`, body: { title } },
      { method: 'POST', path: '/properties/batch', body: { items }, idempotencyKey: randomUUID() },
      { method: 'PATCH', path: common, body: { title } },
      { method: 'POST', path: `${common}/disable`, body: {} },
      { method: 'POST', path: `${common}/enable`, body: {} },
      { method: 'POST', path: `${common}/enable`, body: {} },
      { method: 'DELETE', path: randomInt(10) === 0 ? common : `/properties/external/${external}` },
    ]
    const response = await ask(urlOf(writer + turn), key, choices[randomInt(choices.length)] ?? assert.fail())
    assert.ok(response !== null && response.status !== 400, response?.text)
    // On a busy machine a write may wait too long for its turn; it is then rejected without effect.
    assert.ok(response.status < 500 || response.status === 503, response.text)
    if (response.status < 300) done += 1
  }
  return done
}

/** Restores removed listings on the command line. @returns the number restored */
async function restoring(
  server: Service,
  db: Client,
  agencyId: string,
  slug: string,
  until: number,
): Promise<number> {
  let restored = 0
  while (Date.now() < until) {
    await delay(200)
    const { rows } = await db.query<{ id: string }>(
      `select public_id as id from properties where agency_id = $1 and deleted_at is not null
       order by published_at is null, random() limit 1`,
      [agencyId],
    )
    const [removed] = rows
    if (removed === undefined) continue
    await server.svc('listing', 'restore', '--agency', slug, '--id', removed.id).then(
      () => (restored += 1),
      // Another listing may have taken its external id in the meantime.
      () => {},
    )
  }
  return restored
}
