/**
 * The parameters of `GET /properties` (api.md 14): visible statuses, search results and pages. Combinations are compared
 * with the oracle.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ApiResponse, type TestApp, publishable, testApp } from '../../support/app/app.ts'
import { accepted, draft, published, refused } from '../../support/app/listings.ts'
import { fieldNames } from '../../support/app/fields.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const list = (query: string, key?: string): Promise<ApiResponse> =>
  t.ask('GET', `/properties?${query}`, key === undefined ? {} : { key })

/** The external ids found, in order. */
async function idsOf(query: string, key?: string): Promise<(string | null)[]> {
  const { status, body, text } = await list(query, key)
  assert.equal(status, 200, text)
  return (body.data as unknown as { external_id: string | null }[]).map(({ external_id }) => external_id)
}

describe('the status filter of a list', () => {
  test('other than published needs write scope', async () => {
    for (const status of ['draft', 'disabled', 'all']) {
      refused(await list(`status=${status}`, t.readKey), 'insufficient_scope')
      assert.equal((await list(`status=${status}`, t.writeKey)).status, 200)
    }
    assert.equal((await list('status=published', t.readKey)).status, 200)
    refused(await list('status=nonsense', t.readKey), 'invalid_parameter', 'status')
  })

  test('that the key may not see is refused like any missing scope: before validation, and without a charge', async () => {
    const used = async () => {
      const { usage } = (await t.ask('GET', '/me', { key: t.readKey })).body.data as unknown as {
        usage: { reads_per_day: { used: number } }
      }
      return usage.reads_per_day.used
    }
    const before = await used()
    for (const search of ['status=draft', 'sort=x&st%61tus=all', 'status=disabled&page=0&nothing']) {
      const response = await list(search, t.readKey)
      refused(response, 'insufficient_scope')
      assert.equal(response.headers.get('x-ratelimit-remaining'), null)
    }
    assert.equal(await used(), before + 1)
    refused(await list('status=draft&status=draft', t.readKey), 'invalid_parameter', 'status')
  })

  test('defaults to published, even for write keys; removed listings have no status', async () => {
    const ids = { draft: 'S-draft', shown: 'S-shown', disabled: 'S-disabled', removed: 'S-removed' }
    await draft(t, { external_id: ids.draft })
    await published(t, { external_id: ids.shown })
    const suspended = await published(t, { external_id: ids.disabled })
    accepted(await t.ask('POST', `/properties/${suspended.id}/disable`))
    const removed = await published(t, { external_id: ids.removed })
    assert.equal((await t.ask('DELETE', `/properties/${removed.id}`)).status, 200)
    const ours = async (query: string, key?: string) =>
      (await idsOf(query, key)).filter((id) => id?.startsWith('S-')).sort()
    for (const key of [t.readKey, t.writeKey]) {
      assert.deepEqual(await ours('', key), [ids.shown])
      assert.deepEqual(await idsOf(`external_id=${ids.draft}`, key), [])
    }
    assert.deepEqual(await ours('status=draft'), [ids.draft])
    assert.deepEqual(await ours('status=disabled'), [ids.disabled])
    assert.deepEqual(await ours('status=all'), [ids.disabled, ids.draft, ids.shown])
    for (const status of ['published', 'draft', 'disabled', 'all']) {
      assert.deepEqual(await idsOf(`status=${status}&external_id=${ids.removed}`), [])
      assert.deepEqual(await idsOf(`status=${status}`, t.other.writeKey), [])
    }
  })
})

