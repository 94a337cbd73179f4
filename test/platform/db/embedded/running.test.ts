/** Detecting a PostgreSQL that runs elsewhere: the pipe shows whether its processes are alive, the record where they started. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import type { EmbeddedPaths } from '../../../../src/platform/db/embedded/embedded-paths.ts'
import {
  recordStart,
  awaitEnd,
  getWhereabouts,
  deleteRecord,
} from '../../../../src/platform/db/embedded/running.ts'

const here = getWhereabouts()
const elsewhere = { ...here, pid: 'pid:[1]', ipc: 'ipc:[1]', host: 'other' }
const afterRestart = { ...elsewhere, boot: 'another start of the machine' }
const unused = (): boolean => false
const used = (): boolean => true

const homes: string[] = []
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true })
})

function newPlace(): EmbeddedPaths {
  const home = mkdtempSync(join(tmpdir(), 'running-'))
  homes.push(home)
  const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  return { home, data: join(home, 'data'), logFile: join(home, 'postgres.log'), user, runAs: undefined }
}

/** A process that holds the pipe as PostgreSQL does, with a child that outlives it. */
async function holdWith(place: EmbeddedPaths): Promise<{ kill(): Promise<void>; endChild(): Promise<void> }> {
  const hold = recordStart(place, here)
  assert.ok(hold !== null)
  // The child ends with its input.
  const holder = spawn('sh', ['-c', 'cat <&4 & echo; wait'], {
    stdio: ['ignore', 'pipe', 'ignore', hold, 'pipe'],
  })
  closeSync(hold)
  const { stdout } = holder
  const input = holder.stdio[4]
  assert.ok(stdout !== null && input instanceof Socket)
  const closed = once(input.resume(), 'end')
  await once(stdout, 'data')
  return {
    async kill() {
      holder.kill('SIGKILL')
      await once(holder, 'exit')
    },
    async endChild() {
      input.end()
      await closed
    },
  }
}

/** Waits until a start elsewhere is accepted. The kernel may close an ended process's files shortly after its socket. */
async function untilEnded(place: EmbeddedPaths): Promise<void> {
  const end = performance.now() + 5_000
  for (;;) {
    try {
      return await awaitEnd(place, elsewhere, unused)
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

test('without an earlier PostgreSQL a start proceeds, unless a process elsewhere uses the database', async () => {
  const place = newPlace()
  await awaitEnd(place, here, unused)
  await assert.rejects(awaitEnd(place, here, used), /is in use in another container/)
})

test('a start elsewhere is refused while PostgreSQL or one of its children lives, but not afterwards', async () => {
  const place = newPlace()
  const { kill, endChild } = await holdWith(place)
  const inUse = /is in use in another container or PID namespace \(host .+\): stop the service there first/
  await assert.rejects(awaitEnd(place, elsewhere, unused), inUse)
  await kill()
  await assert.rejects(awaitEnd(place, elsewhere, unused), inUse)
  await assert.rejects(awaitEnd(place, afterRestart, unused), inUse)
  await endChild()
  await untilEnded(place)
  await awaitEnd(place, afterRestart, unused)
  await assert.rejects(awaitEnd(place, elsewhere, used), inUse)
})

test('in the same namespaces, a start waits for the children of a killed PostgreSQL', async () => {
  const place = newPlace()
  const { kill, endChild } = await holdWith(place)
  await kill()
  let hasEnded = false
  const waiting = awaitEnd(place, here, used).then(() => {
    hasEnded = true
  })
  assert.equal(hasEnded, false)
  await endChild()
  await waiting
})

test('without a pipe the record decides, and an undecidable case is refused', async () => {
  const place = newPlace()
  const hold = recordStart(place, here)
  if (hold !== null) closeSync(hold)
  rmSync(join(place.home, 'running.pipe'))
  await awaitEnd(place, here, used)
  await awaitEnd(place, afterRestart, unused)
  for (const other of [elsewhere, { ...here, ipc: 'ipc:[1]' }])
    await assert.rejects(
      awaitEnd(place, other, unused),
      /may still run in another container or namespace.*: .* delete .*running\.json/,
    )
  // A regular file instead of a pipe must be ignored: it can always be opened for writing.
  writeFileSync(join(place.home, 'running.pipe'), '')
  await awaitEnd(place, here, unused)
  deleteRecord(place)
  await awaitEnd(place, elsewhere, unused)
})
