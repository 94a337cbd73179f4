/** Cookies as browsers send them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cookieJar, readCookies } from '../../../src/pages/framework/cookies.ts'

test('cookies are parsed as sent, and named by the scheme', () => {
  assert.deepEqual(readCookies('a=1; b=2=3;c; a=4'), { a: '1', b: '2=3' })
  assert.deepEqual(readCookies(undefined), {})
  const line = cookieJar({ publicBaseUrl: 'http://127.0.0.1:3000' }).line('session', 'x', 0)
  assert.equal(line, 'dashboard-session=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
  assert.equal(cookieJar({ publicBaseUrl: 'https://a.example' }).named('session'), '__Host-dashboard-session')
})
