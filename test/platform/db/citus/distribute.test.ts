/**
 * Distributing a filled database, interrupted at every step, and migrations afterwards. Everything except the rejections needs Citus: `npm
 * run test:citus`.
 */
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Client, type ClientConfig } from 'pg'
import { toNode } from '../../../../src/platform/db/citus/cluster.ts'
import type { Connection } from '../../../../src/platform/db/statements/connection.ts'
import { distribute } from '../../../../src/platform/db/citus/distribute.ts'
import { findFaults } from '../../../../src/platform/db/citus/distribution-checks.ts'
import { findNodes } from '../../../../src/platform/db/citus/servers.ts'
import { distributedTables, referenceTables } from '../../../../src/platform/db/citus/distribution.ts'
import { migrate } from '../../../../src/platform/db/migrations/migrate.ts'
import { type Migration, readMigrations } from '../../../../src/platform/db/migrations/migrations.ts'
import { withSession } from '../../../../src/platform/db/statements/session.ts'
import { svcHere } from '../../../operations/cli/svc.ts'
import { isOnCitus, lastBeforeDistributing, undistributedDatabase } from '../../../support/database/citus.ts'
import { databaseUrl, testDatabase } from '../../../support/database/database.ts'

const citus = { skip: isOnCitus ? false : 'needs Citus' }
const tables = [...referenceTables, ...distributedTables]
const shards = 4
const quiet = (): void => {}

function migration(name: string, text: string): Migration {
  return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
}

/** Rows of some agencies in all tables with foreign keys, and in a few others. */
const fill = `
  insert into agencies (id, name, slug, created_at, updated_at)
    select gen_random_uuid(), 'Agency ' || n, 'agency-' || n, now(), now() from generate_series(1, 20) n;
  insert into agency_revisions (agency_id, revision, changed_at) select id, 7, now() from agencies;
  insert into api_keys (id, agency_id, name, prefix, fingerprint, scopes, created_at)
    select gen_random_uuid(), id, 'key', 'svc_live_abcd', decode(replace(id::text, '-', ''), 'hex'), '{properties:read}', now() from agencies;
  insert into properties (agency_id, id, public_id, version, status, features, photos, created_at, updated_at)
    select id, gen_random_uuid(), 'CODE' || n, n, 'draft', '{"bedrooms": 3}', '{a.b,c.d}', now(), now() from agencies, generate_series(1, 30) n;
  insert into photo_sources select agency_id, id, '{x}', '{a.b}' from properties;
  insert into geocoding_attempts select agency_id, id, 1, 1, now() from properties where version % 3 = 0;
  insert into notification_events (agency_id, id, property_id, sequence, type, revision, at, listing)
    select agency_id, gen_random_uuid(), id, 1, 'published', version, now(), '{}' from properties;
  insert into notification_deliveries (agency_id, event_id, channel, lane, revision)
    select agency_id, id, 'mail', agency_id, revision from notification_events;
  insert into notification_attempts (agency_id, event_id, channel, number, at, duration_ms, succeeded)
    select agency_id, event_id, channel, 1, now(), 5, true from notification_deliveries;
  insert into notification_preferences select id, true, 'en' from agencies;`

/** A checksum of each table's rows, independent of their order. */
async function sums(client: Connection): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const table of tables) {
    const { rows } = await client.query(
      `select count(*)::int as rows, sum(hashtext(t::text)) as sum from ${table} t`,
    )
    found[table] = rows[0]
  }
  return found
}

async function foreignKeys(client: Connection): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `select conname || ' ' || pg_get_constraintdef(oid) as key from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conname !~ '_[0-9]{6}$' order by 1`,
  )
  return rows.map(({ key }) => key)
}

