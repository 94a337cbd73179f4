/** The audit log: every action of an operator and every sign-in is logged, and password guesses do not flood it. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { generateSync } from 'otplib'
import { reapAudit } from '../../../../src/access/audit-log/entries.ts'
import { createTwin } from '../../../../src/agencies/twins.ts'
import type { Account } from '../../../../src/access/accounts/accounts.ts'
import { makeLink } from '../../../../src/access/accounts/mails/links.ts'
import { pages } from '../../../../src/pages/dashboard/all-pages.ts'
import type { Mail } from '../../../../src/delivery/mails/mailer.ts'
import { inTransaction } from '../../../../src/platform/db/statements/transaction.ts'
import { uuidv7 } from '../../../../src/platform/names/ids.ts'
import { dayMs } from '../../../../src/platform/time/days.ts'
import { publishable, testApp, type TestApp } from '../../../support/app/app.ts'
import { accepted, published } from '../../../support/app/listings.ts'
import { password, useLink } from '../../../support/app/people.ts'
import { person, signedIn, visitor, type Visitor } from '../visitor.ts'

let t: TestApp
let operator: Awaited<ReturnType<typeof signedIn>>
const mails: Mail[] = []
before(async () => {
  t = await testApp({ env: { GEOCODER: 'none' }, mailer: mails })
  operator = await signedIn(t, 'operator', null, 'en')
})
after(() => t.close())
beforeEach(() => {
  t.clock.offsetMs = 0
})

type Entry = { action: string; actor_name: string; subject: string; details: Record<string, unknown> }
const entries = async (of: { subject?: string; actor?: string }): Promise<Entry[]> => {
  let query = t.deps.db
    .selectFrom('audit_log')
    .select(['action', 'actor_name', 'subject', 'details'])
    .orderBy('at')
    .orderBy('id')
  if (of.subject !== undefined) query = query.where('subject', '=', of.subject)
  if (of.actor !== undefined) query = query.where('actor_name', '=', of.actor)
  return (await query.execute()) as Entry[]
}
const turnOn = async (who: Visitor): Promise<string> => {
  const setup = '/dashboard/account/second-factor'
  const text = (await who.get(setup)).text
  const secret = (/id="totp-secret"[^>]*>([^<]+)</.exec(text)?.[1] ?? '').replaceAll(/\s/g, '')
  assert.equal((await who.post(setup, { code: generateSync({ secret }), current: password })).status, 200)
  return secret
}

describe('an audit entry is written for every form of an operator', () => {
  const console_ = '/dashboard/operator/agencies/:agency'
  type Act = { fields?: Record<string, string>; at?: (params: Record<string, string>) => Promise<void> }
  const listing = (at: Act['at'] = async () => {}): Act => ({ fields: { reason: 'suspended' }, at })
  /** The target of the actions: the agency, or its test environment. */
  let environment: { id: string; key: string }
  const whose = (params: Record<string, string>) =>
    params['isTest'] === 'yes' ? environment : { id: t.agency.id, key: t.writeKey }
  const draft = async (params: Record<string, string>) => {
    const { key } = whose(params)
    const made = accepted(await t.ask('POST', '/properties', { key, body: { title: 'Casa' } }), 201)
    params['listing'] = made.id
  }
  const removed = async (params: Record<string, string>) => {
    await draft(params)
    accepted(await t.ask('DELETE', `/properties/${params['listing']}`, { key: whose(params).key }))
  }
  const someKey = async (params: Record<string, string>) => {
    params['key'] = (await t.newKey(whose(params).id)).id
  }
  const member = async (params: Record<string, string>) => {
    params['person'] = (await person(t, 'member')).id
  }
  const colleague = async (params: Record<string, string>) => {
    params['person'] = (await person(t, 'operator')).id
  }
  const signInElsewhere = async ({ id, email }: Account, params: Record<string, string>) => {
    await visitor(t).post('/dashboard/sign-in', { email, password })
    const session = await t.deps.db
      .selectFrom('account_sessions')
      .select('id')
      .where('account_id', '=', id)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    Object.assign(params, { person: id, session: session.id })
  }
  const inSession = (role: 'member' | 'operator') => async (params: Record<string, string>) =>
    signInElsewhere(await person(t, role), params)
  const versioned = async (params: Record<string, string>) => {
    const { version } = await t.deps.db
      .selectFrom('properties')
      .select('version')
      .where('public_id', '=', params['listing'] ?? '')
      .executeTakeFirstOrThrow()
    params['version'] = String(version)
  }
  const newEmail = async ({ agency = '' }) => {
    const email = `${uuidv7()}@acme.example`
    await operator.submit(`/dashboard/operator/agencies/${agency}/settings`, { email })
  }
  const acts: Record<string, Act> = {
    '/dashboard/operator/new-agency': { fields: { name: 'Río', slug: 'rio', email: '' } },
    [`${console_}/settings`]: { fields: { name: 'Río Norte', phone: '11 5555-0142' } },
    [`${console_}/settings/email/again`]: { at: newEmail },
    [`${console_}/settings/email/cancel`]: { at: newEmail },
    [`${console_}/settings/hours`]: { fields: { 'd0-1-opens': '09:00', 'd0-1-closes': '13:00' } },
    [`${console_}/settings/look/logo/remove`]: {
      async at({ agency = '' }) {
        await sql`update agencies set logo = 'x' where slug = ${agency}`.execute(t.deps.db)
      },
    },
    [`${console_}/settings/look/colour`]: { fields: { own: 'yes', accent: '#1f5a4c' } },
    [`${console_}/settings/address`]: {
      fields: { slug: 'rio-2' },
      async at(params) {
        params['agency'] = 'rio'
      },
    },
    [`${console_}/deactivate`]: { fields: { confirm: ':agency' } },
    [`${console_}/activate`]: {},
    [`${console_}/limits`]: { fields: { max_photos_per_day: '500', until: '2099-01-01' } },
    [`${console_}/limits/clear`]: {},
    [`${console_}/listings/new`]: {
      fields: { title: 'Casa', new_id: ':new_id' },
      async at(params) {
        params['new_id'] = uuidv7()
      },
    },
    [`${console_}/listings/:listing/edit`]: {
      fields: { title: 'Otra casa', version: ':version' },
      at: versioned,
    },
    [`${console_}/listings/:listing/price`]: {
      fields: { 'price.amount': '99000', 'price.currency': 'USD', version: ':version' },
      at: versioned,
    },
    [`${console_}/settings/mails/enquiries`]: { fields: {} },
    [`${console_}/settings/mails`]: { fields: { language: 'en' } },
    [`${console_}/people/invite`]: { fields: { email: 'a@x.example', name: 'Ana', role: 'member' } },
    [`${console_}/people/:person/link`]: { at: member },
    [`${console_}/people/:person/change`]: { fields: { role: 'owner' }, at: member },
    [`${console_}/people/:person/factor`]: { at: member },
    [`${console_}/people/:person/sessions/end`]: { at: member },
    [`${console_}/people/:person/sessions/:session/end`]: { at: inSession('member') },
    '/dashboard/operator/people/invite': { fields: { email: 'o@x.example', name: 'Olga' } },
    '/dashboard/operator/people/:person/link': { at: colleague },
    '/dashboard/operator/people/:person/change': { fields: { disabled: 'yes' }, at: colleague },
    '/dashboard/operator/people/:person/factor': { at: colleague },
    '/dashboard/operator/people/:person/sessions/end': { at: colleague },
    '/dashboard/operator/people/:person/sessions/:session/end': { at: inSession('operator') },
    [`${console_}/keys/new`]: { fields: { kind: 'live', name: 'CRM', scopes: 'properties:write' } },
    [`${console_}/keys/:key/rotate`]: { at: someKey },
    [`${console_}/keys/:key/end`]: { fields: { revokes_at: '2099-01-01' }, at: someKey },
    [`${console_}/keys/:key/revoke`]: { at: someKey },
    [`${console_}/listings/:listing/suspend`]: listing(),
    [`${console_}/listings/:listing/publish`]: {},
    [`${console_}/listings/:listing/reserve`]: {},
    [`${console_}/listings/:listing/release`]: {},
    [`${console_}/listings/:listing/delete`]: { at: draft },
    [`${console_}/listings/:listing/restore`]: { at: removed },
    [`${console_}/listings/:listing/place`]: { fields: { place_shown: 'approximate' } },
    '/dashboard/operator/notifications/retry': {},
    '/dashboard/operator/notifications/:event/:channel/retry': {},
    '/dashboard/account/profile': { fields: { name: 'Olga Operadora', language: 'en' } },
    '/dashboard/account/mails': {},
    '/dashboard/account/sessions/others': {},
    '/dashboard/account/sessions/:session/end': { at: (params) => signInElsewhere(operator.account, params) },
    // These are covered by the tests of the second factor.
    '/dashboard/account/second-factor': {},
    '/dashboard/account/second-factor/codes': {},
    '/dashboard/account/second-factor/off': {},
    '/dashboard/account/password': { fields: { current: password, password: 'otra clave larga' } },
  }

  for (const [path, act] of Object.entries(acts))
    if (/:agency\/(keys|limits|listings)\b/.test(path)) acts[path.replace(':agency/', ':agency/test/')] = act

  const filledIn = (fields: Record<string, string>, params: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        value.replace(/^:(\w+)$/, (_, of: string) => params[of] ?? ''),
      ]),
    )

  test('every form that they can send is covered', () => {
    // Covered by the tests of the test environment.
    const elsewhere = [`${console_}/test/reset`]
    // Covered by the tests of photos and warnings.
    for (const below of [console_, `${console_}/test`]) {
      for (const act of ['dismiss', 'kept', 'pin', 'place', 'retry'])
        elsewhere.push(`${below}/listings/:listing/warnings/${act}`)
      for (const act of ['', '/order', '/remove', '/urls'])
        elsewhere.push(`${below}/listings/:listing/photos${act}`)
    }
    // Covered by the tests of passkeys.
    elsewhere.push('/dashboard/account/password/remove')
    for (const act of ['', '/:passkey/name', '/:passkey/remove'])
      elsewhere.push(`/dashboard/account/passkeys${act}`)
    // Covered by the tests of logos.
    elsewhere.push(`${console_}/settings/look/logo`)
    // These only read.
    elsewhere.push('/dashboard/operator/find', `${console_}/find-place`, `${console_}/test/find-place`)
    const sent = pages.filter(
      ({ method, access }) => method === 'POST' && ['operator', 'person'].includes(access),
    )
    assert.deepEqual([...Object.keys(acts), ...elsewhere].sort(), sent.map(({ path }) => path).sort())
  })

  const own: Record<string, string> = {}
  const ownTest: Record<string, string> = { isTest: 'yes' }
  before(async () => {
    own['agency'] = (await t.newAgency()).agency.slug
    own['listing'] = (await published(t)).id
    const twin = await inTransaction(t.deps.db, (tx) => createTwin(tx, t.agency.id, uuidv7(), t.clock))
    const { key } = await t.newKey(twin.id, { scopes: ['properties:write'] })
    environment = { id: twin.id, key }
    ownTest['listing'] = accepted(await t.ask('POST', '/properties', { key, body: publishable() }), 201).id
    const { id } = await t.deps.db
      .selectFrom('notification_events')
      .select('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    own['event'] = id
    own['channel'] = 'marketplace'
  })

  // A new password comes last, because it replaces the session.
  const isLast = ([path]: readonly [string, Act]) => Number(path.endsWith('/password'))
  const inOrder = Object.entries(acts).sort((a, b) => isLast(a) - isLast(b))
  for (const [path, { fields = {}, at = async () => {} }] of inOrder) {
    test(path, async () => {
      const isTest = path.includes('/test/')
      const isOfAgency = isTest || /:(listing|key|person)/.test(path)
      const params: Record<string, string> = {
        ...own,
        ...(isOfAgency ? { agency: t.agency.slug } : {}),
        ...(isTest ? ownTest : {}),
      }
      await at(params)
      const target = path.replaceAll(/:(\w+)/g, (_match, name: string) => params[name] ?? uuidv7())
      const count = async () =>
        (
          await t.deps.db
            .selectFrom('audit_log')
            .select('id')
            .where('actor_id', '=', operator.account.id)
            .where('action', '!=', 'signed_in')
            // Entries of a test environment belong to its agency.
            .where((where) => (isTest ? where('agency_id', '=', t.agency.id) : where.lit(true)))
            .execute()
        ).length
      const earlier = await count()
      if (path.endsWith('/second-factor')) await turnOn(operator)
      else {
        const response = await operator.post(
          target,
          path.includes('/second-factor/') ? { current: password } : filledIn(fields, params),
        )
        assert.ok([200, 303].includes(response.status), response.words)
      }
      assert.equal(await count(), earlier + 1)
    })
  }
})

