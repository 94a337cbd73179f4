/** Invitation and reset mails that the mail server defers: the same link is sent again, and is never stored in plain text. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { mailLinks } from '../../../src/delivery/mails/link-mails.ts'
import { type Mail, openMailer } from '../../../src/delivery/mails/mailer.ts'
import { openSecretBox } from '../../../src/access/secrets/secret-box.ts'
import { type MailSink, mailSink, partsOf } from '../notifications/sinks.ts'
import { testApp, type TestApp } from '../../support/app/app.ts'
import { password } from '../../support/app/people.ts'
import { until } from '../../support/until.ts'
import { person, signedIn, visitor, type Visitor } from '../../pages/dashboard/visitor.ts'

let t: TestApp
let sink: MailSink
let operator: Visitor
let tries = 0
before(async () => {
  sink = await mailSink()
  const real = openMailer({ smtpUrl: sink.url, mailFrom: 'no-reply@listings.test' })
  assert.ok(real !== null)
  const send = (mail: Mail): Promise<void> => real.send(mail).finally(() => (tries += 1))
  t = await testApp({ mailer: { ...real, send } })
  operator = await signedIn(t, 'operator', null, 'en')
})
after(async () => {
  await t.close()
  await sink.close()
})
beforeEach(() => {
  sink.refuse(false)
  sink.received.length = 0
})

const pass = (seconds: number): void => {
  t.clock.offsetMs += seconds * 1_000
}
const again = async (): Promise<number> => await mailLinks(t.deps, 4)
const linkIn = (text: string): string =>
  /https:\/\/listings\.test(\/dashboard\/welcome\/[\w-]{43})/.exec(text)?.[1] ?? ''
const mailed = (): string[] => sink.received.map((mail) => linkIn(partsOf(mail).text))
let count = 0
const invite = async () => {
  count += 1
  const email = `invited-${count}@acme.example`
  const fields = { email, name: 'Carla', role: 'owner' }
  const page = await operator.post(`/dashboard/operator/agencies/${t.agency.slug}/people/invite`, fields)
  return { email, page, link: linkIn(page.text) }
}
/** Everything stored about links, as text. */
const stored = async (): Promise<string> => {
  const { rows } = await sql`select l::text, encode(l.sealed_token, 'escape') as sealed,
    encode(l.token_hash, 'escape') as hash from account_links l`.execute(t.deps.db)
  return JSON.stringify(rows)
}
const waiting = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from account_links where sealed_token is not null`.execute(t.deps.db)
  return rows[0]?.count ?? 0
}
/** Requests a new password. The response precedes the mail, so this waits for the outcome of the first attempt. */
const forget = async (email: string): Promise<void> => {
  const before = tries
  await visitor(t).post('/dashboard/forgot', { email })
  await until(async () => {
    const { rows } = await sql`select 1 from account_links
      where mail_due_at is not null and mail_failures = 0`.execute(t.deps.db)
    return tries > before && rows.length === 0
  })
}
const take = async (link: string): Promise<number> => {
  const who = visitor(t)
  await who.get(link)
  return (await who.post('/dashboard/password', { name: 'Carla', password })).status
}

describe('a mail server that fails temporarily', () => {
  test('gets the same link again, with growing pauses, until it accepts it', async () => {
    sink.refuse(true, 451)
    const { page, link } = await invite()
    assert.equal(page.status, 200)
    assert.match(page.words, /will keep trying/)
    const token = link.split('/').at(-1) ?? ''
    assert.equal(token.length, 43)
    assert.ok(!(await stored()).includes(token))
    assert.equal(await waiting(), 1)
    assert.equal(await again(), 0)
    pass(7)
    assert.equal(await again(), 1)
    pass(7)
    assert.equal(await again(), 0)
    pass(7)
    sink.refuse(false)
    assert.equal(await again(), 1)
    assert.deepEqual(mailed(), [link])
    assert.equal(await waiting(), 0)
    pass(3_600)
    assert.equal(await again(), 0)
    assert.equal(await take(link), 303)
  })

  test('gets the link once it is reachable again', async () => {
    await sink.close()
    const { page, link } = await invite()
    assert.match(page.words, /will keep trying/)
    sink = await mailSink(Number(new URL(sink.url).port))
    pass(7)
    assert.equal(await again(), 1)
    assert.deepEqual(mailed(), [link])
  })

  test('gets a reset for an hour, and the link is then valid for the hour that its mail promises', async () => {
    const { email } = await person(t, 'owner')
    for (const late of [3_000, 4_000]) {
      sink.refuse(true, 421)
      await forget(email)
      pass(late)
      sink.refuse(false)
      await again()
    }
    assert.equal(sink.received.length, 1)
    assert.equal(await waiting(), 0)
  })

  test('delivers a reset late, and its link still works', async () => {
    const { email } = await person(t, 'owner')
    sink.refuse(true, 421)
    await forget(email)
    pass(3_500)
    sink.refuse(false)
    assert.equal(await again(), 1)
    pass(3_500)
    assert.equal(await take(mailed()[0] ?? ''), 303)
  })
})

test('another worker sends the mail with a link when one dies halfway', async () => {
  const { email } = await person(t, 'owner')
  sink.refuse(true, 421)
  await forget(email)
  pass(7)
  const { promise: sending, resolve } = Promise.withResolvers<void>()
  const send = (): Promise<never> => {
    resolve()
    return new Promise(() => {})
  }
  void mailLinks({ ...t.deps, mailer: { send, check: async () => {} } }, 4)
  await sending
  sink.refuse(false)
  pass(60)
  assert.equal(await again(), 0)
  pass(61)
  assert.equal(await again(), 1)
  assert.equal(mailed().length, 1)
})

test('a permanently rejected mail with a link is not sent again, and the inviter is notified', async () => {
  sink.refuse(true, 550)
  const { page, link } = await invite()
  assert.match(page.words, /could not be sent by email/)
  assert.equal(await waiting(), 0)
  sink.refuse(false)
  assert.equal(await take(link), 303)
})

test('a link that is replaced, used, or of a disabled account is no longer mailed', async () => {
  sink.refuse(true, 451)
  const used = await invite()
  assert.equal(await take(used.link), 303)
  const replaced = await invite()
  sink.refuse(false)
  await forget(replaced.email)
  assert.equal(sink.received.length, 1)
  sink.refuse(true, 451)
  const disabled = await invite()
  await sql`update accounts set disabled_at = clock_timestamp() where email = ${disabled.email}`.execute(
    t.deps.db,
  )
  sink.refuse(false)
  pass(60)
  assert.equal(await again(), 0)
  assert.equal(await waiting(), 0)
  assert.equal(sink.received.length, 1)
})

test('a new SECRET_KEY cancels the mail with a link, and nothing else', async () => {
  sink.refuse(true, 451)
  const { link } = await invite()
  sink.refuse(false)
  pass(7)
  const other = { ...t.deps, secretBox: openSecretBox('another secret key of some length') }
  assert.equal(await mailLinks(other, 4), 1)
  assert.equal(await waiting(), 0)
  assert.deepEqual(mailed(), [])
  assert.equal(await take(link), 303)
})
