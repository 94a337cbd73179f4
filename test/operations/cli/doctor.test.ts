/** The effective settings as doctor shows them. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { defaultLimits } from '../../../src/limits/table.ts'
import { databaseUrl, type TestDatabase, testDatabase } from '../../support/database.ts'
import { svcHere } from './svc.ts'

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

test('shows every effective limit, including the operator’s changes', async () => {
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

test('shows the settings, but no secret', async () => {
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

test('reports every unreachable service without passwords', async () => {
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

test('reports a data directory that cannot be created', async () => {
  const result = await svcHere({ DATA_DIR: '/dev/null/none', GEOCODER: 'none' })('doctor', '--json')
  assert.deepEqual([result.code, result.stderr], [1, 'Not working: data directory.\n'])
})

test('checks the replica without showing its address, which may contain a password', async () => {
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
