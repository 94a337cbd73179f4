/**
 * The outbox: every change of state is an event, numbered within its listing and written atomically with the change, without extra
 * statements or round trips.
 */
import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { collectChange, writeContext } from '../../../src/listings/store/write-context.ts'
import { underLock } from '../../../src/writing/under-lock.ts'
import { restoreRemoved } from '../../../src/listings/writing/states/restore.ts'
import type { Actor } from '../../../src/writing/actor.ts'
import { publishable, type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, draft, published, refused, rowOf } from '../../support/app/listings.ts'
import { act } from './notified.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const operator: Actor = { kind: 'operator', id: null, name: 'command line', requestId: null }

type Event = { type: string; sequence: number; listing: Record<string, unknown>; deliveries: string[] }

async function eventsOf(id: string): Promise<Event[]> {
  const { id: uuid } = await rowOf(t, id)
  const { rows } = await sql<Event>`
    select e.type, e.sequence, e.listing, array_agg(d.channel || ' ' || d.state order by d.channel) as deliveries
    from notification_events e
      join notification_deliveries d on d.agency_id = e.agency_id and d.event_id = e.id
    where e.agency_id = ${t.agency.id} and e.property_id = ${uuid}
    group by e.agency_id, e.id order by e.sequence`.execute(t.deps.db)
  return rows
}

const typesOf = async (id: string) => (await eventsOf(id)).map(({ type, sequence }) => `${type} ${sequence}`)

async function reserve(id: string, reserved: boolean): Promise<void> {
  await underLock(t.deps.db, t.agency.id, t.clock, async (locked) => {
    const context = writeContext(locked, t.deps, operator)
    collectChange(context, await rowOf(t, id), reserved ? 'reserved' : 'released', { reserved })
  })
}

describe('each change of state', () => {
  test('creates an event, numbered within its listing, for delivery on both channels', async () => {
    const { id } = await draft(t, publishable({ status: 'draft' }))
    accepted(await act.enable(t, id))
    await reserve(id, true)
    await reserve(id, false)
    accepted(await act.disable(t, id, { reason: 'sold', close_price: 90_000 }))
    assert.equal((await act.remove(t, id)).status, 200)
    await restoreRemoved(t.deps, t.agency.id, id, undefined, operator)
    assert.deepEqual(await typesOf(id), [
      'published 1',
      'reserved 2',
      'released 3',
      'disabled 4',
      'deleted 5',
      'restored 6',
    ])
    for (const { deliveries } of await eventsOf(id))
      assert.deepEqual(deliveries, ['mail pending', 'marketplace pending'])
  })

  test('stores the listing as the change left it', async () => {
    const { id } = await published(t, { title: 'Como era' })
    accepted(await act.disable(t, id, { reason: 'rented' }))
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Como es' } }))
    const [first, second] = await eventsOf(id)
    assert.deepEqual(
      [first, second].map((event) => [
        event?.listing['title'],
        event?.listing['status'],
        event?.listing['close_reason'],
      ]),
      [
        ['Como era', 'published', null],
        ['Como era', 'disabled', 'rented'],
      ],
    )
  })

  test('creates an event in a batch too, even for several changes to one listing', async () => {
    const external_id = 'BATCH-1'
    const listing = await published(t, { external_id })
    const items = [
      { external_id, action: 'disable', reason: 'suspended' },
      { external_id, action: 'enable' },
      { external_id: 'BATCH-MISSING', action: 'disable' },
    ]
    const response = await t.ask('POST', '/properties/batch', { body: { items } })
    assert.equal(response.status, 200, response.text)
    assert.deepEqual(await typesOf(listing.id), ['published 1', 'disabled 2', 'published 3'])
  })
})

describe('no event', () => {
  test('is created by a draft, an edit, a change without effect, or closing data added later', async () => {
    const { id } = await draft(t, publishable({ status: 'draft' }))
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Otra' } }))
    assert.deepEqual(await typesOf(id), [])
    const shown = await published(t)
    accepted(await act.enable(t, shown.id))
    accepted(await act.disable(t, shown.id))
    accepted(await act.disable(t, shown.id, { reason: 'sold' }))
    assert.deepEqual(await typesOf(shown.id), ['published 1', 'disabled 2'])
  })

  test('remains from a failed write', async () => {
    const first = await published(t)
    const count = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from notification_events`.execute(t.deps.db))
        .rows[0]?.n
    const before_ = await count()
    refused(
      await t.ask('POST', '/properties', { body: publishable({ address: first['address'] }) }),
      'duplicate_property',
    )
    const failing = underLock(t.deps.db, t.agency.id, t.clock, async (locked) => {
      const context = writeContext(locked, t.deps, operator)
      collectChange(context, await rowOf(t, first.id), 'reserved', { reserved: true })
      await context.writes.send()
      throw new Error('after the write')
    })
    await assert.rejects(failing, /after the write/)
    assert.equal(await count(), before_)
  })
})

describe('a write', () => {
  /** The statements and connections used by `run`. */
  async function watched(
    run: () => Promise<unknown>,
  ): Promise<{ statements: string[]; connections: number }> {
    const statements: string[] = []
    let connections = 0
    const { query } = pg.Client.prototype
    const { connect } = Socket.prototype
    pg.Client.prototype.query = function watching(this: pg.Client, ...given: never[]) {
      const [config] = given as unknown as [string | { text: string }]
      statements.push(typeof config === 'string' ? config : config.text)
      return (query as (...all: never[]) => never).apply(this, given)
    } as typeof query
    Socket.prototype.connect = function watching(this: Socket, ...given: never[]) {
      connections += 1
      return (connect as (...all: never[]) => Socket).apply(this, given)
    } as typeof connect
    try {
      await run()
    } finally {
      pg.Client.prototype.query = query
      Socket.prototype.connect = connect
    }
    return { statements, connections }
  }

  test('sends the statements of its event together with the listing’s, and opens no connection', async () => {
    const { id } = await published(t)
    // By then the connections to the service and to the database are open.
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Antes' } }))
    for (const run of [
      () => act.disable(t, id, { reason: 'sold' }),
      () => act.enable(t, id),
      () => act.remove(t, id),
    ]) {
      const { statements, connections } = await watched(async () => assert.equal((await run()).status, 200))
      assert.ok(statements.length >= 4, 'statements are seen')
      const notifying = statements.filter((text) => text.includes('notification_'))
      assert.equal(notifying.length, 3)
      const history = statements.findIndex((text) => text.includes('into listing_history'))
      assert.deepEqual(statements.slice(history + 1, history + 4), notifying)
      assert.equal(connections, 0)
    }
  })

  test('without a change of state sends the same statements as without notifications', async () => {
    const { id } = await published(t)
    const { statements } = await watched(() =>
      t.ask('PATCH', `/properties/${id}`, { body: { title: 'Sin aviso' } }),
    )
    assert.ok(statements.some((text) => text.includes('listing_history')))
    assert.deepEqual(
      statements.filter((text) => text.includes('notification_')),
      [],
    )
  })
})
