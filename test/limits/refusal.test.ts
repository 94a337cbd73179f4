/** When a limit has quota again, and the wording of the 429 (api.md 6.4). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockingLimit, rateLimited } from '../../src/limits/refusal.ts'

test('an exhausted quota returns at the end of the window, or when the agency’s own limit expires', () => {
  const rows: [max: number, own: object, used: number, needed: number, seconds: number | null][] = [
    [5, {}, 5, 1, 100],
    [5, {}, 0, 6, null],
    [0, {}, 0, 1, null],
    [2, { usual: 9, endsIn: 30 }, 2, 1, 30],
    [2, { usual: 9, endsIn: 30 }, 8, 2, 100],
    [2, { usual: 9, endsIn: 300 }, 2, 1, 100],
    [2, { usual: 9, endsIn: 300 }, 2, 3, 300],
    [0, { usual: 9, endsIn: 300 }, 0, 1, 300],
    [0, { usual: 9, endsIn: 30 }, 0, 1, 30],
    [9, { usual: 2, endsIn: 30 }, 9, 3, null],
    [0, { usual: 9, endsIn: null }, 0, 1, null],
    // An expired limit is not in effect.
    [9, { usual: 9, endsIn: -5 }, 9, 1, 100],
  ]
  for (const [max, own, used, needed, seconds] of rows) {
    const window = { used, needed, resets: 100 }
    const { resets, isHopeless } = blockingLimit('reads_per_day', { max, ...own }, window)
    assert.equal(isHopeless ? null : resets, seconds, JSON.stringify([max, own, used, needed]))
  }
})

test('a refusal’s message tells exhausted, zero and insufficient limits apart', () => {
  const exhausted = blockingLimit('new_listings_per_hour', { max: 20 }, { used: 20, resets: 60 })
  const short = blockingLimit('photos_per_day', { max: 10 }, { used: 8, needed: 3, resets: 90 })
  const { message, headers, extra } = rateLimited([exhausted, short])
  assert.equal(
    message,
    'The limit new_listings_per_hour (20) is exhausted. photos_per_day (10) has 2 left until its window ends, and 3 are needed. Try again in 90 seconds.',
  )
  assert.deepEqual(
    [headers['retry-after'], extra],
    ['90', { retry_after: 90, limits: ['new_listings_per_hour', 'photos_per_day'] }],
  )
})
