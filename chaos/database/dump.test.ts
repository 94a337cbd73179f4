/**
 * The documented commands dump and restore a database (docs/operations/backup.md). In the original, the role `reader` has the documented
 * grant; the other server lacks that role. Needs POSTGRES_BIN, the folder of PostgreSQL's programs, or `pg_config`.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from '../../test/support/network/free-port.ts'
import { migrate } from '../../src/platform/db/migrations/migrate.ts'
import { newDataDir } from '../support/service.ts'

const root = join(import.meta.dirname, '..', '..')
const home = newDataDir()
after(() => rmSync(home, { recursive: true, force: true }))
/** PostgreSQL does not run as root, so it runs as Linux's `nobody`. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const programs = findPrograms()

function findPrograms(): string {
  const named = process.env['POSTGRES_BIN'] ?? ''
  if (named !== '') return named
  try {
    return execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

/** The first shell command of a document that starts with the word. */
function commandOf(document: string, word: string): string {
  const text = readFileSync(join(root, 'docs', document), 'utf8')
  return new RegExp(`^${word} .*$`, 'm').exec(text)?.[0] ?? assert.fail(`${document} has no ${word}`)
}

/** A separate PostgreSQL with the role `listings`. `ask` runs a statement as its superuser. */
async function newServer(name: string): Promise<{ port: number; ask: (text: string) => Promise<unknown[]> }> {
  const directory = join(home, name)
  mkdirSync(directory, { recursive: true })
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid)
  const data = join(directory, 'data')
  const run = { ...user, cwd: '/', stdio: 'ignore' } as const
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '--no-sync', '-E', 'UTF8'], run)
  const port = await freePort()
  const settings = ['-p', String(port), '-k', '', '-c', 'fsync=off']
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...settings], run)
  after(async () => {
    const ended = once(server, 'exit')
    server.kill('SIGINT')
    await ended
  })
  const ask = async (text: string): Promise<unknown[]> => {
    const client = new Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
    await client.connect()
    return await client
      .query<object>(text)
      .then(({ rows }) => rows)
      .finally(() => client.end())
  }
  while ((await ask('select').catch(() => null)) === null) await delay(50)
  await ask('create role listings login')
  return { port, ask }
}

test(
  'the documented dump is restored on a server without the read replica’s role',
  { skip: programs === '' && 'POSTGRES_BIN is missing: the programs of a PostgreSQL' },
  async () => {
    const [original, elsewhere] = await Promise.all([newServer('original'), newServer('elsewhere')])
    const addressOn = ({ port }: { port: number }, name: string) =>
      `postgres://listings@127.0.0.1:${port}/${name}`
    await original.ask('create database listings owner listings')
    await original.ask('create role reader login')
    const client = new Client({
      host: '127.0.0.1',
      port: original.port,
      user: 'postgres',
      database: 'listings',
    })
    await client.connect()
    await migrate({ connectionString: addressOn(original, 'listings') })
    const [, grant = ''] =
      /`(grant select on [^`]+)`/.exec(readFileSync(join(root, 'docs/operations.md'), 'utf8')) ?? []
    await client.query(grant)
    await client.end()

    const shell = (command: string, env: Record<string, string>) =>
      execFileSync('sh', ['-c', command], {
        cwd: home,
        env: { PATH: `${programs}:${process.env['PATH'] ?? ''}`, ...env },
        encoding: 'utf8',
        stdio: 'pipe',
      })
    const backup = 'operations/backup.md'
    shell(commandOf(backup, 'pg_dump'), { DATABASE_URL: addressOn(original, 'listings') })
    const asSuperuser = { PGHOST: '127.0.0.1', PGPORT: String(elsewhere.port), PGUSER: 'postgres' }
    shell(commandOf(backup, 'createdb').replace('--host=db.example ', ''), asSuperuser)
    const restored = addressOn(elsewhere, 'listings_restored')
    shell(commandOf(backup, 'pg_restore').replace(/"postgres:[^"]*"/, `"${restored}"`), {})
    assert.deepEqual(await migrate({ connectionString: restored }), [])
    assert.deepEqual(await elsewhere.ask(`select from pg_roles where rolname = 'reader'`), [])
  },
)
