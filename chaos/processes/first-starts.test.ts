/** First starts interrupted at any point: the next one ends with the banner, working keys and the complete demonstration. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { ask } from '../support/ask.ts'
import { checkConsistency, filesBelow } from '../support/consistency.ts'
import { newService, type Service } from '../support/service.ts'

/** The progress of a start, as visible from outside. */
type Progress = {
  home: string[]
  inDatabase: string[]
  status: string | undefined
  said: string
  photos: number
}

const moments: readonly { what: string; isReached: (progress: Progress) => boolean }[] = [
  { what: 'initdb at work', isReached: ({ home }) => home.some((name) => name.startsWith('data.new-')) },
  { what: 'the data directory made', isReached: ({ home }) => home.includes('data') },
  { what: 'PostgreSQL starting', isReached: ({ inDatabase }) => inDatabase.includes('postmaster.pid') },
  { what: 'PostgreSQL ready', isReached: ({ status }) => status === 'ready' },
  { what: 'migrations half applied', isReached: ({ said }) => said.includes('0006_') },
  { what: 'the fill begun', isReached: ({ said }) => said.includes('Filling') },
  { what: 'the first picture stored', isReached: ({ photos }) => photos > 0 },
  { what: 'the first agency half filled', isReached: ({ photos }) => photos > 200 },
  { what: 'the second agency begun', isReached: ({ photos }) => photos > 480 },
  { what: 'nearly all pictures stored', isReached: ({ photos }) => photos > 700 },
]

type Demonstration = { listings: string; history: string; photos: string; accounts: string; keys: string }

const services: Service[] = []
after(async () => {
  for (const service of services) await service.end()
})

async function firstService(): Promise<Service> {
  const service = await newService({ DEMO: 'auto', WORKERS: '2' }, { toAll: true })
  services.push(service)
  return service
}

function progressOf({ dataDir, said }: Service): Progress {
  const home = join(dataDir, 'postgres-18')
  const inDatabase = filesBelow(join(home, 'data'))
  const photos = filesBelow(join(dataDir, 'photos')).flatMap((agency) =>
    filesBelow(join(dataDir, 'photos', agency)).flatMap((photo) =>
      filesBelow(join(dataDir, 'photos', agency, photo)),
    ),
  )
  return { home: filesBelow(home), inDatabase, status: statusOf(home), said: said(), photos: photos.length }
}

function statusOf(home: string): string | undefined {
  try {
    return readFileSync(join(home, 'data', 'postmaster.pid'), 'utf8')
      .split('\n')[7]
      ?.trim()
  } catch {
    return undefined
  }
}

/** Starts the service, and calls `interrupt` as soon as it has reached the given progress. */
async function interruptAt(
  service: Service,
  isReached: (progress: Progress) => boolean,
  interrupt: () => Promise<void>,
): Promise<void> {
  let hasStarted = false
  const starting = service.start().then(
    () => {
      hasStarted = true
    },
    () => {},
  )
  while (!isReached(progressOf(service))) {
    assert.ok(!hasStarted, 'it had started by then')
    await delay(1)
  }
  await interrupt()
  await starting
  assert.ok(!hasStarted, 'it had started by then')
}

/** The contents of the banner. */
function bannerOf(said: string): { read: string; write: string; owner: string; password: string } {
  const [, owner = '', password = ''] = /^ {4}agency +(\S+) {2}(\S+)$/m.exec(said) ?? []
  const key = (what: string) => new RegExp(`^  Key to ${what} +(\\S+)$`, 'm').exec(said)?.[1] ?? ''
  return { read: key('read'), write: key('write'), owner, password }
}

