/** Why a delivery failed, in both languages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reasonText, type Why } from '../../../../../src/delivery/notifications/failure.ts'
import { en, es } from '../../../../../src/pages/dashboard/messages/catalogue.ts'
import { whyText } from '../../../../../src/pages/dashboard/pages/operator/delivery-parts.ts'

test('the reason of a failed delivery is in the reader’s language, and quotes others unchanged', () => {
  const said = 'Mailbox <busy>'
  const whys: readonly Why[] = [
    { kind: 'silent', seconds: 10 },
    { kind: 'late', seconds: 20 },
    { kind: 'unreachable', said: 'ECONNREFUSED' },
    { kind: 'unreachable', said: null },
    { kind: 'redirected', status: 307 },
    { kind: 'refused', status: 500, said },
    { kind: 'refused', status: 503, said: null },
    ...(['mail_unreachable', 'mail_sign_in', 'mail_refused', 'error'] as const).map((kind) => ({
      kind,
      said,
    })),
    { kind: 'no_address' },
    { kind: 'unwanted' },
  ]
  for (const why of whys) {
    const detail = reasonText(why)
    const [spanish = '', english = ''] = [es, en].map((t) => whyText({ t }, { why, detail }) ?? '')
    assert.notEqual(spanish, english)
    for (const text of [spanish, english]) {
      for (const [name, value] of Object.entries(why))
        if (name !== 'kind' && value !== null) assert.ok(text.includes(String(value)), text)
      assert.doesNotMatch(text, /null|undefined/)
    }
  }
  assert.equal(
    whyText({ t: es }, { why: { kind: 'silent', seconds: 10 }, detail: '' }),
    'No respondió en 10 segundos.',
  )
  assert.equal(whyText({ t: es }, { why: null, detail: 'of an older version' }), 'of an older version')
})
