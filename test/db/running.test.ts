// Whether PostgreSQL runs elsewhere: the pipe says who lives, the record where that was.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import type { EmbeddedPaths } from '../../src/db/embedded-place.ts'
import { announce, awaitEnd, findWhereabouts, forget } from '../../src/db/running.ts'

const here = findWhereabouts()
const elsewhere = { ...here, pid: 'pid:[1]', ipc: 'ipc:[1]', host: 'other' }
const afterRestart = { ...elsewhere, boot: 'another start of the machine' }
const nobody = (): boolean => false
const somebody = (): boolean => true

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

/** A program that holds the place as PostgreSQL does, with a child that outlives it. */
async function holdWith(place: EmbeddedPaths): Promise<{ kill(): Promise<void>; endChild(): Promise<void> }> {
  const hold = announce(place, here)
  assert.ok(hold !== null)
  // The child ends when its input does. Files are closed in the order of their numbers: once that is, so is the pipe.
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

test('one that never ran here is no obstacle, unless somebody elsewhere uses the database', async () => {
  const place = newPlace()
  await awaitEnd(place, here, nobody)
  await assert.rejects(awaitEnd(place, here, somebody), /is in use in another container/)
})

test('while it or a child of it lives, a start elsewhere is refused; then not any more', async () => {
  const place = newPlace()
  const { kill, endChild } = await holdWith(place)
  const inUse = /is in use in another container or PID namespace \(host .+\): stop the service there first/
  await assert.rejects(awaitEnd(place, elsewhere, nobody), inUse)
  await kill()
  await assert.rejects(awaitEnd(place, elsewhere, nobody), inUse)
  await assert.rejects(awaitEnd(place, afterRestart, nobody), inUse)
  await endChild()
  await awaitEnd(place, elsewhere, nobody)
  await awaitEnd(place, afterRestart, nobody)
  await assert.rejects(awaitEnd(place, elsewhere, somebody), inUse)
})

test('where it ran itself, a start waits for the children of one that was killed', async () => {
  const place = newPlace()
  const { kill, endChild } = await holdWith(place)
  await kill()
  let hasEnded = false
  const waiting = awaitEnd(place, here, somebody).then(() => {
    hasEnded = true
  })
  assert.equal(hasEnded, false)
  await endChild()
  await waiting
})

test('without a pipe the record decides, and what it cannot decide is refused', async () => {
  const place = newPlace()
  const hold = announce(place, here)
  if (hold !== null) closeSync(hold)
  rmSync(join(place.home, 'running.pipe'))
  await awaitEnd(place, here, somebody)
  await awaitEnd(place, afterRestart, nobody)
  for (const other of [elsewhere, { ...here, ipc: 'ipc:[1]' }])
    await assert.rejects(
      awaitEnd(place, other, nobody),
      /cannot be told from here: .* delete .*running\.json/,
    )
  // No pipe at all: opened to write, a file would always seem to have a reader.
  writeFileSync(join(place.home, 'running.pipe'), '')
  await awaitEnd(place, here, nobody)
  forget(place)
  await awaitEnd(place, elsewhere, nobody)
})