/** The data of the demonstration, in a form that is equal for every complete fill. Photos are named by their content. */
async function demonstrationOf(service: Service): Promise<Demonstration> {
  const db = new Client(service.connection())
  await db.connect()
  try {
    const { rows: agencies } = await db.query<{ id: string }>('select id from agencies')
    for (const { id } of agencies) await assertConsistent(db, id, service.dataDir)
    const { rows } = await db.query<Demonstration>(`select
      (select string_agg(concat_ws(' ', a.slug, p.external_id, p.title, p.status, p.reserved, p.deleted_at is null), chr(10)
        order by a.slug, p.external_id, p.title) from properties p join agencies a on a.id = p.agency_id) as listings,
      (select string_agg(concat_ws(' ', p.external_id, p.title, h.action), chr(10) order by p.external_id, p.title, h.action)
        from listing_history h join properties p on p.id = h.property_id) as history,
      (select string_agg(concat_ws(' ', p.external_id, p.title, n, split_part(photo, '.', 1)), chr(10) order by p.external_id, p.title, n)
        from properties p cross join unnest(p.photos) with ordinality as t (photo, n)) as photos,
      (select string_agg(concat_ws(' ', email, role, name), chr(10) order by email) from accounts) as accounts,
      (select string_agg(concat_ws(' ', name, scopes, revoked_at), chr(10) order by name) from api_keys) as keys`)
    return rows[0] ?? assert.fail('nothing')
  } finally {
    await db.end()
  }
}

async function assertConsistent(db: Client, agencyId: string, dataDir: string): Promise<void> {
  // The demonstration counts toward no limit, so its creations are added to the count first.
  await db.query(
    `update agency_revisions r set day_new_listings = (select count(*) from listing_history h
      where h.agency_id = r.agency_id and h.action = 'created' and h.at >= r.day) where agency_id = $1`,
    [agencyId],
  )
  await checkConsistency(db, agencyId, dataDir)
}

/** Processes of PostgreSQL on the data directory, including those that create one. */
function databaseProcesses(dataDir: string): string[] {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => /bin\/(postgres|initdb) /.test(line) && line.includes(dataDir))
}

async function assertComplete(service: Service): Promise<void> {
  await service.start()
  const { read, write, owner, password } = bannerOf(service.said())
  for (const key of [read, write]) {
    const me = await ask(service.url, key, { method: 'GET', path: '/me' })
    assert.equal(me?.status, 200, `${key}: ${me?.text}`)
  }
  const made = await ask(service.url, write, {
    method: 'PUT',
    path: '/properties/external/after',
    body: { title: 'After' },
  })
  assert.equal(made?.status, 201, made?.text)
  const removed = await ask(service.url, write, {
    method: 'DELETE',
    path: `/properties/${String(made?.body.data['id'])}`,
  })
  assert.equal(removed?.status, 200, removed?.text)
  assert.match(owner, /^ana@.+\.example$/)
  assert.match(password, /^demo-/)
  assert.deepEqual(await demonstrationOf(service), whole)
  assert.equal(await service.stop(), 0)
  assert.deepEqual(databaseProcesses(service.dataDir), [])
  const home = readdirSync(join(service.dataDir, 'postgres-18')).filter((name) => !/\.lock/.test(name))
  assert.deepEqual(home.sort(), ['data', 'postgres.log'])
  assert.ok(!existsSync(join(service.dataDir, 'postgres-18', 'data', 'postmaster.pid')))
}

let whole: Demonstration
before(async () => {
  const service = await firstService()
  await service.start()
  const { write } = bannerOf(service.said())
  const path = '/properties/external/after'
  const made = await ask(service.url, write, { method: 'PUT', path, body: { title: 'After' } })
  await ask(service.url, write, { method: 'DELETE', path: `/properties/${String(made?.body.data['id'])}` })
  whole = await demonstrationOf(service)
  await service.stop()
})

for (const [index, { what, isReached }] of moments.entries()) {
  // Every second time PostgreSQL is killed too, as in a container.
  const withDatabase = index % 2 === 1
  test(`killed with ${what}${withDatabase ? ', PostgreSQL too' : ''}`, async () => {
    const service = await firstService()
    await interruptAt(service, isReached, async () => {
      await service.killServer()
      if (withDatabase) {
        const file = join(service.dataDir, 'postgres-18', 'data', 'postmaster.pid')
        if (existsSync(file)) process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGKILL')
      }
    })
    await assertComplete(service)
  })
}

test('SIGTERM in the middle of the fill: the service exits cleanly, and the next start continues', async () => {
  const service = await firstService()
  await interruptAt(
    service,
    ({ photos }) => photos > 100,
    async () => assert.equal(await service.stop(), 0),
  )
  assert.deepEqual(databaseProcesses(service.dataDir), [])
  await assertComplete(service)
})
