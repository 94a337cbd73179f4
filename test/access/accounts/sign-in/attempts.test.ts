/** Limits on sign-in attempts: guessing is bounded per network and per account, and never locks people out of their own accounts. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Account } from '../../../../src/access/accounts/accounts.ts'
import { reapNetworks, takeReset, takeSignIn } from '../../../../src/access/accounts/sign-in/attempts.ts'
import { reapSubjects } from '../../../../src/limits/counters.ts'
import { makeLink } from '../../../../src/access/accounts/mails/links.ts'
import { findSession } from '../../../../src/access/accounts/sign-in/sessions.ts'
import { confirmPassword } from '../../../../src/access/accounts/sign-in/confirm.ts'
import { passSecondFactor, signIn, signInByLink } from '../../../../src/access/accounts/sign-in/sign-in.ts'
import { ApiError } from '../../../../src/platform/errors/errors.ts'
import { dayMs } from '../../../../src/platform/time/days.ts'
import { password } from '../../../support/app/people.ts'
import { changeByPassword, device, enrol, type Open, openAccounts } from '../support.ts'
import { because } from '../../../support/app/because.ts'

let t: Open
before(async () => {
  t = await openAccounts({
    sign_ins_per_account_and_address_per_hour: 3,
    sign_ins_per_account_per_hour: 8,
    sign_ins_per_address_per_hour: 5,
    second_steps_per_account_per_hour: 3,
    resets_per_account_per_hour: 2,
    resets_per_address_per_hour: 4,
  })
})
after(() => t.drop())

const limited = (error: unknown) => error instanceof ApiError && error.code === 'rate_limited'
const from = (ip: string) => ({ ...device, ip })
const enter = (email: string, ip: string) => signIn(t, email, password, from(ip))

/** Guesses wrong passwords until that IP is limited. @returns the number of attempts allowed */
async function guess(email: string, ip: string): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    try {
      await signIn(t, email, 'not the password', from(ip))
    } catch (error) {
      if (limited(error)) return tries
      assert.ok(because('wrong_password')(error))
    }
  }
}

let networks = 0
/** An IP in a network that no other test uses. */
function elsewhere(): string {
  networks += 1
  return networks % 2 === 0 ? `203.0.113.${networks}` : `2001:db8:${networks}::1`
}

/** Guesses from many networks until the account accepts no more attempts from new ones. @returns the number of attempts allowed */
async function guessFromEverywhere(email: string): Promise<number> {
  let tries = 0
  for (;;) {
    const some = await guess(email, elsewhere())
    tries += some
    if (some === 0) return tries
  }
}

