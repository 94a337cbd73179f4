/** A backup has everything of one moment, and a restore gives it back or leaves nothing. */
// alone: it waits for processes that start
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client, type ClientConfig, escapeIdentifier } from 'pg'
import type { Made } from '../../../src/operations/backup/routine/records.ts'
import { migrate } from '../../../src/platform/db/migrations/migrate.ts'
import { publishable, testApp, type TestApp } from '../../support/app/app.ts'
import { exceptOnCitus } from '../../support/database/citus.ts'
import { databaseUrl, testDatabase } from '../../support/database/database.ts'
import { quickDirectory } from '../../support/quick-directory.ts'
import { accepted } from '../../support/app/listings.ts'
import { newTestKey } from '../../support/app/test-key.ts'
import { type Svc, svcProcess } from '../cli/svc.ts'

const refused = '`svc backup` refuses a distributed database'

let t: TestApp
let directory: string
let svc: Svc
before(async () => {
  directory = mkdtempSync(join(quickDirectory(), 'listings-backup-'))
  t = await testApp()
  const { dataDir, secretKey } = t.deps.config
  svc = svcProcess({
    DATABASE_URL: databaseUrl(t.connection),
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey ?? '',
  })
  await newTestKey(t, t.agency)
  await t.newKey(t.agency.id, { signature_required: true })
  const made: string[] = []
  for (let count = 0; count < 3; count += 1) {
    const response = await t.ask('POST', '/properties', { body: publishable() })
    assert.equal(response.status, 201, response.text)
    made.push(String(response.body.data['id']))
  }
  accepted(await t.ask('DELETE', `/properties/${made[0]}`))
  await t.deps.requestLog.flush()
})
after(async () => {
  await t.close()
  rmSync(directory, { recursive: true, force: true })
})

async function backUp(...words: string[]): Promise<Made> {
  const { code, stdout, stderr } = await svc('backup --json --to', directory, ...words)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Made
}

/** The rows of every table as JSON, without the migrations and the records of backups, which are made later. */
async function rowsOf(connection: ClientConfig): Promise<Record<string, unknown[]>> {
  const client = new Client(connection)
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const all: Record<string, unknown[]> = {}
  for (const { name } of tables.filter(
    ({ name: table }) => !['schema_migrations', 'backups'].includes(table),
  )) {
    const { rows } = await client.query<{ row: string }>(
      `select to_jsonb(r)::text as row from ${escapeIdentifier(name)} r order by 1`,
    )
    all[name] = rows.map(({ row }) => row)
  }
  await client.end()
  return all
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()
}

/** An empty database and data directory to restore into. */
async function newTarget() {
  const database = await testDatabase({ empty: { encoding: 'UTF8' } })
  const dataDir = mkdtempSync(join(directory, 'target-'))
  after(() => database.drop())
  const settings = {
    DATABASE_URL: databaseUrl(database.connection),
    DATA_DIR: dataDir,
    SECRET_KEY: t.deps.config.secretKey ?? '',
  }
  return { ...database, dataDir, settings, svc: svcProcess(settings) }
}

async function assertLeftEmpty(target: Awaited<ReturnType<typeof newTarget>>): Promise<void> {
  assert.deepEqual(await rowsOf(target.connection), {})
  assert.deepEqual(readdirSync(target.dataDir), [])
}

describe('a backup', exceptOnCitus(refused), () => {
  test('is restored with every row and every picture', async () => {
    const made = await backUp()
    assert.equal(statSync(made.archive).mode & 0o777, 0o600)
    assert.equal(statSync(made.archive).size, made.bytes)
    const target = await newTarget()
    const { code, stdout, stderr } = await target.svc('restore --json', made.archive)
    assert.equal(code, 0, stderr)
    const { agencies, listings, photos } = made
    assert.deepEqual(JSON.parse(stdout), { agencies, listings, photos })
    assert.deepEqual(await rowsOf(target.connection), await rowsOf(t.connection))
    const [from, to] = [join(t.deps.config.dataDir, 'photos'), join(target.dataDir, 'photos')]
    assert.deepEqual(filesBelow(to), filesBelow(from))
    for (const name of filesBelow(from))
      assert.deepEqual(readFileSync(join(to, name)), readFileSync(join(from, name)))
    assert.deepEqual(await migrate(target.connection), [])
  })

  test('is verified by restoring it elsewhere', async () => {
    assert.ok((await backUp('--verify')).listings >= 2)
    assert.deepEqual(
      readdirSync(directory).filter((name) => name.startsWith('.') || name.endsWith('.partial')),
      [],
    )
  })

  test('contains the secret key only on request', async () => {
    const key = t.deps.config.secretKey ?? ''
    assert.ok(!readFileSync((await backUp()).archive).includes(key))
    const { archive } = await backUp('--with-secret-key')
    assert.ok(readFileSync(archive).includes(key))
    const target = await newTarget()
    const other = svcProcess({ ...target.settings, SECRET_KEY: 'another key of sixteen' })
    const { code, stderr } = await other('restore', archive)
    assert.equal(code, 1)
    assert.match(stderr, /SECRET_KEY is not the key in the backup/)
    await assertLeftEmpty(target)
  })
})

