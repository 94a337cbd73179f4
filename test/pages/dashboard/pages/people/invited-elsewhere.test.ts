/** Inviting someone whose email address has an account with another agency looks like any invitation: only the person is notified. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createAccount } from '../../../../../src/access/accounts/accounts.ts'
import type { Mail } from '../../../../../src/delivery/mails/mailer.ts'
import { testApp, type TestApp } from '../../../../support/app/app.ts'
import { password } from '../../../../support/app/people.ts'
import { person, signedIn, visitor } from '../../visitor.ts'

let t: TestApp
let owner: Awaited<ReturnType<typeof signedIn>>
let taken: string
let free: string
const mails: Mail[] = []
let count = 0

before(async () => {
  t = await testApp({ mailer: mails })
  owner = await signedIn(t, 'owner', (await t.newAgency()).agency.id)
})
after(() => t.close())
beforeEach(async () => {
  count += 1
  taken = (await person(t, count % 2 === 0 ? 'operator' : 'owner')).email
  // The same length as the other, so that pages can be compared.
  free = taken.replace('person', 'nobody')
})

const invite = (email: string) =>
  owner.post('/dashboard/people/invite', { email, name: 'Beto', role: 'member' })
/** The text without values that differ for each email address. */
const without = (text: string, email: string) =>
  text
    .replaceAll(email, 'EMAIL')
    .replaceAll(/[0-9a-f-]{36}/g, 'ID')
    .replaceAll(/name="_csrf" value="[^"]+"/g, '')
const mailsTo = (email: string) => mails.filter(({ to }) => to === email)
async function idOf(email: string): Promise<string> {
  const row = await t.deps.db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .where('agency_id', '=', owner.account.agency_id)
    .executeTakeFirstOrThrow()
  return row.id
}

describe('to the inviter of a person with an account elsewhere', () => {
  test('the response, the page and all later actions are the same', async () => {
    const seen: string[][] = []
    for (const email of [taken, free]) {
      const pages: string[] = []
      const show = async () => {
        const row = (await owner.get('/dashboard/people')).text
          .split('<tr>')
          .find((part) => part.includes(email))
        pages.push(without(row ?? 'nothing', email))
      }
      const told = async (response: Awaited<ReturnType<typeof invite>>) => {
        pages.push(`${response.status} ${response.to}`)
        const flash = /class="flash"[^]*?<\/div>/.exec((await owner.get('/dashboard/people')).text)?.[0]
        pages.push(without(flash ?? '', email))
        await show()
      }
      await told(await invite(email))
      await told(await invite(email.toUpperCase()))
      const path = `/dashboard/people/${await idOf(email)}`
      await told(await owner.post(`${path}/link`))
      await told(await owner.post(`${path}/change`, { role: 'owner' }))
      await told(await owner.post(`${path}/change`, { disabled: 'yes' }))
      await told(await owner.post(`${path}/change`, { disabled: 'no' }))
      seen.push(pages)
      assert.equal(mailsTo(email).length, 2)
    }
    const [one, other] = seen
    assert.match(one?.join() ?? '', /Enviamos un correo a EMAIL.*Invitada/s)
    assert.deepEqual(one, other)
  })

  test('a wrong password for the email gets the same response', async () => {
    const responses: string[] = []
    for (const email of [taken, free]) {
      await invite(email)
      const response = await visitor(t).post('/dashboard/sign-in', { email, password: 'not this one' })
      responses.push(`${response.status} ${without(response.text, email)}`)
    }
    assert.match(responses[0] ?? '', /^4\d\d /)
    assert.equal(responses[0], responses[1])
  })

  test('an existing account is revealed within its own agency, and to operators', async () => {
    const { email } = await person(t, 'member', owner.account.agency_id)
    assert.match((await invite(email)).words, /Ya hay una cuenta con ese correo/)
    const operator = await signedIn(t, 'operator')
    const path = `/dashboard/operator/agencies/${t.other.agency.slug}/people/invite`
    const response = await operator.post(path, { email: taken, name: 'Beto', role: 'owner' })
    assert.match(response.words, /Ya hay una cuenta con ese correo/)
  })
})

describe('an invited person with an account elsewhere', () => {
  test('is notified by mail, without a link that sets a password', async () => {
    await invite(taken)
    const [mail] = mailsTo(taken)
    assert.match(mail?.text ?? '', /te invita a su panel.*este correo ya tiene una cuenta/s)
    assert.doesNotMatch(mail?.text ?? '', /welcome/)
  })

  test('can sign in and reset the password as before', async () => {
    await invite(taken)
    const response = await visitor(t).post('/dashboard/sign-in', { email: taken, password })
    assert.equal(response.to, '/dashboard')
    await visitor(t).post('/dashboard/forgot', { email: taken })
    const link = () => /\/dashboard\/welcome\/[\w-]{43}/.exec(mailsTo(taken).at(-1)?.text ?? '')?.[0]
    while (link() === undefined) await new Promise((resolve) => setImmediate(resolve))
    const who = visitor(t)
    await who.get(link() ?? '')
    await who.get('/dashboard/password')
    assert.equal(
      (await who.post('/dashboard/password', { password: 'otra clave bien larga' })).to,
      '/dashboard',
    )
  })
})

test('the second of two agencies that invite one address learns nothing', async () => {
  const email = `${count}-new@x.example`
  const input = { email, agencyId: t.other.agency.id, role: 'member' } as const
  await createAccount(t.deps.db, input, t.clock)
  assert.equal((await invite(email)).status, 303)
  const third = await signedIn(t, 'owner', (await t.newAgency()).agency.id)
  const both = await Promise.all(
    [1, 2].map(() => third.post('/dashboard/people/invite', { email, name: 'B', role: 'owner' })),
  )
  assert.deepEqual(both.map(({ status }) => status).sort(), [303, 400])
})
