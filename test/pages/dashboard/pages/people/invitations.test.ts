/** Invitations go to strangers: they are limited in number, and contain no text from the inviter. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { inTransaction } from '../../../../../src/platform/db/statements/transaction.ts'
import { updateAgency } from '../../../../../src/agencies/agencies.ts'
import type { Mail } from '../../../../../src/delivery/mails/mailer.ts'
import { testApp, type TestApp } from '../../../../support/app/app.ts'
import { until } from '../../../../support/until.ts'
import { signedIn, visitor, type Visitor } from '../../visitor.ts'

const perHour = 4
const perDay = 6
const perAgencyAndRecipient = 2
const perRecipient = 5

let t: TestApp
const mails: Mail[] = []
before(async () => {
  const limits = {
    invitations_per_agency_per_hour: perHour,
    invitations_per_agency_per_day: perDay,
    invitations_per_agency_and_recipient_per_day: perAgencyAndRecipient,
    invitations_per_recipient_per_day: perRecipient,
  }
  t = await testApp({ mailer: mails, limits })
})
after(() => t.close())
beforeEach(() => {
  mails.length = 0
})

let count = 0
const fresh = (): string => `stranger-${(count += 1)}@elsewhere.example`
const invite = (who: Visitor, email: string, name = 'Carla') =>
  who.post('/dashboard/people/invite', { email, name, role: 'member' })
/** The owner of an agency that has not sent anything yet. */
const newOwner = async () => signedIn(t, 'owner', (await t.newAgency()).agency.id, 'en')
const idOf = (page: { text: string }, email: string): string => {
  const row =
    page.text
      .split('<tr>')
      .slice(1)
      .find((one) => one.includes(email)) ?? ''
  return /people\/([0-9a-f-]{36})\/link/.exec(row)?.[1] ?? ''
}

test('invitations have hourly and daily limits, under concurrency too, and the page shows when they end', async () => {
  const owner = await newOwner()
  const responses = await Promise.all(Array.from({ length: 20 }, () => invite(owner, fresh())))
  assert.equal(mails.length, perHour)
  const refused = responses.filter(({ status }) => status === 429)
  assert.equal(refused.length, 20 - perHour)
  for (const { words, headers } of refused) {
    assert.match(words, /Too many invitations were sent .* You can send another in (60 minutes|1 hour)/)
    assert.ok(Number(headers.get('retry-after')) > 3_500)
  }
  // A person who was not invited has no account.
  const people = await owner.get('/dashboard/people')
  assert.equal([...people.text.matchAll(/<tr>[^]*?@elsewhere\.example/g)].length, perHour)

  t.clock.offsetMs += 3_601_000
  for (let tries = 0; tries < 5; tries += 1) await invite(owner, fresh())
  assert.equal(mails.length, perDay)
  t.clock.offsetMs += 3_601_000
  assert.match((await invite(owner, fresh())).words, /another in 2\d hours/)
  const other = await newOwner()
  assert.equal((await invite(other, fresh())).status, 303)
})

test('resending an invitation counts', async () => {
  const owner = await newOwner()
  const email = fresh()
  await invite(owner, email)
  const again = `/dashboard/people/${idOf(await owner.get('/dashboard/people'), email)}/link`
  for (let tries = 0; tries < 5; tries += 1) await owner.post(again)
  const refused = await owner.post(again)
  assert.equal(refused.status, 429)
  assert.match(refused.words, /Too many invitations/)
  assert.equal(mails.length, perAgencyAndRecipient)
})

test('an email address has a daily limit of invitations over all senders and spellings', async () => {
  const email = fresh()
  await invite(await newOwner(), email)
  const owners = await Promise.all(Array.from({ length: perRecipient + 2 }, newOwner))
  const [name, domain] = email.split('@')
  await Promise.all(owners.map((owner, index) => invite(owner, `${name?.toUpperCase()}+${index}@${domain}`)))
  const received = mails.filter(({ to }) => to.startsWith(`${name}@`) || to.startsWith(`${name}+`))
  assert.equal(received.length, perRecipient)
})

