/** Mails that notify people of changes to their account or their agency's keys: none is lost, and each is sent once. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { generateSync } from 'otplib'
import { changeAccount, createAccount } from '../../../src/access/accounts/accounts.ts'
import { makeLink } from '../../../src/access/accounts/mails/links.ts'
import { reapNotices } from '../../../src/access/accounts/mails/notices.ts'
import { mailNotices } from '../../../src/delivery/mails/notice-mails.ts'
import { openMailer } from '../../../src/delivery/mails/mailer.ts'
import { setPreferences } from '../../../src/delivery/notifications/preferences.ts'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { type MailSink, mailSink, partsOf } from '../notifications/sinks.ts'
import { testApp, type TestApp } from '../../support/app/app.ts'
import { password } from '../../support/app/people.ts'
import { person, signedIn, visitor, type Visitor } from '../../pages/dashboard/visitor.ts'

const setup = '/dashboard/account/second-factor'

let t: TestApp
let sink: MailSink
before(async () => {
  sink = await mailSink()
  t = await testApp({ mailer: openMailer({ smtpUrl: sink.url, mailFrom: 'no-reply@listings.test' })! })
})
after(async () => {
  await t.close()
  await sink.close()
})
beforeEach(async () => {
  sink.refuse(false)
  await t.deps.db.deleteFrom('account_notices').execute()
  sink.received.length = 0
})

/** Sends all waiting mails. @returns the received ones: recipient, text, and HTML as text */
async function mailsSent() {
  while ((await mailNotices(t.deps, 4)) > 0);
  return sink.received.map((mail) => ({ to: mail.to, ...partsOf(mail) }))
}
const waiting = async (): Promise<number> =>
  (await t.deps.db.selectFrom('account_notices').select('id').execute()).length
const turnOn = async (who: Visitor): Promise<void> => {
  const page = await who.get(setup)
  const secret = (/id="totp-secret"[^>]*>([^<]+)</.exec(page.text)?.[1] ?? '').replaceAll(/\s/g, '')
  assert.equal((await who.post(setup, { code: generateSync({ secret }), current: password })).status, 200)
}
const newKey = (who: Visitor, scopes: string[], base = '/dashboard') =>
  who.post(`${base}/keys/new`, { kind: 'live', name: 'CRM', scopes })
const only = <T>(list: readonly T[]): T => {
  assert.equal(list.length, 1)
  return list[0] as T
}

describe('people are notified', () => {
  test('of a changed password, in the language of their account', async () => {
    const who = await signedIn(t, 'member')
    await who.submit('/dashboard/account/profile', { name: 'Ana', language: 'es' })
    await who.submit('/dashboard/account/password', { current: password, password: 'otra clave larga' })
    const mail = only(await mailsSent())
    assert.deepEqual(mail.to, [who.account.email])
    assert.match(mail.text, /Hola, Ana:\s+La contraseña de tu cuenta de Svc se cambió el /)
    assert.match(mail.text, /https:\/\/listings\.test\/dashboard\/forgot/)
    await who.submit('/dashboard/account/profile', { name: 'Ana', language: 'en' })
    await who.submit('/dashboard/account/password', { current: 'otra clave larga', password: `${password}!` })
    assert.match((await mailsSent())[1]?.text ?? '', /The password of your Svc account was changed on /)
  })

  test('of a password set by link, except the first one', async () => {
    const { id, email } = await person(t, 'owner')
    assert.equal(await waiting(), 0)
    const link = await makeLink(t.deps.db, id, 'reset', t.clock)
    const who = visitor(t)
    await who.get(`/dashboard/welcome/${link}`)
    assert.equal((await who.post('/dashboard/password', { password: 'otra clave larga' })).status, 303)
    assert.deepEqual(only(await mailsSent()).to, [email])
  })

  test('of a second factor turned on or off and of new recovery codes, but not of failed attempts', async () => {
    const who = await signedIn(t, 'operator', null)
    await who.get(setup)
    await who.post(setup, { code: '000000', current: password })
    assert.equal(await waiting(), 0)
    await turnOn(who)
    await who.post(`${setup}/codes`, { current: 'wrong' })
    await who.post(`${setup}/codes`, { current: password })
    await who.post(`${setup}/off`, { current: 'wrong' })
    await who.post(`${setup}/off`, { current: password })
    const mails = await mailsSent()
    const texts = mails.map(
      ({ text }) => /se activó|códigos de recuperación nuevos|se desactivó/.exec(text)?.[0],
    )
    assert.deepEqual(texts, ['se activó', 'códigos de recuperación nuevos', 'se desactivó'])
    assert.ok(mails.every(({ to }) => to[0] === who.account.email))
  })

  test('of a second factor removed by an operator', async () => {
    const who = await signedIn(t, 'member')
    await turnOn(who)
    const operator = await signedIn(t, 'operator')
    await operator.submit(`/dashboard/operator/agencies/${t.agency.slug}/people/${who.account.id}/factor`)
    const [, removed] = await mailsSent()
    assert.deepEqual(removed?.to, [who.account.email])
    assert.ok(removed?.text.includes(`${operator.account.name}, del equipo que opera Svc, quitó`))
  })
})

