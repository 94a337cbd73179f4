/** Form tokens, and the browser headers of forms from other sites. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csrfToken, isCsrfToken, isOwnForm } from '../../../../src/pages/dashboard/forms/csrf.ts'

test('a form token belongs to one secret', () => {
  const token = csrfToken('a')
  assert.equal(isCsrfToken(token, csrfToken('a')), true)
  for (const wrong of [
    null,
    '',
    csrfToken('b'),
    `${token}x`,
    'ñ'.repeat(43),
    '€'.repeat(43),
    '🏠'.repeat(21),
  ])
    assert.equal(isCsrfToken(wrong, token), false)
  // As many bytes as a token, in fewer characters.
  assert.equal(isCsrfToken(`${'ñ'.repeat(21)}x`, token), false)
})

test('a form from another site is recognized by its browser headers', () => {
  const own = ['https://a.example']
  assert.equal(isOwnForm({ 'sec-fetch-site': 'same-origin' }, own), true)
  assert.equal(isOwnForm({ origin: 'https://a.example' }, own), true)
  assert.equal(isOwnForm({}, own), true)
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://a.example' },
    { origin: 'https://b.example' },
    { origin: 'null' },
  ])
    assert.equal(isOwnForm(headers, own), false)
})