test('neither one agency nor requests for a reset use up an email address’s whole limit', async () => {
  const email = fresh()
  const greedy = await newOwner()
  await invite(greedy, email)
  const again = `/dashboard/people/${idOf(await greedy.get('/dashboard/people'), email)}/link`
  for (let tries = 0; tries < perRecipient; tries += 1) await greedy.post(again)
  assert.equal(mails.length, perAgencyAndRecipient)
  for (let tries = 0; tries < perRecipient; tries += 1) await visitor(t).post('/dashboard/forgot', { email })
  // Mailed after the response.
  await until(() => mails.length === 2 * perAgencyAndRecipient)
  assert.equal((await invite(await newOwner(), email)).status, 303)
  assert.equal(mails.length, 2 * perAgencyAndRecipient + 1)
})

test('a refused invitation does not count against others', async () => {
  const [full, other] = [await newOwner(), await newOwner()]
  for (let tries = 0; tries < perHour; tries += 1) await invite(full, fresh())
  const email = fresh()
  for (let tries = 0; tries < 5; tries += 1) assert.equal((await invite(full, email)).status, 429)
  assert.equal((await invite(other, email)).status, 303)
})

test('inviting someone who is already in the agency sends nothing and counts nothing', async () => {
  const owner = await newOwner()
  const email = fresh()
  await invite(owner, email)
  for (let tries = 0; tries < perDay; tries += 1) assert.equal((await invite(owner, email)).status, 400)
  assert.equal(mails.length, 1)
  assert.equal((await invite(owner, fresh())).status, 303)
})

test('operators are not limited in inviting people', async () => {
  const operator = await signedIn(t, 'operator', null, 'en')
  const path = `/dashboard/operator/agencies/${t.agency.slug}/people/invite`
  for (let sent = 0; sent < perDay + 2; sent += 1) {
    const response = await operator.post(path, { email: fresh(), name: 'Carla', role: 'member' })
    assert.equal(response.status, 303)
  }
})

test('people’s names contain no URLs and email addresses', async () => {
  const owner = await newOwner()
  const wrong = [
    'Ganaste: https://evil.example/premio',
    'evil.example',
    'Visitá www.evil',
    'Pagá en evil.example/pago ya',
    'escribime a ana@evil.example',
    'Premio ｅｖｉｌ．ｃｏｍ',
    'Premio en 203.0.113.7',
  ]
  for (const name of wrong) {
    const response = await invite(owner, fresh(), name)
    assert.equal(response.status, 400, name)
    assert.match(response.words, /cannot contain a URL or an email/)
  }
  assert.equal(mails.length, 0)
  for (const name of ['Ma.Laura Pérez', 'Dr. Gómez', 'J. C. O’Neill', 'Lic.Ana Núñez'])
    assert.notEqual((await invite(await newOwner(), fresh(), name)).status, 400, name)
})

test('an invitation contains no text from the inviter, and no link from the agency’s name', async () => {
  const { agency } = await t.newAgency()
  const owner = await signedIn(t, 'owner', agency.id, 'en')
  await invite(owner, fresh(), 'PAGUE SU DEUDA YA')
  const rename = (name: string) =>
    inTransaction(t.deps.db, (tx) =>
      updateAgency(tx, agency.id, { name, slug: agency.slug, email: null }, t.clock),
    )
  await rename('Inmuebles.com.ar')
  await invite(owner, fresh())
  const [first, second] = mails
  for (const part of [first?.subject, first?.text, first?.html])
    assert.doesNotMatch(part ?? '', /PAGUE|DEUDA/)
  for (const part of [second?.text, second?.html]) {
    assert.match(part ?? '', /Inmuebles/)
    assert.doesNotMatch(part ?? '', /Inmuebles\.com|com\.ar/)
  }
  for (const name of ['Casas https://evil.example', 'www.evil', 'ana@evil.example', 'evil.example/casas'])
    await assert.rejects(rename(name), /must not contain a URL or an email/)
})
