/**
 * Second starts on a data directory in use by another container, in PID and IPC namespaces in which neither sees the other's processes.
 * They are rejected while any process of the first may live, and accepted without help once it has ended.
 */
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { until } from '../../test/support/until.ts'
import { ask } from '../support/ask.ts'
import { checkConsistency } from '../support/consistency.ts'
import { newDataDir, newService, type Service } from '../support/service.ts'

const root = join(import.meta.dirname, '..', '..')
const ownNamespaces = ['unshare', '--pid', '--ipc', '--mount-proc', '--fork', '--kill-child=SIGKILL'] as const
const node = [process.execPath, 'src/server.ts'] as const
const container = [...ownNamespaces, ...node] as const
/** The first process outlives Node, like the `npm` or the shell of a container, and so does PostgreSQL. */
const containerWithInit = [...ownNamespaces, 'sh', '-c', '"$@"; exec sleep 3600', 'sh', ...node] as const
const noProc = ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$@"', 'sh'] as const

const elsewhere = /is in use in another container/

const tried = spawnSync(ownNamespaces[0], [...ownNamespaces.slice(1), 'true'], { encoding: 'utf8' })
// Without namespaces nothing is tested, which is a failure rather than a skip.
const cannot = tried.status === 0 ? null : `namespaces cannot be made here: ${tried.stderr || tried.error}`

const dataDirs: string[] = []
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  for (const dataDir of dataDirs.splice(0)) rmSync(dataDir, { recursive: true, force: true })
})

function ownDataDir(): string {
  assert.equal(cannot, null, String(cannot))
  const dataDir = newDataDir()
  dataDirs.push(dataDir)
  return dataDir
}

async function serviceOn(dataDir: string, command?: readonly [string, ...string[]]): Promise<Service> {
  const service = await newService({ DATA_DIR: dataDir }, command === undefined ? {} : { command })
  // Killing the first process of a namespace ends PostgreSQL too. SIGTERM might not end that process.
  ends.push(command === undefined ? service.end : service.killServer)
  return service
}

/** Writes listings one at a time until stopped. */
function writeOn(url: string, key: string): { acknowledged: string[]; stop(): Promise<void> } {
  const acknowledged: string[] = []
  let isOver = false
  const writer = async (name: string): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const id = `${name}-${count}`
      const response = await ask(url, key, {
        method: 'PUT',
        path: `/properties/external/${id}`,
        body: { title: id },
      })
      if (response === null) return
      assert.equal(response.status, 201, response.text)
      acknowledged.push(id)
    }
  }
  const writers = Promise.all(['a', 'b', 'c'].map(writer))
  return {
    acknowledged,
    async stop() {
      isOver = true
      await writers
    },
  }
}

/** Asserts a rejection: one matching line, and nothing changed. */
async function assertRefused(service: Service, why: RegExp): Promise<void> {
  const before = filesOf(service.dataDir)
  const failure = await service.start().then(
    () => assert.fail('it started'),
    (error: unknown) => error as Error,
  )
  const [, code, line = ''] = /^the server ended with (\d+): [\d.:T-]+Z ([^]*)$/.exec(failure.message) ?? []
  assert.equal(code, '1', failure.message)
  assert.match(line, why)
  assert.equal(line.trimEnd().split('\n').length, 1, line)
  assert.deepEqual(filesOf(service.dataDir), before)
}

/** The files that a second start would touch first. */
function filesOf(dataDir: string): unknown {
  const home = join(dataDir, 'postgres-18')
  if (!existsSync(home)) return readdirSync(dataDir)
  const file = join(home, 'data', 'postmaster.pid')
  const kept = readdirSync(home).filter((name) => !name.endsWith('.lock-journal'))
  return [kept.sort(), existsSync(file) && readFileSync(file, 'utf8')]
}

