/** `GET /changes` (api.md 14.5, 15.17): the order, pages, cursors, and the checks of the request. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { writeCursor } from '../../../src/api/changes/change-cursor.ts'
import type { Executor } from '../../../src/platform/db/statements/statement.ts'
import { findChanges } from '../../../src/listings/reading/changes.ts'
import { valueOf } from '../../../src/listings/reading/shown/shown-text.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { refused, revisionOf } from '../../support/app/listings.ts'
import { feedAgency, pageOf, readFeed, summaryOf } from '../support/feed.ts'

let t: TestApp
/** A new agency for each test. */
let own: Awaited<ReturnType<typeof feedAgency>>
before(async () => {
  t = await testApp()
})
after(() => t.close())
beforeEach(async () => {
  own = await feedAgency(t)
})

describe('the order of the feed', () => {
  test('is that of the last change, and a listing changed again appears only at its later position', async () => {
    const [a, b, c] = [await own.create('draft'), await own.create('published'), await own.create('draft')]
    assert.deepEqual(summaryOf(await own.read(own.writeKey)), [
      [a.id, 'upserted', null],
      [b.id, 'upserted', null],
      [c.id, 'upserted', null],
    ])
    await own.send('PATCH', `/properties/${a.id}`, { title: 'Uno' })
    await own.send('DELETE', `/properties/${b.id}`)
    await own.send('PATCH', `/properties/${a.id}`, { title: 'Dos' })
    const feed = await own.read(own.writeKey)
    assert.deepEqual(summaryOf(feed), [
      [c.id, 'upserted', null],
      [b.id, 'removed', 'deleted'],
      [a.id, 'upserted', null],
    ])
    const moments = feed.changes.map(({ changed_at }) => changed_at)
    assert.deepEqual(moments, moments.toSorted())
  })

  test('holds within a batch, whatever its items do', async () => {
    const [a, b] = [
      await own.create('draft', { external_id: 'a' }),
      await own.create('draft', { external_id: 'b' }),
    ]
    const items = [
      { external_id: 'b', title: 'B' },
      { external_id: 'c', title: 'C' },
      { external_id: 'a', action: 'delete' },
      { external_id: 'c', title: 'C, again' },
      { external_id: 'd', title: 'D' },
    ]
    await own.send('POST', '/properties/batch', { items })
    const { changes } = await own.read(own.writeKey)
    assert.deepEqual(
      changes.map(({ external_id, type }) => `${external_id} ${type}`),
      ['b upserted', 'a removed', 'c upserted', 'd upserted'],
    )
    assert.deepEqual([changes[0]?.id, changes[1]?.id], [b.id, a.id])
  })
})

test('a page of changes is one snapshot: writes after any of its statements appear on the next page', async () => {
  await own.create('draft')
  const written: string[] = []
  const db: Executor = {
    async run(statement) {
      const rows = await t.deps.db.run(statement)
      written.push((await own.create('draft')).id)
      return rows
    },
  }
  const { readUpTo } = await findChanges(db, own.agency.id, 0, 100, true)
  const { changes } = await findChanges(t.deps.db, own.agency.id, readUpTo, 100, true)
  assert.deepEqual(
    changes.map(({ values }) => valueOf(values, 'public_id')),
    written,
  )
})