describe('distributing a database', citus, () => {
  let connection: ClientConfig
  let drop: () => Promise<void>
  before(async () => {
    const database = await undistributedDatabase()
    ;({ connection, drop } = database)
    // As on a PostgreSQL that gets Citus after long use.
    await migrate(connection)
    await withSession(connection, (client) => client.query(fill))
    await database.join()
  })
  after(() => drop())

  test('is refused while something else is connected, and changes nothing', async () => {
    const svc = svcHere({ DATABASE_URL: databaseUrl(connection) })
    const server = new Client({ ...connection, application_name: 'a server' })
    await server.connect()
    const { code, stdout, stderr } = await svc('database distribute')
    await server.end()
    assert.equal(code, 1)
    assert.match(
      stdout,
      /^Nothing was changed\.\n.*connected to this database, 1 times as .*\(a server\).*stop/s,
    )
    assert.match(stderr, /not distributed/)
    assert.equal(await withSession(connection, (client) => isDistributed(client)), false)
  })

  test('resumes after any interruption, and keeps every row and foreign key', async () => {
    await withSession(connection, async (client) => {
      const [rows, keys] = [await sums(client), await foreignKeys(client)]
      const stopped = new Error('stopped')
      const lines: string[] = []
      /** Stops after the first step that it logs. */
      const stop = (line: string): void => {
        lines.push(line)
        throw stopped
      }
      for (;;) {
        const error = await distribute(client, { shards, log: stop }).then(
          () => null,
          (reason: unknown) => reason,
        )
        if (error === null) break
        assert.equal(error, stopped)
        assert.deepEqual(await sums(client), rows, lines.at(-1))
        if (await isHalf(client))
          await assert.rejects(migrate(connection), /only partly distributed: run .* database distribute/)
      }
      for (const table of tables)
        assert.equal(lines.filter((line) => line.startsWith(`${table}: distributed,`)).length, 1, table)
      assert.match(lines.join('\n'), /^create_listings\(.*: the function is on every node/m)
      const { rows: lacking } = await client.query(
        `select from run_command_on_workers($$select count(*) from pg_proc where proname = 'create_listings'$$)
         where result <> (select count(*)::text from pg_proc where proname = 'create_listings')`,
      )
      assert.deepEqual(lacking, [])
      const dropped = ['accounts_agency_id_fkey', 'audit_log_agency_id_fkey', 'key_reminders_key_id_fkey']
      assert.deepEqual(
        await foreignKeys(client),
        keys.filter((key) => !dropped.some((name) => key.startsWith(`${name} `))),
      )
      assert.deepEqual(await findFaults(client), [])
    })
  })

  test('only checks on a second run, and shows what each node holds', async () => {
    const { code, stdout, stderr } = await svcHere({ DATABASE_URL: databaseUrl(connection) })(
      'database distribute --json',
    )
    assert.equal(stderr, '')
    assert.equal(code, 0)
    const { distributed, nodes, problems } = JSON.parse(stdout)
    assert.deepEqual([distributed, problems], [[], []])
    assert.equal(
      nodes.reduce((sum: number, node: { shards: number }) => sum + node.shards, 0),
      shards * distributedTables.length,
    )
  })

  test('reports faults', async () => {
    await withSession(connection, async (client) => {
      await client.query('select create_distributed_table($1::regclass, $2)', ['subject_usage', 'subject'])
      assert.match((await findFaults(client)).join(), /^subject_usage is managed by Citus/)
      await client.query('select undistribute_table($1::regclass)', ['subject_usage'])
    })
  })
})

async function isDistributed(client: Connection): Promise<boolean> {
  return (await client.query('select from pg_dist_partition')).rowCount !== 0
}

async function isHalf(client: Connection): Promise<boolean> {
  return (await client.query(`select where to_regclass('distribution_keys') is not null`)).rowCount === 1
}

describe('a migration of a distributed database', citus, () => {
  test('adds columns, constraints, indexes and tables, on every node', async () => {
    const database = await testDatabase()
    const { connection } = database
    const late = [
      migration(
        '9001_column.sql',
        `-- A column.
alter table properties add column garden boolean not null default false, add column size smallint generated always as (cardinality(photos)) stored;
comment on column properties.garden is 'Tried.';
alter table properties add constraint properties_garden_check check (not garden or type is not null) not valid;
alter table api_keys add column note text;
`,
      ),
      migration(
        '9002_index.sql',
        `-- Outside a transaction.
drop index concurrently if exists properties_garden_idx;
create index concurrently properties_garden_idx on properties (agency_id, garden) where garden;
alter table properties validate constraint properties_garden_check;
`,
      ),
      // Listed as if they were new.
      migration('9003_drop.sql', 'drop table request_days;\ndrop table geocoding_attempts;\n'),
      migration(
        '9004_tables.sql',
        `create table request_days (
  agency_id uuid not null, day date not null,
  constraint request_days_pkey primary key (agency_id, day),
  constraint request_days_agency_fkey foreign key (agency_id) references agencies (id)
);
create index request_days_day_idx on request_days (day);
create table geocoding_attempts (
  agency_id uuid not null, property_id uuid not null,
  constraint geocoding_attempts_pkey primary key (agency_id, property_id),
  constraint geocoding_attempts_property_fkey foreign key (agency_id, property_id) references properties (agency_id, id)
);
`,
      ),
      migration('9005_more.sql', 'update properties set garden = true where type is not null;\n'),
    ]
    try {
      assert.deepEqual(
        await migrate(connection, quiet, [...readMigrations(), ...late]),
        late.map(({ name }) => name),
      )
      await withSession(connection, async (client) => {
        assert.deepEqual(await findFaults(client), [])
        const keys = (await foreignKeys(client)).filter((key) => /^(request_days|geocoding_att)/.test(key))
        assert.equal(keys.length, 2)
        for (const { host, port } of (await findNodes(client)) ?? [])
          await withSession(toNode(connection, { host, port }), async (node) => {
            const { rows } = await node.query(
              'select agency_id, garden, size, note from properties left join api_keys using (agency_id)',
            )
            assert.deepEqual(rows, [])
            await node.query('select day from request_days')
          })
        const { rows: indexes } = await client.query<{ result: string }>(
          `select distinct result from run_command_on_placements('properties',
            $$ select count(*) from pg_index where indrelid = '%s'::regclass and indisvalid and pg_get_indexdef(indexrelid) like '%%garden%%' $$)`,
        )
        assert.deepEqual(indexes, [{ result: '1' }])
        const orphan = client.query('insert into geocoding_attempts values ($1, $1)', [randomUUID()])
        await assert.rejects(orphan, { code: '23503' })
      })
    } finally {
      await database.drop()
    }
  })

  test('covers every migration after the first that supports distributed tables', async () => {
    const { connection, join, drop } = await undistributedDatabase()
    try {
      await join()
      const all = readMigrations()
      await migrate(
        connection,
        quiet,
        all.filter(({ name }) => name <= lastBeforeDistributing),
      )
      await withSession(connection, async (client) => {
        await client.query(fill)
        await distribute(client, { shards })
      })
      const later = all.map(({ name }) => name).filter((name) => name > lastBeforeDistributing)
      assert.deepEqual(await migrate(connection), later)
      assert.deepEqual(await withSession(connection, findFaults), [])
    } finally {
      await drop()
    }
  })

  test('is not reported when there is none, even though a node is down', async () => {
    const database = await testDatabase()
    try {
      // The coordinator sees a node where nothing listens.
      const moved =
        'update pg_dist_node set nodeport = 1 where nodeid = (select max(nodeid) from pg_dist_node)'
      await withSession(database.connection, (client) => client.query(moved))
      assert.deepEqual(await migrate(database.connection), [])
    } finally {
      await database.drop()
    }
  })

  test('that waits for a lock on a node lets others pass, names the process that holds it, and is applied afterwards', async () => {
    const database = await testDatabase()
    const { connection } = database
    try {
      const nodes = await withSession(connection, findNodes)
      const worker = nodes?.find(({ isCoordinator }) => !isCoordinator)
      assert.ok(worker)
      await withSession(toNode(connection, worker), async (reader) => {
        await reader.query('begin')
        await reader.query('select from agency_revisions')
        const { rows } = await reader.query<{ pid: number }>('select pg_backend_pid() as pid')
        const { promise: waiting, resolve } = Promise.withResolvers<string>()
        const waits = { lockMs: 2_000, pauseMs: { first: 10, max: 20 }, patienceMs: 60_000 }
        const adds = [migration('9001_a.sql', 'alter table agency_revisions add column a int')]
        const applied = migrate(connection, resolve, adds, waits)
        assert.match(await waiting, new RegExp(`held by process ${rows[0]?.pid} \\(.*idle in transaction`))
        await reader.query('commit')
        assert.deepEqual(await applied, ['9001_a.sql'])
      })
    } finally {
      await database.drop()
    }
  })
})

describe('the command that distributes', () => {
  test('refuses the embedded database, and an invalid number of shards', async () => {
    const svc = svcHere({})
    const embedded = await svc('database distribute')
    assert.equal(embedded.code, 1)
    assert.match(embedded.stderr, /^The embedded database cannot be distributed: .*distribute\.md/)
    for (const shards of ['0', '1.5', 'many', '2000'])
      assert.match(
        (await svc(`database distribute --shards ${shards}`)).stderr,
        /^--shards must be a whole number/,
      )
  })

  test('refuses a database without Citus', async () => {
    const database = await testDatabase({ empty: { encoding: 'UTF8' } })
    const svc = svcHere({ DATABASE_URL: databaseUrl(database.direct) })
    const { code, stderr } = await svc('database distribute')
    await database.drop()
    assert.equal(code, 1)
    assert.match(stderr, /^This database has no Citus: .*create extension citus/)
  })
})
