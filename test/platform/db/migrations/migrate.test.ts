/** Migrations are applied once and in order by simultaneous processes, and leave nothing behind on failure or while a table is locked. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { DatabaseStartError } from '../../../../src/platform/db/presence/database-start-error.ts'
import { migrate, pendingMigrations } from '../../../../src/platform/db/migrations/migrate.ts'
import { type Migration, readMigrations } from '../../../../src/platform/db/migrations/migrations.ts'
import { testDatabase, type TestDatabase } from '../../../support/database/database.ts'

async function emptyDatabase(encoding = 'UTF8'): Promise<TestDatabase> {
  const database = await testDatabase({ empty: { encoding } })
  after(() => database.drop())
  return database
}

function migration(name: string, text: string): Migration {
  return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
}

const quiet = () => {}
const names = readMigrations().map(({ name }) => name)

/** Rejects with a DatabaseStartError whose message is one line that matches. */
async function assertRefused(work: Promise<unknown>, line: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof DatabaseStartError)
    assert.match(error.message, line)
    assert.equal(error.message.includes('\n'), false)
    return true
  })
}

test('an empty database gets every migration in order; a second run applies nothing', async () => {
  const { connection, db } = await emptyDatabase()
  assert.deepEqual(await pendingMigrations(connection), names)
  const lines: string[] = []
  assert.deepEqual(await migrate(connection, (line) => lines.push(line)), names)
  assert.equal(lines.length, names.length)
  assert.deepEqual(await db.selectFrom('agencies').selectAll().execute(), [])
  assert.deepEqual(await pendingMigrations(connection), [])
  assert.deepEqual(await migrate(connection), [])
})

test('processes that migrate at once apply each migration once', async () => {
  const { connection } = await emptyDatabase()
  const applied = await Promise.all([migrate(connection), migrate(connection), migrate(connection)])
  assert.deepEqual(applied.flat().sort(), names)
})

test('a migration changed after it was applied is refused', async () => {
  const { connection } = await emptyDatabase()
  await migrate(connection, quiet, [migration('0001_a.sql', 'create table a ()')])
  const changed = [
    migration('0001_a.sql', 'create table a (b int)'),
    migration('0002_c.sql', 'create table c ()'),
  ]
  const line = /^migrations\/0001_a\.sql was changed after it was applied/
  await assertRefused(migrate(connection, quiet, changed), line)
  await assertRefused(pendingMigrations(connection, changed), line)
})

test('a failed migration leaves nothing behind; earlier ones stay', async () => {
  const { connection, db } = await emptyDatabase()
  const migrations = [
    migration('0001_a.sql', 'create table a ()'),
    migration('0002_b.sql', 'create table b ();\n\nselect nothing'),
  ]
  await assertRefused(
    migrate(connection, quiet, migrations),
    /^migrations\/0002_b\.sql could not be applied \(line 3\): column "nothing" does not exist$/,
  )
  const { rows } =
    await sql`select to_regclass('a') is not null as a, to_regclass('b') is not null as b`.execute(db)
  assert.deepEqual(rows, [{ a: true, b: false }])
  assert.deepEqual(await pendingMigrations(connection, migrations), ['0002_b.sql'])
})

test('an applied migration that this version does not know is ignored', async () => {
  const { connection } = await emptyDatabase()
  await migrate(connection, quiet, [migration('0001_a.sql', ''), migration('0009_newer.sql', '')])
  assert.deepEqual(await migrate(connection, quiet, [migration('0001_a.sql', '')]), [])
})

test('a function is installed again whenever its text changes, after all numbered migrations', async () => {
  const { connection, db } = await emptyDatabase()
  const withFunction = (result: number) => [
    migration('0001_a.sql', 'create table a (n int)'),
    migration(
      'functions/give.sql',
      `create or replace function give() returns int language sql as 'select ${result} from (select max(n) from a) found'`,
    ),
  ]
  const give = async () => (await sql<{ give: number }>`select give()`.execute(db)).rows[0]?.give
  assert.deepEqual(await migrate(connection, quiet, withFunction(1)), ['0001_a.sql', 'functions/give.sql'])
  assert.equal(await give(), 1)
  assert.deepEqual(await pendingMigrations(connection, withFunction(2)), ['functions/give.sql'])
  assert.deepEqual(await migrate(connection, quiet, withFunction(2)), ['functions/give.sql'])
  assert.equal(await give(), 2)
  assert.deepEqual(await migrate(connection, quiet, withFunction(2)), [])
  // An older version that starts after a rollback, or after a crash during the upgrade.
  assert.deepEqual(await migrate(connection, quiet, withFunction(1)), ['functions/give.sql'])
  assert.equal(await give(), 1)
})

test('a function whose columns change is refused, and the installed one stays', async () => {
  const { connection, db } = await emptyDatabase()
  const withColumn = (name: string) =>
    migration(
      'functions/give.sql',
      `create or replace function give() returns table (${name} int, more int) language sql as 'select 1, 2'`,
    )
  await migrate(connection, quiet, [withColumn('one')])
  await assertRefused(
    migrate(connection, quiet, [withColumn('two')]),
    /functions\/give\.sql could not be applied.*cannot change return type/,
  )
  assert.deepEqual((await sql`select one from give()`.execute(db)).rows, [{ one: 1 }])
})

test('a database that is not encoded in UTF-8 is refused', async () => {
  const { connection } = await emptyDatabase('SQL_ASCII')
  await assertRefused(
    migrate(connection),
    /^The database is encoded in SQL_ASCII: create one with encoding UTF8\.$/,
  )
})