describe('pages of changes', () => {
  test('are split by limit, and the cursor continues after them', async () => {
    const ids: string[] = []
    for (let count = 0; count < 7; count += 1)
      ids.push((await own.create(count % 2 === 0 ? 'published' : 'draft')).id)
    for (const limit of [1, 2, 3, 6, 7, 8, 100]) {
      const sizes: number[] = []
      const feed = await readFeed(
        own.ask,
        own.writeKey,
        null,
        `&limit=${limit}`,
        ({ data }) => void sizes.push(data.length),
      )
      assert.deepEqual(
        feed.changes.map(({ id }) => id),
        ids,
      )
      assert.deepEqual(sizes.length, Math.ceil(7 / limit))
      assert.ok(sizes.slice(0, -1).every((size) => size === limit))
      const seen = await own.read(own.readKey, null, `&limit=${limit}`)
      assert.deepEqual(
        seen.changes.map(({ id }) => id),
        ids.filter((_, place) => place % 2 === 0),
      )
    }
  })

  test('have up to 100 changes by default', async () => {
    const items = Array.from({ length: 101 }, (_, number) => ({
      external_id: `n-${number}`,
      title: `${number}`,
    }))
    for (let at = 0; at < items.length; at += 50)
      await own.send('POST', '/properties/batch', { items: items.slice(at, at + 50) })
    const page = pageOf(await own.ask('GET', '/changes'))
    assert.deepEqual([page.data.length, page.has_more], [100, true])
    assert.deepEqual(
      (await own.read(own.writeKey, page.next_cursor)).changes.map(({ external_id }) => external_id),
      ['n-100'],
    )
  })

  test('are empty with a cursor for an agency without listings, and after the last change', async () => {
    const empty = pageOf(await own.ask('GET', '/changes'))
    assert.deepEqual([empty.data, empty.has_more], [[], false])
    const { id } = await own.create('draft')
    const next = pageOf(await own.ask('GET', `/changes?cursor=${empty.next_cursor}`))
    assert.deepEqual(
      next.data.map((change) => change.id),
      [id],
    )
    const last = pageOf(await own.ask('GET', `/changes?cursor=${next.next_cursor}`))
    assert.deepEqual([last.data, last.next_cursor], [[], next.next_cursor])
  })

  test('show the requested fields, and link with the parameters sent', async () => {
    const { id, title } = await own.create('published')
    const fields = 'title,photos'
    const first = pageOf(await own.ask('GET', `/changes?fields=${encodeURIComponent(fields)}&limit=1`))
    assert.deepEqual(Object.keys(first.data[0]?.property ?? {}).sort(), ['id', 'photos', 'title'])
    assert.deepEqual([first.data[0]?.property?.id, first.data[0]?.property?.title], [id, title])
    await own.create('published')
    const url = (more: string) => `https://listings.test/api/v1/changes?fields=title%2Cphotos${more}&limit=1`
    const again = pageOf(await own.ask('GET', `/changes?limit=1&fields=${fields}`))
    assert.deepEqual(again.links, { self: url(''), next: url(`&cursor=${again.next_cursor}`), prev: null })
  })
})

