/** The upload that loses its slot while others wait is the slowest, not the newest. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Arriving, openUploadSlots } from '../../../../src/pages/dashboard/forms/upload-slots.ts'
import { ApiError } from '../../../../src/platform/errors/errors.ts'
import { settle } from '../../../support/settle.ts'

type Sender = Arriving & { bytes: number; whole: boolean; ended: AbortController }

function sender(payer: string): Sender {
  const ended = new AbortController()
  return {
    payer,
    bytes: 0,
    whole: false,
    ended,
    signal: ended.signal,
    arrived() {
      return this.bytes
    },
    isWhole() {
      return this.whole
    },
    fail: (error) => ended.abort(error),
  }
}

test('each waiting upload ends the one slowest since it got its slot, except new and complete ones', async () => {
  let now = 0
  const enter = openUploadSlots(
    { slots: 5, slotsEach: 1, patienceSeconds: 0.001, graceSeconds: 0.1 },
    () => now,
  )
  const hold = (upload: Sender): Promise<unknown> =>
    enter(upload, () => {
      const { promise, reject } = Promise.withResolvers<never>()
      upload.signal.addEventListener('abort', () => reject(upload.signal.reason as Error))
      return promise
    }).catch((error: unknown) => error)
  const [fast, slow, slower, whole, newest] = ['a', 'b', 'c', 'd', 'e'].map(sender) as [
    Sender,
    Sender,
    Sender,
    Sender,
    Sender,
  ]
  // Data that arrived before the slot does not count.
  slower.bytes = 1_000_000
  for (const early of [fast, slow, slower, whole]) void hold(early)
  await settle()
  now = 150
  void hold(newest)
  await settle()
  fast.bytes = 9_000
  slow.bytes = 2_000
  slower.bytes += 1_000
  whole.whole = true
  const ended = () => [fast, slow, slower, whole, newest].filter(({ signal }) => signal.aborted)
  for (const [index, expected] of [slower, slow, fast].entries()) {
    await enter(sender(`before ${expected.payer}`), async () => {})
    assert.ok(expected.signal.aborted, expected.payer)
    assert.equal(ended().length, index + 1)
    const reason: unknown = expected.signal.reason
    assert.ok(reason instanceof ApiError && reason.status === 408)
    // Another upload takes the slot, so that the next has to wait again.
    void hold(sender(`after ${expected.payer}`))
    await settle()
  }
})
