/** A request's target is cut in one way: at the first question mark, and later ones belong to the query. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf, searchOf } from '../../../src/platform/web/request-target.ts'

test('a target is cut at its first question mark', () => {
  const targets = {
    '/a/b': ['/a/b', ''],
    '/a?': ['/a', ''],
    '/a?b=1&c=2': ['/a', 'b=1&c=2'],
    '/a?b=1?c=2?': ['/a', 'b=1?c=2?'],
    '?b': ['', 'b'],
    '*': ['*', ''],
    'http://localhost/a?b': ['http://localhost/a', 'b'],
    '': ['', ''],
  }
  for (const [target, parts] of Object.entries(targets))
    assert.deepEqual([pathOf(target), searchOf(target)], parts, target)
  assert.deepEqual([pathOf(undefined), searchOf(undefined)], ['', ''])
})
