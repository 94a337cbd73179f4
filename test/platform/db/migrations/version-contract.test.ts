/** Migrations say which version of the service is the oldest that may run on their schema; older ones are refused in one line. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import {
  migrate,
  newerMigrations,
  pendingMigrations,
} from '../../../../src/platform/db/migrations/migrate.ts'
import { isOlder, version } from '../../../../src/platform/program/version.ts'
import { databaseUrl, testDatabase, type TestDatabase } from '../../../support/database/database.ts'
import { nothingInDataDir, type Svc, svcHere } from '../../../operations/cli/svc.ts'

let database: TestDatabase
let svc: Svc
before(async () => {
  database = await testDatabase()
  svc = svcHere({ ...nothingInDataDir, DATABASE_URL: databaseUrl(database.connection) })
})
after(() => database.drop())

const require = (oldest: string) =>
  sql`update version_contract set oldest_version = ${oldest}`.execute(database.db)

async function checkOf(name: string): Promise<{ ok: boolean; detail: string }> {
  const { stdout } = await svc('doctor --json')
  const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; detail: string }[] }
  return checks.find((check) => check.name === name) ?? assert.fail(`doctor does not check ${name}`)
}

test('versions are compared number by number', () => {
  assert.deepEqual(
    [
      isOlder('1.2.3', '1.2.3'),
      isOlder('1.9.0', '1.10.0'),
      isOlder('2.0.0', '1.10.0'),
      isOlder('1.2.3', '1.2.10'),
    ],
    [false, true, false, true],
  )
})

describe('a database whose schema needs a newer version', () => {
  const line = new RegExp(
    `^This is version ${version}, and the database needs version 99\\.0\\.0 or later: [^\\n]+$`,
  )
  before(() => require('99.0.0'))
  after(() => require('1.0.0'))

  test('is not migrated', async () => {
    await assert.rejects(migrate(database.connection), { message: line })
    await assert.rejects(pendingMigrations(database.connection), { message: line })
  })

  test('stops every command', async () => {
    for (const command of ['agency list', 'agency deactivate nobody', 'migrate']) {
      const { code, stderr } = await svc(command)
      assert.equal(code, 1)
      assert.match(stderr.trimEnd(), line)
    }
  })

  test('is reported by doctor', async () => {
    const { ok, detail } = await checkOf('database')
    assert.equal(ok, false)
    assert.match(detail, line)
  })
})

describe('a database that a newer version has migrated', () => {
  before(() => sql`insert into schema_migrations values ('9999_later.sql', '', now())`.execute(database.db))
  after(() => sql`delete from schema_migrations where name = '9999_later.sql'`.execute(database.db))

  test('is used, and doctor says what is newer', async () => {
    assert.deepEqual(await migrate(database.connection), [])
    assert.deepEqual(await newerMigrations(database.connection), ['9999_later.sql'])
    const { ok, detail } = await checkOf('migrations')
    assert.deepEqual(
      [ok, detail],
      [true, 'a newer version has added 9999_later.sql; this version may run beside it'],
    )
  })
})

describe('a database that lacks a migration', () => {
  const last = '0014_version_contract.sql'
  before(async () => {
    await sql`delete from schema_migrations where name = ${last}`.execute(database.db)
    await sql`drop table version_contract`.execute(database.db)
  })

  test('is not migrated by a command that only reads', async () => {
    for (const command of ['agency list', 'notification status', 'doctor', 'key find svc_live_abcd']) {
      const { stderr } = await svc(command)
      if (command !== 'doctor') assert.match(stderr, /^The database lacks 1 migration/)
      assert.deepEqual(await pendingMigrations(database.connection), [last])
    }
  })

  test('is migrated by one that changes something', async () => {
    assert.equal((await svc('agency create --name Acme --slug acme')).code, 0)
    assert.deepEqual(await pendingMigrations(database.connection), [])
    assert.equal((await svc('agency list')).code, 0)
  })
})
