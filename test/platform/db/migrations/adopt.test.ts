/** Databases created by the migrations before 1.0.0 get the current schema, or stay unchanged. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Client } from 'pg'
import {
  adopt,
  findDifferences,
  NotAdopted,
  readSchema,
} from '../../../../src/platform/db/migrations/adopt.ts'
import { DatabaseStartError } from '../../../../src/platform/db/presence/database-start-error.ts'
import { migrate, pendingMigrations } from '../../../../src/platform/db/migrations/migrate.ts'
import type { Migration } from '../../../../src/platform/db/migrations/migrations.ts'
import { applyStatements } from '../../../../src/platform/db/migrations/migration-statements.ts'
import { withSession } from '../../../../src/platform/db/statements/session.ts'
import { testDatabase, type TestDatabase } from '../../../support/database/database.ts'

/** All files of migrations/ before 1.0.0 in one, each preceded by a line with its name. */
const chain = readFileSync(join(import.meta.dirname, 'fixtures/migrations-before-1.0.0.sql'), 'utf8')
const before: readonly Migration[] = chain
  .split(/^-- File: /m)
  .slice(1)
  .map((part) => {
    const end = part.indexOf('\n')
    const text = part.slice(end + 1)
    return { name: part.slice(0, end), text, checksum: createHash('sha256').update(text).digest('hex') }
  })

const quiet = () => {}

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await testDatabase({ empty: { encoding: 'UTF8' } })
  after(() => database.drop())
  return database
}

/** A database as the last version before 1.0.0 left it, or an older one. */
async function oldDatabase(last = before.length): Promise<TestDatabase> {
  const database = await emptyDatabase()
  const { connection } = database
  await withSession(connection, async (session) => {
    await session.run({
      text: 'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null)',
      values: [],
    })
    const waits = { lockMs: 1_000, pauseMs: { first: 0, max: 0 }, patienceMs: 0 }
    for (const { name, text, checksum } of before.slice(0, last)) {
      await applyStatements({ connection, session, log: quiet, waits, isDistributed: false }, { name, text })
      await session.run({
        text: 'insert into schema_migrations values ($1, $2, now())',
        values: [name, checksum],
      })
    }
  })
  // Adoption requires that nothing else is connected.
  await database.db.destroy()
  return database
}

async function schemaOf({ connection }: TestDatabase) {
  return await withSession(connection, async (session) => ({
    schema: await readSchema(session),
    record: await session.run<{ name: string }>({
      text: 'select name, checksum from schema_migrations order by name',
      values: [],
    }),
  }))
}

async function run({ connection }: TestDatabase, text: string): Promise<void> {
  await withSession(connection, (session) => session.run({ text, values: [] }))
}

async function assertRefused(database: TestDatabase, reasons: RegExp): Promise<void> {
  const found = await schemaOf(database)
  await assert.rejects(adopt(database.connection, quiet), (error) => {
    assert.ok(error instanceof NotAdopted)
    assert.match(error.reasons.join('\n'), reasons)
    return true
  })
  assert.deepEqual(await schemaOf(database), found)
}

describe('a database of the migrations before 1.0.0', () => {
  test('gets the schema and the record of a fresh one, and keeps its rows', async () => {
    const [old, fresh] = [await oldDatabase(), await emptyDatabase()]
    await migrate(fresh.connection)
    await run(
      old,
      `insert into agencies (id, name, slug, created_at, updated_at) values (gen_random_uuid(), 'Acme', 'acme', now(), now())`,
    )
    assert.equal(await adopt(old.connection, quiet), true)
    // Files after those of 1.0.0.
    await migrate(old.connection)
    const [adopted, made] = [await schemaOf(old), await schemaOf(fresh)]
    assert.deepEqual(findDifferences(made.schema, adopted.schema), [])
    assert.deepEqual(adopted.record, made.record)
    assert.deepEqual(await pendingMigrations(old.connection), [])
    const names = await withSession(old.connection, (session) =>
      session.run({ text: 'select name from agencies', values: [] }),
    )
    assert.deepEqual(names, [{ name: 'Acme' }])
    assert.equal(await adopt(old.connection, quiet), false)
  })

  test('is refused by a normal start, which names the command', async () => {
    const { connection } = await oldDatabase()
    for (const start of [migrate, pendingMigrations])
      await assert.rejects(start(connection), (error) => {
        assert.ok(error instanceof DatabaseStartError)
        assert.match(error.message, /before 1\.0\.0 .* `npm run -s svc -- database adopt`/)
        return true
      })
  })

  test('stays unchanged if it differs', async () => {
    const old = await oldDatabase()
    await run(
      old,
      `alter table agencies add column stray int; create table stray (); drop index properties_far_idx;
      alter table accounts alter column name drop not null; alter table key_usage set (fillfactor = 30)`,
    )
    await assertRefused(
      old,
      /^Different: column accounts\.name is `text.*`, not `text not null.*\nUnexpected: column agencies\.stray\.\nMissing: index properties_far_idx\.\nDifferent: table key_usage is .*\nUnexpected: table stray\.$/,
    )
  })

  test('stays unchanged while something else is connected', async () => {
    const old = await oldDatabase()
    const server = new Client({ ...old.direct, application_name: 'a server' })
    await server.connect()
    try {
      await assertRefused(old, /^Another client is connected to this database, 1 times as .*\(a server\)/)
    } finally {
      await server.end()
    }
  })

  test('stays unchanged if migrations are missing', async () => {
    const files = before.filter(({ name }) => !name.startsWith('functions/'))
    await assertRefused(
      await oldDatabase(files.length - 1),
      /^It lacks 0111_rough_addresses_indexes\.sql: start it once with the last version before 1\.0\.0/,
    )
  })
})
