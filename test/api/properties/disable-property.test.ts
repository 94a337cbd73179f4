/**
 * `POST /properties/{id}/disable` (api.md 15.13): suspends a published listing, with the reason and, if sold or rented, the closing data.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { disableReasons } from '../../../src/listings/fields/vocabulary.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  atOnce,
  draft,
  historyOf,
  leavingNothing,
  listingOf,
  published,
  refused,
  rowOf,
  tally,
  warningsOf,
} from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const disable = (id: string, body?: unknown) => t.ask('POST', `/properties/${id}/disable`, { body })

/** The stored closing data of a listing. */
async function closingOf(id: string) {
  const { close_reason, closed_at, close_amount, close_currency } = await rowOf(t, id)
  return {
    reason: close_reason,
    closed_at,
    price: close_amount === null ? null : { amount: close_amount, currency: close_currency },
  }
}

describe('a published listing that is disabled', () => {
  test('is no longer shown, and is otherwise unchanged', async () => {
    const before = await published(t)
    const response = await disable(before.id)
    const after = accepted(response)
    assert.deepEqual(after, { ...before, status: 'disabled', updated_at: after.updated_at })
    assert.ok(after.updated_at > before.updated_at)
    assert.deepEqual(warningsOf(response), [])
    const read = await t.ask('GET', `/properties/${before.id}`)
    assert.deepEqual(listingOf(read), after)
    assert.equal(read.headers.get('etag'), response.headers.get('etag'))
    refused(await t.ask('GET', `/properties/${before.id}`, { key: t.readKey }), 'not_found')
    const entry = (await historyOf(t, before.id)).at(-1)
    assert.deepEqual(
      [entry?.action, entry?.changes],
      ['disabled', { status: { from: 'published', to: 'disabled' } }],
    )
    assert.equal(entry?.request_id, response.headers.get('x-request-id'))
  })

  for (const [what, body] of [
    ['an empty body', {}],
    ['nulls', { reason: null, close_price: null, closed_at: null }],
  ] as const) {
    test(`accepts ${what}`, async () => {
      const { id } = await published(t)
      assert.equal(accepted(await disable(id, body)).status, 'disabled')
      assert.deepEqual(await closingOf(id), { reason: null, closed_at: null, price: null })
    })
  }

  for (const reason of disableReasons) {
    test(`accepts the reason ${reason}`, async () => {
      const { id } = await published(t)
      const { updated_at } = accepted(await disable(id, { reason }))
      const closed = reason === 'sold' || reason === 'rented'
      assert.deepEqual(await closingOf(id), { reason, closed_at: closed ? updated_at : null, price: null })
    })
  }

  for (const [body, price] of [
    [
      { reason: 'sold', close_price: 95_000.5 },
      { amount: 95_000.5, currency: 'USD' },
    ],
    [
      { reason: 'rented', close_price: 1e12 },
      { amount: 1e12, currency: 'USD' },
    ],
    [
      { reason: 'sold', close_price: { amount: 0.01, currency: 'ARS' } },
      { amount: 0.01, currency: 'ARS' },
    ],
  ] as const) {
    test(`records ${JSON.stringify(body)}`, async () => {
      const { id } = await published(t)
      const { updated_at } = accepted(await disable(id, body))
      assert.deepEqual(await closingOf(id), { reason: body.reason, closed_at: updated_at, price })
    })
  }

  for (const [closed_at, moment] of [
    ['2026-01-31T10:20:30.400Z', '2026-01-31T10:20:30.400Z'],
    ['2026-01-31T10:20:30-03:00', '2026-01-31T13:20:30.000Z'],
    ['2026-01-31T10:20', '2026-01-31T10:20:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ] as const) {
    test(`records that it closed at ${closed_at}`, async () => {
      const { id } = await published(t)
      accepted(await disable(id, { reason: 'sold', closed_at }))
      assert.equal((await closingOf(id)).closed_at, moment)
    })
  }
})

describe('disabling refuses, naming', () => {
  const withoutClosing = [
    {},
    ...disableReasons.filter((name) => name !== 'sold' && name !== 'rented').map((reason) => ({ reason })),
  ]
  for (const [parameter, bodies] of [
    ['close_price', withoutClosing.map((body) => ({ ...body, close_price: 5 }))],
    ['closed_at', withoutClosing.map((body) => ({ ...body, closed_at: '2026-01-31' }))],
    [
      'close_price',
      [0, -1, 1e12 + 1, 10.001, '5', true, []].map((close_price) => ({ reason: 'sold', close_price })),
    ],
    [
      'close_price.amount',
      [0, -1, 10.001, '5', null].map((amount) => ({
        reason: 'sold',
        close_price: { amount, currency: 'USD' },
      })),
    ],
    ['close_price.amount', [{ reason: 'sold', close_price: { currency: 'USD' } }]],
    [
      'close_price.currency',
      [
        { reason: 'sold', close_price: { amount: 5 } },
        { reason: 'sold', close_price: { amount: 5, currency: 'EUR' } },
      ],
    ],
    [
      'close_price.period',
      [{ reason: 'sold', close_price: { amount: 5, currency: 'USD', period: 'month' } }],
    ],
    [
      'closed_at',
      ['', 'yesterday', '2026-02-30', '2026-01-31T25:00Z', 5].map((closed_at) => ({
        reason: 'sold',
        closed_at,
      })),
    ],
    ['reason', ['', 'lost', 'Sold', 5].map((reason) => ({ reason }))],
    ['status', [{ status: 'disabled' }]],
    ['price', [{ reason: 'sold', price: 5 }]],
    ['body', [[], 'sold', 5, null]],
  ] as [string, unknown[]][]) {
    test(`${parameter}: ${JSON.stringify(bodies).slice(0, 90)}`, async () => {
      const { id } = await published(t)
      for (const body of bodies) {
        refused(await leavingNothing(t, () => disable(id, body)), 'invalid_parameter', parameter)
      }
    })
  }

  test('close_price as a number when the listing has no currency', async () => {
    const { id } = await published(t, { price: { on_request: true } })
    refused(
      await leavingNothing(t, () => disable(id, { reason: 'sold', close_price: 5 })),
      'invalid_parameter',
      'close_price',
    )
    accepted(await disable(id, { reason: 'sold', close_price: { amount: 5, currency: 'ARS' } }))
    assert.deepEqual((await closingOf(id)).price, { amount: 5, currency: 'ARS' })
  })

  test('status of a draft', async () => {
    const { id } = await draft(t)
    for (const body of [undefined, {}, { reason: 'sold', close_price: { amount: 5, currency: 'USD' } }]) {
      refused(await leavingNothing(t, () => disable(id, body)), 'invalid_parameter', 'status')
    }
  })

  test('no field for missing listings', async () => {
    const gone = await published(t)
    accepted(await t.ask('DELETE', `/properties/${gone.id}`))
    for (const id of [gone.id, 'ZZZZ9999', randomUUID()])
      refused(await disable(id, { reason: 'sold' }), 'not_found')
    const own = await published(t)
    refused(await t.ask('POST', `/properties/${own.id}/disable`, { key: t.other.writeKey }), 'not_found')
  })
})

describe('a listing that is disabled again', () => {
  test('stays the same when nothing is sent', async () => {
    const { id } = await published(t)
    const first = await disable(id, { reason: 'sold' })
    const before = [await rowOf(t, id), await historyOf(t, id)]
    for (const body of [undefined, {}, { reason: null }, { reason: 'sold' }]) {
      const again = await disable(id, body)
      assert.deepEqual(accepted(again), listingOf(first))
      assert.equal(again.headers.get('etag'), first.headers.get('etag'))
    }
    assert.deepEqual([await rowOf(t, id), await historyOf(t, id)], before)
  })

  test('does not change state, but records the reason and closing data sent', async () => {
    const { id } = await published(t)
    accepted(await disable(id, { reason: 'suspended' }))
    const { updated_at } = accepted(await disable(id, { reason: 'sold', close_price: 7 }))
    assert.deepEqual(await closingOf(id), {
      reason: 'sold',
      closed_at: updated_at,
      price: { amount: 7, currency: 'USD' },
    })
    accepted(
      await disable(id, {
        reason: 'rented',
        close_price: { amount: 8, currency: 'ARS' },
        closed_at: '2026-01-31',
      }),
    )
    assert.deepEqual(await closingOf(id), {
      reason: 'rented',
      closed_at: '2026-01-31T00:00:00.000Z',
      price: { amount: 8, currency: 'ARS' },
    })
    accepted(await disable(id, { reason: 'other' }))
    assert.deepEqual(await closingOf(id), { reason: 'other', closed_at: null, price: null })
    const actions = (await historyOf(t, id)).map(({ action }) => action)
    assert.deepEqual(actions, [
      'created',
      'disabled',
      'closing_recorded',
      'closing_recorded',
      'closing_recorded',
    ])
  })

  test('refuses closing data with a reason other than sold or rented', async () => {
    const { id } = await published(t)
    accepted(await disable(id, { reason: 'suspended' }))
    refused(
      await leavingNothing(t, () => disable(id, { close_price: 5 })),
      'invalid_parameter',
      'close_price',
    )
    refused(
      await leavingNothing(t, () => disable(id, { reason: 'other', closed_at: '2026-01-31' })),
      'invalid_parameter',
      'closed_at',
    )
  })
})

test('disabling suspends once for many concurrent requests', async () => {
  const { id } = await published(t)
  assert.deepEqual(tally(await atOnce(10, () => disable(id))), { 200: 10 })
  assert.deepEqual(
    (await historyOf(t, id)).map(({ action }) => action),
    ['created', 'disabled'],
  )
})

test('disabling needs no Idempotency-Key', async () => {
  const { id } = await published(t)
  accepted(await t.ask('POST', `/properties/${id}/disable`, { headers: { 'idempotency-key': '' } }))
})