describe('the search of a list', () => {
  before(async () => {
    const listings = [
      {
        external_id: 'Q-1',
        title: 'Ático luminoso en Núñez',
        address: 'Av. Güemes 3/4',
        location: { city: 'Buenos Aires' },
      },
      { external_id: 'Q-2', title: 'Lote en esquina', address: "O'Higgins 100", location: { city: 'Núñez' } },
      {
        external_id: 'Q-3',
        title: '100% financiado, a_estrenar',
        address: 'Calle 50 y 51',
        location: { city: 'La Plata' },
      },
      {
        external_id: 'Q-4',
        title: 'Co-living',
        address: 'Güiraldes 9',
        location: { city: 'Plata Nueva' },
        description: 'atico',
      },
    ]
    for (const listing of listings)
      await published(t, { ...listing, location: { lat: -34.6, lng: -58.4, ...listing.location } })
  })
  const ours = async (query: string) => (await idsOf(query)).filter((id) => id?.startsWith('Q-')).sort()
  const q = (text: string) => ours(`q=${encodeURIComponent(text)}`)

  test('q requires every word in title, address or city, in any case and with any accents', async () => {
    assert.deepEqual(await q('atico'), ['Q-1'])
    assert.deepEqual(await q('NUNEZ'), ['Q-1', 'Q-2'])
    assert.deepEqual(await q('núñez lote'), ['Q-2'])
    assert.deepEqual(await q('ático güemes buenos'), ['Q-1'])
    assert.deepEqual(await q('nunez plata'), [])
    assert.deepEqual(await q('n\u0303'), await q('ñ'))
  })

  test('q finds parts of words, only in these three fields', async () => {
    assert.deepEqual(await q('minos'), ['Q-1'])
    assert.deepEqual(await q('gü'), ['Q-1', 'Q-4'])
    assert.deepEqual(await q('atico living'), [])
  })

  test('q ignores all punctuation except dot, apostrophe, slash and hyphen', async () => {
    assert.deepEqual(await q("o'higgins"), ['Q-2'])
    assert.deepEqual(await q('ohiggins'), [])
    assert.deepEqual(await q('3/4'), ['Q-1'])
    assert.deepEqual(await q('co-living'), ['Q-4'])
    assert.deepEqual(await q('av.'), ['Q-1'])
    assert.deepEqual(await q('100%'), ['Q-2', 'Q-3'])
    assert.deepEqual(await q('noso%lumi'), ['Q-1'])
    assert.deepEqual(await q('(ático), "nuñez"!'), ['Q-1'])
    assert.deepEqual(await q('a_estrenar'), ['Q-3'])
    assert.deepEqual(await q('   lote\t\nesquina  '), ['Q-2'])
  })

  test('city searches only the city, neighborhood all three, as a phrase', async () => {
    assert.deepEqual(await ours('city=nunez'), ['Q-2'])
    assert.deepEqual(await ours('city=plata'), ['Q-3', 'Q-4'])
    assert.deepEqual(await ours('city=%25'), [])
    assert.deepEqual(await ours('city=La_Plata'), [])
    assert.deepEqual(await ours('neighborhood=NUÑEZ'), ['Q-1', 'Q-2'])
    assert.deepEqual(await ours('neighborhood=guemes+3/4'), ['Q-1'])
    assert.deepEqual(await ours('neighborhood=nunez+lote'), [])
    // A phrase must not match across two fields.
    assert.deepEqual(await ours('neighborhood=nunez+av'), [])
    assert.deepEqual(await ours('neighborhood=100%25+fin'), ['Q-3'])
  })

  test('finds a changed listing by its new text', async () => {
    const { id } = await published(t, { external_id: 'Q-5', title: 'Chalet antiguo' })
    assert.deepEqual(await q('chalet'), ['Q-5'])
    accepted(
      await t.ask('PATCH', `/properties/${id}`, {
        body: { title: 'Cabaña', location: { city: 'Río Tercero' } },
      }),
    )
    assert.deepEqual(await q('chalet'), [])
    assert.deepEqual(await q('cabana rio'), ['Q-5'])
    assert.deepEqual(await ours('city=RIO'), ['Q-5'])
  })
})

