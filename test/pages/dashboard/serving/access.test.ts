/** Redirects after a sign-in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeNext } from '../../../../src/pages/dashboard/serving/access.ts'

test('redirects only go to URLs of the dashboard', () => {
  for (const good of ['/dashboard', '/dashboard/keys?x=1&y=%20', '/dashboard?x=1'])
    assert.equal(safeNext(good), good)
  for (const bad of [
    null,
    '',
    '/',
    '/dashboards',
    'https://x',
    '/dashboard//x',
    '/dashboard/\n',
    '/dashboard/<',
  ])
    assert.equal(safeNext(bad), '/dashboard')
})
