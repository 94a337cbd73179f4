/** Passkeys: a response signs in once and only if every part of it is right, copies are reported, and nobody is left without a way in. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Account, changeAccount } from '../../../../src/access/accounts/accounts.ts'
import { asVerified } from '../../../../src/access/accounts/sign-in/confirm.ts'
import { makeLink } from '../../../../src/access/accounts/mails/links.ts'
import {
  addPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from '../../../../src/access/accounts/passkeys/passkeys.ts'
import { reapChallenges } from '../../../../src/access/accounts/passkeys/passkey-challenges.ts'
import { signInByPasskey } from '../../../../src/access/accounts/passkeys/passkey-sign-in.ts'
import { findSession, listSessions, type Session } from '../../../../src/access/accounts/sign-in/sessions.ts'
import { changePassword, removePassword, signIn } from '../../../../src/access/accounts/sign-in/sign-in.ts'
import {
  creationOptions,
  type PasskeyDeps,
  requestOptions,
  verifyAssertion,
  verifyCreation,
} from '../../../../src/access/accounts/passkeys/webauthn.ts'
import { maxPasskeys } from '../../../../src/limits/sizes.ts'
import { ApiError } from '../../../../src/platform/errors/errors.ts'
import { inTransaction } from '../../../../src/platform/db/statements/transaction.ts'
import {
  createPasskey,
  type DevicePasskey,
  testOrigin,
  usePasskey,
} from '../../../support/browser/authenticator.ts'
import { because } from '../../../support/app/because.ts'
import { password, useLink } from '../../../support/app/people.ts'
import { changeByPassword, device, enrol, type Open, openAccounts } from '../support.ts'

const formToken = 'the token of a form'
const signingIn = { act: 'sign in', formToken } as const

let t: Open & PasskeyDeps
before(async () => {
  const relyingParty = { id: 'listings.test', origin: testOrigin, name: 'Svc' }
  t = { ...(await openAccounts({ sign_ins_per_address_per_hour: 1e6 })), relyingParty }
})
after(() => t.drop())
beforeEach(() => {
  t.clock.offsetMs = 0
})

type Deviation = Parameters<typeof usePasskey>[2]
type Here = { person: Account; session: Session }

async function here(person: Account, token: string | null = null): Promise<Here> {
  const own = token ?? (await signIn(t, person.email, password, device)).token
  const session = await findSession(t.db, own, device.ip, t.clock)
  assert.ok(session)
  return { person: session.account, session }
}

const newCredential = async ({ session }: Here, deviation: Parameters<typeof createPasskey>[1] = {}) => {
  const { options, token } = await creationOptions(t, session.account, formToken)
  const { passkey, credential } = createPasskey(options, deviation)
  return { passkey, sent: JSON.stringify({ token, credential }) }
}

async function add(of: Here, deviation: Parameters<typeof createPasskey>[1] = {}): Promise<DevicePasskey> {
  const { passkey, sent } = await newCredential(of, deviation)
  const credential = await verifyCreation(t, formToken, sent)
  await inTransaction(t.db, (tx) => addPasskey(tx, of.session, credential, 'Llave', t.clock))
  return passkey
}

/** A person with passkeys. */
async function withPasskeys(count: number): Promise<Here & { passkeys: DevicePasskey[] }> {
  const of = await here(await t.person())
  const passkeys: DevicePasskey[] = []
  while (passkeys.length < count) passkeys.push(await add(of))
  return { ...of, passkeys }
}

async function withPasskey(counts = false): Promise<Here & { passkey: DevicePasskey }> {
  const of = await here(await t.person())
  return { ...of, passkey: await add(of, { counts }) }
}

async function respond(passkey: DevicePasskey, deviation: Deviation = {}): Promise<string> {
  const { options, token } = await requestOptions(t, null, signingIn)
  return JSON.stringify({ token, credential: usePasskey(passkey, options, deviation) })
}
const enter = (sent: string) => signInByPasskey(t, formToken, sent, device)

async function goWithout({ session, person }: Here): Promise<Here> {
  const { password_hash: hash } = await t.db
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  const verified = { accountId: person.id, passwordHash: hash ?? '' }
  return await here(person, await removePassword(t, session, verified, device.ip))
}

