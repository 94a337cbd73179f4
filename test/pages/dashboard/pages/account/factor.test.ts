/** Turning on the second factor: a secret for each attempt, the password again, and operators who are required to have it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { generateSync } from 'otplib'
import { makeLink } from '../../../../../src/access/accounts/mails/links.ts'
import { testApp, type TestApp } from '../../../../support/app/app.ts'
import { password, useLink } from '../../../../support/app/people.ts'
import { person, signedIn, visitor, type VisitedPage, type Visitor } from '../../visitor.ts'

const setup = '/dashboard/account/second-factor'

let t: TestApp
let strict: TestApp
before(async () => {
  t = await testApp()
  strict = await testApp({ env: { OPERATOR_SECOND_FACTOR: 'required' } })
})
after(async () => {
  await t.close()
  await strict.close()
})

const secretIn = (page: VisitedPage): string =>
  (/id="totp-secret"[^>]*>([^<]+)</.exec(page.text)?.[1] ?? '').replaceAll(/\s/g, '')
const begin = async (who: Visitor): Promise<string> => secretIn(await who.get(setup))
const turnOn = (who: Visitor, secret: string, current = password) =>
  who.post(setup, { code: generateSync({ secret }), current })
const signIn = async (app: TestApp, email: string): Promise<Visitor> => {
  const who = visitor(app)
  await who.submit('/dashboard/sign-in', { email, password })
  return who
}
const isOn = async (app: TestApp, id: string): Promise<boolean> => {
  const row = await app.deps.db
    .selectFrom('accounts')
    .select(['totp_secret', 'totp_confirmed_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (row.totp_confirmed_at === null) assert.equal(row.totp_secret, null)
  return row.totp_confirmed_at !== null
}

describe('each attempt to turn on a second factor', () => {
  test('has its own secret', async () => {
    const who = await signedIn(t, 'owner')
    const secrets = [await begin(who), await begin(who), await begin(who)]
    assert.equal(new Set(secrets).size, 3)
    for (const old of secrets.slice(0, 2)) assert.equal((await turnOn(who, old)).status, 400)
    assert.equal((await turnOn(who, secrets[2] ?? '')).status, 200)
    assert.equal(await isOn(t, who.account.id), true)
  })

  test('continues with the same secret after a mistake', async () => {
    const who = await signedIn(t, 'owner')
    const secret = await begin(who)
    for (const fields of [
      { code: '000000', current: password },
      { code: generateSync({ secret }), current: 'not the password' },
      { code: '', current: '' },
    ]) {
      const response = await who.post(setup, fields)
      assert.equal(response.status, 400)
      assert.equal(secretIn(response), secret)
    }
    assert.equal((await turnOn(who, secret)).status, 200)
  })

  test('belongs to its session: attempts from another or an earlier session do not count', async () => {
    const who = await signedIn(t, 'owner')
    const { email, id } = who.account
    const elsewhere = await signIn(t, email)
    const theirs = await begin(elsewhere)
    assert.equal((await turnOn(who, theirs)).status, 400)
    const mine = await begin(who)
    assert.notEqual(mine, theirs)
    await who.post('/dashboard/sign-out')
    const again = await signIn(t, email)
    for (const old of [mine, theirs]) assert.equal((await turnOn(again, old)).status, 400)
    const token = await makeLink(t.deps.db, id, 'reset', t.clock)
    const before = await begin(again)
    await useLink(t.deps.db, token, password, null, t.clock)
    const after = await signIn(t, email)
    for (const old of [before, theirs]) assert.equal((await turnOn(after, old)).status, 400)
    assert.equal(await isOn(t, id), false)
  })
})

test('turning on a second factor requires the password', async () => {
  const who = await signedIn(t, 'owner')
  const secret = await begin(who)
  for (const current of ['', 'not the password']) {
    const response = await turnOn(who, secret, current)
    assert.equal(response.status, 400)
    assert.match(response.text, /id="f-current-error"/)
  }
  assert.equal(await isOn(t, who.account.id), false)
})

test('turning on a second factor ends the sessions that began without it', async () => {
  const who = await signedIn(t, 'owner')
  const elsewhere = await signIn(t, who.account.email)
  await turnOn(who, await begin(who))
  assert.equal((await who.get('/dashboard')).status, 200)
  assert.match((await elsewhere.get('/dashboard')).to ?? '', /sign-in/)
})

describe('OPERATOR_SECOND_FACTOR=required', () => {
  test('sends an operator without it to turning it on, and nowhere else', async () => {
    const who = visitor(strict)
    const account = await person(strict, 'operator')
    const first = await who.post('/dashboard/sign-in', { email: account.email, password })
    assert.equal(first.status, 303)
    for (const path of [
      '',
      '/operator/agencies',
      '/account',
      '/operator/audit',
      '/account/second-factor/off',
    ])
      assert.equal((await who.get(`/dashboard${path}`)).to, setup, path)
    const page = await who.get(setup)
    assert.match(page.words, /operadores/)
    assert.doesNotMatch(page.words, /Más tarde/)
    const made = await who.post('/dashboard/operator/new-agency', { name: 'Río', slug: 'rio' })
    assert.equal(made.to, setup)
    const agencies = await strict.deps.db.selectFrom('agencies').select('slug').execute()
    assert.ok(!agencies.some(({ slug }) => slug === 'rio'))

    const intruder = await visitor(strict)
    await intruder.post('/dashboard/sign-in', { email: account.email, password })
    assert.equal((await turnOn(who, secretIn(page))).status, 200)
    assert.equal((await who.get('/dashboard/operator/agencies')).status, 200)
    // A session with only the password does not get in by another person's second factor.
    assert.match((await intruder.get('/dashboard/operator/agencies')).to ?? '', /sign-in/)
  })

  test('lets them sign out and choose a language', async () => {
    const { email } = await person(strict, 'operator')
    const who = visitor(strict)
    await who.post('/dashboard/sign-in', { email, password })
    await who.get(setup)
    assert.equal((await who.post('/dashboard/language', { language: 'en', next: '/dashboard' })).status, 303)
    assert.equal((await who.post('/dashboard/sign-out')).to, '/dashboard/sign-in')
  })

  test('applies to operators only', async () => {
    const owner = await signedIn(strict, 'owner')
    assert.equal((await owner.get('/dashboard/keys')).status, 200)
  })
})
