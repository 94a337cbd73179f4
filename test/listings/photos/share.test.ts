/** The share of a single write in the work on photos, and its time limit. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createLimiter } from '../../../src/platform/concurrency.ts'
import { PhotoDelayed } from '../../../src/listings/photos/failure.ts'
import { openPhotoShare } from '../../../src/listings/photos/share.ts'
import { settle } from '../../support/settle.ts'

const long = 3_600_000

// The share's own timers do not keep the process alive.
let alive: NodeJS.Timeout
before(() => void (alive = setInterval(() => {}, 1_000)))
after(() => clearInterval(alive))

describe('the share of a write', () => {
  test('ends if no slot becomes free in time', async () => {
    const places = createLimiter(1, 1)
    const held = Promise.withResolvers<void>()
    const other = places(() => held.promise, { party: 'other' })
    const share = openPhotoShare('one', { untilFirstMs: 10, fromFirstMs: long }, places)
    await assert.rejects(
      share.take(() => assert.fail('no place')),
      PhotoDelayed,
    )
    held.resolve()
    await other
    await assert.rejects(
      share.take(() => assert.fail('it is over')),
      share.ends.reason,
    )
  })

  test('counts its time from its first slot on, for all of its pictures', async () => {
    const places = createLimiter(2, 1)
    const held = Promise.withResolvers<void>()
    const other = places(() => held.promise, { party: 'one' })
    const share = openPhotoShare('one', { untilFirstMs: long, fromFirstMs: 10 }, places)
    const working = Promise.withResolvers<void>()
    const first = share.take(() => working.promise)
    const second = share.take(() => assert.fail('no place'))
    await settle()
    assert.equal(share.ends.aborted, false)
    held.resolve()
    await other
    // The second waits for the place held by another write of the agency.
    await assert.rejects(second, PhotoDelayed)
    assert.equal(share.ends.aborted, true)
    working.resolve()
    await first
  })

  test('distinguishes time taken by its own pictures from time taken by others', async () => {
    const share = openPhotoShare('one', { untilFirstMs: long, fromFirstMs: 10 }, createLimiter(9, 9))
    const endless = () =>
      new Promise<void>((_resolve, reject) => {
        share.ends.addEventListener('abort', () => reject(share.ends.reason as Error))
      })
    const all = Array.from({ length: 6 }, () => share.take(endless))
    for (const one of all) await assert.rejects(one, share.ends.reason)
  })
})
