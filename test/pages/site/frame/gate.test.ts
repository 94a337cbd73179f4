/** The gate of the public pages: few of them read the database at a time, in turn by network, and each IP has a limit. */
// not on Citus: it fills the slots of one pool, and each node has slots of its own there (chaos/citus/workers.test.ts).
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { observeStatements } from '../../../../src/platform/db/statements/connection.ts'
import type { Replica } from '../../../../src/platform/db/replica.ts'
import { type TestApp, testApp } from '../../../support/app/app.ts'
import { accepted, published } from '../../../support/app/listings.ts'
import { attributes, readable, shown, visit, type Visited } from '../visit.ts'

/** A tenth of the pool; one network may use half of it. */
const slots = 2

let t: TestApp
let path = ''
before(async () => {
  const map = { MAP_TILES_URL: 'https://tiles.example/{z}/{x}/{y}.png', MAP_TILES_ATTRIBUTION: 'Tiles' }
  t = await testApp({ env: { DATABASE_POOL_SIZE: '20', TRUST_PROXY: '1', ...map } })
  path = `/inmobiliarias/${t.agency.slug}`
  await published(t, { title: 'Casa luminosa' })
})
afterEach(() => {
  t.deps.replica = null
})
after(() => t.close())

const from = (ip: string, accept = 'text/html') => ({ headers: { 'x-forwarded-for': ip, accept } })

/** A replica that holds every query until `release`, and then leaves everything to the primary. */
function heldReplica() {
  let running = 0
  const released = Promise.withResolvers<null>()
  const [full, crowded] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()]
  const replica: Replica = {
    read: () => {
      running += 1
      if (running === slots) full.resolve()
      if (running > slots) crowded.reject(new Error('more read than there are slots'))
      return released.promise
    },
    counts: { answered: 0, behind: 0, failed: 0, rested: 0 },
    close: async () => {},
  }
  t.deps.replica = replica
  return { full: full.promise, crowded: crowded.promise, release: () => released.resolve(null) }
}

/** Asserts that the response is a 503. */
async function refusal(response: Promise<Visited>): Promise<Visited> {
  assert.equal((await response).status, 503)
  return await response
}

/** Counts the statements matching the pattern that `work` runs. */
async function statementsOf(pattern: RegExp, work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const stop = observeStatements((text) => {
    if (pattern.test(text)) count += 1
    return () => {}
  })
  await work()
  stop()
  return count
}

describe('a full gate of pages', () => {
  test('refuses further readers, limits each network to its share, and serves cached pages', async () => {
    const remembered = await shown(t, path)
    await shown(t, `${path}?q=luminosa`)
    const held = heldReplica()
    const search = (ip: string, q: string) => visit(t, `${path}?q=${q}`, from(ip))
    const own = [search('192.0.2.1', 'uno'), search('192.0.2.1', 'dos')]
    const other = search('198.51.100.1', 'otro')
    await Promise.race([held.full, held.crowded])
    const refused = Promise.all([
      Promise.any(own.map(refusal)),
      visit(t, `/en${path}?q=three`, from('2001:db8::1')),
      visit(t, `${path}?type=Casa`, from('2001:db8::1')),
      visit(t, `${path}/mapa.json`, from('192.0.2.2', '*/*')),
      visit(t, '/sitemap.xml', from('192.0.2.2', '*/*')),
      visit(t, `/sitemap-${t.agency.slug}-1.xml`, from('192.0.2.3', '*/*')),
    ])
    const responses = await Promise.race([refused, held.crowded])
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, headers.get('retry-after')]),
      responses.map(() => [503, '5']),
    )
    assert.match(readable(responses[0].text), /El servicio está ocupado.*Volver a intentar/)
    assert.match(readable(responses[1].text), /The service is busy.*Try again/)
    assert.ok(attributes(responses[0].text, 'href').includes(''), 'a link to the same search')
    assert.equal(responses[0].headers.get('cache-control'), 'no-store')
    for (const { text } of responses.slice(3))
      assert.equal((JSON.parse(text) as { error: { code: string } }).error.code, 'service_unavailable')

    assert.equal(await shown(t, path), remembered)
    assert.match(await shown(t, `${path}?q=luminosa`), /Casa luminosa/)
    accepted(await t.ask('GET', '/me'))

    held.release()
    assert.equal((await other).status, 200)
    assert.deepEqual((await Promise.all(own)).map(({ status }) => status).sort(), [200, 503])
  })
})

test('concurrent identical searches run once, and are cached until the agency changes', async () => {
  const all = () => Promise.all(Array.from({ length: 10 }, () => shown(t, `${path}?q=cochera`)))
  assert.equal(
    await statementsOf(/from properties/, all),
    await statementsOf(/from properties/, one('jardin')),
  )
  assert.equal(await statementsOf(/from properties/, all), 0)
  await published(t, { title: 'Casa con cochera' })
  assert.match(await shown(t, `${path}?q=cochera`), /Casa con cochera/)

  function one(q: string) {
    return () => shown(t, `${path}?q=${q}`)
  }
})

test('a sitemap is built once, until the agency changes', async () => {
  const file = () => visit(t, `/sitemap-${t.agency.slug}-1.xml`)
  const first = await file()
  assert.equal(await statementsOf(/from properties/, file), 0)
  await published(t)
  const later = await file()
  assert.notEqual(later.text, first.text)
  assert.notEqual(later.headers.get('etag'), first.headers.get('etag'))
})

describe('an IP that reads pages', () => {
  let limited: TestApp
  before(async () => {
    limited = await testApp({ env: { TRUST_PROXY: '1' }, limits: { pages_per_address_per_minute: 2 } })
    await published(limited, { title: 'Casa luminosa' })
  })
  after(() => limited.close())

  test('has a limit of uncached ones per minute', async () => {
    const own = `/inmobiliarias/${limited.agency.slug}`
    const ask = (path: string, ip = '192.0.2.1', accept?: string) => visit(limited, path, from(ip, accept))
    assert.equal((await ask(own)).status, 200)
    for (let round = 0; round < 3; round++) assert.equal((await ask(own)).status, 200)
    assert.equal((await ask(`${own}?q=casa`)).status, 200)
    for (const [path, said] of [
      [`${own}?q=otra`, /Demasiadas páginas en poco tiempo.*Esperá un minuto.*Volver a intentar/],
      [`/en${own}?q=other`, /Too many pages in a short time.*Wait a minute.*Try again/],
      ['/sitemap.xml', /Demasiadas páginas/],
      [`${own}/consulta`, /Demasiadas páginas/],
    ] as const) {
      const { status, headers, text } = await ask(path)
      assert.equal(status, 429, path)
      assert.ok(Number(headers.get('retry-after')) > 0)
      assert.match(readable(text), said)
    }
    const { error } = JSON.parse((await ask('/sitemap.xml', '192.0.2.1', '*/*')).text) as {
      error: { code: string; limits: string[] }
    }
    assert.deepEqual([error.code, error.limits], ['rate_limited', ['pages_per_address_per_minute']])
    assert.equal((await ask(own)).status, 200)
    assert.equal((await ask(`${own}?q=otra`, '198.51.100.1')).status, 200)
  })
})
