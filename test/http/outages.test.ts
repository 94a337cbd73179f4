/**
 * 503 `service_unavailable` (api.md 5.3): the database hangs or stops, or a session holds an agency's lock and goes silent. Requests are
 * rejected after a short wait, then at once, with `Retry-After`. The service recovers without help and loses nothing that was acknowledged.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { inTransaction } from '../../src/platform/db/statements/transaction.ts'
import { lockAgency } from '../../src/writing/under-lock.ts'
import { signedIn } from '../pages/dashboard/visitor.ts'
import { type ApiResponse, type TestApp, testApp } from '../support/app/app.ts'
import { type OutageProxy, outageProxy } from '../support/network/outage-proxy.ts'
import { type SecondApp, secondApp } from '../support/app/second-app.ts'
import { until } from '../support/until.ts'

let t: TestApp
let proxy: OutageProxy
let app: SecondApp
let cookie: string
before(async () => {
  t = await testApp()
  const by = async (connection: object) => {
    proxy = await outageProxy(connection)
    return proxy.connection
  }
  const presence = { silenceMs: 200, probeMs: 500, pauseMs: 20 }
  app = await secondApp(t, by, { database: { presence } })
  const owner = await signedIn(t, 'owner')
  cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
})
after(async () => {
  await app.close()
  proxy.close()
  await t.close()
})
afterEach(() => proxy.restore())

const create = (changes = {}) =>
  app.ask('POST', '/properties', { body: { external_id: randomUUID(), ...changes } })
const page = (path: string) =>
  fetch(`${app.baseUrl}${path}`, { headers: { cookie, 'accept-language': 'es-AR' }, redirect: 'manual' })

function assertRefused({ status, headers, body, text }: ApiResponse): void {
  assert.equal(status, 503, text)
  assert.equal(body.error.code, 'service_unavailable')
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
}

async function untilBack(): Promise<void> {
  await until(async () => (await app.ask('GET', '/properties')).status === 200)
}

for (const [what, goes] of [
  ['falls silent', () => proxy.swallow()],
  ['is stopped', () => proxy.stop()],
] as const) {
  describe(`the database ${what}`, () => {
    test('running requests are refused, new ones are refused without a query, and the database is found again', async () => {
      const before = await create()
      assert.equal(before.status, 201, before.text)
      await goes()
      const under = [create(), app.ask('GET', '/properties'), ...Array.from({ length: 20 }, () => create())]
      for (const response of await Promise.all(under)) assertRefused(response)

      proxy.arrivals()
      const reads = Array.from({ length: 50 }, () => app.ask('GET', `/properties?q=${randomUUID()}`))
      for (const response of await Promise.all([...reads, create()])) assertRefused(response)
      assert.ok(proxy.arrivals() <= 50, 'requests ask for connections')

      await proxy.restore()
      await untilBack()
      const { id } = before.body.data
      assert.equal((await app.ask('GET', `/properties/${id}`)).status, 200)
      assert.equal((await create()).status, 201)
    })

    test('pages and readiness respond with 503, and what needs no database works', async () => {
      await goes()
      assertRefused(await app.ask('GET', '/properties'))
      for (const path of [`/inmobiliarias/${t.agency.slug}`, '/dashboard/listings']) {
        const response = await page(path)
        assert.equal(response.status, 503, path)
        assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
        assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/, path)
        assert.match(await response.text(), /<h1/)
      }
      assert.equal((await page('/healthz/ready')).status, 503)
      assert.equal((await page('/api/v1/health')).status, 200)
      await proxy.restore()
      await untilBack()
      assert.equal((await page('/dashboard/listings')).status, 200)
    })
  })
}

describe('an agency whose lock is held by a silent session', () => {
  test('does not block other agencies, and its own writes are refused after a short wait', async () => {
    const elsewhere = await t.newAgency()
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    const holding = inTransaction(t.deps.db, async (tx) => {
      await lockAgency(tx, t.agency.id, t.clock).then(({ revisions }) => revisions.next())
      held()
      await isOver
    })
    await isHeld
    try {
      // More requests than there are connections.
      let refused = 0
      const stuck = Array.from({ length: 30 }, async () => {
        assertRefused(await create())
        refused += 1
      })
      for (let turn = 0; turn < 10; turn += 1) {
        const { readKey, writeKey } = elsewhere
        const written = await app.ask('POST', '/properties', { key: writeKey, body: { title: 'Casa' } })
        assert.equal(written.status, 201, written.text)
        assert.equal((await app.ask('GET', '/properties?status=all', { key: writeKey })).status, 200)
        assert.equal((await app.ask('GET', `/properties?per_page=${turn + 1}`, { key: readKey })).status, 200)
      }
      assert.equal(refused, 0, 'others had to wait until they gave up')
      await Promise.all(stuck)
    } finally {
      end()
      await holding
    }
    assert.equal((await create()).status, 201)
  })
})
