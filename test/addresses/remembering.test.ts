/** The memory for names of places (spec 'POST /properties'). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remembering } from '../../src/addresses/remembering.ts'

test('a text is read once, whatever is found, until the memory is full', () => {
  const asked: string[] = []
  const read = remembering((text) => {
    asked.push(text)
    return text === 'nothing' ? null : text.length
  })
  for (const text of ['Salta', 'nothing', 'Salta', 'nothing']) read(text)
  assert.deepEqual(asked, ['Salta', 'nothing'])
  assert.equal(read('Salta'), 5)
  assert.equal(read('nothing'), null)

  for (let i = 0; i < 600; i += 1) assert.equal(read(`city ${i}`), `city ${i}`.length)
  assert.equal(read('Salta'), 5)
  assert.equal(asked.filter((text) => text === 'Salta').length, 2)
})
