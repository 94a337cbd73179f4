/** The mailer: text from agencies and visitors stays text, even if it looks like an encoded header. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openMailer } from '../../../src/delivery/mails/mailer.ts'
import { type MailSink, mailSink } from '../notifications/sinks.ts'

let sink: MailSink
before(async () => {
  sink = await mailSink()
})
after(() => sink.close())

test('encoded words in a header are not decoded', async () => {
  const mailer = openMailer({ smtpUrl: sink.url, mailFrom: 'no-reply@listings.test' })
  const trick = '=?utf-8?Q?Ana=0D=0ABcc:_all@x.example?='
  const replyTo = { name: trick, address: 'ana@mail.example' }
  await mailer?.send({ to: 'hola@rio.example', subject: `Consulta de ${trick}`, text: trick, replyTo })
  const [head = ''] = (sink.received[0]?.source ?? '').split('\r\n\r\n')
  assert.match(head, /^Subject: Consulta de = \?utf-8/m)
  assert.match(head, /^Reply-To: .*<ana@mail\.example>/m)
  assert.doesNotMatch(head, /=\?utf-8\?Q\?Ana/)
})