describe('updated_since', () => {
  test('is inclusive to the millisecond, in any zone, and UTC without one', async () => {
    const { id, updated_at } = await published(t, { external_id: 'U-1' })
    const found = async (moment: string) =>
      (await idsOf(`external_id=U-1&updated_since=${encodeURIComponent(moment)}`)).length === 1
    const shifted = (ms: number) => new Date(Date.parse(updated_at) + ms).toISOString()
    assert.equal(await found(updated_at), true)
    assert.equal(await found(updated_at.slice(0, -1)), true)
    assert.equal(await found(shifted(-1)), true)
    assert.equal(await found(shifted(1)), false)
    for (const [zone, hours] of [
      ['-03:00', -3],
      ['+05:30', 5.5],
      ['-0300', -3],
      ['+14:00', 14],
      ['+00', 0],
    ] as const) {
      const local = (ms: number) => shifted(hours * 3_600_000 + ms).slice(0, -1) + zone
      assert.equal(await found(local(0)), true, zone)
      assert.equal(await found(local(1)), false, zone)
    }
    // An unescaped plus sign, which a query string decodes as a space.
    assert.equal(
      (await idsOf(`external_id=U-1&updated_since=${shifted(7_200_000).slice(0, -1)}+02:00`)).length,
      1,
    )
    assert.equal(
      (await idsOf(`external_id=U-1&updated_since=${shifted(7_200_001).slice(0, -1)}+02:00`)).length,
      0,
    )
    const patched = accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Otro' } }))
    assert.ok(patched.updated_at > updated_at)
    assert.equal(await found(patched.updated_at), true)
    assert.equal(await found(shifted(Date.parse(patched.updated_at) - Date.parse(updated_at) + 1)), false)
  })
})

describe('the response of a list', () => {
  test('has the defaults of docs/api.md', async () => {
    const { body } = await list('')
    const { meta, links } = body as unknown as {
      meta: Record<string, number>
      links: Record<string, string | null>
    }
    assert.deepEqual([meta['page'], meta['per_page']], [1, 20])
    assert.equal(links['self'], 'https://listings.test/api/v1/properties?page=1&per_page=20')
    assert.deepEqual((await list('sort=recent&page=1&per_page=20&status=published')).body.data, body.data)
  })

  test('for a page past the last is empty and links back', async () => {
    const { status, body } = await list('page=7&per_page=50&q=nothing-has-this')
    assert.equal(status, 200)
    assert.deepEqual([body.data, body['meta']], [[], { page: 7, per_page: 50, total: 0, total_pages: 0 }])
    const { next, prev } = body['links'] as unknown as Record<string, string | null>
    assert.equal(next, null)
    assert.equal(new URL(prev ?? '').searchParams.get('page'), '6')
  })

  test('has the selected fields, id always, and location_status with location', async () => {
    for (const name of fieldNames) {
      const { body } = await list(`fields=${name}&per_page=1`)
      const [listing = {}] = body.data as unknown as object[]
      const expected = ['id', name, ...(name === 'location' ? ['location_status'] : [])]
      assert.deepEqual(Object.keys(listing).sort(), [...new Set(expected)].sort())
    }
    const { body } = await list('per_page=1')
    const [whole = {}] = body.data as unknown as object[]
    assert.deepEqual(Object.keys(whole).sort(), [...fieldNames, 'location_status'].sort())
  })

  test('shows rentals with the price per period', async () => {
    await published(
      t,
      publishable({
        external_id: 'R-1',
        operation: 'temporary',
        price: { amount: 80, currency: 'USD', period: 'night' },
      }),
    )
    await published(
      t,
      publishable({ external_id: 'R-2', operation: 'rent', price: { amount: 900, currency: 'USD' } }),
    )
    assert.deepEqual(await idsOf('operation=temporary&max_price=80&currency=USD'), ['R-1'])
    assert.deepEqual(await idsOf('operation=rent&min_price=900&max_price=900&currency=USD'), ['R-2'])
    assert.deepEqual(await idsOf('operation=rent&min_price=900.01&currency=USD'), [])
    assert.deepEqual(await idsOf('operation=rent&min_price=1&currency=ARS'), [])
  })
})