describe('signing in', () => {
  const from = { 'user-agent': 'Test/1.0' }

  test('and related events are logged', async () => {
    const { id, email, name } = await person(t, 'owner')
    await useLink(t.deps.db, await makeLink(t.deps.db, id, 'invitation', t.clock), password, null, t.clock)
    const who = visitor(t)
    await who.post('/dashboard/sign-in', { email, password: 'not this one' })
    await who.post('/dashboard/sign-in', { email, password }, from)
    const secret = await turnOn(who)
    await who.post('/dashboard/sign-out')
    const again = visitor(t)
    await again.post('/dashboard/sign-in', { email, password })
    await again.get('/dashboard/second-factor')
    await again.post('/dashboard/second-factor', { code: '000000' })
    t.clock.offsetMs += 60_000
    const epoch = Math.floor((Date.now() + t.clock.offsetMs) / 1_000)
    const code = generateSync({ secret, epoch })
    assert.equal((await again.post('/dashboard/second-factor', { code })).status, 303)
    const list = await entries({ subject: email })
    assert.deepEqual(
      list.map(({ action, actor_name }) => `${action} ${actor_name}`),
      [
        `invitation_accepted ${name}`,
        'sign_in_failed 127.0.0.1',
        `signed_in ${name}`,
        `factor_added ${name}`,
        'factor_failed 127.0.0.1',
        `signed_in ${name}`,
      ],
    )
    assert.deepEqual(list[2]?.details, { address: '127.0.0.1' })
    assert.doesNotMatch(JSON.stringify(list), /not this one|000000/)
  })

  test('a reset is logged when requested and when completed', async () => {
    const { email, name } = await person(t, 'owner')
    await visitor(t).post('/dashboard/forgot', { email })
    while (!mails.some(({ to }) => to === email)) await new Promise((resolve) => setImmediate(resolve))
    const text = mails.findLast(({ to }) => to === email)?.text ?? ''
    const [, link = ''] = /https:\/\/listings\.test(\/dashboard\/welcome\/[\w-]{43})/.exec(text) ?? []
    const who = visitor(t)
    await who.get(link)
    assert.equal((await who.post('/dashboard/password', { password: 'otra clave larga' })).status, 303)
    const told = (await entries({ subject: email })).map(
      ({ action, actor_name }) => `${action} ${actor_name}`,
    )
    assert.deepEqual(told, ['reset_requested 127.0.0.1', `password_reset ${name}`, `signed_in ${name}`])
  })

  test('guesses are counted rather than logged one by one, and unknown emails leave nothing', async () => {
    const { email } = await person(t, 'owner')
    const guess = (of: string) => visitor(t).post('/dashboard/sign-in', { email: of, password: 'guess' })
    await Promise.all(Array.from({ length: 23 }, () => guess(email)))
    const tries = async () =>
      (await entries({ subject: email }))
        .filter(({ action }) => action === 'sign_in_failed')
        .map(({ details }) => details['tries'])
    assert.deepEqual(await tries(), [1, 10])
    t.clock.offsetMs += 3_601_000
    await guess(email)
    assert.deepEqual(await tries(), [1, 10, 1])
    t.clock.offsetMs = 0
    const earlier = (await entries({})).length
    await guess('nobody@x.example')
    assert.equal((await entries({})).length, earlier)
  })

  test('its entries are deleted after a year, and all others stay', async () => {
    const actions = async () => new Set((await entries({})).map(({ action }) => action))
    const reap = async (days: number) => {
      while ((await reapAudit(t.deps.db, 100, { offsetMs: days * dayMs })) > 0);
    }
    const all = await actions()
    await reap(364)
    assert.deepEqual(await actions(), all)
    await reap(366)
    const gone = [...all].filter(
      (action) => !['signed_in', 'sign_in_failed', 'factor_failed', 'reset_requested'].includes(action),
    )
    assert.deepEqual(await actions(), new Set(gone))
  })
})

