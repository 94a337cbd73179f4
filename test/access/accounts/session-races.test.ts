/**
 * Races around sessions: no session survives a reset, sign-out or deactivation that runs concurrently with a sign-in, a second step or a
 * change of password.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { type Account, changeAccount } from '../../../src/access/accounts/accounts.ts'
import { makeLink } from '../../../src/access/accounts/mails/links.ts'
import {
  endSession,
  findSession,
  type Session,
  startSession,
} from '../../../src/access/accounts/sign-in/sessions.ts'
import { passSecondFactor, signIn } from '../../../src/access/accounts/sign-in/sign-in.ts'
import type { Db } from '../../../src/platform/db/database.ts'
import { untilWaiting } from '../../support/database/locks.ts'
import { password, useLink } from '../../support/app/people.ts'
import { changeByPassword, device, enrol, type Open, openAccounts } from './support.ts'
import { because } from '../../support/app/because.ts'

let t: Open
before(async () => {
  t = await openAccounts({ sign_ins_per_account_per_hour: 1e6, sign_ins_per_address_per_hour: 1e6 })
})
after(() => t.drop())

const next = 'otra clave bien larga'
const find = (token: string | null) => findSession(t.db, token ?? '', device.ip, t.clock)
async function reset({ id }: Account, chosen = next): Promise<void> {
  await useLink(t.db, await makeLink(t.db, id, 'reset', t.clock), chosen, null, t.clock)
}

/** Pauses `work` after it has read the password hash, and resumes it once `meanwhile` is done. */
async function heldAfterReading<T>(
  work: (db: Db) => Promise<T>,
  meanwhile: () => Promise<unknown>,
): Promise<PromiseSettledResult<T>> {
  const reading = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const kysely = t.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows.some((row) => 'password_hash' in row)) {
        reading.resolve()
        await done.promise
      }
      return result
    },
  })
  // Copies the pool's own additions onto the Kysely instance.
  const running = Promise.allSettled([work(Object.assign(kysely, t.db))])
  await Promise.race([
    reading.promise,
    running.then(([{ status }]) => assert.fail(`${status} before it read`)),
  ])
  await meanwhile()
  done.resolve()
  const [settled] = await running
  return settled
}

describe('a sign-in in progress', () => {
  const endings: Record<string, (person: Account) => Promise<unknown>> = {
    'a reset': (person) => reset(person),
    'a deactivation': ({ id }) =>
      inTransaction(t.db, (tx) => changeAccount(tx, t.agencyId, id, { disabled: true }, t.clock)),
  }
  for (const [what, ending] of Object.entries(endings)) {
    test(`that verified the password before ${what} is refused after it`, async () => {
      const person = await t.person('member')
      const outcome = await heldAfterReading(
        (db) => signIn({ ...t, db }, person.email, password, device),
        () => ending(person),
      )
      assert.equal(outcome.status, 'rejected')
      assert.ok(because('wrong_password')(outcome.reason))
      const sessions = await t.db.selectFrom('account_sessions').where('account_id', '=', person.id).execute()
      assert.deepEqual(sessions, [])
    })

    test(`whose session is not yet visible to ${what} is ended as well`, async () => {
      const person = await t.person('member')
      const row = await t.db
        .selectFrom('accounts')
        .select('password_hash')
        .where('id', '=', person.id)
        .executeTakeFirstOrThrow()
      const verified = { accountId: person.id, passwordHash: row.password_hash ?? '' }
      const { ended, token } = await inTransaction(t.db, async (tx) => {
        const session = await startSession(tx, verified, device, t.clock)
        const running = ending(person)
        await untilWaiting(t.db)
        return { ended: running, token: session?.token ?? null }
      })
      await ended
      assert.ok(token)
      assert.equal(await find(token), null)
    })
  }

  test('leaves no session for the old password, in either order', async () => {
    const person = await t.person()
    let current = password
    for (let round = 0; round < 6; round += 1) {
      const chosen = `${next} ${round}`
      const tries = Array.from({ length: 4 }, () => signIn(t, person.email, current, device))
      const [signedIn] = await Promise.all([Promise.allSettled(tries), reset(person, chosen)])
      for (const outcome of signedIn) {
        if (outcome.status === 'fulfilled') assert.equal(await find(outcome.value.token), null)
        else assert.ok(because('wrong_password')(outcome.reason))
      }
      current = chosen
    }
  })
})

