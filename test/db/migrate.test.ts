import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { DatabaseStartError } from '../../src/db/database-start-error.ts'
import { migrate, pendingMigrations, readMigrations, type Migration } from '../../src/db/migrate.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'

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

/** Refused with exactly one line that matches. */
async function assertRefused(work: Promise<unknown>, line: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof DatabaseStartError)
    assert.match(error.message, line)
    assert.equal(error.message.includes('\n'), false)
    return true
  })
}

test('an empty database gets every migration, in order; a second time there is nothing to do', async () => {
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

test('a migration that was changed after it was applied is refused', async () => {
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

test('a migration that fails leaves nothing behind, and those before it stay', async () => {
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

test('a migration that this version does not know is left alone', async () => {
  const { connection } = await emptyDatabase()
  await migrate(connection, quiet, [migration('0001_a.sql', ''), migration('0009_newer.sql', '')])
  assert.deepEqual(await migrate(connection, quiet, [migration('0001_a.sql', '')]), [])
})

test('who may not create an extension is told what to do', async () => {
  const { direct, db } = await emptyDatabase()
  const role = `limited_${randomBytes(4).toString('hex')}`
  await sql`create role ${sql.id(role)}`.execute(db)
  await sql`grant create on schema public to ${sql.id(role)}`.execute(db)
  await assertRefused(
    migrate({ ...direct, options: `-c role=${role}` }, quiet, [
      migration('0001_a.sql', 'create extension pg_trgm'),
    ]),
    /may not create the extension pg_trgm; have a superuser run: create extension pg_trgm;$/,
  )
  await sql`drop owned by ${sql.id(role)}`.execute(db)
  await sql`drop role ${sql.id(role)}`.execute(db)
})

test('a server without the extensions is refused', async () => {
  const { connection } = await emptyDatabase()
  await assertRefused(
    migrate(connection, quiet, [migration('0001_a.sql', 'create extension nowhere')]),
    /does not have the extension nowhere; install PostgreSQL's contrib modules\.$/,
  )
})

test('a database that is not encoded in UTF-8 is refused', async () => {
  const { connection } = await emptyDatabase('SQL_ASCII')
  await assertRefused(
    migrate(connection),
    /^The database is encoded in SQL_ASCII: create one with encoding UTF8\.$/,
  )
})

test('a database that cannot be reached is named in one line', async () => {
  await assertRefused(
    migrate({ host: '127.0.0.1', port: 1, user: 'nobody', database: 'nothing' }),
    /^The database cannot be reached: /,
  )
})
