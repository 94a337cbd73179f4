/** Messages between pages, and their cookie. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { en, es } from '../../../../src/pages/dashboard/messages/catalogue.ts'
import {
  decodeFlash,
  encodeFlash,
  failed,
  flashText,
  succeeded,
} from '../../../../src/pages/dashboard/serving/flash.ts'

test('a message passes through its cookie unchanged, and nothing else does', () => {
  const flash = failed('refused', 'porque <b>sí</b>')
  assert.deepEqual(decodeFlash(encodeFlash(flash), es), flash)
  assert.equal(flashText(succeeded('keyRevoked', 'CRM'), en), 'The key “CRM” no longer works.')
  const odd = [['good', 'toString'], ['ok', 'published'], 'x', { kind: 'good' }, ['good'], [1, 2]]
  for (const value of odd)
    assert.equal(decodeFlash(Buffer.from(JSON.stringify(value)).toString('base64url'), es), null)
  for (const text of [undefined, '', '!', 'e30', 'x'.repeat(5_000)]) assert.equal(decodeFlash(text, es), null)
})
