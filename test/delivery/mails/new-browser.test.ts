/** The mail about a sign-in from a browser that the account has not used before. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createAccount } from '../../../src/access/accounts/accounts.ts'
import { reapBrowsers } from '../../../src/access/accounts/sign-in/browsers.ts'
import { makeLink } from '../../../src/access/accounts/mails/links.ts'
import type { Mail } from '../../../src/delivery/mails/mailer.ts'
import { mailNotices } from '../../../src/delivery/mails/notice-mails.ts'
import { dayMs } from '../../../src/platform/time/days.ts'
import { person, visitor, type Visitor } from '../../pages/dashboard/visitor.ts'
import { testApp, type TestApp } from '../../support/app/app.ts'
import { password } from '../../support/app/people.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const mails: Mail[] = []

let t: TestApp
before(async () => {
  t = await testApp({ mailer: mails })
})
after(() => t.close())
beforeEach(() => {
  mails.length = 0
  t.clock.offsetMs = 0
})

/** Signs in, and out before if someone is signed in. */
async function signIn(who: Visitor, email: string): Promise<void> {
  if ((await who.get('/dashboard')).status === 200) await who.post('/dashboard/sign-out')
  await who.get('/dashboard/sign-in')
  const headers = { 'user-agent': firefox }
  const response = await who.post('/dashboard/sign-in', { email, password }, headers)
  assert.equal(response.status, 303, response.words)
}
async function mailed(): Promise<Mail[]> {
  while ((await mailNotices(t.deps, 4)) > 0);
  return mails
}

test('the mail about a new browser says when and from what browser, in the person’s language, and how to sign it out', async () => {
  const { email } = await person(t, 'owner')
  await signIn(visitor(t), email)
  assert.deepEqual(await mailed(), [])
  await signIn(visitor(t), email)
  const [mail] = await mailed()
  assert.equal(mails.length, 1)
  assert.equal(mail?.to, email)
  assert.equal(mail?.subject, 'Entraron a tu cuenta de Svc desde otro navegador')
  assert.match(mail?.text ?? '', /un navegador que no conocíamos \(Firefox · Windows\)\./)
  assert.match(mail?.text ?? '', /cerrá esa sesión en «Mi cuenta»/)
  assert.match(mail?.text ?? '', /https:\/\/listings\.test\/dashboard\/account\n/)
  await t.deps.db.updateTable('accounts').set({ language: 'en' }).where('email', '=', email).execute()
  await signIn(visitor(t), email)
  assert.equal((await mailed())[1]?.subject, 'New browser signed in to your Svc account')
})

test('the mail about a new browser is not sent for a browser that signed in before, even after signing out', async () => {
  const { email } = await person(t, 'owner')
  const who = visitor(t)
  for (let times = 0; times < 3; times += 1) await signIn(who, email)
  assert.deepEqual(await mailed(), [])
})

test('the mail about a new browser is sent to each person of a shared one, whose accounts cannot be linked', async () => {
  const [one, other] = [await person(t, 'owner'), await person(t, 'member')]
  const shared = visitor(t)
  await signIn(shared, one.email)
  await signIn(visitor(t), other.email)
  await signIn(shared, other.email)
  assert.deepEqual(
    (await mailed()).map(({ to }) => to),
    [other.email],
  )
  const rows = await t.deps.db
    .selectFrom('account_browsers')
    .select('browser_hash')
    .where('account_id', 'in', [one.id, other.id])
    .execute()
  assert.equal(new Set(rows.map(({ browser_hash: hash }) => hash.toString('hex'))).size, 3)
})

test('the mail about a new browser is not sent when an invitation is accepted', async () => {
  const { db } = t.deps
  const input = { email: 'nueva@acme.example', name: 'Eva', role: 'member', agencyId: t.agency.id } as const
  const { id } = await createAccount(db, input, t.clock)
  const who = visitor(t)
  await who.get(`/dashboard/welcome/${await makeLink(db, id, 'invitation', t.clock)}`)
  assert.equal((await who.post('/dashboard/password', { name: 'Eva', password })).status, 303)
  assert.deepEqual(await mailed(), [])
})

test('the mail about a new browser is sent again once the browser is forgotten, 400 days after its last sign-in', async () => {
  const { email } = await person(t, 'owner')
  const who = visitor(t)
  await signIn(who, email)
  assert.equal(await reapBrowsers(t.deps.db, 10, { offsetMs: 399 * dayMs }), 0)
  while ((await reapBrowsers(t.deps.db, 10, { offsetMs: 401 * dayMs })) > 0);
  await signIn(who, email)
  assert.equal((await mailed()).length, 1)
})

test('the mail about a new browser is not sent for a wrong password, or before the second factor', async () => {
  const { email } = await person(t, 'owner')
  await signIn(visitor(t), email)
  await visitor(t).post('/dashboard/sign-in', { email, password: 'not the password' })
  await t.deps.db
    .updateTable('accounts')
    .set({
      totp_secret: t.deps.secretBox.seal('JBSWY3DPEHPK3PXP'),
      totp_confirmed_at: new Date().toISOString(),
    })
    .where('email', '=', email)
    .execute()
  await signIn(visitor(t), email)
  assert.deepEqual(await mailed(), [])
})

test('the cookie of a known browser is hidden from scripts and lasts 400 days', async () => {
  const { email } = await person(t, 'owner')
  const response = await visitor(t).post('/dashboard/sign-in', { email, password })
  const line = response.headers.getSetCookie().find((one) => one.includes('-browser='))
  assert.match(
    line ?? '',
    /^__Host-dashboard-browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=34560000$/,
  )
})
