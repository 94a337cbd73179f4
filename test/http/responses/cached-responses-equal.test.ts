/**
 * Cached responses equal uncached ones: two applications with a cache and one without share a database, and any of them writes in between.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { saveAgencyProfile } from '../../support/app/agency-profile.ts'
import { type ApiResponse, type TestApp, testApp } from '../../support/app/app.ts'
import { listingOf, published } from '../../support/app/listings.ts'
import { type SecondApp, secondApp } from '../../support/app/second-app.ts'

let t: TestApp
let second: SecondApp
let uncached: SecondApp
let ids: string[]
before(async () => {
  t = await testApp()
  second = await secondApp(t)
  uncached = await secondApp(t, undefined, { settings: { responseCacheMegabytes: 0 } })
  ids = []
  for (const external_id of ['A-1', 'A-2', 'A-3']) ids.push((await published(t, { external_id })).id)
})
after(async () => {
  await uncached.close()
  await second.close()
  await t.close()
})

/** `{0}` is replaced by the first listing's code. */
const paths = [
  '/properties',
  '/properties?status=all',
  '/properties?sort=price_asc&operation=sale',
  '/properties?operation=sale&sort=price_asc',
  '/properties?page=2&per_page=1',
  '/properties?q=casa&fields=title,agency',
  '/properties?q=%63asa&fields=agency,title',
  '/properties/{0}',
  '/properties/{0}?fields=title',
  '/properties/{1}',
  '/properties/external/A-1',
  '/properties/external/A-3?fields=agency,status',
]
const filled = (path: string) => path.replace(/\{(\d)\}/, (_, place: string) => ids[Number(place)] as string)

let count = 0
/** Writes of every kind that changes a response. */
const writes: Record<string, (ask: TestApp['ask'], id: string) => Promise<unknown>> = {
  title: (ask, id) => ask('PATCH', `/properties/${id}`, { body: { title: `Casa ${(count += 1)}` } }),
  price: (ask, id) =>
    ask('PATCH', `/properties/${id}`, {
      body: { price: { amount: 90_000 + (count += 1), currency: 'USD' } },
    }),
  disable: (ask, id) => ask('POST', `/properties/${id}/disable`, { body: { reason: 'suspended' } }),
  enable: (ask, id) => ask('POST', `/properties/${id}/enable`),
  photos: async (ask, id) => {
    const { photos } = listingOf(await ask('GET', `/properties/${id}`))
    return ask('PATCH', `/properties/${id}`, { body: { photos: [...photos.slice(1), photos[0]] } })
  },
  batch: (ask) =>
    ask('POST', '/properties/batch', {
      body: {
        items: [
          { external_id: 'A-2', title: `Batch ${(count += 1)}` },
          { external_id: 'A-3', title: 'B' },
        ],
      },
    }),
  profile: () =>
    saveAgencyProfile(t.deps, t.agency.id, {
      name: `Agency ${(count += 1)}`,
      slug: `${t.agency.slug}-${count}`,
      email: null,
    }),
}

/** The response without the parts that differ for each request. */
const shape = ({ status, text, headers, body }: ApiResponse) => ({
  status,
  text: status >= 400 ? body.error['code'] : text,
  etag: headers.get('etag'),
  type: headers.get('content-type'),
})

describe('cached responses', () => {
  test('equal uncached ones byte for byte, whichever application wrote last', async () => {
    const read = fc.record({
      read: fc.constantFrom(...paths),
      by: fc.constantFrom('first', 'second'),
      mayWrite: fc.boolean(),
      known: fc.boolean(),
    })
    const write = fc.record({
      write: fc.constantFrom(...Object.keys(writes)),
      by: fc.constantFrom('first', 'second', 'uncached'),
      of: fc.integer({ min: 0, max: 2 }),
    })
    const askOf = { first: t.ask, second: second.ask, uncached: uncached.ask }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 4, arbitrary: read }, { weight: 1, arbitrary: write }), {
          minLength: 10,
          maxLength: 40,
        }),
        async (steps) => {
          for (const step of steps) {
            const ask = askOf[step.by as keyof typeof askOf]
            if ('write' in step) {
              await writes[step.write]?.(ask, ids[step.of] as string)
              continue
            }
            const path = filled(step.read)
            const key = step.mayWrite ? t.writeKey : t.readKey
            const plain = await uncached.ask('GET', path, { key })
            assert.deepEqual(shape(await ask('GET', path, { key })), shape(plain), path)
            const head = await ask('HEAD', path, { key })
            assert.equal(head.headers.get('content-length') !== null, true)
            const etag = plain.headers.get('etag')
            if (!step.known || etag === null) continue
            const again = await ask('GET', path, { key, headers: { 'if-none-match': etag } })
            assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag])
          }
        },
      ),
      { numRuns: 8 },
    )
  })

  test('stay within one agency, and are hidden from keys that may not see them', async () => {
    const path = `/properties/${ids[0]}`
    await t.ask('POST', `${path}/enable`)
    await t.ask('POST', `${path}/disable`, { body: {} })
    for (const _ of [1, 2]) {
      assert.equal((await t.ask('GET', path)).status, 200)
      assert.equal((await t.ask('GET', path, { key: t.readKey })).status, 404)
      assert.equal((await t.ask('GET', path, { key: t.other.writeKey })).status, 404)
      assert.equal((await t.ask('GET', '/properties?status=all')).status, 200)
      assert.equal((await t.ask('GET', '/properties?status=all', { key: t.readKey })).status, 403)
      assert.equal((await t.ask('GET', '/properties?%73tatus=all', { key: t.readKey })).status, 403)
      const foreign = await t.ask('GET', '/properties?status=all', { key: t.other.writeKey })
      assert.deepEqual(foreign.body.data, [])
    }
  })

  test('never go back in time during concurrent writes and reads', async () => {
    const id = ids[1] as string
    await t.ask('POST', `/properties/${id}/enable`)
    let isWriting = true
    let written = 0
    const write = async () => {
      for (let number = 1; number <= 60; number += 1) {
        const ask = [t.ask, second.ask][number % 2] as TestApp['ask']
        const response = await ask('PATCH', `/properties/${id}`, { body: { title: `Number ${number}` } })
        assert.equal(response.status, 200)
        written = number
      }
      isWriting = false
    }
    const numberOf = (title: unknown) => Number(/^Number (\d+)$/.exec(String(title))?.[1] ?? 0)
    const read = async (place: number) => {
      let seen = 0
      for (let turn = place; isWriting; turn += 1) {
        const ask = [t.ask, second.ask][turn % 2] as TestApp['ask']
        const key = turn % 3 === 0 ? t.readKey : t.writeKey
        const least = Math.max(seen, written)
        if (turn % 5 < 3) {
          seen = numberOf(listingOf(await ask('GET', `/properties/${id}`, { key })).title)
        } else {
          const { body } = await ask('GET', '/properties?fields=title', { key })
          const listed = (body.data as unknown as { id: string; title: string }[]).find(
            (one) => one.id === id,
          )
          seen = numberOf(listed?.title)
        }
        assert.ok(seen >= least, `${seen} after ${least}`)
      }
    }
    await Promise.all([write(), ...[0, 1, 2, 3, 4, 5].map(read)])
  })
})
