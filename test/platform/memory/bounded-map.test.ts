/** Bounded maps, and memoized functions (api.md 12.4: names of places are read once). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boundedMap, remembering } from '../../../src/platform/memory/bounded-map.ts'

describe('boundedMap', () => {
  test('evicts the least recently used value', () => {
    const removed: string[] = []
    const map = boundedMap<string, number>({ max: 2, onRemove: (key) => removed.push(key) })
    map.set('a', 1)
    map.set('b', 2)
    assert.equal(map.get('a'), 1)
    map.set('c', 3)
    assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [1, undefined, 3])
    map.delete('a')
    assert.deepEqual([removed, map.size()], [['b', 'a'], 1])
  })

  test('counts sizes, also of a replaced value, and keeps nothing larger than the map', () => {
    const map = boundedMap<string, string>({ max: 10, sizeOf: (value) => value.length })
    map.set('a', 'four')
    map.set('a', 'sixsix')
    map.set('b', 'four')
    assert.deepEqual([map.size(), map.get('a')], [10, 'sixsix'])
    map.set('c', 'eleven char')
    assert.equal(map.size(), 0)
  })
})

describe('remembering', () => {
  test('computes a result once, whatever it is, until it is forgotten', () => {
    const asked: string[] = []
    const read = remembering(500, (text: string) => {
      asked.push(text)
      return text === 'nothing' ? undefined : text.length
    })
    for (const text of ['Salta', 'nothing', 'Salta', 'nothing']) read(text)
    assert.deepEqual(asked, ['Salta', 'nothing'])
    assert.equal(read('Salta'), 5)
    assert.equal(read('nothing'), undefined)

    for (let i = 0; i < 600; i += 1) assert.equal(read(`city ${i}`), `city ${i}`.length)
    assert.equal(read('Salta'), 5)
    assert.equal(asked.filter((text) => text === 'Salta').length, 2)
  })
})
