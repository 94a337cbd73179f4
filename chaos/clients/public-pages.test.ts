/**
 * Floods of an agency's public pages, with 20,000 listings behind them, from forty addresses: searches without results, deep pages of
 * searches, sitemaps. Meanwhile another agency reads and writes through the API, is never rejected, and its p99 at most doubles.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { ask, type Write } from '../support/ask.ts'
import { compareWithQuiet, type Visit } from '../support/bystander.ts'
import { startFlood, type Tally } from './page-flood.ts'
import { newService, type Service } from '../support/service.ts'

const agency = '/inmobiliarias/large'
const listings = 20_000
const addresses = 40
const atOnce = 200
const pauseMs = 1_000
const seconds = 20

let service: Service
let visits: Visit[]
before(async () => {
  service = await newService({ WORKERS: '2' })
  await service.start()
  const { id } = await service.newAgency('large')
  await fill(id)
  // The first pages of a process compile its code, as its first requests do.
  for (let count = 0; count < 40; count += 1) await fetch(`${service.url}${agency}?q=luminosa+${count}`)
  const { key } = await service.newAgency('bystander')
  const served = async (sent: Write): Promise<string | null> => {
    const response = await ask(service.url, key, sent)
    return response !== null && response.status < 300
      ? null
      : `${sent.method} ${response?.status}: ${response?.text}`
  }
  const create: Visit = () =>
    served({
      method: 'POST',
      path: '/properties',
      body: { title: 'Casa con jardín' },
      idempotencyKey: randomUUID(),
    })
  visits = [create, () => served({ method: 'GET', path: '/properties?status=draft' })]
})
after(() => service.end())

/** Published listings, whose texts are all different. */
async function fill(agencyId: string): Promise<void> {
  const client = new Client(service.connection())
  await client.connect()
  await client.query(
    `insert into properties (agency_id, id, public_id, version, status, title, operation, type, price_amount, price_currency, address,
       city, features, photos, published_at, created_at, updated_at, city_folded, search_folded)
     select $1, gen_random_uuid(), translate(lpad(to_hex(n), 8, 'Z'), '01', 'XY'), n, 'published', 'Casa luminosa ' || n, 'sale', 'Casa',
       50000 + n, 'USD', 'Mitre ' || n, 'La Plata', '{"bedrooms": 3}', '{a,b,c}', now(), now(), now(), 'la plata',
       'casa luminosa ' || n || E'\\nmitre ' || n || E'\\nla plata'
     from generate_series(1, $2::int) n`,
    [agencyId, listings],
  )
  await client.query('update agency_revisions set revision = $2 where agency_id = $1', [agencyId, listings])
  await client.query('vacuum (analyze) properties')
  await client.end()
}

const nothing = `${agency}?operation=sale&city=La+Plata&q=lumi+zz&bedrooms=2&max_price=900000`
const floods: Readonly<Record<string, readonly string[]>> = {
  'one search without results': [nothing],
  'different searches without results': [`${nothing}{n}`],
  sitemaps: ['/sitemap.xml', ...Array.from({ length: 20 }, (_, index) => `/sitemap-large-${index + 1}.xml`)],
  'deep pages of searches': Array.from(
    { length: 200 },
    (_, index) => `${agency}?q=mitre&sort=price_asc&page=${index}`,
  ),
}

for (const [what, paths] of Object.entries(floods))
  test(`${what}: ${atOnce} at once from ${addresses} addresses`, async (context) => {
    let tally: Tally = {}
    const attack = async () => {
      const stop = await startFlood({
        urls: paths.map((path) => service.url + path),
        addresses,
        atOnce,
        pauseMs,
      })
      return async () => {
        tally = await stop()
        context.diagnostic(`the flood:    ${JSON.stringify(tally)}`)
      }
    }
    await compareWithQuiet(context, visits, attack, seconds)
    assert.deepEqual(
      Object.keys(tally).filter((status) => !['200', '429', '503'].includes(status)),
      [],
    )
  })
