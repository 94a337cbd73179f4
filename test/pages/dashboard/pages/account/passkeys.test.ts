/** Passkeys in the dashboard: signing in, managing them, going without a password, and operators who are required to have one. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { generateSync } from 'otplib'
import type { DevicePasskey } from '../../../../support/browser/authenticator.ts'
import { testApp, type TestApp } from '../../../../support/app/app.ts'
import type { Mail } from '../../../../../src/delivery/mails/mailer.ts'
import { mailNotices } from '../../../../../src/delivery/mails/notice-mails.ts'
import { password } from '../../../../support/app/people.ts'
import {
  addPasskey,
  confirmResponse,
  newPasskey,
  passkeyId,
  passkeySignInPath,
  passkeysPath,
  signInResponse,
} from './passkey-responses.ts'
import { person, signedIn, visitor, type Visitor } from '../../visitor.ts'

const removalPath = '/dashboard/account/password/remove'
const mails: Mail[] = []

let t: TestApp
let strict: TestApp
let plain: TestApp
before(async () => {
  t = await testApp({ mailer: mails })
  strict = await testApp({ env: { OPERATOR_PASSKEY: 'required' } })
  plain = await testApp({ env: { PUBLIC_BASE_URL: 'http://listings.test' } })
})
after(async () => {
  await t.close()
  await strict.close()
  await plain.close()
})

async function signInBy(app: TestApp, passkey: DevicePasskey, next = ''): Promise<Visitor> {
  const who = visitor(app)
  const assertion = await signInResponse(who, passkey)
  const response = await who.post(passkeySignInPath, { assertion, next })
  assert.equal(response.status, 303, response.words)
  return who
}

async function loggedOf(email: string): Promise<string[]> {
  const rows = await t.deps.db
    .selectFrom('audit_log')
    .select(['action', 'details'])
    .where('subject', '=', email)
    .orderBy('at')
    .execute()
  return rows.map(({ action, details }) => `${action} ${JSON.stringify(details)}`)
}
async function mailsTo(email: string): Promise<string[]> {
  while ((await mailNotices(t.deps, 4)) > 0);
  return mails.filter(({ to }) => to === email).map(({ subject }) => subject)
}

/** A person with two passkeys and no password. */
async function withoutPassword(): Promise<Visitor & { email: string; passkeys: DevicePasskey[] }> {
  const who = await signedIn(t, 'owner')
  const passkeys = [await addPasskey(who, 'Llave'), await addPasskey(who, 'Teléfono')]
  await who.submit(removalPath, { current: password })
  return { ...who, email: who.account.email, passkeys }
}

describe('a passkey', () => {
  test('is added with the password, signs in, and is renamed and removed', async () => {
    const who = await signedIn(t, 'member')
    const { email } = who.account
    assert.match((await who.get(passkeysPath)).words, /Todavía no tenés passkeys/)
    const passkey = await addPasskey(who)
    assert.match((await who.get('/dashboard/account')).words, /Tenés 1 passkey\./)

    const elsewhere = await signInBy(t, passkey, '/dashboard/keys')
    const home = await elsewhere.get('/dashboard/account')
    assert.equal(home.status, 200)
    assert.ok(home.words.includes(email))

    const id = await passkeyId(who)
    await who.submit(`${passkeysPath}/${id}/name`, { name: ' Notebook ' })
    assert.equal(await passkeyId(who, 'Notebook'), id)
    const refused = await who.post(`${passkeysPath}/${id}/remove`, { current: 'not the password' })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /id="f-current-error"/)
    await who.submit(`${passkeysPath}/${id}/remove`, { current: password })
    assert.match((await elsewhere.get('/dashboard')).to ?? '', /sign-in/)
    const gone = visitor(t)
    const response = await gone.post(passkeySignInPath, { assertion: await signInResponse(gone, passkey) })
    assert.equal(response.status, 400)
    assert.match(response.words, /No aceptamos esa passkey/)

    assert.deepEqual((await loggedOf(email)).slice(1), [
      'passkey_added {"passkey":"Llave"}',
      'signed_in {"address":"127.0.0.1","passkey":"Llave"}',
      'passkey_renamed {"was":"Llave","name":"Notebook"}',
      'passkey_removed {"passkey":"Notebook"}',
    ])
    assert.deepEqual(await mailsTo(email), [
      'Se agregó una passkey a tu cuenta de Svc',
      'Entraron a tu cuenta de Svc desde otro navegador',
      'Se quitó una passkey de tu cuenta de Svc',
    ])
  })

  test('replaces the code of the second factor', async () => {
    const who = await signedIn(t, 'owner')
    const setup = '/dashboard/account/second-factor'
    const { text } = await who.get(setup)
    const secret = (/id="totp-secret"[^>]*>([^<]+)</.exec(text)?.[1] ?? '').replaceAll(/\s/g, '')
    assert.equal((await who.post(setup, { code: generateSync({ secret }), current: password })).status, 200)
    const passkey = await addPasskey(who)
    const elsewhere = await signInBy(t, passkey)
    assert.equal((await elsewhere.get('/dashboard')).status, 200)
  })

  test('is not lost if the password was mistyped: the form keeps the response', async () => {
    const who = await signedIn(t, 'owner')
    const { credential } = await newPasskey(who)
    const refused = await who.post(passkeysPath, { name: 'Llave', current: 'no', credential })
    assert.equal(refused.status, 400)
    const kept = /name="credential"\s+value="([^"]+)"/.exec(refused.text)?.[1] ?? ''
    assert.equal(
      kept.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
      credential,
    )
    assert.equal((await who.post(passkeysPath, { name: 'Llave', current: password, credential })).status, 303)
    // A refused response is not kept.
    const again = await who.post(passkeysPath, { name: 'Otra', current: password, credential })
    assert.equal(again.status, 400)
    assert.match(again.text, /name="credential"\s+value=""/)
  })

  test('has a name that is no link', async () => {
    const who = await signedIn(t, 'owner')
    const { credential } = await newPasskey(who)
    for (const name of ['', 'https://evil.example', 'x'.repeat(121)]) {
      const refused = await who.post(passkeysPath, { name, current: password, credential })
      assert.equal(refused.status, 400, name)
      assert.match(refused.text, /id="f-name-error"/)
    }
  })

  test('is its owner’s alone', async () => {
    const [who, other] = [await signedIn(t, 'owner'), await signedIn(t, 'owner')]
    const passkey = await addPasskey(other)
    const id = await passkeyId(other)
    assert.equal((await who.get(`${passkeysPath}/${id}`)).status, 404)
    assert.equal((await who.post(`${passkeysPath}/${id}/name`, { name: 'Mía' })).status, 404)
    assert.equal((await who.post(`${passkeysPath}/${id}/remove`, { current: password })).status, 404)
    assert.ok(await signInBy(t, passkey))
  })

  test('does not sign in a person whose account was disabled', async () => {
    const who = await signedIn(t, 'member')
    const passkey = await addPasskey(who)
    const owner = await signedIn(t, 'owner')
    await owner.submit(`/dashboard/people/${who.account.id}/change`, { disabled: 'yes' })
    const again = visitor(t)
    const response = await again.post(passkeySignInPath, { assertion: await signInResponse(again, passkey) })
    assert.equal(response.status, 400)
  })
})