test('an unreachable database is reported in one line', async () => {
  await assertRefused(
    migrate({ host: '127.0.0.1', port: 1, user: 'nobody', database: 'nothing' }),
    /^The database cannot be reached: /,
  )
})

describe('a locked table', () => {
  const waits = { lockMs: 500, pauseMs: { first: 10, max: 20 }, patienceMs: 60_000 }
  const adds = [migration('0001_a.sql', 'alter table held add column b int')]

  /** A table that an open transaction has read. */
  async function heldTable() {
    const { connection, db } = await emptyDatabase()
    await sql`create table held ()`.execute(db)
    const reader = new Client(connection)
    await reader.connect()
    await reader.query('begin')
    await reader.query('select from held')
    const { rows } = await reader.query<{ pid: number }>('select pg_backend_pid() as pid')
    const pid = rows[0]?.pid ?? 0
    const letGo = async (): Promise<void> => {
      await reader.query('rollback')
      await reader.end()
    }
    return { connection, db, pid, letGo }
  }

  test('delays a migration, which blocks no reader, logs the blocking process, and runs once the table is free', async () => {
    const { connection, db, pid, letGo } = await heldTable()
    const { promise: waiting, resolve } = Promise.withResolvers<string>()
    const applied = migrate(connection, resolve, adds, waits)
    const line = await waiting
    assert.match(
      line,
      new RegExp(`^Migration 0001_a\\.sql waits: .* process ${pid} \\(.*idle in transaction`),
    )
    // A later read waits at most as long as one attempt of the migration.
    await sql`select from held`.execute(db)
    await letGo()
    assert.deepEqual(await applied, ['0001_a.sql'])
    await sql`select b from held`.execute(db)
  })

  test('that stays locked fails the migration with a line that names the blocking process', async () => {
    const { connection, pid, letGo } = await heldTable()
    // One attempt, long enough to find the blocking process.
    const short = { ...waits, lockMs: 2_000, patienceMs: 0 }
    await assertRefused(
      migrate(connection, quiet, adds, short),
      new RegExp(`^migrations/0001_a\\.sql could not be applied: .* held by process ${pid} \\(`),
    )
    await letGo()
    assert.deepEqual(await migrate(connection, quiet, adds), ['0001_a.sql'])
  })
})

describe('a migration outside a transaction', () => {
  const indexes = [
    migration('0001_a.sql', 'create table a (b int)'),
    migration(
      '0002_b.sql',
      '-- Outside a transaction.\ndrop index concurrently if exists one;\ncreate index concurrently one on a (b);\n\ncreate index concurrently two on a (b);\n',
    ),
    migration('0003_c.sql', 'create table c ()'),
  ]

  test('runs each of its statements separately, and once, with several processes migrating', async () => {
    const { connection, db } = await emptyDatabase()
    const applied = await Promise.all([1, 2, 3].map(() => migrate(connection, quiet, indexes)))
    assert.deepEqual(
      applied.flat().sort(),
      indexes.map(({ name }) => name),
    )
    const { rows } = await sql`select indexrelid::regclass::text as name from pg_index
      where indrelid = 'a'::regclass and indisvalid order by name`.execute(db)
    assert.deepEqual(rows, [{ name: 'one' }, { name: 'two' }])
    assert.deepEqual(await pendingMigrations(connection, indexes), [])
  })

  test('that another process applies is awaited without an open transaction, for which its indexes would wait', async () => {
    const { connection } = await emptyDatabase()
    const waits = '%pg_try_advisory_xact_lock%'
    const watcher = new Client(connection)
    const holder = new Client(connection)
    await Promise.all([watcher.connect(), holder.connect()])
    try {
      await migrate(connection, quiet, indexes.slice(0, 1))
      await holder.query('begin')
      const taken = 'select pg_advisory_xact_lock(7265838841106)'
      await holder.query(taken)
      const waiting = migrate(connection, quiet, indexes)
      const transactions = new Set<string>()
      // A second transaction begins only after the first has ended.
      while (transactions.size < 2) {
        const { rows } = await watcher.query<{ began: string }>(
          'select xact_start::text as began from pg_stat_activity where query ilike $1 and pid <> pg_backend_pid() and xact_start is not null',
          [waits],
        )
        for (const { began } of rows) transactions.add(began)
      }
      await holder.query('rollback')
      assert.deepEqual(await waiting, ['0002_b.sql', '0003_c.sql'])
    } finally {
      await Promise.all([watcher.end(), holder.end()])
    }
  })

  test('that fails names the line, and starts over', async () => {
    const { connection, db } = await emptyDatabase()
    const text =
      '-- Outside a transaction.\ncreate index concurrently if not exists one on a (b);\nselect nothing;\n'
    const failing = [...indexes.slice(0, 1), migration('0002_b.sql', text)]
    await assertRefused(
      migrate(connection, quiet, failing),
      /^migrations\/0002_b\.sql could not be applied \(line 3\): column "nothing" does not exist$/,
    )
    assert.deepEqual(await pendingMigrations(connection, failing), ['0002_b.sql'])
    const mended = [...indexes.slice(0, 1), migration('0002_b.sql', text.replace('nothing', '1'))]
    assert.deepEqual(await migrate(connection, quiet, mended), ['0002_b.sql'])
    await sql`drop index one`.execute(db)
  })
})
