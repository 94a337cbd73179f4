/** Accounts in the dashboard: signing in and out, links, the second factor, people, sessions. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generateSync } from 'otplib'
import type { Mail } from '../../../../../src/delivery/mails/mailer.ts'
import { testApp, type TestApp } from '../../../../support/app/app.ts'
import { password } from '../../../../support/app/people.ts'
import { person, signedIn, visitor } from '../../visitor.ts'

let t: TestApp
const mails: Mail[] = []
let isMailDown = false
before(async () => {
  const mailer = {
    async send(mail: Mail) {
      if (isMailDown) throw new Error('no mail server')
      mails.push(mail)
    },
    async check() {},
  }
  t = await testApp({ mailer })
})
after(() => t.close())

/** The link in the last mail to that email. */
function linkTo(email: string): string {
  const mail = mails.findLast(({ to }) => to === email)
  return /https:\/\/listings\.test(\/dashboard\/welcome\/[\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? ''
}

test('a failed sign-in shows one message, whatever was wrong, and keeps the email', async () => {
  const { email } = await person(t, 'owner')
  const tries = [
    { email, password: 'not this one' },
    { email: 'nobody@acme.example', password },
    { email: '', password: '' },
  ]
  const texts = []
  for (const fields of tries) {
    const response = await visitor(t).post('/dashboard/sign-in', fields)
    assert.equal(response.status, 400)
    texts.push(/class="error"[^>]*>\s*([^<]+?)\s*</.exec(response.text)?.[1])
    assert.ok(response.text.includes(`value="${fields.email.replace('@', '@')}"`))
    assert.ok(!response.text.includes('not this one'))
  }
  assert.deepEqual(new Set(texts), new Set(['El correo o la contraseña son incorrectos.']))
})

test('a member sees which people can make the changes reserved to owners', async () => {
  const { agency } = await t.newAgency()
  const owner = await signedIn(t, 'owner', agency.id)
  await owner.post('/dashboard/people/invite', { email: 'nueva@acme.example', name: 'Nueva', role: 'owner' })
  const member = await signedIn(t, 'member', agency.id)
  const sentence = `los cambian los titulares: ${owner.account.name}.`
  for (const path of ['/dashboard/keys', '/dashboard/account'])
    assert.ok((await member.get(path)).words.includes(sentence), path)
  assert.ok(!(await owner.get('/dashboard/keys')).words.includes(sentence))
  const refused = await member.get('/dashboard/settings')
  assert.equal(refused.status, 404)
  assert.match(refused.words, /Solo para titulares/)
  assert.match((await member.get('/dashboard/operator/audit')).words, /Página no encontrada/)
})

test('changing the language returns to the page of a refused form', async () => {
  const owner = await signedIn(t, 'owner')
  const refused = await owner.post('/dashboard/people/invite', { email: 'x', name: 'X', role: 'member' })
  assert.match(refused.text, /name="next"\s+value="\/dashboard"/)
  const page = await owner.post('/dashboard/settings', { name: '' })
  assert.equal(page.status, 400)
  assert.match(page.text, /name="next"\s+value="\/dashboard\/settings"/)
})

test('signing in returns to the requested page, and to no other site', async () => {
  const { email } = await person(t, 'owner')
  const who = visitor(t)
  const asked = await who.get('/dashboard/listings?status=draft')
  assert.equal(asked.to, '/dashboard/sign-in?next=%2Fdashboard%2Flistings%3Fstatus%3Ddraft')
  const page = await who.get(asked.to ?? '')
  assert.match(page.text, /name="next" value="\/dashboard\/listings\?status&#61;draft"/)
  const done = await who.post('/dashboard/sign-in', {
    email,
    password,
    next: '/dashboard/listings?status=draft',
  })
  assert.equal(done.to, '/dashboard/listings?status=draft')
  for (const next of [
    'https://evil.example',
    '//evil.example',
    '/dashboard//evil.example',
    '/terms',
    '/dashboard/\\evil',
  ]) {
    const response = await visitor(t).post('/dashboard/sign-in', { email, password, next })
    assert.equal(response.to, '/dashboard', next)
  }
})

test('each sign-in gives the session a new token, and signing out ends it', async () => {
  const who = await signedIn(t, 'owner')
  const kept = who.cookies.get('__Host-dashboard-session') ?? ''
  assert.match(kept, /^[\w-]{43}$/)
  assert.equal((await who.get('/dashboard/sign-in')).to, '/dashboard')
  await who.post('/dashboard/sign-out')
  assert.equal(who.cookies.has('__Host-dashboard-session'), false)
  who.cookies.set('__Host-dashboard-session', kept)
  assert.match((await who.get('/dashboard')).to ?? '', /sign-in/)
})

test('the response to a forgotten password does not reveal whether an account exists, and the link works once', async () => {
  const { email } = await person(t, 'owner')
  const who = visitor(t)
  const known = await who.post('/dashboard/forgot', { email: ` ${email.toUpperCase()}` })
  const unknown = await visitor(t).post('/dashboard/forgot', { email: 'nobody@acme.example' })
  assert.deepEqual([known.status, known.words], [unknown.status, unknown.words])
  while (linkTo(email) === '') await new Promise((resolve) => setImmediate(resolve))
  assert.equal(mails.filter(({ to }) => to === 'nobody@acme.example').length, 0)

  const link = linkTo(email)
  const moved = await who.get(link)
  assert.deepEqual([moved.status, moved.to], [303, '/dashboard/password'])
  assert.doesNotMatch(moved.text, /./)
  // Opening it does not use it up.
  await visitor(t).get(link)
  const page = await who.get('/dashboard/password')
  assert.match(page.words, /Elegí una contraseña nueva/)
  const weak = await who.post('/dashboard/password', { password: 'corta' })
  assert.match(weak.words, /Al menos 10 caracteres/)
  const done = await who.post('/dashboard/password', { password: 'otra clave larga' })
  assert.equal(done.to, '/dashboard')
  assert.equal((await who.get('/dashboard')).status, 200)
  const again = visitor(t)
  await again.get(link)
  assert.equal((await again.get('/dashboard/password')).status, 404)
  assert.equal((await again.post('/dashboard/password', { password: 'otra clave larga' })).status, 404)
})

test('an invited person chooses a name and a password and is signed in', async () => {
  const owner = await signedIn(t, 'owner')
  const wrong = await owner.post('/dashboard/people/invite', {
    email: 'nobody',
    name: 'Beto',
    role: 'member',
  })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /value="Beto"/)
  assert.match(wrong.words, /Escribí un correo válido/)
  const page = await owner.submit('/dashboard/people/invite', {
    email: 'beto@acme.example',
    name: 'Beto',
    role: 'member',
  })
  assert.match(page.words, /Enviamos un correo a beto@acme\.example/)
  assert.match(page.words, /Beto.*Integrante.*Invitada/)
  const taken = await owner.post('/dashboard/people/invite', {
    email: 'Beto@acme.example',
    name: 'B',
    role: 'owner',
  })
  assert.match(taken.words, /Ya hay una cuenta con ese correo/)

  const beto = visitor(t)
  await beto.get(linkTo('beto@acme.example'))
  const setup = await beto.submit('/dashboard/password', { name: 'Beto Gómez', password })
  assert.match(setup.words, /Activar la verificación en dos pasos/)
  assert.match((await beto.get('/dashboard')).words, /Hola, Beto/)
  assert.equal((await beto.get('/dashboard/people')).status, 404)
})

test('without mail the link is shown to the inviter, and never otherwise', async () => {
  isMailDown = true
  const operator = await signedIn(t, 'operator')
  const path = `/dashboard/operator/agencies/${t.agency.slug}/people/invite`
  const page = await operator.post(path, { email: 'carla@acme.example', name: 'Carla', role: 'owner' })
  isMailDown = false
  assert.equal(page.status, 200)
  const link = /https:\/\/listings\.test(\/dashboard\/welcome\/[\w-]{43})/.exec(page.text)?.[1] ?? ''
  const carla = visitor(t)
  await carla.get(link)
  assert.equal((await carla.post('/dashboard/password', { name: 'Carla', password })).status, 303)
})

test('roles change and accounts are disabled, except one’s own and the last owner’s', async () => {
  const own = await t.newAgency()
  const owner = await signedIn(t, 'owner', own.agency.id)
  const member = await signedIn(t, 'member', own.agency.id)
  const change = (id: string, fields: Record<string, string>) =>
    owner.submit(`/dashboard/people/${id}/change`, fields)
  assert.match(
    (await change(owner.account.id, { disabled: 'yes' })).words,
    /la tiene que cambiar otra persona/,
  )
  const operator = await signedIn(t, 'operator')
  const last = await operator.submit(
    `/dashboard/operator/agencies/${own.agency.slug}/people/${owner.account.id}/change`,
    { disabled: 'yes' },
  )
  assert.match(last.words, /última persona con ese rol/)
  await change(member.account.id, { role: 'owner' })
  assert.equal((await member.get('/dashboard/people')).status, 200)
  await change(member.account.id, { disabled: 'yes' })
  assert.match((await member.get('/dashboard')).to ?? '', /sign-in/)
  assert.match((await change(member.account.id, { disabled: 'no' })).words, /Activa/)
})

test('the second factor is required after the password, and until then nothing is accessible', async () => {
  const who = await signedIn(t, 'owner')
  const { email } = who.account
  const setup = await who.get('/dashboard/account/second-factor')
  const secret = (/id="totp-secret"[^>]*>([^<]+)</.exec(setup.text)?.[1] ?? '').replaceAll(/\s/g, '')
  const wrong = await who.post('/dashboard/account/second-factor', { code: '1', current: password })
  assert.equal(wrong.status, 400)
  const codes = await who.post('/dashboard/account/second-factor', {
    code: generateSync({ secret }),
    current: password,
  })
  assert.match(codes.words, /Tus códigos de recuperación/)
  const [recovery = ''] = [...codes.text.matchAll(/<li>\s*([a-z0-9]{5}-[a-z0-9]{5})\s*<\/li>/g)].map(
    ([, code]) => code ?? '',
  )

  const again = visitor(t)
  const first = await again.post('/dashboard/sign-in', { email, password, next: '/dashboard/keys' })
  assert.equal(first.to, '/dashboard/second-factor?next=%2Fdashboard%2Fkeys')
  assert.equal((await again.get('/dashboard/keys')).to, '/dashboard/second-factor')
  assert.equal((await again.post('/dashboard/account/password', {})).to, '/dashboard/second-factor')
  await again.get('/dashboard/second-factor')
  assert.equal((await again.post('/dashboard/second-factor', { _csrf: null, code: recovery })).status, 403)
  assert.equal((await again.post('/dashboard/second-factor', { code: '123456' })).status, 400)
  const done = await again.post('/dashboard/second-factor', { code: recovery, next: '/dashboard/keys' })
  assert.equal(done.to, '/dashboard/keys')
  assert.equal((await again.get('/dashboard/keys')).status, 200)
  const stolen = visitor(t)
  await stolen.post('/dashboard/sign-in', { email, password })
  await stolen.get('/dashboard/second-factor')
  assert.equal((await stolen.post('/dashboard/second-factor', { code: recovery })).status, 400)

  const off = (current: string) => who.post('/dashboard/account/second-factor/off', { current })
  await who.get('/dashboard/account')
  assert.equal((await off('wrong')).status, 400)
  assert.equal((await who.post('/dashboard/account/second-factor/codes', { current: password })).status, 200)
  assert.equal((await off(password)).to, '/dashboard/account')
})

test('an operator removes a lost second factor, which ends all sessions', async () => {
  const who = await signedIn(t, 'owner')
  const setup = await who.get('/dashboard/account/second-factor')
  const secret = (/id="totp-secret"[^>]*>([^<]+)</.exec(setup.text)?.[1] ?? '').replaceAll(/\s/g, '')
  await who.post('/dashboard/account/second-factor', {
    code: generateSync({ secret }),
    current: password,
  })
  const operator = await signedIn(t, 'operator')
  await operator.submit(`/dashboard/operator/agencies/${t.agency.slug}/people/${who.account.id}/factor`)
  assert.match((await who.get('/dashboard')).to ?? '', /sign-in/)
  const again = await visitor(t).post('/dashboard/sign-in', { email: who.account.email, password })
  assert.equal(again.to, '/dashboard')
})

test('people change their own name, language, password and sessions', async () => {
  const who = await signedIn(t, 'member')
  const other = visitor(t)
  await other.post('/dashboard/sign-in', { email: who.account.email, password })
  const page = await who.submit('/dashboard/account/profile', { name: 'José <b>Núñez</b>', language: 'en' })
  assert.match(page.text, /José &#60;b&#62;Núñez/)
  assert.match(page.words, /My account/)
  assert.equal((await who.post('/dashboard/account/profile', { name: ' ', language: 'en' })).status, 400)
  const wrong = await who.post('/dashboard/account/password', {
    current: 'wrong',
    password: 'otra clave larga',
  })
  assert.match(wrong.words, /Incorrect current password/)
  await who.submit('/dashboard/account/password', { current: password, password: 'otra clave larga' })
  assert.match((await other.get('/dashboard')).to ?? '', /sign-in/)
  await other.get('/dashboard/sign-in')
  await other.post('/dashboard/sign-in', { email: who.account.email, password: 'otra clave larga' })
  const id =
    [...(await who.get('/dashboard/account')).text.matchAll(/sessions\/([0-9a-f-]{36})\/end/g)][0]?.[1] ?? ''
  await who.submit(`/dashboard/account/sessions/${id}/end`)
  assert.match((await other.get('/dashboard')).to ?? '', /sign-in/)
  await who.submit('/dashboard/account/sessions/others')
})

test('the language is the browser’s until one is chosen', async () => {
  const who = visitor(t, 'en-GB,en;q=0.9,es;q=0.8')
  assert.match((await who.get('/dashboard/sign-in')).words, /Sign in/)
  assert.match((await visitor(t, 'fr, de;q=0.9').get('/dashboard/sign-in')).words, /Iniciar sesión/)
  const changed = await who.submit('/dashboard/language', { language: 'es', next: '/dashboard/forgot' })
  assert.match(changed.words, /Contraseña nueva/)
  assert.match((await who.get('/dashboard/sign-in')).words, /Iniciar sesión/)
})
