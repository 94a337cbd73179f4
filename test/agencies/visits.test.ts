/** Visits to public pages: each visitor counts once a day, without bots and people who opted out, summed over all instances. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { listingVisits, mostVisited, openVisits, reapVisits, visitKinds } from '../../src/agencies/visits.ts'
import { dayOf } from '../../src/platform/time/days.ts'
import { uuidv7 } from '../../src/platform/names/ids.ts'
import { visitorsOfNetwork } from '../../src/limits/sizes.ts'
import { testApp, type TestApp } from '../support/app/app.ts'
import { draft, published } from '../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp({ env: { GEOCODER: 'none' } })
})
after(() => t.close())

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', accept: 'text/html' }

async function totals(code: string) {
  await t.deps.visits.flush()
  const days = await listingVisits(t.deps.db, t.agency.id, code, 30, t.clock)
  assert.equal(days.length, 30)
  return Object.fromEntries(visitKinds.map((kind) => [kind, days.reduce((sum, day) => sum + day[kind], 0)]))
}

const ofAgency = (code: string, suffix = '') => `${t.baseUrl}/inmobiliarias/${t.agency.slug}/${code}${suffix}`

test('a visitor is counted once a day, even when the browser has the page cached', async () => {
  const { id } = await published(t)
  const first = await fetch(ofAgency(id), { headers: browser })
  const etag = first.headers.get('etag') ?? ''
  assert.equal((await fetch(ofAgency(id), { headers: { ...browser, 'if-none-match': etag } })).status, 304)
  assert.equal((await totals(id)).views, 1)
  await fetch(`${t.baseUrl}/en/inmobiliarias/${t.agency.slug}/${id}`, {
    headers: { ...browser, 'user-agent': 'Mozilla/5.0 Other' },
  })
  assert.equal((await totals(id)).views, 2)
})

test('visits are limited per network when the user agent keeps changing', async () => {
  const { id } = await published(t)
  const count = (network: string, device: string) =>
    t.deps.visits.count(t.agency.id, id, 'views', { network, device })
  for (let device = 0; device < 3 * visitorsOfNetwork; device += 1) count('192.0.2.9', `Firefox/${device}`)
  assert.equal((await totals(id)).views, visitorsOfNetwork)
  count('192.0.2.10', 'Firefox/1')
  assert.equal((await totals(id)).views, visitorsOfNetwork + 1)
})

test('bots, prefetches and visitors who opted out are not counted', async () => {
  const { id } = await published(t)
  const others: Record<string, string>[] = [
    { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
    { 'user-agent': 'GPTBot/1.0' },
    { ...browser, 'sec-gpc': '1' },
    { ...browser, dnt: '1' },
    { ...browser, 'sec-purpose': 'prefetch' },
  ]
  for (const headers of others) await fetch(ofAgency(id), { headers })
  await fetch(ofAgency(id), { method: 'HEAD', headers: browser })
  assert.equal((await totals(id)).views, 0)
})

test('contacts are counted by kind, and no other kind is accepted', async () => {
  const { id } = await published(t)
  const hidden = await draft(t)
  const tell = (code: string, body: string, headers: Record<string, string> = {}) =>
    fetch(ofAgency(code, '/contacto'), {
      method: 'POST',
      body,
      headers: { ...browser, 'content-type': 'text/plain', ...headers },
    })
  for (const kind of ['phone', 'phone', 'whatsapp', 'email', 'shared', 'views', 'enquiries', '<b>', ''])
    assert.equal((await tell(id, kind)).status, 204)
  await tell(id, 'phone', { 'user-agent': 'Other/1', 'sec-fetch-site': 'cross-site' })
  await tell(hidden.id, 'phone')
  assert.deepEqual(await totals(id), { views: 0, phone: 1, whatsapp: 1, email: 1, shared: 1, enquiries: 0 })
  assert.equal((await totals(hidden.id)).phone, 0)
  assert.equal((await tell(id, 'x'.repeat(200))).status, 413)
})

test('two instances neither lose nor double-count visits', async () => {
  const kinds = fc.constantFrom(...visitKinds)
  const acts = fc.array(
    fc.record({ kind: kinds, visitor: fc.integer({ min: 0, max: 5 }), second: fc.boolean() }),
    { maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      const agencyId = uuidv7()
      const instances = [0, 1].map(() => openVisits(t.deps.db, t.clock, { warn: assert.fail }))
      for (const { kind, visitor, second } of list)
        instances[Number(second)]?.count(agencyId, 'ABCD2345', kind, {
          network: String(visitor),
          device: 'Firefox',
        })
      await Promise.all(instances.map((one) => one.flush()))
      const expected = new Set(list.map(({ kind, visitor, second }) => `${kind} ${visitor} ${second}`))
      const [row] = await mostVisited(t.deps.db, agencyId, 30, 5, t.clock)
      for (const kind of visitKinds)
        assert.equal(row?.[kind] ?? 0, [...expected].filter((one) => one.startsWith(`${kind} `)).length)
    }),
    { numRuns: 15 },
  )
})

test('days of visits follow Argentina’s time zone, and rows are deleted after 400 days', async () => {
  assert.equal(dayOf(Date.parse('2026-11-24T02:59:59Z')), '2026-11-23')
  assert.equal(dayOf(Date.parse('2026-11-24T03:00:00Z')), '2026-11-24')
  const agencyId = uuidv7()
  const visits = openVisits(t.deps.db, t.clock, { warn: assert.fail })
  visits.count(agencyId, 'ABCD2345', 'views', { network: 'a', device: 'Firefox' })
  await visits.flush()
  const later = (days: number) => ({ offsetMs: t.clock.offsetMs + days * 86_400_000 })
  await reapVisits(t.deps.db, 1_000, later(399))
  assert.equal((await mostVisited(t.deps.db, agencyId, 30, 5, t.clock)).length, 1)
  await reapVisits(t.deps.db, 1_000, later(402))
  assert.equal((await mostVisited(t.deps.db, agencyId, 30, 5, t.clock)).length, 0)
})