describe('the owners are notified of a write key', () => {
  test('that is new, and no one else is, regardless of its creator and of the mail the agency wants', async () => {
    const { agency } = await t.newAgency()
    const [owner, other, gone] = [
      await signedIn(t, 'owner', agency.id),
      await person(t, 'owner', agency.id),
      await person(t, 'owner', agency.id),
    ]
    await person(t, 'member', agency.id)
    await inTransaction(t.deps.db, (tx) => changeAccount(tx, agency.id, gone.id, { disabled: true }, t.clock))
    const invited = { email: 'invited@acme.example', agencyId: agency.id, role: 'owner' } as const
    await createAccount(t.deps.db, invited, t.clock)
    await setPreferences(t.deps.db, agency.id, { mail: false })

    await newKey(owner, ['properties:read'])
    assert.equal(await waiting(), 0)
    await newKey(owner, ['properties:write'])
    const operator = await signedIn(t, 'operator')
    await newKey(operator, ['leads:write'], `/dashboard/operator/agencies/${agency.slug}`)
    const mails = await mailsSent()
    assert.deepEqual(
      mails.map(({ to }) => to[0]).sort(),
      [owner, owner, other, other].map((one) => ('account' in one ? one.account.email : one.email)).sort(),
    )
    assert.ok(mails[0]?.text.includes(`${owner.account.name} creó la clave «CRM» (svc_live_`))
    assert.ok(mails.some(({ text }) => text.includes(`${operator.account.name} creó la clave`)))
    assert.doesNotMatch(JSON.stringify(mails), /svc_live_\w{5}/)
  })

  test('that replaces another', async () => {
    const { agency } = await t.newAgency()
    const owner = await signedIn(t, 'owner', agency.id)
    const { id } = await t.newKey(agency.id, { scopes: ['properties:write'] })
    assert.equal((await owner.post(`/dashboard/keys/${id}/rotate`)).status, 200)
    const { text } = only(await mailsSent())
    const [, link = ''] = /https:\/\/listings\.test(\/dashboard\/keys\/\S+)/.exec(text) ?? []
    assert.equal((await owner.get(link)).status, 200)
    assert.ok(!link.includes(id))
  })

  test('except by a refused form', async () => {
    const owner = await signedIn(t, 'owner')
    const form = { kind: 'live', name: 'CRM', scopes: 'properties:write', expires_at: '2001-01-01' }
    assert.equal((await owner.post('/dashboard/keys/new', form)).status, 400)
    assert.equal(await waiting(), 0)
  })
})

describe('a mail server', () => {
  test('that is down gets the mail once when it is back', async () => {
    const who = await signedIn(t, 'member')
    await sink.close()
    await who.submit('/dashboard/account/password', { current: password, password: 'otra clave larga' })
    assert.equal(await mailNotices(t.deps, 4), 1)
    assert.equal(await waiting(), 1)
    assert.equal(await mailNotices(t.deps, 4), 0)
    sink = await mailSink(Number(new URL(sink.url).port))
    t.clock.offsetMs += 60_000
    assert.deepEqual(only(await mailsSent()).to, [who.account.email])
    assert.equal(await waiting(), 0)
    t.clock.offsetMs += 3_600_000
    assert.equal(await mailNotices(t.deps, 4), 0)
  })

  test('that rejects a mail permanently does not get it again', async () => {
    const who = await signedIn(t, 'member')
    sink.refuse(true, 550)
    await who.submit('/dashboard/account/password', { current: password, password: 'otra clave larga' })
    assert.equal(await mailNotices(t.deps, 4), 1)
    assert.equal(await waiting(), 0)
  })
})

test('one worker at a time holds a notice, and it expires after three days', async () => {
  const who = await signedIn(t, 'member')
  sink.refuse(true, 451)
  await who.submit('/dashboard/account/password', { current: password, password: 'otra clave larga' })
  const rounds = await Promise.all([1, 2, 3].map(() => mailNotices(t.deps, 4)))
  assert.equal(
    rounds.reduce((sum, one) => sum + one, 0),
    1,
  )
  assert.equal(await reapNotices(t.deps.db, 10, { offsetMs: t.clock.offsetMs + 2 * 86_400_000 }), 0)
  assert.equal(await reapNotices(t.deps.db, 10, { offsetMs: t.clock.offsetMs + 3 * 86_400_000 }), 1)
})

test('an agency with many waiting notices does not delay others, and keeps at most a hundred', async () => {
  const { agency } = await t.newAgency()
  const owner = await signedIn(t, 'owner', agency.id)
  for (let keys = 0; keys < 103; keys += 1) {
    await newKey(owner, ['properties:write'])
    // At most a hundred keys can be active.
    await t.deps.db
      .updateTable('api_keys')
      .set({ revoked_at: new Date().toISOString() })
      .where('agency_id', '=', agency.id)
      .execute()
  }
  assert.equal(await waiting(), 100)
  const who = await signedIn(t, 'member')
  await who.submit('/dashboard/account/password', { current: password, password: 'otra clave larga' })
  assert.equal(await mailNotices(t.deps, 4), 2)
  assert.ok(sink.received.some(({ to }) => to[0] === who.account.email))
})