describe('signing in with a passkey', () => {
  test('is offered by a form that needs the script, which is loaded', async () => {
    const page = await visitor(t).get('/dashboard/sign-in')
    assert.match(page.text, /data-passkey[^>]* hidden/)
    assert.match(page.text, /passkey\.[\da-f]{12}\.js/)
    assert.match(page.words, /Entrar con passkey/)
  })

  test('needs the browser that requested the challenge', async () => {
    const who = await signedIn(t, 'owner')
    const passkey = await addPasskey(who)
    const [one, other] = [visitor(t), visitor(t)]
    const assertion = await signInResponse(one, passkey)
    assert.equal((await other.post(passkeySignInPath, { assertion })).status, 400)
    assert.equal((await one.post(passkeySignInPath, { assertion })).status, 303)
    assert.equal((await one.get(passkeySignInPath, { accept: 'application/json' })).status, 401)
  })

  test('is limited like passwords', async () => {
    const few = await testApp({ limits: { sign_ins_per_address_per_hour: 2 } })
    try {
      const who = visitor(few)
      for (let tries = 0; tries < 2; tries += 1)
        assert.equal((await who.post(passkeySignInPath, { assertion: '{}' })).status, 400)
      const limited = await who.post(passkeySignInPath, { assertion: '{}' })
      assert.equal(limited.status, 429)
      assert.match(limited.words, /Demasiados intentos/)
    } finally {
      await few.close()
    }
  })
})

