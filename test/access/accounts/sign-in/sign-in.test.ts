/** Signing in: sessions and the second factor. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inTransaction } from '../../../../src/platform/db/statements/transaction.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  countRecoveryCodes,
  pendingSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  useSecondFactor,
} from '../../../../src/access/accounts/sign-in/second-factor.ts'
import {
  endSession,
  endSessions,
  findSession,
  listSessions,
  reapSessions,
  sessionAges,
} from '../../../../src/access/accounts/sign-in/sessions.ts'
import { passSecondFactor, signIn } from '../../../../src/access/accounts/sign-in/sign-in.ts'
import type { Tx } from '../../../../src/platform/db/statements/connection.ts'
import { openSecretBox } from '../../../../src/access/secrets/secret-box.ts'
import { password } from '../../../support/app/people.ts'
import { changeByPassword, codeOf, device, enrol, type Open, openAccounts } from '../support.ts'
import { because } from '../../../support/app/because.ts'

let t: Open
before(async () => {
  t = await openAccounts()
})
after(() => t.drop())

const find = (token: string, offsetMs = 0) => findSession(t.db, token, device.ip, { offsetMs })
const inTx = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(t.db, work)
const take = (deps: Open, accountId: string, code: string) =>
  inTx((tx) => useSecondFactor(tx, deps, accountId, code))

test('a session identifies its account and agency, and records its use', async () => {
  const person = await t.person('owner')
  const { token, stage } = await signIn(t, person.email, password, device)
  assert.equal(stage, 'full')
  const session = await find(token)
  assert.deepEqual(
    [session?.account.email, session?.agency?.slug, session?.agency?.active],
    [person.email, 'acme', true],
  )
  const operator = await t.person('operator')
  const other = await signIn(t, operator.email, password, device)
  assert.equal((await find(other.token))?.agency, null)
  assert.equal(await find(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`), null)
  assert.equal(await find('x'), null)
})

test('a session expires when idle, and after its maximum lifetime in any case', async () => {
  const person = await t.person()
  const { token } = await signIn(t, person.email, password, device)
  const idle = sessionAges.idleSeconds * 1000
  assert.equal(await find(token, idle), null)
  let at = 0
  for (; at + idle < sessionAges.maxSeconds * 1000; at += idle - 60_000) assert.ok(await find(token, at))
  assert.equal(await find(token, sessionAges.maxSeconds * 1000), null)
  assert.ok((await reapSessions(t.db, 100, { offsetMs: sessionAges.maxSeconds * 1000 })) > 0)
})

test('sessions are listed, and end one at a time or all others at once', async () => {
  const person = await t.person()
  const stranger = await t.person()
  const tokens = []
  for (const userAgent of ['One', 'Two', 'Three'])
    tokens.push((await signIn(t, person.email, password, { ...device, userAgent })).token)
  const [one = '', two = '', three = ''] = tokens
  const listed = await listSessions(t.db, person.id, t.clock)
  assert.deepEqual(listed.map(({ user_agent }) => user_agent).sort(), ['One', 'Three', 'Two'])
  const sessionTwo = await find(two)
  assert.equal(await endSession(t.db, stranger.id, sessionTwo?.id ?? ''), false)
  assert.equal(await endSession(t.db, person.id, sessionTwo?.id ?? ''), true)
  assert.equal(await find(two), null)
  await endSessions(t.db, person.id, (await find(one))?.id ?? '')
  assert.ok(await find(one))
  assert.equal(await find(three), null)
})

test('the second factor is enrolled and required; every code, recovery codes included, works once', async () => {
  const person = await t.person()
  const before = await signIn(t, person.email, password, device)
  assert.equal(before.stage, 'full')
  const session = await find(before.token)
  assert.ok(session)
  const abandoned = await beginSecondFactor(t, session, 'Svc')
  const enrolment = await beginSecondFactor(t, session, 'Svc')
  assert.ok(enrolment)
  assert.match(enrolment.uri, /^otpauth:\/\/totp\/Svc:/)
  assert.notEqual(abandoned?.secret, enrolment.secret)
  assert.equal((await pendingSecondFactor(t, session, 'Svc'))?.secret, enrolment.secret)
  const confirm = (code: string) => inTx((tx) => confirmSecondFactor(tx, t, session, code))
  await assert.rejects(confirm('000 00x'), because('wrong_code'))
  await assert.rejects(confirm(codeOf(t, abandoned?.secret ?? '')), because('wrong_code'))
  const used = codeOf(t, enrolment.secret)
  const codes = await confirm(used)
  assert.equal(codes.length, 10)
  await assert.rejects(beginSecondFactor(t, session, 'Svc'), because('factor_there'))
  await assert.rejects(confirm(used), because('factor_there'))
  assert.equal(await pendingSecondFactor(t, session, 'Svc'), null)

  const { token, stage } = await signIn(t, person.email, password, device)
  assert.equal(stage, 'password')
  const waiting = await find(token)
  assert.equal(waiting?.stage, 'password')
  assert.deepEqual((await listSessions(t.db, person.id, t.clock)).length, 1)
  assert.ok(waiting)
  await assert.rejects(passSecondFactor(t, waiting, used, device), because('wrong_code'))
  t.clock.offsetMs += 60_000
  const full = await passSecondFactor(t, waiting, ` ${codeOf(t, enrolment.secret)} `, device)
  assert.equal((await find(full ?? '', t.clock.offsetMs))?.stage, 'full')
  assert.equal(await find(token), null)
  assert.equal(await find(token, 700_000), null)

  const [first = '', second = ''] = codes
  assert.equal(await take(t, person.id, first.toUpperCase().replace('-', ' ')), true)
  assert.equal(await take(t, person.id, first), false)
  assert.equal(await countRecoveryCodes(t.db, person.id), 9)
  const stranger = await t.person()
  assert.equal(await take(t, stranger.id, second), false)
  const fresh = await inTx((tx) => replaceRecoveryCodes(tx, person.id))
  assert.equal(await take(t, person.id, second), false)
  assert.equal(await take(t, person.id, fresh[0] ?? ''), true)
  await inTx((tx) => removeSecondFactor(tx, person.id))
  assert.equal((await signIn(t, person.email, password, device)).stage, 'full')
  t.clock.offsetMs = 0
})

test('recovery codes work even when the account’s secret can no longer be decrypted', async () => {
  const person = await t.person()
  const { secret, codes } = await enrol(t, person, -1)
  const [code = ''] = codes
  const changed = { ...t, secretBox: openSecretBox('another secret of the tests') }
  await assert.rejects(take(changed, person.id, codeOf(t, secret)), /encrypted with another SECRET_KEY/)
  assert.equal(await take(changed, person.id, code), true)
  assert.equal(await take(changed, person.id, code), false)
})

test('concurrent requests with the same code succeed once', async () => {
  const person = await t.person()
  const { secret } = await enrol(t, person, -1)
  const code = codeOf(t, secret)
  const taken = await Promise.all([1, 2, 3].map(() => take(t, person.id, code)))
  assert.deepEqual(taken.sort(), [false, false, true])
})

test('the secret of the second factor is stored encrypted', async () => {
  const person = await t.person()
  const { secret } = await enrol(t, person)
  const row = await t.db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  assert.ok(!row.totp_secret?.includes(secret))
  assert.equal(t.secretBox.open(row.totp_secret ?? Buffer.alloc(0)), secret)
})

test('changing the password requires the old one and ends the other sessions', async () => {
  const person = await t.person()
  const [here, there] = [
    await signIn(t, person.email, password, device),
    await signIn(t, person.email, password, device),
  ]
  const session = await find(here.token)
  assert.ok(session)
  const change = (current: string, next: string) => changeByPassword(t, session, current, next)
  await assert.rejects(change('wrong one entirely', 'otra clave larga'), because('wrong_current'))
  await assert.rejects(change(password, 'corta'), because('password_short'))
  const renewed = await change(password, 'otra clave larga')
  assert.equal((await find(renewed ?? ''))?.id, session.id)
  assert.equal(await find(here.token), null)
  assert.equal(await find(there.token), null)
  await assert.rejects(signIn(t, person.email, password, device), because('wrong_password'))
  assert.ok(await signIn(t, person.email, 'otra clave larga', device))
})
