/** The cache of responses by itself: what it returns, what it evicts first, and its size limit. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cachedResponses } from '../../../src/http/responses/cached-responses.ts'
import { ownBytes } from '../../../src/platform/memory/own-bytes.ts'

const response = (text: string, length = 0) => ({ etag: `"${text}"`, bytes: ownBytes(text.padEnd(length)) })
const large = 10_000
const room = 8 * (large + 1_000)

describe('cachedResponses', () => {
  test('returns an entry at exactly its revision, and drops it at any other', () => {
    for (const other of [3, 5]) {
      const cached = cachedResponses(room)
      cached.keep('a', 4, 'list', response('four'))
      cached.keep('b', 4, 'list', response('of another agency'))
      assert.equal(cached.find('a', 4, 'list')?.bytes.toString(), 'four')
      assert.equal(cached.find('a', 4, 'other'), null)
      assert.equal(cached.find('a', other, 'list'), null)
      assert.equal(cached.find('a', 4, 'list'), null)
      assert.equal(cached.find('b', 4, 'list')?.etag, '"of another agency"')
    }
  })

  test('keeps no older revision beside a newer one, and replaces the older with the newer', () => {
    const cached = cachedResponses(room)
    cached.keep('a', 5, 'list', response('five'))
    cached.keep('a', 4, 'list', response('late'))
    assert.equal(cached.find('a', 5, 'list')?.bytes.toString(), 'five')
    cached.keep('a', 6, 'one', response('six'))
    assert.equal(cached.find('a', 6, 'list'), null)
    assert.equal(cached.find('a', 6, 'one')?.bytes.toString(), 'six')
  })

  test('evicts the least recently used entry first', () => {
    const cached = cachedResponses(room)
    for (const name of ['1', '2', '3', '4', '5', '6', '7']) cached.keep('a', 1, name, response(name, large))
    assert.ok(cached.find('a', 1, '1') !== null)
    cached.keep('b', 1, '8', response('8', large))
    cached.keep('b', 1, '9', response('9', large))
    assert.deepEqual(
      ['1', '2', '3'].map((name) => cached.find('a', 1, name) !== null),
      [true, false, true],
    )
  })

  test('does not keep an entry that would evict most others, or that does not fit', () => {
    const cached = cachedResponses(room)
    cached.keep('a', 1, 'huge', response('', room / 8))
    cached.keep('a', 1, 'n'.repeat(room / 16), response('long name'))
    assert.equal(cached.size(), 0)
    const none = cachedResponses(0)
    none.keep('a', 1, 'list', response('x'))
    assert.equal(none.find('a', 1, 'list'), null)
  })

  test('never exceeds its size in bytes, and keeps only the latest entry under a name', () => {
    const step = fc.record({
      agencyId: fc.constantFrom('a', 'b', 'c'),
      revision: fc.integer({ min: 1, max: 3 }),
      name: fc.constantFrom('p', 'q', 'r', 's'),
      length: fc.integer({ min: 1, max: 12_000 }),
      keeps: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const cached = cachedResponses(room)
        const last = new Map<string, string>()
        for (const [index, { agencyId, revision, name, length, keeps }] of steps.entries()) {
          const place = `${agencyId} ${revision} ${name}`
          if (keeps) {
            const text = `${place} ${index}`
            const held = cached.size()
            cached.keep(agencyId, revision, name, response(text, length))
            // A rejected entry leaves the previous one.
            if (cached.size() !== held || cached.find(agencyId, revision, name)?.etag === `"${text}"`)
              last.set(place, text)
          } else {
            const found = cached.find(agencyId, revision, name)
            if (found !== null) assert.equal(found.etag, `"${last.get(place)}"`)
          }
          assert.ok(cached.size() >= 0 && cached.size() <= room)
        }
        for (const agencyId of ['a', 'b', 'c']) cached.find(agencyId, 99, '')
        assert.equal(cached.size(), 0)
      }),
    )
  })
})