test('the audit log separates actions from sign-ins, of all agencies or one; an owner sees their own agency’s', async () => {
  const { agency } = await t.newAgency()
  const owner = await signedIn(t, 'owner', agency.id, 'en')
  const who = await signedIn(t, 'operator', null, 'en')
  await who.submit(`/dashboard/operator/agencies/${agency.slug}/deactivate`, { confirm: agency.slug })
  const { email } = owner.account
  const one = `/dashboard/operator/agencies/${agency.slug}/audit`
  for (const path of ['/dashboard/operator/audit', one]) {
    const acts = (await who.get(path)).words
    assert.match(acts, new RegExp(`Deactivated the agency ${agency.slug} ${who.account.name}`))
    assert.doesNotMatch(acts, new RegExp(`Signed in as ${email}`))
    const signIns = (await who.get(`${path}?view=sign-ins`)).words
    assert.match(signIns, new RegExp(`Signed in as ${email} IP: 127\\.0\\.0\\.1 ${owner.account.name}`))
    assert.doesNotMatch(signIns, /Deactivated/)
  }
  const inAgency = (await who.get(`${one}?view=sign-ins`)).words
  assert.doesNotMatch(inAgency, new RegExp(`Signed in as ${who.account.email}`))
  const own = (await owner.get('/dashboard/audit')).words
  assert.match(own, new RegExp(`Deactivated the agency ${agency.slug} Operator`))
  assert.ok(!own.includes(who.account.name))
  assert.match((await owner.get('/dashboard/audit?view=sign-ins')).words, new RegExp(`Signed in as ${email}`))
  assert.equal((await (await signedIn(t, 'member', agency.id)).get('/dashboard/audit')).status, 404)
})
