/** Disks, clocks and replication slots that no test can produce, as doctor judges them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Disk, judgeDisks } from '../../../../src/operations/cli/doctor/disk.ts'
import { describeClocks, describeSlots } from '../../../../src/operations/cli/doctor/servers.ts'

const gib = 2 ** 30

describe('disks', () => {
  const disk = (changes: Partial<Disk>): Disk => ({
    path: '/data',
    bytes: 100 * gib,
    freeBytes: 50 * gib,
    freeFiles: 1e6,
    ...changes,
  })

  test('with room are fine: a share of it, or many bytes', () => {
    assert.equal(judgeDisks([disk({})]), '/data has 50.0 GiB of 100.0 GiB free')
    assert.equal(typeof judgeDisks([disk({ bytes: 5 * gib, freeBytes: gib })]), 'string')
    assert.equal(typeof judgeDisks([disk({ bytes: 4_000 * gib, freeBytes: 30 * gib })]), 'string')
    assert.equal(typeof judgeDisks([disk({ freeFiles: null })]), 'string')
  })

  test('that are nearly full cause a warning', () => {
    const nearly = disk({ path: '/data/photos', freeBytes: 7 * gib })
    assert.deepEqual(judgeDisks([disk({}), nearly]), {
      warning: 'nearly full: /data/photos has 7.0 GiB of 100.0 GiB free',
    })
  })

  test('that are full are wrong, also without room for another file', () => {
    assert.throws(() => judgeDisks([disk({}), disk({ freeBytes: 100 * 2 ** 20 })]), {
      message: 'full: /data has 100 MiB of 100.0 GiB free',
    })
    assert.throws(() => judgeDisks([disk({ freeFiles: 12 })]), {
      message: 'full: /data has 50.0 GiB of 100.0 GiB free, and room for only 12 files',
    })
  })
})

describe('clocks', () => {
  const hereMs = Date.parse('2026-11-28T12:00:00Z')
  const clock = (aheadSeconds: number, server: string | null = null) => ({
    server,
    ms: hereMs + aheadSeconds * 1_000,
    hereMs,
  })

  test('that agree within seconds are fine, with the latest change in the past', () => {
    assert.equal(describeClocks([clock(2)], hereMs - 60_000), '2026-11-28T12:00:02.000Z, as on this machine')
    assert.ok(describeClocks([clock(-9)], null))
    assert.ok(describeClocks([clock(0)], hereMs + 30_000))
  })

  test('that disagree are wrong, by server', () => {
    assert.throws(() => describeClocks([clock(400)], null), {
      message: "this machine's clock is 400 s behind the database's. Synchronise them, for example by NTP.",
    })
    assert.throws(() => describeClocks([clock(0, 'a:5432'), clock(-20, 'b:5432')], null), {
      message: "this machine's clock is 20 s ahead of that of b:5432. Synchronise them, for example by NTP.",
    })
  })

  test('that were set back are wrong', () => {
    assert.throws(
      () => describeClocks([clock(0)], hereMs + 3_600_000),
      /latest change is of 2026-11-28T13:00:00/,
    )
  })
})

describe('replication slots', () => {
  const slot = (bytes: number, server: string | null = null) => ({ server, name: 'standby', bytes })

  test('are fine if none is unused', () => {
    assert.equal(describeSlots([]), 'no unused slots')
  })

  test('that nobody reads cause a warning while they retain little', () => {
    assert.deepEqual(describeSlots([slot(16 * 2 ** 20)]), { warning: 'nobody reads standby (16 MiB)' })
  })

  test('that nobody reads are wrong once they retain much, by server', () => {
    assert.throws(
      () => describeSlots([slot(0), slot(3 * gib, 'b:5432')]),
      /^Error: nobody reads standby on b:5432 \(3\.0 GiB\): .*until the disk is full/,
    )
  })
})