describe('a person without a password', () => {
  test('confirms with a passkey, and can choose a password', async () => {
    const who = await withoutPassword()
    const { email, passkeys } = who
    const [passkey] = passkeys
    assert.ok(passkey)
    const account = await who.get('/dashboard/account')
    assert.match(account.words, /Tu cuenta no tiene contraseña/)
    assert.doesNotMatch(account.text, /name="current"/)

    const byPassword = await visitor(t).post('/dashboard/sign-in', { email, password })
    assert.equal(byPassword.status, 400)
    assert.match(byPassword.words, /El correo o la contraseña son incorrectos/)

    const { credential } = await newPasskey(who)
    assert.equal((await who.post(passkeysPath, { name: 'Tercera', credential })).status, 400)
    const assertion = await confirmResponse(who, passkey)
    assert.equal((await who.post(passkeysPath, { name: 'Tercera', credential, assertion })).status, 303)
    const reused = await who.post('/dashboard/account/password', { password: 'otra clave larga', assertion })
    assert.equal(reused.status, 400)
    assert.match(reused.words, /Pasó demasiado tiempo/)

    const signIn = visitor(t)
    const foreign = await signInResponse(signIn, passkey)
    assert.equal(
      (await who.post('/dashboard/account/password', { password: 'otra clave larga', assertion: foreign }))
        .status,
      400,
    )

    const fresh = await confirmResponse(who, passkey)
    await who.submit('/dashboard/account/password', { password: 'otra clave larga', assertion: fresh })
    assert.equal(
      (await visitor(t).post('/dashboard/sign-in', { email, password: 'otra clave larga' })).status,
      303,
    )
    assert.ok((await mailsTo(email)).includes('Se quitó la contraseña de tu cuenta de Svc'))
  })

  test('keeps two passkeys', async () => {
    const who = await withoutPassword()
    const [passkey] = who.passkeys
    assert.ok(passkey)
    const id = await passkeyId(who)
    const refused = await who.post(`${passkeysPath}/${id}/remove`, {
      assertion: await confirmResponse(who, passkey),
    })
    assert.equal(refused.status, 400)
    assert.match(refused.words, /Sin contraseña necesitás dos passkeys/)
    assert.equal((await who.get(removalPath)).to, passkeysPath)
  })

  test('gets a link for a new password by mail, not an invitation', async () => {
    const who = await withoutPassword()
    await visitor(t).post('/dashboard/forgot', { email: who.email })
    const isLink = ({ to, text }: Mail) => to === who.email && text.includes('/dashboard/welcome/')
    while (!mails.some(isLink)) await new Promise((resolve) => setImmediate(resolve))
    const mail = mails.findLast(isLink)
    assert.doesNotMatch(mail?.subject ?? '', /invitaron/)
    const owner = await signedIn(t, 'owner')
    const people = await owner.get('/dashboard/people')
    assert.doesNotMatch(people.words.split(who.email)[1]?.slice(0, 200) ?? '', /Invitada/)
  })

  test('needs two passkeys first', async () => {
    const who = await signedIn(t, 'owner')
    await addPasskey(who)
    assert.equal((await who.get(removalPath)).to, passkeysPath)
    const refused = await who.post(removalPath, { current: password })
    assert.ok(refused.status === 303 || refused.status === 400)
    assert.equal(
      (await visitor(t).post('/dashboard/sign-in', { email: who.account.email, password })).status,
      303,
    )
  })
})

describe('OPERATOR_PASSKEY=required', () => {
  test('sends an operator without one to adding it, and nowhere else', async () => {
    const { email } = await person(strict, 'operator')
    const who = visitor(strict)
    await who.post('/dashboard/sign-in', { email, password })
    for (const path of ['', '/operator/agencies', '/account', '/operator/audit', '/account/second-factor'])
      assert.equal((await who.get(`/dashboard${path}`)).to, passkeysPath, path)
    assert.match((await who.get(passkeysPath)).words, /los operadores necesitan una passkey/)
    const made = await who.post('/dashboard/operator/new-agency', { name: 'Río', slug: 'rio' })
    assert.equal(made.to, passkeysPath)

    const intruder = visitor(strict)
    await intruder.post('/dashboard/sign-in', { email, password })
    const { passkey, credential } = await newPasskey(who)
    const added = await who.post(passkeysPath, { name: 'Llave', current: password, credential })
    assert.equal(added.to, '/dashboard')
    assert.equal((await who.get('/dashboard/operator/agencies')).status, 200)
    // A session that began without it does not get in by another person's passkey.
    assert.match((await intruder.get('/dashboard/operator/agencies')).to ?? '', /sign-in/)
    assert.equal((await (await signInBy(strict, passkey)).get('/dashboard/operator/agencies')).status, 200)
  })

  test('applies to operators only', async () => {
    const owner = await signedIn(strict, 'owner')
    assert.equal((await owner.get('/dashboard/keys')).status, 200)
  })

  test('comes after a required second factor', async () => {
    const both = await testApp({ env: { OPERATOR_PASSKEY: 'required', OPERATOR_SECOND_FACTOR: 'required' } })
    try {
      const who = visitor(both)
      await who.post('/dashboard/sign-in', { email: (await person(both, 'operator')).email, password })
      const setup = '/dashboard/account/second-factor'
      assert.equal((await who.get(passkeysPath)).to, setup)
      const { text } = await who.get(setup)
      const secret = (/id="totp-secret"[^>]*>([^<]+)</.exec(text)?.[1] ?? '').replaceAll(/\s/g, '')
      await who.post(setup, { code: generateSync({ secret }), current: password })
      assert.equal((await who.get('/dashboard')).to, passkeysPath)
    } finally {
      await both.close()
    }
  })
})

test('without https, passkeys are neither offered nor accepted', async () => {
  assert.doesNotMatch((await visitor(plain).get('/dashboard/sign-in')).text, /data-passkey/)
  assert.equal((await visitor(plain).get(passkeySignInPath)).status, 404)
  const who = await signedIn(plain, 'owner')
  assert.match(
    (await who.get(passkeysPath)).words,
    /Los navegadores solo ofrecen passkeys en sitios con https/,
  )
  assert.equal((await who.get(`${passkeysPath}/new`)).status, 404)
})
