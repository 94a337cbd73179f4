/** The embedded PostgreSQL uses a bounded share of the machine's memory. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memorySettings, usableMemory } from '../../../../src/platform/db/embedded/postmaster.ts'

const gigabyte = 1024 ** 3

describe('memory of the embedded PostgreSQL', () => {
  test('is an eighth of the machine’s, at least 128 MB and at most 1 GB', () => {
    for (const [gigabytes, shared_buffers, effective_cache_size] of [
      [0.25, '128MB', '512MB'],
      [1, '128MB', '512MB'],
      [2, '256MB', '1024MB'],
      [5, '640MB', '2560MB'],
      [8, '1024MB', '4096MB'],
      [256, '1024MB', '131072MB'],
    ] as const)
      assert.deepEqual(memorySettings(gigabytes * gigabyte), { shared_buffers, effective_cache_size })
  })

  test('is a share of the control group’s, if its limit is lower than the machine’s', () => {
    assert.equal(usableMemory(8 * gigabyte, 2 * gigabyte), 2 * gigabyte)
    assert.equal(usableMemory(8 * gigabyte, 2 ** 64), 8 * gigabyte)
    assert.equal(usableMemory(8 * gigabyte, 0), 8 * gigabyte)
    assert.ok(usableMemory() > 0)
  })
})
