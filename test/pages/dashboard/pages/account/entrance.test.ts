/** Signing in: limited attempts, links that work despite the limits, and which passwords are accepted. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAccount } from '../../../../../src/access/accounts/accounts.ts'
import { makeLink } from '../../../../../src/access/accounts/mails/links.ts'
import type { Mail } from '../../../../../src/delivery/mails/mailer.ts'
import { testApp, type TestApp } from '../../../../support/app/app.ts'
import { password } from '../../../../support/app/people.ts'
import { person, signedIn, visitor } from '../../visitor.ts'

let t: TestApp
const mails: Mail[] = []
before(async () => {
  t = await testApp({
    mailer: mails,
    limits: { sign_ins_per_account_and_address_per_hour: 2, resets_per_account_per_hour: 1 },
    env: { TRUST_PROXY: 'true' },
  })
})
after(() => t.close())

/** The link in the last mail to that email. */
function linkTo(email: string): string {
  const mail = mails.findLast(({ to }) => to === email)
  return /https:\/\/listings\.test(\/dashboard\/welcome\/[\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? ''
}

test('too many attempts are refused with the time to wait', async () => {
  const { email } = await person(t, 'owner')
  for (let tries = 0; tries < 2; tries += 1)
    await visitor(t).post('/dashboard/sign-in', { email, password: 'wrong one' })
  const response = await visitor(t, 'en').post('/dashboard/sign-in', { email, password })
  assert.equal(response.status, 429)
  assert.match(
    response.words,
    /Too many attempts\. Try again in (60 minutes|1 hour)\. To get in now, request a link/,
  )
  const seconds = Number(response.headers.get('retry-after'))
  assert.ok(Number.isInteger(seconds) && seconds > 3_500 && seconds <= 3_600, String(seconds))
  await visitor(t).post('/dashboard/forgot', { email })
  const again = await visitor(t).post('/dashboard/forgot', { email })
  assert.equal(again.status, 429)
  assert.match(again.words, /Usá el último que te llegó por correo/)
  assert.match(again.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  const other = await visitor(t).post('/dashboard/sign-in', { email: 'x@acme.example', password })
  assert.deepEqual([other.status, other.headers.has('retry-after')], [400, false])
})

test('wrong passwords from elsewhere do not lock out a person, who can also sign in by link', async () => {
  const { email } = await person(t, 'owner')
  const from = (ip: string) => ({ 'x-forwarded-for': ip })
  const enter = (typed: string, ip: string) =>
    visitor(t).post('/dashboard/sign-in', { email, password: typed }, from(ip))
  for (const status of [400, 400, 429])
    assert.equal((await enter('not this one', '198.51.100.66')).status, status)
  assert.equal((await enter(password, '203.0.113.5')).to, '/dashboard')
  for (const status of [400, 400, 429]) assert.equal((await enter('forgotten', '203.0.113.5')).status, status)

  const who = visitor(t)
  await who.post('/dashboard/forgot', { email }, from('203.0.113.5'))
  while (linkTo(email) === '') await new Promise((resolve) => setImmediate(resolve))
  await who.get(linkTo(email))
  await who.get('/dashboard/password')
  const done = await who.post('/dashboard/password', { password: 'otra clave larga' }, from('203.0.113.5'))
  assert.deepEqual([done.status, done.to], [303, '/dashboard'])
  assert.equal((await who.get('/dashboard')).status, 200)
  assert.equal((await enter('otra clave larga', '203.0.113.5')).to, '/dashboard')
})

test('a password made from the agency’s or the person’s name, or a common one, is refused with advice', async () => {
  const own = await t.newAgency()
  const invite = async (language: string) => {
    const { id } = await createAccount(
      t.deps.db,
      { email: `carla-${language}@estudio.example`, agencyId: own.agency.id, role: 'member' },
      t.clock,
    )
    const who = visitor(t, language)
    await who.get(`/dashboard/welcome/${await makeLink(t.deps.db, id, 'invitation', t.clock)}`)
    await who.get('/dashboard/password')
    return (chosen: string) => who.post('/dashboard/password', { name: 'Carla Gómez', password: chosen })
  }
  const [spanish, english] = [await invite('es'), await invite('en')]
  for (const made of [`${own.agency.name}!`, 'CarlaGomez2026', 'Carla.Estudio.77']) {
    const response = await spanish(made)
    assert.equal(response.status, 400, made)
    assert.match(response.words, /No uses tu nombre, tu correo ni el nombre de la inmobiliaria/)
    assert.match((await english(made)).words, /Do not use your name, your email or the agency’s name/)
  }
  assert.match((await spanish('inmobiliaria2026')).words, /fácil de adivinar.*cuatro palabras/)
  assert.match((await english('inmobiliaria2026')).words, /easy to guess.*four unrelated words/)
  assert.equal((await spanish(password)).status, 303)

  const who = await signedIn(t, 'owner', own.agency.id)
  const change = (chosen: string) =>
    who.post('/dashboard/account/password', { current: password, password: chosen })
  await who.get('/dashboard/account')
  assert.match((await change(`${own.agency.name} 2026`)).words, /No uses tu nombre/)
  assert.match((await change('riverplate2026')).words, /es fácil de adivinar/)
})