describe('a cursor of the feed', () => {
  test('is valid for all keys of its kind, with any limit and fields, and does not expire', async () => {
    const [a, b] = [await own.create('published'), await own.create('published')]
    const { next_cursor: cursor } = pageOf(await own.ask('GET', '/changes?limit=1&fields=id'))
    assert.deepEqual(
      (await own.read(own.writeKey, cursor)).changes.map(({ id }) => id),
      [b.id],
    )
    const { key } = await t.newKey(own.agency.id, { scopes: ['properties:write', 'leads:read'] })
    assert.deepEqual(
      (await own.read(key, cursor)).changes.map(({ id }) => id),
      [b.id],
    )
    t.clock.offsetMs += 300 * 86_400_000
    await own.send('PATCH', `/properties/${a.id}`, { title: 'Mucho después' })
    assert.deepEqual(
      (await own.read(own.writeKey, cursor)).changes.map(({ id }) => id),
      [b.id, a.id],
    )
    t.clock.offsetMs = 0
  })

  test('issued to another kind of key is refused, with the advice to start over', async () => {
    await own.create('published')
    await t.ask('POST', '/properties', { body: { title: 'De otra agencia' } })
    const [writer, reader] = [await own.read(own.writeKey), await own.read(own.readKey)]
    const foreign = await own.read(t.writeKey)
    const present = await revisionOf(t, own.agency.id)
    const bytes = Buffer.from(writer.cursor, 'base64url')
    const changed = (at: number) => {
      const copy = Buffer.from(bytes)
      copy[at] = (copy[at] ?? 0) ^ 0x80
      return copy.toString('base64url')
    }
    const at = (revision: number) => writeCursor({ agencyId: own.agency.id, seesDrafts: true }, revision)
    const wrong = [
      'x',
      'null',
      '0',
      own.agency.id,
      `${writer.cursor}=`,
      `${writer.cursor}A`,
      `${writer.cursor} `,
      writer.cursor.slice(1),
      writer.cursor.toUpperCase(),
      'é'.repeat(32),
      '-'.repeat(32),
      'A'.repeat(7_000),
      ...[0, 1, 2, 17, 18].map(changed),
      reader.cursor,
      foreign.cursor,
      at(present + 1),
      at(2 ** 48 - 1),
    ]
    for (const cursor of wrong) {
      const response = await own.ask('GET', `/changes?cursor=${encodeURIComponent(cursor)}`)
      const { message } = refused(response, 'invalid_parameter', 'cursor') as { message: string }
      assert.match(message, /Start over: leave cursor out/, cursor)
    }
    refused(
      await own.ask('GET', `/changes?cursor=${writer.cursor}`, { key: own.readKey }),
      'invalid_parameter',
      'cursor',
    )
    pageOf(await own.ask('GET', `/changes?cursor=${at(present)}`))
  })

  test('from the period that a restored backup lost is refused, and no other', async () => {
    await own.create('draft')
    const { next_cursor: before } = pageOf(await own.ask('GET', '/changes'))
    const kept = await own.create('draft')
    await own.create('draft')
    const { next_cursor: between } = pageOf(await own.ask('GET', `/changes?cursor=${before}&limit=1`))
    const cursors = [(await own.read(own.writeKey)).cursor]
    // Follows docs/operations/backup.md.
    await sql`update agency_revisions set revision = revision + 1000000000 where agency_id = ${own.agency.id}`.execute(
      t.deps.db,
    )
    for (const cursor of cursors)
      refused(await own.ask('GET', `/changes?cursor=${cursor}`), 'invalid_parameter', 'cursor')
    const first = await own.create('draft')
    for (const cursor of cursors)
      refused(await own.ask('GET', `/changes?cursor=${cursor}`), 'invalid_parameter', 'cursor')
    assert.equal((await own.read(own.writeKey, between)).changes.at(-1)?.id, first.id)
    assert.equal((await own.read(own.writeKey, before)).changes[0]?.id, kept.id)
    for (const limit of [1, 2, 3, 4])
      assert.equal((await own.read(own.writeKey, null, `&limit=${limit}`)).changes.length, 4)
  })
})

describe('a request for changes', () => {
  const bad = [
    ['cursor=', 'cursor'],
    ['cursor=a&cursor=b', 'cursor'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=', 'limit'],
    ['fields=nothing', 'fields'],
    ['page=1', 'page'],
    ['status=all', 'status'],
    ['dry_run=true', 'dry_run'],
  ] as const
  for (const [query, parameter] of bad)
    test(`with ${query} is refused`, async () => {
      refused(await own.ask('GET', `/changes?${query}`), 'invalid_parameter', parameter)
    })

  test('has all of its errors reported at once', async () => {
    const response = await own.ask('GET', '/changes?limit=0&fields=x&cursor=x&sort=recent')
    const { errors } = refused(response, 'invalid_parameter') as { errors: { parameter: string }[] }
    assert.deepEqual(errors.map(({ parameter }) => parameter).sort(), ['cursor', 'fields', 'limit', 'sort'])
    const again = await own.ask('GET', '/changes?fields=x&cursor=x')
    const both = refused(again, 'invalid_parameter', 'fields') as { errors: { parameter: string }[] }
    assert.deepEqual(
      both.errors.map(({ parameter }) => parameter),
      ['fields', 'cursor'],
    )
  })

  test('counts as one read, even without changes', async () => {
    const used = async (path: string) => {
      const { headers } = await own.ask('GET', path)
      return Number(headers.get('x-ratelimit-remaining'))
    }
    const remaining = await used('/changes')
    assert.equal(await used('/changes'), remaining - 1)
  })

  test('ignores conditions: the response is never 304', async () => {
    await own.create('draft')
    for (const header of ['*', '"x"'])
      pageOf(await own.ask('GET', '/changes', { headers: { 'if-none-match': header } }))
  })
})