describe('a session waiting for the second factor', () => {
  /** A person who has passed the password step and has valid recovery codes. */
  async function halfway(): Promise<{ person: Account; session: Session; codes: string[]; token: string }> {
    const person = await t.person('member')
    const { codes } = await enrol(t, person)
    await t.db.deleteFrom('account_sessions').where('account_id', '=', person.id).execute()
    const { token, stage } = await signIn(t, person.email, password, device)
    assert.equal(stage, 'password')
    const session = await find(token)
    assert.ok(session)
    return { person, session, codes, token }
  }

  const endings: Record<string, (person: Account, session: Session) => Promise<unknown>> = {
    'a reset': (person) => reset(person),
    'signing out': ({ id }, session) => endSession(t.db, id, session.id),
    'a deactivation': ({ id }) =>
      inTransaction(t.db, (tx) => changeAccount(tx, t.agencyId, id, { disabled: true }, t.clock)),
  }
  for (const [what, ending] of Object.entries(endings)) {
    test(`is never completed after ${what}`, async () => {
      const { person, session, codes } = await halfway()
      await ending(person, session)
      assert.equal(await passSecondFactor(t, session, codes[0] ?? '', device), null)
      const sessions = await t.db.selectFrom('account_sessions').where('account_id', '=', person.id).execute()
      assert.deepEqual(sessions, [])
    })
  }

  test('is completed once, under a new token', async () => {
    const { session, codes, token } = await halfway()
    const passed = await Promise.all(
      codes.slice(0, 3).map((code) => passSecondFactor(t, session, code, device)),
    )
    const [whole, ...others] = passed.filter((one) => one !== null)
    assert.deepEqual(others, [])
    assert.equal((await find(whole ?? null))?.stage, 'full')
    assert.equal(await find(token), null)
  })

  test('leaves no session when a reset runs concurrently', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { person, session, codes } = await halfway()
      const [token] = await Promise.all([
        passSecondFactor(t, session, codes[0] ?? '', device),
        reset(person, `${next} ${round}`),
      ])
      assert.equal(await find(token), null)
    }
  })
})

describe('a change of password', () => {
  async function here(person: Account): Promise<{ session: Session; token: string }> {
    const { token } = await signIn(t, person.email, password, device)
    const session = await find(token)
    assert.ok(session)
    return { session, token }
  }

  test('gives the session a new token and ends the other sessions', async () => {
    const person = await t.person()
    const [{ session, token }, other] = [await here(person), await here(person)]
    const renewed = await changeByPassword(t, session, password, next)
    assert.equal((await find(renewed))?.id, session.id)
    assert.equal(await find(token), null)
    assert.equal(await find(other.token), null)
  })

  test('changes nothing in a session that has ended in the meantime', async () => {
    const person = await t.person()
    const { session } = await here(person)
    await endSession(t.db, person.id, session.id)
    assert.equal(await changeByPassword(t, session, password, next), null)
    assert.ok(await signIn(t, person.email, password, device))
  })

  test('does not overwrite a password set by a reset', async () => {
    const person = await t.person()
    const { session } = await here(person)
    const outcome = await heldAfterReading(
      (db) => changeByPassword({ ...t, db }, session, password, 'clave de quien se fue'),
      () => reset(person),
    )
    assert.equal(outcome.status, 'rejected')
    assert.ok(because('wrong_current')(outcome.reason))
    assert.ok(await signIn(t, person.email, next, device))
  })
})