describe('guessing from one network', () => {
  test('is blocked there, even with the right password, and nowhere else', async () => {
    const { email } = await t.person()
    const [stranger, own] = [elsewhere(), elsewhere()]
    assert.equal(await guess(email, stranger), 3)
    await assert.rejects(enter(email, stranger), limited)
    assert.ok(await enter(email, own))
    // A successful sign-in elsewhere does not lift the stranger's limit.
    await assert.rejects(enter(email, stranger), limited)
  })

  test('is blocked for all accounts together, with an IPv6 /64 counting as one network', async () => {
    const tries = Array.from({ length: 5 }, (_, index) => index)
    for (const index of tries)
      await assert.rejects(
        signIn(t, `nobody-${index}@x.example`, password, from(`2001:db8:ff:0::${index}`)),
        because('wrong_password'),
      )
    await assert.rejects(enter('nobody-9@x.example', '2001:db8:ff:0:ffff::9'), limited)
    await assert.rejects(enter('nobody-9@x.example', '2001:db8:fe::9'), because('wrong_password'))
  })

  test('is allowed again after an hour, or immediately after a successful sign-in', async () => {
    const { email } = await t.person()
    const own = elsewhere()
    for (let round = 0; round < 2; round += 1) {
      for (let tries = 0; tries < 2; tries += 1)
        await assert.rejects(signIn(t, email, 'wrong', from(own)), because('wrong_password'))
      if (round === 0) assert.ok(await enter(email, own))
    }
    await assert.rejects(signIn(t, email, 'wrong', from(own)), limited)
    t.clock.offsetMs = 3_500_000
    await assert.rejects(enter(email, own), limited)
    t.clock.offsetMs = 3_700_000
    assert.ok(await enter(email, own))
    t.clock.offsetMs = 0
  })

  test('is counted exactly under concurrency', async () => {
    const { email } = await t.person()
    const own = elsewhere()
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => takeSignIn(t, email, own)))
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 3)
  })

  test('creates a bounded number of counters, whatever email is typed', async () => {
    const own = elsewhere()
    const count = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from subject_usage`.execute(t.db)).rows[0]?.n ?? 0
    const earlier = await count()
    for (let index = 0; index < 40; index += 1)
      await takeSignIn(t, `made-up-${index}@x.example`, own).catch(limited)
    assert.equal((await count()) - earlier, 1 + 2 * 5)
  })
})

describe('guessing from many networks', () => {
  test('is bounded, and does not reveal whether an account exists', async () => {
    const { email } = await t.person()
    assert.equal(await guessFromEverywhere(email), 8)
    assert.equal(await guessFromEverywhere('nobody@acme.example'), 8)
    await assert.rejects(enter(email, elsewhere()), limited)
  })

  test('does not lock a person out of a network they recently signed in from', async () => {
    const { email } = await t.person()
    const [home, other] = [elsewhere(), elsewhere()]
    await enter(email, home)
    await guessFromEverywhere(email)
    assert.ok(await enter(email, home))
    await assert.rejects(enter(email, other), limited)
    // That network has a limit of its own too.
    assert.equal(await guess(email, home), 3)
    await assert.rejects(enter(email, home), limited)
  })

  test('does not trust a network where the second factor was never passed', async () => {
    const person = await t.person()
    await enrol(t, person)
    const thief = elsewhere()
    assert.equal((await enter(person.email, thief)).stage, 'password')
    await guessFromEverywhere(person.email)
    await assert.rejects(enter(person.email, thief), limited)
  })

  test('trusts networks for 90 days', async () => {
    const { email } = await t.person()
    await enter(email, elsewhere())
    const known = () => sql`select from account_networks`.execute(t.db)
    const { rows } = await known()
    await reapNetworks(t.db, 100, { offsetMs: 89 * dayMs })
    assert.equal((await known()).rows.length, rows.length)
    assert.ok((await reapNetworks(t.db, 100, { offsetMs: 91 * dayMs })) > 0)
    assert.equal((await known()).rows.length, 0)
  })
})

describe('a link mailed to the account', () => {
  const byLink = async ({ id }: Account, ip: string, chosen = 'otra clave bien larga') =>
    signInByLink(t, await makeLink(t.db, id, 'reset', t.clock), chosen, null, from(ip))

  test('signs in despite exhausted limits, and resets the account’s counters', async () => {
    const person = await t.person()
    const [own, phone] = [elsewhere(), elsewhere()]
    assert.equal(await guess(person.email, own), 3)
    await guessFromEverywhere(person.email)
    const { token, stage } = await byLink(person, phone)
    assert.equal(stage, 'full')
    assert.ok(await findSession(t.db, token, phone, t.clock))
    for (const ip of [own, phone, elsewhere()])
      assert.ok(await signIn(t, person.email, 'otra clave bien larga', from(ip)))
  })

  test('does not reset the counters of other accounts', async () => {
    const [person, other] = [await t.person(), await t.person()]
    const own = elsewhere()
    assert.equal(await guess(other.email, own), 3)
    await byLink(person, own)
    await assert.rejects(enter(other.email, own), limited)
  })
})

describe('the limit on second factors and password confirmations', () => {
  test('is separate: strangers cannot use it up, and a link does not reset it', async () => {
    const person = await t.person()
    const { codes } = await enrol(t, person)
    const [code = ''] = codes
    const own = elsewhere()
    await guessFromEverywhere(person.email)
    const waiting = async () => {
      const link = await makeLink(t.db, person.id, 'reset', t.clock)
      const { token, stage } = await signInByLink(t, link, 'otra clave bien larga', null, from(own))
      assert.equal(stage, 'password')
      const session = await findSession(t.db, token, own, t.clock)
      assert.ok(session)
      return session
    }
    const session = await waiting()
    for (let tries = 0; tries < 3; tries += 1)
      await assert.rejects(passSecondFactor(t, session, '000000', from(own)), because('wrong_code'))
    await assert.rejects(passSecondFactor(t, session, code, from(own)), limited)
    await assert.rejects(passSecondFactor(t, await waiting(), code, from(own)), limited)
    t.clock.offsetMs = 3_700_000
    assert.ok(await passSecondFactor(t, await waiting(), code, from(own)))
    t.clock.offsetMs = 0
  })

  test('lets people change their password while strangers guess it', async () => {
    const person = await t.person()
    const { token } = await enter(person.email, elsewhere())
    await guessFromEverywhere(person.email)
    const session = await findSession(t.db, token, device.ip, t.clock)
    assert.ok(session)
    assert.ok(await changeByPassword(t, session, password, 'otra clave bien larga'))
    for (let tries = 0; tries < 3; tries += 1)
      await assert.rejects(confirmPassword(t, person, password, device.ip), because('wrong_current'))
    await assert.rejects(confirmPassword(t, person, 'otra clave bien larga', device.ip), limited)
  })
})

test('reset links are limited per account and per network, whether or not the account exists', async () => {
  const { email } = await t.person()
  for (const asked of [email, 'nobody-at-all@acme.example']) {
    const own = elsewhere()
    for (let tries = 0; tries < 2; tries += 1) await takeReset(t, asked, own)
    await assert.rejects(takeReset(t, ` ${asked.toUpperCase()}`, elsewhere()), limited)
  }
  const own = elsewhere()
  for (let tries = 0; tries < 4; tries += 1) await takeReset(t, `someone-${tries}@x.example`, own)
  await assert.rejects(takeReset(t, 'someone-4@x.example', own), limited)
  // An exhausted limit on reset links does not block signing in.
  assert.ok(await enter(email, own))
})

test('counters of attempts are deleted after their window has ended', async () => {
  assert.ok((await reapSubjects(t.db, 1_000, { offsetMs: 26 * 3_600_000 })) > 20)
  assert.equal((await sql`select from subject_usage`.execute(t.db)).rows.length, 0)
})
