/** The outcome of one attempt, as the queue stores it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptMail } from '../../../src/delivery/mails/mail-queue.ts'
import type { Mail, MailDeps, Mailer } from '../../../src/delivery/mails/mailer.ts'

const mail: Mail = { to: 'ana@acme.example', subject: 'Hello', text: 'Hello', html: 'Hello', language: 'en' }

for (const [outcome, written, sent] of [
  ['sent', mail, [mail]],
  ['dropped', null, []],
] as const) {
  test(`${outcome}: the queue learns whether a mail was sent`, async () => {
    const passed: Mail[] = []
    const mailer = { send: async (one: Mail) => void passed.push(one) } as Mailer
    const settled: unknown[] = []
    const attempt = await attemptMail(
      {} as MailDeps,
      mailer,
      {
        what: 'a mail',
        lease: async () => [],
        write: () => written,
        settle: async (_deps, _due, one) => void settled.push(one),
      },
      { failures: 0 },
    )
    assert.deepEqual(attempt, { outcome, waitMs: null })
    assert.deepEqual(settled, [attempt])
    assert.deepEqual(passed, sent)
  })
}
