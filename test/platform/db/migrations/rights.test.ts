/** The service runs as a role that owns nothing and can only read and write rows; the owner of the tables migrates. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Client, type ClientConfig } from 'pg'
import { openDatabase } from '../../../../src/platform/db/database.ts'
import { migrate } from '../../../../src/platform/db/migrations/migrate.ts'
import { readRights } from '../../../../src/platform/db/migrations/rights.ts'
import { analyse } from '../../../../src/platform/db/upkeep/statistics.ts'
import { databaseUrl, testDatabase, type TestDatabase } from '../../../support/database/database.ts'
import { nothingInDataDir, type Svc, svcHere } from '../../../operations/cli/svc.ts'

// Roles belong to the server, which other test files use too.
const role = `rows_${randomBytes(6).toString('hex')}`
let database: TestDatabase
let limited: ClientConfig
let owner: Client
let svcOf: (connection: ClientConfig) => Svc
before(async () => {
  database = await testDatabase()
  owner = new Client(database.direct)
  await owner.connect()
  await owner.query(`create role ${role} login password 'rows'`)
  limited = asRole(database.direct)
  svcOf = (connection) => svcHere({ ...nothingInDataDir, DATABASE_URL: databaseUrl(connection) })
})
after(async () => {
  await owner.query(`drop owned by ${role}`)
  await owner.query(`drop role ${role}`)
  await owner.end()
  await database.drop()
})

function asRole(direct: ClientConfig): ClientConfig {
  const { connectionString } = direct
  if (connectionString === undefined) return { ...direct, user: role, password: 'rows' }
  const address = new URL(connectionString)
  address.username = role
  address.password = 'rows'
  return { connectionString: address.href }
}

async function rightsCheck(): Promise<{ ok: boolean; detail: string }> {
  const { stdout } = await svcOf(limited)('doctor --json')
  const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; detail: string }[] }
  return checks.find(({ name }) => name === 'rights') ?? checks.find(({ ok }) => !ok) ?? assert.fail(stdout)
}

describe('a role without rights', () => {
  test('is refused, with the command that the owner runs', async () => {
    const svc = svcOf(limited)
    const grants = 'let the owner run `npm run -s svc -- database grant ROLE`'
    const { code, stdout } = await svc('doctor --json')
    assert.equal(code, 1)
    assert.ok(stdout.includes(`permission denied for table schema_migrations: `), stdout)
    assert.ok(stdout.includes(grants), stdout)
    assert.ok((await svc('migrate')).stderr.includes(grants))
  })

  test('is reported by doctor', async () => {
    await owner.query(`grant select on schema_migrations, version_contract to ${role}`)
    const { ok, detail } = await rightsCheck()
    assert.equal(ok, false)
    assert.match(detail, /lacks: .*properties \(select, insert, update, delete\)/)
  })
})

describe('a role on an empty database of another', () => {
  test('is refused, with the command that the owner runs', async () => {
    const empty = await testDatabase({ empty: { encoding: 'UTF8' } })
    try {
      const svc = svcOf(asRole(empty.direct))
      assert.match((await svc('doctor --json')).stdout, /The role of DATABASE_URL may not apply them/)
      assert.deepEqual(await svc('migrate'), {
        code: 1,
        stdout: '',
        stderr: 'permission denied for schema public: run this as the owner of the database\n',
      })
    } finally {
      await empty.drop()
    }
  })
})

describe('svc database grant', () => {
  test('gives it the rights on all tables, and may be repeated', async () => {
    const svc = svcOf(database.direct)
    const { code, stdout } = await svc(`database grant ${role} --json`)
    assert.equal(code, 0)
    assert.ok((JSON.parse(stdout) as { tables: number }).tables > 20)
    assert.equal((await svc(`database grant ${role} --json`)).stdout, stdout)
    assert.deepEqual(await rightsCheck(), {
      name: 'rights',
      ok: true,
      detail: 'the role reads and writes rows; only the owner of the tables can migrate',
    })
  })

  test('refuses a role that may not grant', async () => {
    const { code, stdout, stderr } = await svcOf(limited)(`database grant ${role}`)
    assert.deepEqual([code, stdout], [1, ''])
    assert.equal(
      stderr,
      "Only the owner of the tables can grant rights: run this with the owner's DATABASE_URL.\n",
    )
  })

  test('refuses an unknown role', async () => {
    const { code, stderr } = await svcOf(database.direct)('database grant nobody_at_all')
    assert.deepEqual([code, stderr], [1, 'role "nobody_at_all" does not exist\n'])
  })
})

describe('a role with rights on rows', () => {
  test('runs commands and starts, which have nothing to migrate', async () => {
    assert.deepEqual(await migrate(limited), [])
    const svc = svcOf(limited)
    assert.equal((await svc('agency create --name Acme --slug acme')).code, 0)
    assert.equal((await svc('key create --agency acme --name CRM --scope properties:write')).code, 0)
    assert.match((await svc('agency list')).stdout, /^acme/m)
  })

  test('owns nothing and creates no tables', async () => {
    const db = openDatabase({ connection: limited, poolSize: 1, namedStatements: false })
    try {
      assert.deepEqual(await readRights(db), { isOwner: false, lacking: [] })
      for (const text of [
        'create table another ()',
        'drop table properties',
        'alter table agencies add more text',
      ])
        await assert.rejects(db.run({ text, values: [] }), /permission denied|must be owner/)
    } finally {
      await db.destroy()
    }
  })

  test('analyses tables, as far as PostgreSQL has a right for that', async () => {
    const client = new Client(limited)
    await client.connect()
    const names = await analyse(async (text) => (await client.query(text)).rows, 'all')
    const { rows } = await client.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    )
    assert.equal(names.length > 0, Number(rows[0]?.version) >= 170_000)
    await client.end()
  })

  test('cannot migrate, and is sent to the owner in one line', async () => {
    await owner.query(`delete from schema_migrations where name = '0014_version_contract.sql'`)
    await owner.query('drop table version_contract')
    await assert.rejects(migrate(limited), {
      message:
        /^migrations\/0014_version_contract\.sql could not be applied[^\n]*permission denied[^\n]*as the owner of the tables/,
    })
    const { stdout } = await svcOf(limited)('doctor --json')
    const { checks } = JSON.parse(stdout) as { checks: { name: string; warning?: true; detail: string }[] }
    assert.deepEqual(
      checks.find(({ name }) => name === 'migrations'),
      {
        name: 'migrations',
        ok: true,
        warning: true,
        detail:
          '1 pending: 0014_version_contract.sql. The role of DATABASE_URL may not apply them: run `npm run -s svc -- migrate` as the owner.',
      },
    )
    assert.deepEqual(await migrate(database.direct), ['0014_version_contract.sql'])
    // Tables of later migrations are covered.
    assert.equal((await rightsCheck()).ok, true)
  })
})
