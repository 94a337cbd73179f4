/**
 * Events sent to the marketplace: their content, that the public library of Standard Webhooks verifies them, and which responses count as
 * delivered.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { DeliveryFailure } from '../../../../src/delivery/notifications/failure.ts'
import { openMarketplace } from '../../../../src/delivery/notifications/courier/marketplace.ts'
import { accepted, draft, published } from '../../../support/app/listings.ts'
import { publishable } from '../../../support/app/app.ts'
import { act, type Notified, notified, secret } from '../notified.ts'
import { type MarketplaceSink, marketplaceSink } from '../sinks.ts'

let n: Notified
before(async () => {
  n = await notified()
})
after(() => n.close())

const headersOf = (headers: object) => headers as Record<string, string>

describe('an event', () => {
  test('arrives once for each change, in order and numbered, with the listing as the API returns it', async () => {
    const { t, marketplace } = n
    const created = await published(t, { title: 'Casa «única» 🏡' })
    const shown = (await t.ask('GET', `/properties/${created.id}`)).body.data
    accepted(
      await act.disable(t, created.id, { reason: 'sold', close_price: 95_000, closed_at: '2026-01-15' }),
    )
    accepted(await act.enable(t, created.id))
    assert.equal((await act.remove(t, created.id)).status, 200)
    await n.deliver('marketplace')
    assert.equal(await n.deliver('marketplace'), 0)
    assert.deepEqual(marketplace.of(created.id), ['published 1', 'disabled 2', 'published 3', 'deleted 4'])
    const [first, second, third, last] = marketplace.received.filter(
      ({ data }) => data.listing.id === created.id,
    )
    assert.deepEqual(first?.data.listing, shown)
    assert.equal(first?.type, 'listing.published')
    assert.equal(first?.timestamp, created.updated_at)
    assert.equal(first?.data.event_id, first?.id)
    assert.deepEqual(first?.data.changes, {
      status: { from: null, to: 'published' },
    })
    assert.equal(second?.data.listing.status, 'disabled')
    assert.deepEqual(second?.data.closing, {
      reason: 'sold',
      closed_at: '2026-01-15T00:00:00.000Z',
      close_price: { amount: 95_000, currency: 'USD' },
    })
    assert.deepEqual(second?.data.changes['status'], { from: 'published', to: 'disabled' })
    assert.equal(third?.data.closing, null)
    assert.deepEqual(last?.data.changes, { deleted: { from: false, to: true } })
  })

  test('is verified by the public library, and only with the secret', async () => {
    const { t, marketplace } = n
    const { id } = await published(t)
    await n.deliver('marketplace')
    const event = marketplace.received.find(({ data }) => data.listing.id === id)
    assert.ok(event !== undefined)
    const verified = new Webhook(secret).verify(event.body, headersOf(event.headers))
    assert.deepEqual(verified, JSON.parse(event.body))
    assert.equal(event.headers['content-type'], 'application/json')
    const other = new Webhook(`whsec_${Buffer.from('another secret of some length').toString('base64')}`)
    assert.throws(() => other.verify(event.body, headersOf(event.headers)))
    assert.throws(() =>
      new Webhook(secret).verify(event.body.replace('published', 'disabled'), headersOf(event.headers)),
    )
  })

  test('is not created for drafts until they are published', async () => {
    const { id } = await draft(n.t, publishable({ status: 'draft' }))
    accepted(await act.enable(n.t, id))
    await n.deliver('marketplace')
    assert.deepEqual(n.marketplace.of(id), ['published 1'])
  })
})

describe('a sending', () => {
  let sink: MarketplaceSink
  before(async () => {
    sink = await marketplaceSink()
  })
  after(() => sink.close())

  const raw = 'a plain text, taken as it is'
  const open = (timeoutMs = 10_000, url = sink.url) =>
    openMarketplace({ url, secret: raw, serviceName: 'Svc', publicBaseUrl: 'https://l.test', timeoutMs })
  const body = JSON.stringify({ type: 'x', data: { listing: { id: 'x' } } })

  /** Sends to a marketplace that fails. */
  async function failing(timeoutMs?: number, url?: string): Promise<DeliveryFailure> {
    const marketplace = open(timeoutMs, url)
    try {
      await marketplace.send('id-1', body, 1_700_000_000)
    } catch (error) {
      assert.ok(error instanceof DeliveryFailure, String(error))
      return error
    } finally {
      await marketplace.close()
    }
    return assert.fail('it was delivered')
  }

  test('signs with a plain text secret unchanged', async () => {
    const marketplace = open()
    const seconds = Math.floor(Date.now() / 1_000)
    assert.equal(await marketplace.send('id-0', body, seconds), 204)
    await marketplace.close()
    const { headers } = sink.received.at(-1) ?? assert.fail('nothing came')
    new Webhook(raw, { format: 'raw' }).verify(body, headersOf(headers))
    assert.match(String(headers['user-agent']), /^Svc\/1 \(.*\+https:\/\/l\.test\/\)$/)
  })

  for (const status of [300, 400, 401, 404, 410, 422, 429, 500, 503]) {
    test(`answered with ${status} is not delivered`, async () => {
      sink.respondWith((_event, response) => void response.writeHead(status).end('no\nsuch <listing>'))
      const failure = await failing()
      assert.equal(failure.status, status)
      assert.match(failure.message, new RegExp(`^It answered with status ${status}[^\\n]*$`))
    })
  }

  test('follows no redirects', async () => {
    const elsewhere = await marketplaceSink()
    sink.respondWith((_event, response) => void response.writeHead(307, { location: elsewhere.url }).end())
    assert.match((await failing()).message, /redirects are not followed/)
    assert.equal(elsewhere.received.length, 0)
    await elsewhere.close()
  })

  test('reads the requested wait', async () => {
    sink.respondWith((_event, response) => void response.writeHead(503, { 'retry-after': '90' }).end())
    assert.equal((await failing()).pauseMs, 90_000)
    sink.respondWith((_event, response) => void response.writeHead(503, { 'retry-after': '999999' }).end())
    assert.equal((await failing()).pauseMs, 3_600_000)
    const date = 'Mon, 02 Nov 2026 10:00:00 GMT'
    const inNinety = 'Mon, 02 Nov 2026 10:01:30 GMT'
    sink.respondWith(
      (_event, response) => void response.writeHead(503, { 'retry-after': inNinety, date }).end(),
    )
    assert.equal((await failing()).pauseMs, 90_000)
  })

  test('has a timeout, for the response and for its body', async () => {
    sink.respondWith(() => {})
    assert.match((await failing(100)).message, /did not answer within 0\.1 seconds/)
    sink.respondWith((_event, response) => void response.writeHead(500).write('half'))
    assert.match((await failing(100)).message, /did not answer within/)
  })

  test('reports an unreachable receiver', async () => {
    const gone = await marketplaceSink()
    await gone.close()
    assert.match((await failing(1_000, gone.url)).message, /could not be reached.*ECONNREFUSED/)
  })

  test('reads only the beginning of an error response', async () => {
    sink.respondWith((_event, response) => {
      response.writeHead(500)
      const more = (): void => void (response.destroyed || response.write('x'.repeat(65_536), more))
      more()
    })
    assert.ok((await failing()).message.length < 300)
  })
})
