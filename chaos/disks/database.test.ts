/**
 * PostgreSQL's disk fails, is full or is read-only under a running service: writes are refused with 503, nothing acknowledged is lost,
 * nothing happens twice, and the service recovers by itself once the disk is healthy.
 *
 * The full disk is real. All other failures are injected into system calls, because a file system cannot be made read-only while
 * PostgreSQL has files open for writing.
 */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { until } from '../../test/support/until.ts'
import { ask } from '../support/ask.ts'
import { type Failure, failCalls, skippedWithoutStrace, treeOf } from './failing-calls.ts'
import { fiveDrafts, type KeyedWrite, keyedWrites } from '../support/keyed-writes.ts'
import type { Pictures } from '../support/pictures.ts'
import type { Service } from '../support/service.ts'
import { serviceOnSmallDisk } from './service-on-small-disk.ts'
import { sendOpen, settle, untilNothingIsLeft } from '../support/settle.ts'
import { skippedWithoutMounts, type SmallDisk } from './small-disk.ts'

/** Megabytes of the data directory: a new database has about 60. */
const megabytes = 192
/** Sets of writes for each failure. */
const sets = 3
const pauseMs = 100
const noticedWithinMs = 60_000

const messages = {
  EIO: /Input\/output error/,
  ENOSPC: /No space left on device|is full/,
  EROFS: /Read-only file system/,
} as const

/** The first files of the write-ahead log, including all that a small database uses. */
const logFiles = Array.from({ length: 15 }, (_, index) => {
  const number = (index + 1).toString(16).toUpperCase()
  return join('postgres-18', 'data', 'pg_wal', `00000001${number.padStart(16, '0')}`)
})

/** `isDown`: PostgreSQL cannot run, so all requests are refused until the disk is healthy. */
const failures: readonly (Failure & { what: string; isDown: boolean })[] = [
  { what: 'no sync succeeds', calls: 'fdatasync,fsync', error: 'EIO', isDown: true },
  { what: 'one sync in ten fails', calls: 'fdatasync,fsync', error: 'EIO', when: '5+10', isDown: false },
  { what: 'the log cannot be written', calls: 'pwrite64', error: 'ENOSPC', paths: logFiles, isDown: true },
  {
    what: 'nothing can be changed',
    calls: 'pwrite64,pwritev,fallocate,ftruncate,fdatasync,fsync,rename,unlink,mkdir',
    error: 'EROFS',
    isDown: true,
  },
]

describe('the disk of PostgreSQL', { skip: skippedWithoutStrace || skippedWithoutMounts }, () => {
  let dataDir: string
  let disk: SmallDisk
  let pictures: Pictures
  let service: Service
  let agency: { id: string; key: string }
  let end: (() => Promise<void>) | undefined
  let databaseLog: string
  /** Bytes of `databaseLog` before the current test. */
  let earlier = 0
  before(async () => {
    ;({ dataDir, disk, pictures, service, agency, end } = await serviceOnSmallDisk('', { megabytes }))
    databaseLog = join(dataDir, 'postgres-18', 'postgres.log')
  })
  after(() => end?.())

  for (const { what, isDown, paths = [], ...failure } of failures) {
    test(`${what}: ${failure.error}`, async (context) => {
      const writes = await newWrites()
      const failing = await failCalls(treeOf(service.pid()), {
        ...failure,
        paths: paths.map((path) => join(dataDir, path)),
      })
      try {
        const refused = await sendUntil(writes, async () => (isDown ? isDatabaseDown() : failing.count() > 2))
        context.diagnostic(`${failing.count()} calls failed, ${refused} responses were 503`)
        assert.ok(failing.count() > 0 && refused > 0)
      } finally {
        await failing.stop()
      }
      await checkReturns(messages[failure.error])
      await settle(service, agency, writes)
    })
  }

  test('full', async (context) => {
    const writes = await newWrites()
    disk.fill()
    const refused = await sendUntil(writes, async (refusedSoFar) => refusedSoFar > 100)
    context.diagnostic(`${refused} responses were 503`)
    const read = await ask(service.url, agency.key, { method: 'GET', path: '/properties?status=all' })
    assert.equal(read?.status, 200, read?.text)
    assert.ok((await fetch(`${service.url}/healthz/ready`)).ok)
    disk.heal()
    assert.match(service.logged(), messages.ENOSPC)
    await settle(service, agency, writes)
  })

  test('full, and the log needs another file', async (context) => {
    const writes = await newWrites()
    disk.fill()
    await writeLog()
    const refused = await sendUntil(writes, isDatabaseDown)
    context.diagnostic(`${refused} responses were 503`)
    disk.heal()
    await checkReturns(messages.ENOSPC)
    await settle(service, agency, writes)
  })

  test('leaves no file that no listing shows', () => untilNothingIsLeft(service, agency))

  /** After another test has failed, the database may not be back yet. */
  async function newWrites(): Promise<KeyedWrite[]> {
    await until(async () => (await fetch(`${service.url}/healthz/ready`)).ok)
    service.forget()
    earlier = statSync(databaseLog).size
    const writes: KeyedWrite[] = []
    for (let set = 0; set < sets; set += 1)
      writes.push(...keyedWrites(pictures, await fiveDrafts(service.url, agency.key)))
    return writes
  }

  /** Sends the writes until `isOver` or all get a response. @returns how many responses were 503 */
  async function sendUntil(
    writes: readonly KeyedWrite[],
    isOver: (refused: number) => Promise<boolean>,
  ): Promise<number> {
    const limit = performance.now() + noticedWithinMs
    let refused = 0
    while (!(await isOver(refused)) && writes.some(({ response }) => response === null)) {
      assert.ok(performance.now() < limit, 'the failure has no effect')
      const statuses = await sendOpen(service, agency, writes)
      refused += statuses.filter((status) => status === 503).length
      assert.ok(!statuses.includes(null), 'a connection was cut')
      await delay(pauseMs)
    }
    return refused
  }

  async function isDatabaseDown(): Promise<boolean> {
    const { status } = await fetch(`${service.url}/healthz/ready`)
    return status === 503 && /PostgreSQL has ended and does not start again: /.test(service.said())
  }

  /** Fills files of the log until PostgreSQL, which cannot create the next one, ends the connection. */
  async function writeLog(): Promise<void> {
    const db = new Client(service.connection())
    db.on('error', () => {})
    await db.connect()
    const filling = async (): Promise<void> => {
      for (;;) await db.query(`select pg_logical_emit_message(false, '', repeat('x', 1000000))`)
    }
    await assert.rejects(filling())
  }

  /** After PostgreSQL has crashed, only its own log is sure to have the reason, and the service names that file. */
  async function checkReturns(reason: RegExp): Promise<void> {
    await until(() => /PostgreSQL had ended and was restarted\./.test(service.said()))
    assert.ok(service.said().includes(` Its log has the reason: ${databaseLog}\n`))
    assert.match(service.said() + readFileSync(databaseLog).subarray(earlier).toString(), reason)
  }
})
