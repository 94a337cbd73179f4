/**
 * `npm run test:pgbouncer`: runs all tests, or the test files named after `--`, with a PgBouncer in transaction mode between the
 * application and PostgreSQL. It requires PgBouncer (`apt-get install pgbouncer`) and starts its own instance; PGBOUNCER
 * is the path of another binary.
 * PREPARED_STATEMENTS=on requires PgBouncer 1.21 or later: it then supports named statements, and the application uses them.
 *
 * Test databases are created and deleted over direct connections. Tests of features that need one, such as session settings, also bypass
 * PgBouncer (test/support/database/database.ts).
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { freePort } from '../test/support/network/free-port.ts'
import { testServer } from '../test/support/database/database.ts'

/** User and group `nobody`: PgBouncer refuses to run as root. */
const unprivileged = { uid: 65_534, gid: 65_534 }
const runAs = process.getuid?.() === 0 ? unprivileged : undefined

const { PGBOUNCER: chosen = '', PREPARED_STATEMENTS: prepared = 'off' } = process.env
const program = [chosen, '/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find(
  (path) => existsSync(path),
)
if (program === undefined) {
  process.stderr.write('PgBouncer is not installed: apt-get install pgbouncer.\n')
  process.exit(1)
}

const server = await testServer()
const directory = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
let pooler: ChildProcess | null = null
try {
  const port = await freePort()
  writeFileSync(join(directory, 'pgbouncer.ini'), settings(server.connection, port), { mode: 0o644 })
  chmodSync(directory, 0o755)
  if (runAs !== undefined) chownSync(directory, runAs.uid, runAs.gid)
  const log = join(directory, 'pgbouncer.log')
  pooler = spawn(program, [join(directory, 'pgbouncer.ini')], { stdio: 'ignore', ...runAs })
  const url = `postgres://pooled@127.0.0.1:${port}/postgres`
  await untilReady(url, log)
  process.stderr.write(
    `${spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.split('\n', 1)[0]}\n`,
  )
  const runner = join(import.meta.dirname, 'test.ts')
  const tests = spawn(process.execPath, [runner, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, TEST_POOLER_URL: url, TEST_POOLER_STATEMENTS: prepared },
  })
  const [code] = (await once(tests, 'exit')) as [number | null]
  process.stderr.write(`${await figures(url)}\n`)
  process.exitCode = code ?? 1
} finally {
  if (pooler !== null && pooler.exitCode === null) {
    const gone = once(pooler, 'exit')
    pooler.kill('SIGTERM')
    await gone
  }
  rmSync(directory, { recursive: true, force: true })
  await server.release()
}

/** The text of pgbouncer.ini: any database name leads to the database of that name, as the tests' own user. */
function settings(to: ClientConfig, port: number): string {
  const url = to.connectionString === undefined ? null : new URL(to.connectionString)
  const way = {
    host: url?.searchParams.get('host') ?? url?.hostname ?? to.host ?? 'localhost',
    port: url?.port || to.port || 5432,
    user: decodeURIComponent(url?.username ?? to.user ?? 'postgres'),
    password: decodeURIComponent(url?.password ?? String(to.password ?? '')),
  }
  const words = Object.entries(way).filter(([, value]) => value !== '')
  return `[databases]
* = ${words.map(([name, value]) => `${name}='${String(value).replaceAll("'", "''")}'`).join(' ')}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
admin_users = pooled
pool_mode = transaction
; Fewer than the tests open, so that clients take turns on a connection.
default_pool_size = 6
max_client_conn = 1000
${prepared === 'on' ? 'max_prepared_statements = 500' : ''}
server_idle_timeout = 10
autodb_idle_timeout = 10
logfile = ${join(directory, 'pgbouncer.log')}
`
}

async function untilReady(url: string, log: string): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const client = new Client(url)
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return
    } catch (error) {
      if (turn === 100)
        throw new Error(existsSync(log) ? readFileSync(log, 'utf8') : String(error), { cause: error })
      await delay(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

/** Shows that the tests used PgBouncer. */
async function figures(url: string): Promise<string> {
  const admin = new Client(`${url.slice(0, url.lastIndexOf('/'))}/pgbouncer`)
  await admin.connect()
  const { rows } = await admin.query<{
    database: string
    total_xact_count: string
    total_query_count: string
  }>('show stats')
  await admin.end()
  const sum = (name: 'total_xact_count' | 'total_query_count') =>
    rows.reduce((total, row) => total + Number(row[name]), 0)
  return `Through PgBouncer, except databases that it has closed: ${sum('total_xact_count')} transactions, ${sum('total_query_count')} statements, ${rows.length} databases.`
}