const removeOne = (of: Here, id: string) =>
  inTransaction(t.db, async (tx) => {
    await tx.selectFrom('accounts').select('id').where('id', '=', of.person.id).forUpdate().execute()
    await removePasskey(tx, of.session, id)
  })
const idsOf = async ({ person }: Here) => (await listPasskeys(t.db, person.id)).map(({ id }) => id)
const noticesOf = async ({ id }: Account) => {
  const rows = await t.db.selectFrom('account_notices').select('kind').where('account_id', '=', id).execute()
  return rows.map(({ kind }) => kind)
}

describe('a passkey', () => {
  test('signs in without email, password and second factor', async () => {
    const person = await t.person()
    const { session } = await enrol(t, person)
    const passkey = await add({ person, session })
    const { stage, account, token } = await enter(await respond(passkey))
    assert.deepEqual([stage, account.email], ['full', person.email])
    assert.equal((await findSession(t.db, token, device.ip, t.clock))?.has_passkey, true)
    assert.equal((await signIn(t, person.email, password, device)).stage, 'password')
    const [{ used_at: usedAt } = { used_at: null }] = await listPasskeys(t.db, person.id)
    assert.ok(usedAt !== null)
  })

  test('is requested from any device, and verifies its user', async () => {
    const { options } = await requestOptions(t, null, signingIn)
    assert.deepEqual(
      [options.rpId, options.userVerification, options.allowCredentials, options.timeout],
      ['listings.test', 'required', [], 300_000],
    )
    const of = await here(await t.person())
    const made = await creationOptions(t, of.person, formToken)
    assert.deepEqual(
      [
        made.options.authenticatorSelection?.residentKey,
        made.options.authenticatorSelection?.userVerification,
      ],
      ['required', 'required'],
    )
    const passkey = await add(of)
    const again = await creationOptions(t, of.person, formToken)
    assert.deepEqual(
      again.options.excludeCredentials?.map(({ id }) => id),
      [passkey.id.toString('base64url')],
    )
  })

  const foreignKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const wrong: Record<string, Deviation> = {
    'another origin': { origin: 'https://evil.example' },
    'another port': { origin: `${testOrigin}:8443` },
    'another service': { rpId: 'evil.example' },
    'another challenge': { challenge: 'AAAA' },
    'no verification of the user': { isVerified: false },
    'another key': { key: foreignKey },
    'another person': { userHandle: Buffer.alloc(16).toString('base64url') },
  }
  for (const [name, deviation] of Object.entries(wrong))
    test(`is refused with ${name}`, async () => {
      const { passkey } = await withPasskey()
      await assert.rejects(enter(await respond(passkey, deviation)), because('wrong_passkey'))
      assert.ok(await enter(await respond(passkey)))
    })

  for (const [name, deviation] of Object.entries(wrong).slice(0, 5))
    test(`is not added with ${name}`, async () => {
      const of = await here(await t.person())
      const { sent } = await newCredential(of, deviation)
      await assert.rejects(verifyCreation(t, formToken, sent), because('wrong_passkey'))
    })

  test('is added without certificates, which the library would look up elsewhere', async () => {
    const of = await here(await t.person())
    await assert.rejects(add(of, { attestation: 'apple' }), because('wrong_passkey'))
    assert.ok(await add(of, { attestation: 'packed' }))
  })

  test('is not added if its id is longer than WebAuthn allows', async () => {
    const of = await here(await t.person())
    await assert.rejects(add(of, { idBytes: 1_024 }), because('wrong_passkey'))
    assert.ok(await enter(await respond(await add(of, { idBytes: 1_023 }))))
  })

  test('cannot be renamed once it is removed', async () => {
    const of = await withPasskeys(1)
    const [id = ''] = await idsOf(of)
    await removeOne(of, id)
    await assert.rejects(
      inTransaction(t.db, (tx) => renamePasskey(tx, of.person.id, id, 'Llave')),
      (error) => error instanceof ApiError && error.code === 'not_found',
    )
  })

  test('is refused if it is unknown, malformed, or its account is disabled', async () => {
    const { person, passkey } = await withPasskey()
    await t.person('owner')
    const unknown = { ...passkey, id: Buffer.from('unknown') }
    for (const sent of [
      await respond(unknown),
      '',
      '{}',
      'null',
      '[]',
      '{"token":"x","credential":{"id":"x"}}',
    ])
      await assert.rejects(enter(sent), (error) => error instanceof ApiError && error.parameter === 'passkey')
    await inTransaction(t.db, (tx) => changeAccount(tx, t.agencyId, person.id, { disabled: true }, t.clock))
    await assert.rejects(enter(await respond(passkey)), because('wrong_passkey'))
  })

  test('belongs to one account, which can have twenty', async () => {
    const of = await here(await t.person())
    const { sent } = await newCredential(of)
    const credential = await verifyCreation(t, formToken, sent)
    const addIt = (to: Here, challenge = credential.challenge) =>
      inTransaction(t.db, (tx) => addPasskey(tx, to.session, { ...credential, challenge }, 'Llave', t.clock))
    await addIt(of)
    await assert.rejects(addIt(of), because('stale_challenge'))
    const other = await here(await t.person())
    await assert.rejects(addIt(other, 'another'), because('passkey_there'))
    while ((await idsOf(of)).length < maxPasskeys) await add(of)
    await assert.rejects(add(of), because('passkeys_full'))
  })
})

