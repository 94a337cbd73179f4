/** The effective settings as doctor shows them, and the problems that it finds. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { defaultLimits } from '../../../../src/limits/table.ts'
import { isOnCitus } from '../../../support/database/citus.ts'
import { databaseUrl, type TestDatabase, testDatabase } from '../../../support/database/database.ts'
import { svcHere } from '../svc.ts'

let database: TestDatabase
let dataDir: string
before(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'svc-'))
})
after(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true })
})

const doctor = async (settings: Record<string, string>, ...words: string[]) => {
  const { connection } = database
  const base = { DATABASE_URL: databaseUrl(connection), DATA_DIR: dataDir, GEOCODER: 'none' }
  const result = await svcHere({ ...base, ...settings })('doctor', ...words)
  assert.equal(result.code, 0, result.stderr)
  return result.stdout
}

test('doctor shows every effective limit, including the operator’s changes', async () => {
  const shown = (changes: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(defaultLimits).map(([name, { max, windowSeconds }]) => [
        name,
        { max: changes[name] ?? max, window_seconds: windowSeconds },
      ]),
    )
  assert.deepEqual(JSON.parse(await doctor({}, '--json')).limits, shown({}))
  const changes = { reads_per_minute: 600, keyless_per_minute: 0 }
  const changed = { LIMITS: JSON.stringify(changes) }
  assert.deepEqual(JSON.parse(await doctor(changed, '--json')).limits, shown(changes))
  const text = await doctor(changed)
  assert.match(text, /^reads_per_minute +600 +60 s$/m)
  assert.match(text, /^writes_per_minute +60 +60 s$/m)
  assert.match(text, /^keyless_per_minute +0 +60 s$/m)
})

test('doctor shows the settings, but no secret', async () => {
  const settings = {
    SERVICE_NAME: 'Acme',
    PUBLIC_BASE_URL: 'https://listings.example/',
    TRUST_PROXY: 'loopback,10.0.0.0/8',
    CRAWLERS_ALLOW: 'OurBot',
    CRAWLERS_DENY: 'Nasty, Worse',
    SECRET_KEY: 'open sesame, sixteen letters',
  }
  const { settings: shown } = JSON.parse(await doctor(settings, '--json'))
  const { serviceName, publicBaseUrl, trustProxy, crawlersAllow, crawlersDeny, secretKey } = shown
  assert.deepEqual(
    { serviceName, publicBaseUrl, trustProxy, crawlersAllow, crawlersDeny, secretKey },
    {
      serviceName: 'Acme',
      publicBaseUrl: 'https://listings.example',
      trustProxy: ['loopback', '10.0.0.0/8'],
      crawlersAllow: ['OurBot'],
      crawlersDeny: ['Nasty', 'Worse'],
      secretKey: 'SECRET_KEY',
    },
  )
  const text = await doctor(settings)
  assert.match(text, /^trustProxy +loopback, 10\.0\.0\.0\/8$/m)
  assert.ok(!text.includes('sesame'))
  assert.ok(!text.includes('password'))
})

test('doctor reports every unreachable service without passwords', async () => {
  const secrets = {
    DATABASE_URL: 'postgres://svc:hunter2@127.0.0.1:1/listings',
    DATABASE_READ_URL: 'postgres://svc:hunter2@127.0.0.1:1/listings',
    SECRET_KEY: 'hunter2, sixteen letters',
    SMTP_URL: 'smtp://svc:hunter2@127.0.0.1:1',
    MARKETPLACE_URL: 'http://127.0.0.1:1/events',
    MARKETPLACE_SECRET: 'hunter2, sixteen letters',
  }
  for (const words of [['--json'], []]) {
    const result = await svcHere({ DATA_DIR: dataDir, GEOCODER: 'none', ...secrets })('doctor', ...words)
    assert.equal(result.code, 1)
    assert.match(result.stderr, /^Not working: database, replica, mail/)
    assert.ok(!(result.stdout + result.stderr).includes('hunter2'))
  }
})

test('doctor reports a data directory that cannot be created', async () => {
  const result = await svcHere({ DATA_DIR: '/dev/null/none', GEOCODER: 'none' })('doctor', '--json')
  assert.deepEqual([result.code, result.stderr], [1, 'Not working: data directory.\n'])
})

test('doctor checks the replica without showing its address, which may contain a password', async () => {
  const { connection } = database
  const own = databaseUrl(connection)
  const { checks, settings } = JSON.parse(await doctor({ DATABASE_READ_URL: own }, '--json'))
  const found = (checks as { name: string; ok: boolean; detail: string }[]).find(
    ({ name }) => name === 'replica',
  )
  assert.deepEqual([found?.ok, settings.replica], [true, 'DATABASE_READ_URL'])
  assert.match(found?.detail ?? '', /not a streaming replica/)

  const base = { DATABASE_URL: own, DATA_DIR: dataDir, GEOCODER: 'none' }
  const away = 'postgres://reader:open-sesame@127.0.0.1:1/none'
  const { code, stdout, stderr } = await svcHere({ ...base, DATABASE_READ_URL: away })('doctor', '--json')
  assert.deepEqual([code, stderr], [1, 'Not working: replica.\n'])
  assert.match(stdout, /reads go to the primary: .*ECONNREFUSED/)
  assert.ok(!stdout.includes('sesame'))
})

const checksOf = (printed: string) =>
  (JSON.parse(printed) as { checks: { name: string; ok: boolean; warning?: true; detail: string }[] }).checks

test('doctor checks the disk, the clock and the replication slots', async () => {
  const checks = checksOf(await doctor({}, '--json'))
  const found = (name: string) => checks.find((check) => check.name === name)?.detail ?? ''
  assert.match(found('disk'), /has [\d.]+ [MG]iB of [\d.]+ [MG]iB free/)
  assert.match(found('clock'), /^\d{4}-\d\d-\d\dT[\d:.]+Z, as on this machine$/)
  assert.notEqual(found('replication slots'), '')
})

test('doctor warns of a missing backup in production only', async () => {
  const found = async (settings: Record<string, string>) =>
    checksOf(await doctor(settings, '--json')).find(({ name }) => name === 'backups')
  const none = { name: 'backups', ok: true, detail: 'BACKUP_TO is not set, and none was ever verified' }
  assert.deepEqual(await found({}), none)
  const settings = { NODE_ENV: 'production', SECRET_KEY: 'a secret of the tests, long enough' }
  assert.deepEqual(await found(settings), { ...none, warning: true })
})

test('doctor finds a clock that was set back', async () => {
  const { db, connection } = database
  const base = { DATABASE_URL: databaseUrl(connection), DATA_DIR: dataDir, GEOCODER: 'none' }
  const svc = svcHere(base)
  assert.equal((await svc('agency create --name Later --slug later')).code, 0)
  const setLatest = async (at: number) =>
    await sql`update agency_revisions set changed_at = ${new Date(at).toISOString()}`.execute(db)
  await setLatest(Date.now() + 86_400_000)
  const { code, stdout, stderr } = await svc('doctor --json')
  assert.deepEqual([code, stderr], [1, 'Not working: clock.\n'])
  const clock = checksOf(stdout).find(({ name }) => name === 'clock')
  assert.match(
    clock?.detail ?? '',
    /^the clock shows \S+Z, but the latest change is of \S+Z: the clock was set back/,
  )
  await setLatest(Date.now())
})

test('doctor warns of a geocoder that accepts requests and never responds', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const settings = { GEOCODER: 'georef', GEOCODER_URL: `http://127.0.0.1:${port}/hunter2` }
  try {
    const printed = await doctor(settings, '--json')
    const geocoder = checksOf(printed).find(({ name }) => name === 'geocoder')
    assert.deepEqual([geocoder?.ok, geocoder?.warning], [true, true])
    assert.match(geocoder?.detail ?? '', /^georef does not answer, .*: It took too long to answer\.$/)
    assert.ok(!printed.includes('hunter2'))
    assert.match(await doctor(settings), /^warning +geocoder +georef does not answer/m)
  } finally {
    for (const socket of sockets) socket.destroy()
    silent.close()
  }
})

test('doctor checks every node of Citus', { skip: isOnCitus ? false : 'needs Citus' }, async () => {
  const { db, connection } = database
  const nodes = checksOf(await doctor({}, '--json')).find(({ name }) => name === 'nodes')
  assert.match(nodes?.detail ?? '', /^all \d+ can be reached, also from each other$/)
  // Nothing listens on port 1.
  await sql`update pg_dist_node set nodeport = 1 where nodeid = (select max(nodeid) from pg_dist_node)`.execute(
    db,
  )
  const base = { DATABASE_URL: databaseUrl(connection), DATA_DIR: dataDir, GEOCODER: 'none' }
  const { code, stdout } = await svcHere(base)('doctor --json')
  assert.equal(code, 1)
  const found = checksOf(stdout).find(({ name }) => name === 'nodes')
  assert.equal(found?.ok, false)
  assert.match(found?.detail ?? '', /:1 cannot be examined: .*ECONNREFUSED/)
})
