/** Accounts: invited, changed and disabled, with links that work once. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  changeAccount,
  changeProfile,
  createAccount,
  findAccount,
  findAccountByEmail,
  listAccounts,
} from '../../../src/access/accounts/accounts.ts'
import { audit, listAudit } from '../../../src/access/audit-log/entries.ts'
import { findLink, linkUrl, makeLink, reapLinks } from '../../../src/access/accounts/mails/links.ts'
import { signIn } from '../../../src/access/accounts/sign-in/sign-in.ts'
import { findSession } from '../../../src/access/accounts/sign-in/sessions.ts'
import { createAgency } from '../../../src/agencies/agencies.ts'
import { ApiError } from '../../../src/platform/errors/errors.ts'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { password, useLink } from '../../support/app/people.ts'
import { device, type Open, openAccounts } from './support.ts'
import { because } from '../../support/app/because.ts'

let t: Open
before(async () => {
  t = await openAccounts()
})
after(() => t.drop())

const hour = 3_600_000

test('an account has no password until its invitation is accepted', async () => {
  const made = await createAccount(
    t.db,
    { email: ' Ana@Acme.Example ', agencyId: t.agencyId, role: 'member' },
    t.clock,
  )
  assert.deepEqual(
    [made.email, made.name, made.has_password, made.has_second_factor, made.role],
    ['ana@acme.example', 'ana', false, false, 'member'],
  )
  await assert.rejects(signIn(t, 'ana@acme.example', '', device), because('wrong_password'))
  const token = await makeLink(t.db, made.id, 'invitation', t.clock)
  assert.equal(linkUrl('https://a.example', token), `https://a.example/dashboard/welcome/${token}`)
  assert.equal((await findLink(t.db, token, t.clock))?.purpose, 'invitation')
  const { account: accepted } = await useLink(t.db, token, password, 'Ana Pérez', t.clock)
  assert.deepEqual([accepted.name, accepted.has_password], ['Ana Pérez', true])
  assert.equal((await signIn(t, 'ANA@acme.example', password, device)).account.id, made.id)
  assert.equal(await findLink(t.db, token, t.clock), null)
  await assert.rejects(useLink(t.db, token, password, null, t.clock), because('dead_link'))
})

test('an email address has one account, regardless of case', async () => {
  await t.person('member', 'twice@acme.example')
  for (const agencyId of [t.agencyId, null]) {
    const role = agencyId === null ? 'operator' : 'member'
    await assert.rejects(
      createAccount(t.db, { email: 'Twice@ACME.example', agencyId, role }, t.clock),
      because('email_taken'),
    )
  }
  await assert.rejects(
    createAccount(t.db, { email: 'nobody', agencyId: null, role: 'operator' }, t.clock),
    (error) => error instanceof ApiError && error.parameter === 'email',
  )
})

test('only the latest of several links works, and each expires', async () => {
  const person = await t.person()
  const first = await makeLink(t.db, person.id, 'reset', t.clock)
  const second = await makeLink(t.db, person.id, 'reset', t.clock)
  assert.equal(await findLink(t.db, first, t.clock), null)
  assert.equal(await findLink(t.db, `${second.slice(0, -1)}!`, t.clock), null)
  assert.ok(await findLink(t.db, second, { offsetMs: hour - 5_000 }))
  assert.equal(await findLink(t.db, second, { offsetMs: hour }), null)
  const invitation = await makeLink(t.db, person.id, 'invitation', t.clock)
  assert.ok(await findLink(t.db, invitation, { offsetMs: 7 * 24 * hour - 5_000 }))
  assert.equal(await findLink(t.db, invitation, { offsetMs: 7 * 24 * hour }), null)
  assert.equal((await reapLinks(t.db, 100, { offsetMs: 9 * 24 * hour })) > 0, true)
})

test('exactly one of two requests with the same link sets the password', async () => {
  const person = await t.person()
  const token = await makeLink(t.db, person.id, 'reset', t.clock)
  const results = await Promise.allSettled(
    ['una clave primera', 'una clave segunda'].map((text) => useLink(t.db, token, text, null, t.clock)),
  )
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('setting a password by link ends every session', async () => {
  const person = await t.person()
  const { token } = await signIn(t, person.email, password, device)
  assert.ok(await findSession(t.db, token, device.ip, t.clock))
  await useLink(t.db, await makeLink(t.db, person.id, 'reset', t.clock), `${password} 2`, null, t.clock)
  assert.equal(await findSession(t.db, token, device.ip, t.clock), null)
})

test('an agency keeps an owner who can sign in, and a disabled account is signed out at once', async () => {
  const agency = await createAgency(t.db, { name: 'Two', slug: 'two' }, t.clock)
  const make = (email: string, role: 'owner' | 'member') =>
    createAccount(t.db, { email, agencyId: agency.id, role }, t.clock)
  const [first, second] = [await make('1@two.example', 'owner'), await make('2@two.example', 'member')]
  const change = (id: string, what: Parameters<typeof changeAccount>[3]) =>
    inTransaction(t.db, (tx) => changeAccount(tx, agency.id, id, what, t.clock))
  const accept = async (id: string) =>
    await useLink(t.db, await makeLink(t.db, id, 'invitation', t.clock), password, null, t.clock)
  await accept(first.id)
  // An owner who never accepted the invitation does not count.
  await make('3@two.example', 'owner')
  await assert.rejects(change(first.id, { disabled: true }), because('last_owner'))
  await assert.rejects(change(first.id, { role: 'member' }), because('last_owner'))
  assert.equal((await change(second.id, { role: 'owner' })).role, 'owner')
  await assert.rejects(change(first.id, { disabled: true }), because('last_owner'))
  await accept(second.id)
  const session = await signIn(t, first.email, password, device)
  assert.ok((await change(first.id, { disabled: true })).disabled_at)
  assert.equal(await findSession(t.db, session.token, device.ip, t.clock), null)
  await assert.rejects(signIn(t, first.email, password, device), because('wrong_password'))
  assert.equal((await change(first.id, { disabled: false })).disabled_at, null)
  const both = await Promise.allSettled([first, second].map(({ id }) => change(id, { disabled: true })))
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('an account is found only within its own agency', async () => {
  const person = await t.person('member')
  const operator = await t.person('operator')
  const other = await createAgency(t.db, { name: 'Other', slug: 'other' }, t.clock)
  assert.equal((await findAccount(t.db, t.agencyId, person.id))?.id, person.id)
  assert.equal(await findAccount(t.db, other.id, person.id), null)
  assert.equal(await findAccount(t.db, null, person.id), null)
  assert.equal((await findAccount(t.db, null, operator.id))?.id, operator.id)
  assert.deepEqual(await listAccounts(t.db, other.id), [])
  await assert.rejects(
    inTransaction(t.db, (tx) => changeAccount(tx, other.id, person.id, { disabled: true }, t.clock)),
    (error) => error instanceof ApiError && error.code === 'not_found',
  )
  assert.equal((await findAccountByEmail(t.db, ` ${person.email.toUpperCase()}`))?.id, person.id)
})

test('people can change their own name and language', async () => {
  const person = await t.person('member')
  await changeProfile(t.db, person.id, { name: '  María José ' })
  await changeProfile(t.db, person.id, { language: 'en' })
  const found = await findAccount(t.db, t.agencyId, person.id)
  assert.deepEqual([found?.name, found?.language], ['María José', 'en'])
  for (const name of ['', '  ', 'x'.repeat(121), 'a\nb'])
    await assert.rejects(changeProfile(t.db, person.id, { name }), ApiError)
})

test('the audit log records who did what, latest first, in pages', async () => {
  const by = { kind: 'operator', id: null, name: 'Olga', requestId: 'r1' } as const
  for (const subject of ['a', 'b', 'c'])
    await audit(
      t.db,
      by,
      { action: 'agency_changed', agencyId: t.agencyId, subject, details: { n: 1 } },
      t.clock,
    )
  await audit(t.db, by, { action: 'agency_created', agencyId: null, subject: 'd' }, t.clock)
  const page = await listAudit(t.db, null, { view: 'acts', limit: 2, offset: 0 })
  assert.deepEqual([page.entries.map(({ subject }) => subject), page.hasMore], [['d', 'c'], true])
  const own = await listAudit(t.db, t.agencyId, { view: 'acts', limit: 3, offset: 0 })
  assert.deepEqual(
    own.entries.map(({ subject, agency_slug, actor_name }) => `${agency_slug} ${actor_name} ${subject}`),
    ['acme Olga c', 'acme Olga b', 'acme Olga a'],
  )
})