describe('a challenge for a passkey', () => {
  test('is used once, also by simultaneous requests', async () => {
    const { passkey } = await withPasskey()
    const sent = await respond(passkey)
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => enter(sent)))
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    await assert.rejects(enter(sent), because('stale_challenge'))
  })

  test('expires in five minutes, and is then forgotten', async () => {
    const { passkey } = await withPasskey()
    const [early, late] = [await respond(passkey), await respond(passkey)]
    t.clock.offsetMs = 290_000
    assert.ok(await enter(early))
    t.clock.offsetMs = 301_000
    await assert.rejects(enter(late), because('stale_challenge'))
    t.clock.offsetMs = 1_000_000
    assert.ok((await reapChallenges(t.db, 100, t.clock)) > 0)
  })

  test('belongs to its form and its purpose', async () => {
    const { person, passkey } = await withPasskey()
    const sent = await respond(passkey)
    await assert.rejects(signInByPasskey(t, 'another form', sent, device), because('stale_challenge'))
    await assert.rejects(verifyAssertion(t, { act: 'confirm', formToken }, sent), because('stale_challenge'))
    const { token } = await creationOptions(t, person, formToken)
    const { credential } = JSON.parse(sent)
    await assert.rejects(enter(JSON.stringify({ token, credential })), because('stale_challenge'))
    assert.ok(await enter(sent))
  })
})

describe('the counter of a passkey', () => {
  test('has to rise; otherwise the passkey is refused, logged and reported by mail, but not each time', async () => {
    const { person, passkey } = await withPasskey(true)
    for (let uses = 0; uses < 3; uses += 1) assert.ok(await enter(await respond(passkey)))
    const copy = { ...passkey, counter: passkey.counter - 2 }
    for (let uses = 0; uses < 2; uses += 1)
      await assert.rejects(enter(await respond(copy)), because('passkey_copied'))
    const notices = await t.db
      .selectFrom('account_notices')
      .select('details')
      .where('account_id', '=', person.id)
      .where('kind', '=', 'passkey_copied')
      .execute()
    assert.deepEqual(notices, [{ details: { name: 'Llave' } }])
    const logged = await t.db
      .selectFrom('audit_log')
      .select('details')
      .where('action', '=', 'passkey_refused')
      .where('subject', '=', person.email)
      .execute()
    assert.deepEqual(logged, [{ details: { tries: 1 } }])
    // The refusals have not changed what the service knows.
    assert.ok(await enter(await respond(passkey)))
    await assert.rejects(
      enter(await respond({ ...passkey, counts: false, counter: 0 })),
      because('passkey_copied'),
    )
  })

  test('reports nothing if the signature is wrong', async () => {
    const { person, passkey } = await withPasskey(true)
    assert.ok(await enter(await respond(passkey)))
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const forged = { ...passkey, counter: 0, counts: false }
    await assert.rejects(enter(await respond(forged, { key: privateKey })), because('wrong_passkey'))
    assert.ok(!(await noticesOf(person)).includes('passkey_copied'))
  })
})

