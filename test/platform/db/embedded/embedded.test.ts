/** Processes share one embedded PostgreSQL, and none loses data or its connection when others start, stop, or are killed. */
// alone: waits for databases to start and stop
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  ask,
  base,
  dataDir,
  end,
  isRoot,
  leftovers,
  otherProcess,
  postmasterPid,
  start,
} from './embedded-support.ts'

test('a second start of the embedded database finds the data of the first', async () => {
  const first = await start()
  await ask(first.connection, 'create table notes (text text)')
  await ask(first.connection, `insert into notes values ('kept')`)
  await first.release()
  assert.equal(postmasterPid(), null)
  assert.equal(existsSync(String(first.connection.host)), false)

  const second = await start()
  assert.deepEqual(await ask(second.connection, 'select text from notes'), [{ text: 'kept' }])
  await second.release()
  await second.release()
})

test('nothing of the embedded database listens on the network, and other users cannot enter its socket directory', async () => {
  const embedded = await start()
  const host = String(embedded.connection.host)
  assert.equal(lstatSync(host).mode & 0o777, 0o700)
  assert.deepEqual(await ask(embedded.connection, 'show listen_addresses'), [{ listen_addresses: '' }])
  await embedded.release()
})

test('the embedded database is durable, and uses UTF-8 and UTC', async () => {
  const embedded = await start({ durable: true })
  const names = [
    'fsync',
    'full_page_writes',
    'synchronous_commit',
    'autovacuum',
    'server_encoding',
    'TimeZone',
  ]
  const columns = names.map((name) => `current_setting('${name}') as "${name}"`).join(', ')
  assert.deepEqual(await ask(embedded.connection, `select ${columns}`), [
    {
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      autovacuum: 'on',
      server_encoding: 'UTF8',
      TimeZone: 'UTC',
    },
  ])
  await embedded.release()
})

test('lower() supports accented letters', async () => {
  const embedded = await start()
  assert.deepEqual(await ask(embedded.connection, `select lower('ÁÉÑÜ') as folded`), [{ folded: 'áéñü' }])
  await embedded.release()
})

test('several processes use one database, and the last one stops it', async () => {
  const { child, said } = await otherProcess()
  const pid = postmasterPid()
  const mine = await start()
  assert.equal(mine.connection.host, said.host)
  await end(child)
  assert.equal(postmasterPid(), pid)
  assert.deepEqual(await ask(mine.connection, 'select 1 as one'), [{ one: 1 }])
  await mine.release()
  assert.equal(postmasterPid(), null)
})

test('processes that start at once on an empty directory share one database', async () => {
  const directory = join(base, 'race')
  const others = await Promise.all([
    otherProcess(directory),
    otherProcess(directory),
    otherProcess(directory),
  ])
  assert.equal(new Set(others.map(({ said }) => said.host)).size, 1)
  await Promise.all(others.map(({ child }) => end(child)))
  assert.equal(postmasterPid(directory), null)
})

test('a start while the last process exits gets a running database', async () => {
  const leaving = await start()
  const [, arriving] = await Promise.all([leaving.release(), start()])
  assert.deepEqual(await ask(arriving.connection, 'select 1 as one'), [{ one: 1 }])
  await arriving.release()
})

test('after kill -9 the database still runs, and the next start uses it', async () => {
  const { child } = await otherProcess()
  const pid = postmasterPid()
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.equal(postmasterPid(), pid)

  const next = await start()
  assert.equal(postmasterPid(), pid)
  assert.deepEqual(await ask(next.connection, 'select text from notes'), [{ text: 'kept' }])
  await next.release()
  assert.equal(postmasterPid(), null)
})

test('after kill -9 of the process that started it, the others keep it, and the last one stops it', async () => {
  const first = await otherProcess(dataDir, 'server')
  const pid = postmasterPid()
  const mine = await start()
  const third = await otherProcess()
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  assert.deepEqual(await ask(mine.connection, 'select text from notes'), [{ text: 'kept' }])
  const server = await start({ isServer: true })
  await server.release()
  await end(third.child)
  assert.equal(postmasterPid(), pid)
  await mine.release()
  assert.equal(postmasterPid(), null)
})

test('Ctrl-C in the terminal, which signals the whole process group, does not stop PostgreSQL', async () => {
  const { child } = await otherProcess()
  const pid = postmasterPid()
  process.kill(-Number(child.pid), 'SIGINT')
  await once(child, 'exit')
  const next = await start()
  assert.equal(postmasterPid(), pid)
  await next.release()
})

test('a second server on the same data directory is refused until the first has ended', async () => {
  const { child } = await otherProcess(dataDir, 'server')
  await assert.rejects(start({ isServer: true }), /Another server already runs on the data directory/)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const mine = await start({ isServer: true })
  await assert.rejects(start({ isServer: true }), /Another server already runs/)
  await mine.release()
})

test('a postmaster.pid left by a machine crash is ignored, even if its pid is in use again', async () => {
  const owner = lstatSync(realpathSync(join(dataDir, 'postgres-18')))
  const identity = isRoot ? { uid: owner.uid, gid: owner.gid } : {}
  const stranger = spawn('/bin/cat', { stdio: ['pipe', 'ignore', 'ignore'], cwd: '/', ...identity })
  leftovers.push(() => stranger.kill())
  await once(stranger, 'spawn')
  const data = join(dataDir, 'postgres-18', 'data')
  writeFileSync(
    join(data, 'postmaster.pid'),
    `${stranger.pid}\n${data}\n1700000000\n5432\n/nowhere\n\n\nready   \n`,
  )
  const embedded = await start()
  assert.deepEqual(await ask(embedded.connection, 'select text from notes'), [{ text: 'kept' }])
  await embedded.release()
  stranger.kill()
})

test('a killed PostgreSQL is restarted with the same socket', async () => {
  const { promise: isBack, resolve } = Promise.withResolvers<void>()
  const embedded = await start({ log: (line) => line.includes('was restarted') && resolve() })
  const pid = Number(postmasterPid())
  process.kill(pid, 'SIGKILL')
  await isBack
  assert.notEqual(postmasterPid(), pid)
  assert.deepEqual(await ask(embedded.connection, 'select text from notes'), [{ text: 'kept' }])
  await embedded.release()
})

test('a PostgreSQL that crashes and cannot recover, as on a failing disk, is restarted until it can', async () => {
  const [isDown, isBack] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const embedded = await start({
    log(line) {
      if (line.includes('does not start again')) isDown.resolve()
      if (line.includes('was restarted')) isBack.resolve()
    },
  })
  const log = join(embedded.home, 'data', 'pg_wal')
  const files = readdirSync(log).filter((name) => /^[\dA-F]{24}$/.test(name))
  for (const name of files) chmodSync(join(log, name), 0)
  const writer = `select pid from pg_stat_activity where backend_type = 'background writer'`
  const [row] = await ask<{ pid: number }>(embedded.connection, writer)
  process.kill(Number(row?.pid), 'SIGABRT')
  await isDown.promise
  for (const name of files) chmodSync(join(log, name), 0o600)
  await isBack.promise
  assert.deepEqual(await ask(embedded.connection, 'select text from notes'), [{ text: 'kept' }])
  await embedded.release()
})

test('if its socket was deleted, the next start restarts it', async () => {
  const { child, said } = await otherProcess()
  child.kill('SIGKILL')
  await once(child, 'exit')
  rmSync(said.host, { recursive: true })
  const embedded = await start()
  assert.deepEqual(await ask(embedded.connection, 'select text from notes'), [{ text: 'kept' }])
  await embedded.release()
})
