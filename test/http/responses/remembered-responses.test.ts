/** The cache of finished answers by itself: what it returns, what it evicts first, and its size limit. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { rememberedResponses } from '../../../src/http/responses/remembered-responses.ts'
import { ownBytes } from '../../../src/platform/memory/own-bytes.ts'

const answer = (text: string, length = 0) => ({ etag: `"${text}"`, bytes: ownBytes(text.padEnd(length)) })
const large = 10_000
const room = 8 * (large + 1_000)

describe('rememberedResponses', () => {
  it('returns an entry at exactly its revision, and drops it at any other', () => {
    for (const other of [3, 5]) {
      const finished = rememberedResponses(room)
      finished.keep('a', 4, 'list', answer('four'))
      finished.keep('b', 4, 'list', answer('of another agency'))
      assert.equal(finished.find('a', 4, 'list')?.bytes.toString(), 'four')
      assert.equal(finished.find('a', 4, 'other'), null)
      assert.equal(finished.find('a', other, 'list'), null)
      assert.equal(finished.find('a', 4, 'list'), null)
      assert.equal(finished.find('b', 4, 'list')?.etag, '"of another agency"')
    }
  })

  it('keeps no older revision beside a newer one, and replaces the older with the newer', () => {
    const finished = rememberedResponses(room)
    finished.keep('a', 5, 'list', answer('five'))
    finished.keep('a', 4, 'list', answer('late'))
    assert.equal(finished.find('a', 5, 'list')?.bytes.toString(), 'five')
    finished.keep('a', 6, 'one', answer('six'))
    assert.equal(finished.find('a', 6, 'list'), null)
    assert.equal(finished.find('a', 6, 'one')?.bytes.toString(), 'six')
  })

  it('evicts the least recently used entry first', () => {
    const finished = rememberedResponses(room)
    for (const name of ['1', '2', '3', '4', '5', '6', '7']) finished.keep('a', 1, name, answer(name, large))
    assert.ok(finished.find('a', 1, '1') !== null)
    finished.keep('b', 1, '8', answer('8', large))
    finished.keep('b', 1, '9', answer('9', large))
    assert.deepEqual(
      ['1', '2', '3'].map((name) => finished.find('a', 1, name) !== null),
      [true, false, true],
    )
  })

  it('does not keep an entry that would evict most others, or that does not fit', () => {
    const finished = rememberedResponses(room)
    finished.keep('a', 1, 'huge', answer('', room / 8))
    finished.keep('a', 1, 'n'.repeat(room / 16), answer('long name'))
    assert.equal(finished.size(), 0)
    const none = rememberedResponses(0)
    none.keep('a', 1, 'list', answer('x'))
    assert.equal(none.find('a', 1, 'list'), null)
  })

  it('never exceeds its size in bytes, and keeps only the latest entry under a name', () => {
    const step = fc.record({
      agencyId: fc.constantFrom('a', 'b', 'c'),
      revision: fc.integer({ min: 1, max: 3 }),
      name: fc.constantFrom('p', 'q', 'r', 's'),
      length: fc.integer({ min: 1, max: 12_000 }),
      keeps: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const finished = rememberedResponses(room)
        const last = new Map<string, string>()
        for (const [index, { agencyId, revision, name, length, keeps }] of steps.entries()) {
          const place = `${agencyId} ${revision} ${name}`
          if (keeps) {
            const text = `${place} ${index}`
            const held = finished.size()
            finished.keep(agencyId, revision, name, answer(text, length))
            // A rejected entry leaves the previous one.
            if (finished.size() !== held || finished.find(agencyId, revision, name)?.etag === `"${text}"`)
              last.set(place, text)
          } else {
            const found = finished.find(agencyId, revision, name)
            if (found !== null) assert.equal(found.etag, `"${last.get(place)}"`)
          }
          assert.ok(finished.size() >= 0 && finished.size() <= room)
        }
        for (const agencyId of ['a', 'b', 'c']) finished.find(agencyId, 99, '')
        assert.equal(finished.size(), 0)
      }),
    )
  })
})
