/** Unsubscribe links in mails: everyone who has one may use it, opening it changes nothing, and it cannot be forged or guessed. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Mail } from '../../../../src/delivery/mails/mailer.ts'
import { remindOfKeys } from '../../../../src/delivery/mails/key-reminders.ts'
import { mailNotices } from '../../../../src/delivery/mails/notice-mails.ts'
import { readStop, type Stop, stopUrl } from '../../../../src/delivery/mails/stop-links.ts'
import { getPreferences } from '../../../../src/delivery/notifications/preferences.ts'
import { dayMs } from '../../../../src/platform/time/days.ts'
import { saveAgencyProfile } from '../../../support/app/agency-profile.ts'
import { type TestApp, testApp } from '../../../support/app/app.ts'
import { createPerson } from '../../../support/app/people.ts'
import { meta, readable, visit } from '../visit.ts'

const email = 'ventas+web@rio.example'
const mails: Mail[] = []
let t: TestApp
before(async () => {
  t = await testApp({ mailer: mails })
  await saveAgencyProfile(t.deps, t.agency.id, { email })
})
after(() => t.close())

const urlOf = (stop: Stop, language: 'es' | 'en' = 'es') => stopUrl(t.deps, stop, language)
const ofChanges = (): Stop => ({ kind: 'changes', id: t.agency.id, email })
const wantsMail = async () => (await getPreferences(t.deps.db, t.agency.id)).mail
const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }

describe('the link in a mail about changes', () => {
  test('asks for confirmation in both languages, and changes nothing yet', async () => {
    for (const language of ['es', 'en'] as const) {
      for (const method of ['GET', 'HEAD', 'GET']) {
        const page = await visit(t, urlOf(ofChanges(), language), { method })
        assert.equal(page.status, 200)
        assert.equal(page.headers.get('cache-control'), 'no-store')
        assert.match(page.headers.get('x-robots-tag') ?? '', /noindex/)
        if (method === 'HEAD') continue
        assert.match(page.text, /<form method="post" action="(\/en)?\/unsubscribe\/[\w-]+">/)
        assert.match(meta(page.text, 'robots') ?? '', /noindex/)
        assert.match(readable(page.text), language === 'es' ? /¿Dejar de recibir/ : /Stop these emails\?/)
      }
    }
    assert.equal(await wantsMail(), true)
  })

  test('unsubscribes at one press, idempotently, and is logged', async () => {
    const url = urlOf(ofChanges())
    for (const _again of [1, 2]) {
      const done = await visit(t, url, oneClick)
      assert.equal(done.status, 200)
      assert.ok(readable(done.text).includes(`${email} ya no recibe`))
      assert.equal(await wantsMail(), false)
    }
    assert.match(readable((await visit(t, url)).text), /Listo/)
    const log = await t.deps.db
      .selectFrom('audit_log')
      .select(['actor_kind', 'actor_name', 'details'])
      .where('action', '=', 'agency_changed')
      .where('agency_id', '=', t.agency.id)
      .execute()
    assert.deepEqual(log, [{ actor_kind: 'person', actor_name: email, details: { mail: false } }])
  })

  test('accepts any form that a mail program sends', async () => {
    const parts = new FormData()
    parts.append('List-Unsubscribe', 'One-Click')
    for (const init of [
      { body: parts },
      { body: 'List-Unsubscribe=One-Click', headers: { 'content-type': 'text/plain' } },
      { body: '{', headers: { 'content-type': 'application/json', 'user-agent': '' } },
      {},
    ])
      assert.equal((await visit(t, urlOf(ofChanges()), { method: 'POST', ...init })).status, 200)
    const large = { method: 'POST', body: 'x'.repeat(20_000) }
    assert.equal((await visit(t, urlOf(ofChanges()), large)).status, 413)
    assert.equal((await visit(t, urlOf(ofChanges()), { method: 'PUT' })).status, 405)
  })

  test('is void once the address belongs to another agency, as if it had never existed', async () => {
    const url = urlOf(ofChanges())
    const never = await visit(t, urlOf({ kind: 'changes', id: t.other.agency.id, email }))
    await saveAgencyProfile(t.deps, t.agency.id, { email: 'nuevo@rio.example' })
    const dead = await visit(t, url, oneClick)
    assert.deepEqual([dead.status, never.status], [404, 404])
    const nonsense = await visit(t, `/unsubscribe/${'A'.repeat(200)}`, oneClick)
    const words = (text: string) => readable(text)
    assert.equal(words(dead.text), words(nonsense.text))
    await saveAgencyProfile(t.deps, t.agency.id, { email })
  })
})

test('a reminder’s link stops only the reminders of that owner', async () => {
  const { db, clock, secretBox } = t.deps
  const people = [
    await createPerson(
      db,
      { email: 'ana@rio.example', name: 'Ana', role: 'owner', agencyId: t.agency.id },
      clock,
    ),
    await createPerson(
      db,
      { email: 'bea@rio.example', name: 'Bea', role: 'owner', agencyId: t.agency.id },
      clock,
    ),
  ]
  const remind = async (name: string) => {
    const expires_at = new Date(Date.now() + clock.offsetMs + 20 * dayMs).toISOString()
    await t.newKey(t.agency.id, { name, expires_at })
    clock.offsetMs += 10 * dayMs
    mails.length = 0
    await remindOfKeys(t.deps, 10)
    while ((await mailNotices(t.deps, 10)) > 0);
    return mails.map(({ to }) => to).sort()
  }
  assert.deepEqual(await remind('first'), ['ana@rio.example', 'bea@rio.example'])
  const mail = mails.find(({ to }) => to === 'ana@rio.example')
  const stop = mail?.stopUrl ?? ''
  assert.ok(mail?.text.includes(stop) && mail.html?.includes(stop))
  assert.deepEqual(readStop(secretBox, stop.split('/').at(-1) ?? ''), {
    kind: 'key_reminders',
    id: people[0]?.id,
    email: 'ana@rio.example',
  })
  assert.equal((await visit(t, stop, oneClick)).status, 200)
  assert.deepEqual(await remind('second'), ['bea@rio.example'])
})

describe('a token to unsubscribe', () => {
  const tokenOf = (stop: Stop) => urlOf(stop).split('/').at(-1) ?? ''

  test('reveals nothing, and differs each time', () => {
    const [first, second] = [tokenOf(ofChanges()), tokenOf(ofChanges())]
    assert.notEqual(first, second)
    assert.ok(!Buffer.from(first, 'base64url').toString('latin1').includes('rio.example'))
    assert.deepEqual(readStop(t.deps.secretBox, first), ofChanges())
  })

  test('is invalid when changed, made elsewhere or sealed for another purpose', () => {
    const { secretBox } = t.deps
    const token = tokenOf(ofChanges())
    for (let place = 0; place < token.length; place += 7) {
      const changed = `${token.slice(0, place)}${token[place] === 'A' ? 'B' : 'A'}${token.slice(place + 1)}`
      assert.equal(readStop(secretBox, changed), null, `at ${place}`)
    }
    const sealed = (text: string) => secretBox.seal(text).toString('base64url')
    for (const text of [
      'svc_sign_secret',
      JSON.stringify(['changes', t.agency.id, email]),
      JSON.stringify(['stop', 'everything', t.agency.id, email]),
      JSON.stringify(['stop', 'changes']),
      'null',
    ])
      assert.equal(readStop(secretBox, sealed(text)), null, text)
    for (const odd of ['', '..', 'A'.repeat(5_000), 'ñ', `${token}=`])
      assert.equal(readStop(secretBox, odd), null)
  })
})
