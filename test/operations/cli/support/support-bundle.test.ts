/** The support bundle has what is needed to examine a problem, and no secret. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { filesOf } from '../../../../src/operations/backup/archive/tar.ts'
import { redactor } from '../../../../src/operations/cli/support/redact.ts'
import { readConfig } from '../../../../src/platform/config/config.ts'
import { databaseUrl, type TestDatabase, testDatabase } from '../../../support/database/database.ts'
import { svcHere } from '../svc.ts'

let database: TestDatabase
let directory: string
before(async () => {
  database = await testDatabase()
  directory = await mkdtemp(join(tmpdir(), 'svc-'))
})
after(async () => {
  await database.drop()
  await rm(directory, { recursive: true })
})

/** Metrics that quote more than the service's do. */
const metrics = createServer((_request, response) =>
  response.end('listings_database_up 1\nodd{key="svc_live_abcdefgh12",mail="boss@acme.example"} 1\n'),
)

/** Every setting that is or may contain a secret. */
const secretSettings = {
  SECRET_KEY: 'first of the secrets, long enough',
  SECRET_KEY_PREVIOUS: 'second of the secrets, long enough',
  SMTP_URL: 'smtp://mailer:third%21secret@127.0.0.1:1',
  MAIL_FROM: 'Listings <fourth@listings.example>',
  MARKETPLACE_URL: 'http://127.0.0.1:1/events?token=fifthsecret',
  MARKETPLACE_SECRET: 'sixth of the secrets, long enough',
  MAP_TILES_URL: 'http://127.0.0.1:1/{z}/{x}/{y}.png?key=seventhsecret',
  MAP_TILES_ATTRIBUTION: 'Somebody',
  GEOCODER: 'georef',
  GEOCODER_URL: 'http://127.0.0.1:1/eighthsecret',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://traces:ninthsecret@127.0.0.1:1',
  SECURITY_CONTACT: 'mailto:tenth@listings.example',
}

async function partsOf(file: string): Promise<Map<string, string>> {
  const parts = new Map<string, string>()
  for await (const { name, bytes } of filesOf(Readable.from([gunzipSync(await readFile(file))])))
    parts.set(name, bytes.toString())
  return parts
}

test('a support bundle has the state of the installation and no secret', async () => {
  metrics.listen(0, '127.0.0.1')
  await once(metrics, 'listening')
  const file = join(directory, 'bundle.tar.gz')
  const base = {
    DATABASE_URL: databaseUrl(database.connection),
    DATA_DIR: directory,
    SECRET_KEY: secretSettings.SECRET_KEY,
  }
  const call = async (line: string, settings: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await svcHere({ ...base, ...settings })(`${line} --json`)
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }
  await call('agency create --name Acme --slug acme --email acme@agency.example')
  const key = await call('key create --agency acme --name CRM --scope properties:read --signature-required')
  const { password_setup_url: link } = await call('user create --agency acme --email boss@acme.example')

  const port = String((metrics.address() as AddressInfo).port)
  const made = await call(`support-bundle --to ${file}`, { METRICS_PORT: port, ...secretSettings })
  metrics.close()
  const parts = await partsOf(file)
  assert.deepEqual([made.file, made.parts], [file, [...parts.keys()]])
  const { mode, size } = await stat(file)
  assert.deepEqual([mode & 0o777, size], [0o600, made.bytes])

  const part = (name: string) => JSON.parse(parts.get(name) ?? '')
  assert.match(part('about.json').version, /^\d+\.\d+\.\d+$/)
  assert.ok(part('about.json').platform.memory_bytes > 0)
  const { checks, settings, limits } = part('doctor.json')
  assert.ok(checks.length > 8 && settings.serviceName === 'Svc' && limits.reads_per_minute.max > 0)
  const { servers, migrations, errors } = part('database.json')
  assert.ok(migrations.length > 10 && Array.isArray(errors))
  const tables = (servers as { tables: { name: string; bytes: number }[] }[]).flatMap(
    (server) => server.tables,
  )
  assert.ok(tables.some(({ name, bytes }) => name === 'properties' && bytes > 0))
  assert.equal(parts.get('metrics.txt'), 'listings_database_up 1\nodd{key="[key]",mail="[email]"} 1\n')

  const whole = [...parts.values()].join('\n')
  const secrets = [
    ...Object.values(secretSettings).filter((value) => value.length > 10),
    'third',
    'fourth',
    'fifthsecret',
    'seventhsecret',
    'eighthsecret',
    'ninthsecret',
    'tenth',
    key.key,
    key.signing_secret,
    link.split('/').at(-1),
    'agency.example',
    'boss@',
    'svc_live_',
    'svc_sign_',
    database.connection.password,
  ]
  for (const secret of secrets)
    if (typeof secret === 'string' && secret !== '') assert.ok(!whole.includes(secret), secret)

  const again = await svcHere({ ...base, GEOCODER: 'none' })(`support-bundle --to ${file}`)
  assert.deepEqual([again.code, again.stderr], [1, `${file} exists already: name another file with --to.\n`])
})

test('a support bundle is made without a database too', async () => {
  const file = join(directory, 'away.tar.gz')
  const svc = svcHere({
    DATABASE_URL: 'postgres://svc:hunter2@127.0.0.1:1/listings',
    DATA_DIR: directory,
    GEOCODER: 'none',
  })
  const { code, stderr } = await svc(`support-bundle --to ${file}`)
  assert.equal(code, 0, stderr)
  const parts = await partsOf(file)
  assert.match(parts.get('database.json') ?? '', /"missing": ".*ECONNREFUSED/)
  assert.equal(JSON.parse(parts.get('doctor.json') ?? '').ok, false)
  assert.equal(parts.get('metrics.txt'), 'METRICS_PORT is not set.\n')
  assert.ok(![...parts.values()].join().includes('hunter2'))
})

test('a support bundle removes what messages may quote', async () => {
  const redact = await redactor(
    readConfig({
      DATABASE_URL: 'postgres://svc:hunter%402@db.example/x?host=/run',
      SECRET_KEY: 'a "key" of sixteen characters',
    }),
  )
  for (const [text, shown] of [
    ['password "hunter@2" or hunter%402', 'password "[secret]" or [secret]'],
    [JSON.stringify('a "key" of sixteen characters'), '"[secret]"'],
    ['to ñandú.pérez+x@correo.com.ar failed', 'to [email] failed'],
    ['smtps://me:pass@mail.example:465', 'smtps://[credentials]@mail.example:465'],
    ['Svc_test_MAZ4QTDloviOYPl52 and svc_sign_rs5KvqYvqLXpmE5D3', '[key] and [key]'],
    ['authorization: Bearer eyJhbGciOi.abc-_', 'authorization: Bearer [secret]'],
    ['MARKETPLACE_SECRET whsec_c2VjcmV0c2VjcmV0', 'MARKETPLACE_SECRET [secret]'],
    ['socket in /run, listings_test_total', 'socket in /run, listings_test_total'],
  ] as const)
    assert.equal(redact(text), shown)
})
