/** The operator's queue: failed notifications are shown with their attempts, and can be sent again. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { getPreferences } from '../../../../../src/delivery/notifications/preferences.ts'
import { listDeliveries } from '../../../../../src/delivery/notifications/deliveries.ts'
import { notified, type Notified } from '../../../../delivery/notifications/notified.ts'
import { accepted, published } from '../../../../support/app/listings.ts'
import { signedIn, type Visitor } from '../../visitor.ts'

let n: Notified
let operator: Visitor
before(async () => {
  n = await notified()
  operator = await signedIn(n.t, 'operator', null, 'en')
})
after(() => n.close())

const home = '/dashboard/operator/notifications'

test('a failed notification is shown with its attempts, and delivered when it is sent again', async () => {
  const { id } = await published(n.t)
  accepted(await n.t.ask('POST', `/properties/${id}/disable`, { body: {} }))
  n.marketplace.respondWith((_event, response) => void response.writeHead(503).end())
  await n.deliver('marketplace')
  const [latest] = (await listDeliveries(n.t.deps.db, { channel: 'marketplace', isFailing: true })).slice(-1)
  const list = await operator.get(`${home}?view=failing`)
  assert.ok(list.words.includes(id))
  const path = `${home}/${latest?.event_id}/marketplace`
  const page = await operator.get(path)
  assert.match(page.words, /Marketplace/)
  assert.match(page.words, /Failed/)
  assert.match(page.words, /It answered with status 503\./)
  const spanish = await signedIn(n.t, 'operator', null, 'es')
  assert.match((await spanish.get(path)).words, /Respondió con el código 503\./)
  const again = await operator.submit(`${path}/retry`)
  assert.match(again.words, /Sending again/)
  assert.match((await operator.get('/dashboard/operator/audit')).words, /Resent notifications/)
})

test('notifications that were set aside are all sent again', async () => {
  n.pass(4 * 86_400_000)
  await n.deliver('marketplace')
  n.pass(4 * 86_400_000)
  await n.deliver('marketplace')
  const { db } = n.t.deps
  const before = await listDeliveries(db, { states: ['set_aside'] })
  assert.ok(before.length > 0)
  n.t.clock.offsetMs = 0
  const who = await signedIn(n.t, 'operator', null, 'en')
  const list = await who.get(home)
  assert.match(list.words, new RegExp(`Retry all set aside \\(${before.length}\\)`))
  await who.submit(`${home}/retry`)
  assert.deepEqual(await listDeliveries(db, { states: ['set_aside'] }), [])
})

test('an agency sees why its mail was permanently rejected', async () => {
  const { t, mail } = n
  await sql`update agencies set email = 'gone@rio.example' where id = ${t.agency.id}`.execute(t.deps.db)
  const { id } = await published(t)
  mail.refuse(true, 550, '5.1.1 no such user')
  n.pass(60_000)
  await n.deliver('mail')
  n.t.clock.offsetMs = 0
  const owner = await signedIn(t, 'owner', t.agency.id, 'en')
  const page = await owner.get(`/dashboard/listings/${id}`)
  assert.match(page.words, /Set aside The mail server rejected the message\..*5\.1\.1 no such user/)
  mail.refuse(false)
})

test('an unknown delivery is 404, and invalid queries are handled', async () => {
  for (const path of [
    '/nope/mail',
    '/019ab0c4-7f10-7d42-8a01-5c9e1b2d3f40/mail',
    '/019ab0c4-7f10-7d42-8a01-5c9e1b2d3f40/pigeon',
  ])
    assert.equal((await operator.get(`${home}${path}`)).status, 404)
  for (const query of ['?view=x', '?page=0', '?page=9999', '?view=delivered', '?view=not_sent'])
    assert.equal((await operator.get(`${home}${query}`)).status, 200)
})

test('owners and operators choose whether and how their agency is notified by mail', async () => {
  const { t } = n
  const owner = await signedIn(t, 'owner', t.agency.id, 'en')
  const preferences = () => getPreferences(t.deps.db, t.agency.id)
  const mails = '/dashboard/settings/mails'
  const events = ['published', 'disabled', 'reserved', 'released', 'deleted', 'restored']
  const page = await owner.get(mails)
  assert.match(page.text, /name="mail"[^>]* checked/)
  assert.equal([...page.text.matchAll(/name="events"[^>]* checked/g)].length, events.length)
  await owner.submit(mails, { language: 'en', events })
  assert.deepEqual(await preferences(), { mail: false, language: 'en', unwanted: [] })
  assert.doesNotMatch((await owner.get(mails)).text, /name="mail"[^>]* checked/)
  const path = `/dashboard/operator/agencies/${t.agency.slug}/settings/mails`
  await operator.submit(path, { mail: 'on', language: 'es-AR', events: ['disabled', 'nonsense'] })
  const unwanted = events.filter((name) => name !== 'disabled')
  assert.deepEqual(await preferences(), { mail: true, language: 'es-AR', unwanted })
  assert.equal((await owner.post(mails, { language: 'xx' })).status, 400)
})
