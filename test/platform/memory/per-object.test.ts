/** Values that belong to objects. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perObject } from '../../../src/platform/memory/per-object.ts'

test('perObject makes one value for each object', () => {
  const made: string[] = []
  const valueOf = perObject(({ name }: { name: string }) => {
    made.push(name)
    return { name }
  })
  const [one, other] = [{ name: 'one' }, { name: 'other' }]
  assert.equal(valueOf(one), valueOf(one))
  assert.notEqual(valueOf(one), valueOf(other))
  assert.deepEqual(made, ['one', 'other'])
})