describe('a restore leaves nothing behind', exceptOnCitus(refused), () => {
  test('of a file that is a truncated or changed archive, or no archive', async () => {
    const { archive, bytes } = await backUp()
    const whole = readFileSync(archive)
    const cases: Record<string, [Buffer, RegExp]> = {
      cut: [whole.subarray(0, bytes - 20_000), /ends too early/],
      changed: [
        Buffer.concat([
          whole.subarray(0, bytes / 2),
          Buffer.of((whole[bytes / 2] ?? 0) ^ 1),
          whole.subarray(bytes / 2 + 1),
        ]),
        /^The part [a-z0-9./]+ of the archive was changed/,
      ],
      none: [Buffer.from('hello'), /not a backup/],
    }
    for (const [name, [content, line]] of Object.entries(cases)) {
      const path = join(directory, `${name}-${randomUUID()}.tar`)
      writeFileSync(path, content)
      const target = await newTarget()
      const { code, stdout, stderr } = await target.svc('restore', path)
      assert.deepEqual([code, stdout], [1, ''], name)
      assert.match(stderr.split('\n').at(-2) ?? '', line, name)
      await assertLeftEmpty(target)
    }
  })

  test('and refuses a database that is not empty', async () => {
    const { archive } = await backUp()
    const before = await rowsOf(t.connection)
    const { code, stderr } = await svc('restore', archive)
    assert.equal(code, 1)
    assert.match(stderr, /^The database \S+ of DATABASE_URL is not empty/)
    assert.deepEqual(await rowsOf(t.connection), before)
  })

  test('and refuses a data directory that is not empty', async () => {
    const { archive } = await backUp()
    const target = await newTarget()
    writeFileSync(join(target.dataDir, 'photos'), '')
    assert.match(
      (await target.svc('restore', archive)).stderr,
      /has photos: a backup is restored into an empty/,
    )
  })
})

describe('a database in which a restore was interrupted', exceptOnCitus(refused), () => {
  test('is refused by every command, until it is restored', async () => {
    const { archive } = await backUp()
    const target = await newTarget()
    const client = new Client(target.connection)
    await client.connect()
    await client.query('create table restore_in_progress (); create table half (id integer)')
    await client.end()
    for (const command of ['agency list', 'migrate', `backup --to ${directory}`])
      assert.match(
        (await target.svc(command)).stderr,
        /^A restore into this database is running, or was interrupted/m,
        command,
      )
    assert.equal((await target.svc('restore', archive)).code, 0)
    assert.deepEqual(await rowsOf(target.connection), await rowsOf(t.connection))
  })

  test('keeps pictures in the data directory that no restore has put there', async () => {
    const { archive } = await backUp()
    const target = await newTarget()
    const client = new Client(target.connection)
    await client.connect()
    await client.query('create table restore_in_progress ()')
    await client.end()
    const photos = join(target.dataDir, 'photos')
    writeFileSync(photos, 'of a running service')
    assert.match(
      (await target.svc('restore', archive)).stderr,
      /has photos: a backup is restored into an empty/,
    )
    assert.equal(readFileSync(photos, 'utf8'), 'of a running service')
    // Left by a restore, they are replaced.
    writeFileSync(join(target.dataDir, 'restore-in-progress'), '')
    assert.equal((await target.svc('restore', archive)).code, 0)
    assert.deepEqual(readdirSync(target.dataDir), ['photos'])
    assert.deepEqual(filesBelow(photos), filesBelow(join(t.deps.config.dataDir, 'photos')))
  })
})
