/** Sessions: people list and end their own, and owners and operators those of the people they manage. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp, type TestApp } from '../../../../support/app/app.ts'
import { password } from '../../../../support/app/people.ts'
import { signedIn, visitor, type Visitor } from '../../visitor.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

async function signInWith(email: string, userAgent: string): Promise<Visitor> {
  const who = visitor(t)
  const response = await who.post('/dashboard/sign-in', { email, password }, { 'user-agent': userAgent })
  assert.equal(response.status, 303)
  return who
}
const isOut = async (who: Visitor) => /sign-in/.test((await who.get('/dashboard')).to ?? '')
const endsOn = (text: string) =>
  [...text.matchAll(/action="([^"]*\/sessions\/[\da-f-]{36}\/end)"/g)].map(([, path = '']) => path)

test('people see the browser, IP and times of their sessions, and end one or all others', async () => {
  const who = await signedIn(t, 'member')
  const elsewhere = await signInWith(who.account.email, firefox)
  const page = await who.get('/dashboard/account')
  assert.match(page.words, /Firefox · Windows 127\.0\.0\.1/)
  assert.match(page.words, /Esta sesión/)
  const [end = ''] = endsOn(page.text)
  await who.submit(end)
  assert.deepEqual([await isOut(elsewhere), await isOut(who)], [true, false])
  const others = [await signInWith(who.account.email, firefox), await signInWith(who.account.email, 'x')]
  await who.submit('/dashboard/account/sessions/others')
  for (const other of others) assert.ok(await isOut(other))
  assert.equal(await isOut(who), false)
})

test('owners see and end the sessions of their agency’s people', async () => {
  const [owner, member] = [await signedIn(t, 'owner'), await signedIn(t, 'member')]
  const { id, email, name } = member.account
  const elsewhere = await signInWith(email, firefox)
  const path = `/dashboard/people/${id}/sessions`
  assert.ok((await owner.get('/dashboard/people')).text.includes(path))
  const page = await owner.get(path)
  assert.match(page.words, /Firefox · Windows/)
  assert.doesNotMatch(page.words, /Esta sesión/)
  const ends = endsOn(page.text)
  assert.equal(ends.length, 2)
  await owner.submit(ends[0] ?? '')
  assert.equal([await isOut(elsewhere), await isOut(member)].filter(Boolean).length, 1)
  const after = await owner.submit(`${path}/end`)
  assert.ok(after.words.includes(`Se cerraron las sesiones de ${name}.`))
  assert.deepEqual([await isOut(elsewhere), await isOut(member)], [true, true])
  assert.match((await owner.get(path)).words, /No tiene sesiones abiertas/)
  const logged = await t.deps.db
    .selectFrom('audit_log')
    .select(['action', 'actor_name'])
    .where('subject', '=', email)
    .where('action', '=', 'person_sessions_ended')
    .execute()
  assert.deepEqual(
    logged.map(({ actor_name: by }) => by),
    [owner.account.name, owner.account.name],
  )
})

test('nobody reaches the sessions of another agency, or of someone else through their own', async () => {
  const [owner, member] = [await signedIn(t, 'owner'), await signedIn(t, 'member')]
  const foreigner = await signedIn(t, 'owner', t.other.agency.id)
  const path = `/dashboard/people/${member.account.id}/sessions`
  const [end = ''] = endsOn((await owner.get(path)).text)
  assert.equal((await foreigner.get(path)).status, 404)
  assert.equal((await foreigner.post(`${path}/end`)).status, 404)
  assert.equal((await foreigner.post(end)).status, 404)
  assert.equal((await member.get(path)).status, 404)
  const beside = end.replace(member.account.id, owner.account.id)
  assert.equal((await owner.post(beside)).status, 404)
  assert.equal(await isOut(member), false)
})

test('operators see and end the sessions of every agency’s people, and of each other', async () => {
  const [operator, colleague, member] = [
    await signedIn(t, 'operator'),
    await signedIn(t, 'operator'),
    await signedIn(t, 'member'),
  ]
  await operator.submit(
    `/dashboard/operator/agencies/${t.agency.slug}/people/${member.account.id}/sessions/end`,
  )
  await operator.submit(`/dashboard/operator/people/${colleague.account.id}/sessions/end`)
  assert.deepEqual([await isOut(member), await isOut(colleague)], [true, true])
})