/** Asserts that every acknowledged listing exists, and that every table can be read completely. */
async function assertWhole(service: Service, agencyId: string, acknowledged: string[]): Promise<void> {
  const db = new Client(service.connection())
  await db.connect()
  try {
    const { rows } = await db.query<{ external_id: string }>('select external_id from properties')
    const stored = new Set(rows.map((row) => row.external_id))
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      [],
      'acknowledged, and gone',
    )
    const tables = await db.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c where c.relkind in ('r', 'm')`,
    )
    for (const { name } of tables.rows) await db.query(`select count(t::text) from ${name} t`)
    await checkConsistency(db, agencyId, service.dataDir)
  } finally {
    await db.end()
  }
}

/** PostgreSQL's PID as seen from outside its namespace. */
function postmasterOf(service: Service): number {
  const [first = 0] = childrenOf(service.pid())
  const found = childrenOf(first).find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/bin/postgres'),
  )
  assert.ok(found !== undefined, 'PostgreSQL has ended')
  return found
}

/** kill -9 of Node only, below the first process of its namespace. */
async function killNode(service: Service): Promise<void> {
  const [shell] = childrenOf(service.pid())
  const [server] = childrenOf(Number(shell))
  assert.ok(shell !== undefined && server !== undefined)
  process.kill(server, 'SIGKILL')
  // The first process continues as another program once it has noticed the end.
  await until(() => readFileSync(`/proc/${shell}/cmdline`, 'utf8').startsWith('sleep'))
}

function childrenOf(pid: number): number[] {
  return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number)
}

/** A database with an agency, left by commands that have ended. */
async function prepared(dataDir: string): Promise<{ id: string; key: string }> {
  const service = await serviceOn(dataDir)
  return await service.newAgency('held')
}

test('while the first one serves, a second server and a command are refused, and the first continues', async () => {
  const dataDir = ownDataDir()
  const { id, key } = await prepared(dataDir)
  const first = await serviceOn(dataDir, container)
  await first.start()
  const load = writeOn(first.url, key)
  await until(() => load.acknowledged.length > 50)

  const second = await serviceOn(dataDir, container)
  await assertRefused(second, /Another server already runs on the data directory/)
  const command = promisify(execFile)(
    ownNamespaces[0],
    [...ownNamespaces.slice(1), process.execPath, 'src/cli.ts', 'agency', 'list'],
    { cwd: root, env: { ...process.env, DATA_DIR: dataDir } },
  )
  await assert.rejects(command, elsewhere)

  const soFar = load.acknowledged.length
  await until(() => load.acknowledged.length > soFar + 50)
  await load.stop()
  await assertWhole(first, id, load.acknowledged)
  assert.equal(await first.stop(), 0)

  await second.start()
  await assertWhole(second, id, load.acknowledged)
})

test('when Node is killed and its PostgreSQL survives, a start elsewhere is refused until that has ended', async () => {
  const dataDir = ownDataDir()
  const { id, key } = await prepared(dataDir)
  const first = await serviceOn(dataDir, containerWithInit)
  await first.start()
  const load = writeOn(first.url, key)
  await until(() => load.acknowledged.length > 50)
  await killNode(first)
  await load.stop()

  await assertRefused(await serviceOn(dataDir, container), elsewhere)
  // A frozen process counts as alive.
  const postmaster = postmasterOf(first)
  process.kill(postmaster, 'SIGSTOP')
  await assertRefused(await serviceOn(dataDir), elsewhere)
  process.kill(postmaster, 'SIGCONT')
  await assertWhole(first, id, load.acknowledged)

  await first.killServer()
  const second = await serviceOn(dataDir, container)
  await second.start()
  await assertWhole(second, id, load.acknowledged)
})

for (const turn of [1, 2, 3]) {
  test(`when the whole first container is killed under load, the next one starts without help: ${turn}`, async () => {
    const dataDir = ownDataDir()
    const { id, key } = await prepared(dataDir)
    const first = await serviceOn(dataDir, container)
    await first.start()
    const load = writeOn(first.url, key)
    await until(() => load.acknowledged.length > turn * 30)
    await first.killServer()
    await load.stop()
    const second = await serviceOn(dataDir, container)
    await second.start()
    await assertWhole(second, id, load.acknowledged)
  })
}

test('when it is unknown whether the first one lives, the start explains what to do, and that is enough', async () => {
  const dataDir = ownDataDir()
  const { id } = await prepared(dataDir)
  const first = await serviceOn(dataDir, containerWithInit)
  await first.start()
  await killNode(first)
  process.kill(postmasterOf(first), 'SIGKILL')
  // As on a file system without pipes.
  rmSync(join(dataDir, 'postgres-18', 'running.pipe'))
  const second = await serviceOn(dataDir, container)
  await assertRefused(
    second,
    /may still run in another container or namespace.*: make sure that it does not, then delete .*running\.json/,
  )
  await first.killServer()
  rmSync(join(dataDir, 'postgres-18', 'running.json'))
  await second.start()
  await assertWhole(second, id, [])
})

test('a start without a readable /proc is refused before anything is created or changed', async () => {
  const dataDir = ownDataDir()
  const why = /\/proc cannot be read.*: mount it, or set DATABASE_URL/
  await assertRefused(await serviceOn(dataDir, [...noProc, ...node]), why)
  await prepared(dataDir)
  const first = await serviceOn(dataDir)
  await first.start()
  await assertRefused(await serviceOn(dataDir, [...noProc, ...node]), why)
})
