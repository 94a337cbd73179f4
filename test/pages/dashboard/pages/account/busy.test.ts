/** Password hashing is served in fair turns by network, and rejected when too many requests wait. */
// alone: it occupies every turn of its process for passwords
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type HashClient, inHashingSlot } from '../../../../../src/access/accounts/passwords/hashing.ts'
import { makeLink } from '../../../../../src/access/accounts/mails/links.ts'
import { en, es } from '../../../../../src/pages/dashboard/messages/catalogue.ts'
import { ApiError } from '../../../../../src/platform/errors/errors.ts'
import { hashingBudgets } from '../../../../../src/limits/sizes.ts'
import { testApp, type TestApp } from '../../../../support/app/app.ts'
import { password } from '../../../../support/app/people.ts'
import { person, signedIn, visitor } from '../../visitor.ts'

let t: TestApp
before(async () => {
  t = await testApp({ env: { TRUST_PROXY: 'true' } })
})
after(() => t.close())

const { atOnce, waiting: maxWaiting, waitSeconds } = hashingBudgets
const next = 'otra clave bien larga'

/** Releases the occupied turns. */
let release = async (): Promise<void> => {}
beforeEach(() => release())
after(() => release())

/** Occupies every turn, and fills the queue. @returns the rejected members of the crowd */
function crowd(askerOf: (index: number) => HashClient): { refused: number[] } {
  const refused: number[] = []
  const held = Promise.withResolvers<void>()
  const all = Array.from({ length: atOnce + maxWaiting }, (_, index) =>
    inHashingSlot(askerOf(index), () => held.promise).catch((error: unknown) => {
      assert.ok(error instanceof ApiError && error.status === 503)
      refused.push(index)
    }),
  )
  release = async () => {
    held.resolve()
    await Promise.all(all)
  }
  return { refused }
}

/** A client for each of many networks. */
const many = (isStranger: boolean) => (index: number) => ({ ip: `198.51.100.${index}`, isStranger })

/** A person who is signed in and one with a link, each about to have a password hashed. */
async function known() {
  const who = await signedIn(t, 'owner')
  const link = await makeLink(t.deps.db, (await person(t, 'member')).id, 'reset', t.clock)
  const other = visitor(t)
  await other.get(`/dashboard/welcome/${link}`)
  return [
    () => other.post('/dashboard/password', { password: next }),
    () => who.post('/dashboard/account/second-factor', { current: password }),
    () => who.post('/dashboard/account/password', { current: password, password: next }),
  ]
}

const untilRefused = async (refused: readonly number[], count: number): Promise<void> => {
  while (refused.length < count) await new Promise(setImmediate)
}

for (const [language, { errors }] of [
  ['es-AR', es],
  ['en', en],
] as const) {
  test(`when too many sign-ins wait, a page says so and reveals no account (${language})`, async () => {
    const { email } = await person(t, 'member')
    crowd(many(false))
    for (const typed of [email, 'nobody@acme.example']) {
      const page = await visitor(t, language).post('/dashboard/sign-in', { email: typed, password })
      assert.equal(page.status, 503)
      assert.equal(page.headers.get('retry-after'), String(waitSeconds))
      for (const text of errors.busy) assert.ok(page.words.includes(text), page.words)
    }
    // The rejection counted no attempt.
    assert.deepEqual(await t.deps.db.selectFrom('subject_usage').selectAll().execute(), [])
  })
}

test('setting and confirming a password need a turn too', async () => {
  const acts = await known()
  crowd(many(false))
  for (const act of acts) {
    const page = await act()
    assert.equal(page.status, 503)
    assert.equal(page.headers.get('retry-after'), String(waitSeconds))
  }
})

test('strangers from many networks yield to people with a session or a link', async () => {
  const acts = await known()
  const { refused } = crowd(many(true))
  const pages = acts.map((act) => act())
  await untilRefused(refused, acts.length)
  await release()
  for (const { status } of await Promise.all(pages)) assert.notEqual(status, 503)
})

test('strangers from one network yield to a stranger from another', async () => {
  const { email } = await person(t, 'member')
  const { refused } = crowd(() => ({ ip: '198.51.100.7', isStranger: true }))
  const from = { 'x-forwarded-for': '203.0.113.5' }
  const entering = visitor(t).post('/dashboard/sign-in', { email, password }, from)
  await untilRefused(refused, 1)
  assert.deepEqual(refused, [atOnce + maxWaiting - 1])
  await release()
  assert.equal((await entering).status, 303)
})

test('a network with an earlier sign-in is not a stranger', async () => {
  const { email } = await person(t, 'member')
  const from = { 'x-forwarded-for': '203.0.113.9' }
  const signIn = () => visitor(t).post('/dashboard/sign-in', { email, password }, from)
  assert.equal((await signIn()).status, 303)
  const { refused } = crowd(many(true))
  const entering = signIn()
  await untilRefused(refused, 1)
  await release()
  assert.equal((await entering).status, 303)
})