test('a passkey that is removed during a sign-in does not sign in', async () => {
  const of = await withPasskey()
  const { verified, account } = await verifyAssertion(t, signingIn, await respond(of.passkey))
  await removeOne(of, (await idsOf(of))[0] ?? '')
  const entering = asVerified(t, account, verified, device.ip, async () => assert.fail('it was accepted'))
  await assert.rejects(entering, because('wrong_passkey'))
})

test('adding or removing a passkey ends the other sessions', async () => {
  const of = await here(await t.person())
  const alive = async ({ session, person }: Here) =>
    (await listSessions(t.db, person.id, t.clock)).some(({ id }) => id === session.id)
  const earlier = await here(of.person)
  const passkey = await add(of)
  assert.deepEqual([await alive(of), await alive(earlier)], [true, false])
  const byPasskey = await here(of.person, (await enter(await respond(passkey))).token)
  await removeOne(of, (await idsOf(of))[0] ?? '')
  assert.deepEqual([await alive(of), await alive(byPasskey)], [true, false])
})

describe('a person without a password', () => {
  test('needs two passkeys', async () => {
    const of = await withPasskeys(1)
    await assert.rejects(goWithout(of), because('passkeys_needed'))
    await add(of)
    const after = await goWithout(of)
    assert.deepEqual([after.person.has_password, after.person.has_accepted], [false, true])
    await assert.rejects(signIn(t, of.person.email, password, device), because('wrong_password'))
    const [first = ''] = await idsOf(of)
    await assert.rejects(removeOne(after, first), because('passkeys_needed'))
    await add(after)
    await removeOne(after, first)
    assert.equal((await idsOf(of)).length, 2)
    assert.ok((await noticesOf(of.person)).includes('password_removed'))
  })

  test('keeps two passkeys if all are removed at once', async () => {
    const of = await withPasskeys(4)
    const after = await goWithout(of)
    const outcomes = await Promise.allSettled((await idsOf(of)).map((id) => removeOne(after, id)))
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 2)
    assert.equal((await idsOf(of)).length, 2)
  })

  test('gets one again by a link or, with a passkey, by choosing one', async () => {
    const of = await withPasskeys(2)
    const [passkey] = of.passkeys
    assert.ok(passkey)
    const chosen = 'otra clave bien larga'
    const after = await goWithout(of)
    const { verified } = await verifyAssertion(t, signingIn, await respond(passkey))
    assert.ok(await changePassword(t, after.session, verified, chosen, device.ip))
    assert.ok(await signIn(t, of.person.email, chosen, device))
    const renewed = await here(of.person, (await signIn(t, of.person.email, chosen, device)).token)
    assert.ok(await changeByPassword(t, renewed.session, chosen, `${chosen}!`))

    const other = await goWithout(await withPasskeys(2))
    await useLink(t.db, await makeLink(t.db, other.person.id, 'reset', t.clock), chosen, null, t.clock)
    assert.ok(await signIn(t, other.person.email, chosen, device))
    assert.equal((await idsOf(other)).length, 2)
  })

  test('still counts as an owner who can sign in', async () => {
    const alone = await openAccounts()
    try {
      const owner = await alone.person('owner')
      await alone.db
        .updateTable('accounts')
        .set({ password_hash: null, signed_in_at: new Date().toISOString() })
        .where('id', '=', owner.id)
        .execute()
      const demoted = inTransaction(alone.db, (tx) =>
        changeAccount(tx, alone.agencyId, owner.id, { role: 'member' }, alone.clock),
      )
      await assert.rejects(demoted, because('last_owner'))
    } finally {
      await alone.drop()
    }
  })
})

test('attempts to sign in with a passkey are counted for the IP alone', async () => {
  const few = await openAccounts({ sign_ins_per_address_per_hour: 2 })
  try {
    const deps = { ...few, relyingParty: t.relyingParty }
    const from = { ...device, ip: '203.0.113.9' }
    for (let tries = 0; tries < 2; tries += 1)
      await assert.rejects(signInByPasskey(deps, formToken, '{}', from), because('wrong_passkey'))
    const limited = (error: unknown) => error instanceof ApiError && error.code === 'rate_limited'
    await assert.rejects(signInByPasskey(deps, formToken, '{}', from), limited)
    const elsewhere = { ...from, ip: '203.0.113.10' }
    await assert.rejects(signInByPasskey(deps, formToken, '{}', elsewhere), because('wrong_passkey'))
  } finally {
    await few.drop()
  }
})
