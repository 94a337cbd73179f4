/**
 * Keeps a copy of an agency's listings by the steps of the reference (“Keeping a copy”, api.md 14.5): whatever is written in the meantime,
 * and wherever the reader is stopped, the copy becomes equal to the listings.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../../src/platform/errors/errors.ts'
import { restoreRemoved } from '../../../src/listings/writing/states/restore.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import type { Shown } from '../../support/app/listings.ts'
import { type Change, feedAgency, pageOf, readFeed } from '../support/feed.ts'

let t: TestApp
let own: Awaited<ReturnType<typeof feedAgency>>
/** All listings ever created. */
let ids: string[]
let count = 0
before(async () => {
  t = await testApp()
})
after(() => t.close())
beforeEach(async () => {
  own = await feedAgency(t)
  ids = []
})

const next = () => (count += 1)
const create = async () => {
  ids.push((await own.create(next() % 3 === 0 ? 'published' : 'draft', { external_id: `x-${next()}` })).id)
}

/** A write may be rejected, because the listing is gone or in another state. */
const writes: Record<string, (id: string) => Promise<unknown>> = {
  create,
  edit: (id) => own.ask('PATCH', `/properties/${id}`, { body: { title: `Casa ${next()}` } }),
  rename: (id) => own.ask('PATCH', `/properties/${id}`, { body: { external_id: `x-${next()}` } }),
  disable: (id) => own.ask('POST', `/properties/${id}/disable`, { body: {} }),
  enable: (id) => own.ask('POST', `/properties/${id}/enable`),
  remove: (id) => own.ask('DELETE', `/properties/${id}`),
  restore: (id) =>
    restoreRemoved(t.deps, own.agency.id, id, undefined, {
      kind: 'operator',
      id: null,
      name: 'tests',
      requestId: null,
    }).catch((error: unknown) => assert.ok(error instanceof ApiError)),
}
const names = Object.keys(writes)
const write = (name: string, place: number) => writes[name]?.(ids[place % ids.length] as string)

/** The state that a client stores in one transaction. */
type Copy = { listings: Map<string, Shown>; cursor: string | null; latest: string }

class Killed extends Error {}

function store(copy: Copy, changes: readonly Change[], cursor: string): void {
  for (const { id, property, changed_at } of changes) {
    // Later than all before: nothing appears before a cursor that was returned, nor twice after it.
    assert.ok(changed_at > copy.latest, `${changed_at} after ${copy.latest}`)
    copy.latest = changed_at
    if (property === null) copy.listings.delete(id)
    else copy.listings.set(id, property)
  }
  copy.cursor = cursor
}

/** @param beforeStoring runs for each page that was read; when it throws `Killed`, the reader dies before it stores the page */
async function catchUp(
  copy: Copy,
  key: string,
  limit: number,
  beforeStoring: () => Promise<void> | void = () => {},
): Promise<void> {
  for (;;)
    try {
      return void (await readFeed(own.ask, key, copy.cursor, `&limit=${limit}`, async (page) => {
        await beforeStoring()
        store(copy, page.data, page.next_cursor)
      }))
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
}

const newCopy = (): Copy => ({ listings: new Map(), cursor: null, latest: '' })

/** Asserts that the copy equals the list. */
async function assertEqual(copy: Copy, key: string, query = ''): Promise<void> {
  const listed: Shown[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { body } = await own.ask('GET', `/properties?per_page=50&page=${page}${query}`, { key })
    listed.push(...(body.data as unknown as Shown[]))
    pages = (body as unknown as { meta: { total_pages: number } }).meta.total_pages
  }
  const byId = (listings: Iterable<Shown>) => [...listings].sort((a, b) => (a.id < b.id ? -1 : 1))
  assert.deepEqual(byId(copy.listings.values()), byId(listed))
}

const readers = () => [
  { key: own.writeKey, query: '&status=all', copy: newCopy() },
  { key: own.readKey, query: '', copy: newCopy() },
]

describe('a copy that follows the feed of changes', () => {
  test('becomes equal to the listings, whatever is written between two pages and wherever the reader dies', async () => {
    for (let made = 0; made < 6; made += 1) await create()
    const step = fc.record({
      what: fc.constantFrom(...names, 'edit', 'remove', 'nothing', 'nothing', 'die'),
      whose: fc.nat(1_000),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 20 }),
        fc.integer({ min: 1, max: 3 }),
        async (steps, limit) => {
          const left = steps.values()
          const copies = readers()
          for (let round = 0; round < 3; round += 1)
            for (const { key, copy } of copies)
              await catchUp(copy, key, limit, async () => {
                const { value } = left.next()
                if (value?.what === 'die') throw new Killed()
                if (value !== undefined) await write(value.what, value.whose)
              })
          for (const { key, query, copy } of copies) {
            await catchUp(copy, key, 100)
            await assertEqual(copy, key, query)
          }
        },
      ),
      { numRuns: 8, endOnFailure: true },
    )
  })

  test('becomes equal with 50 concurrent writers', async () => {
    for (let made = 0; made < 10; made += 1) await create()
    const writing = Array.from({ length: 50 }, async (_, writer) => {
      for (let turn = 0; turn < 3; turn += 1)
        await write(names[(writer + turn) % names.length] ?? '', writer * 3 + turn)
    })
    const copies = readers()
    let pages = 0
    const reading = copies.map(async ({ key, copy }) => {
      for (const writer of writing) {
        await catchUp(copy, key, 5, () => {
          pages += 1
          if (pages % 3 === 0) throw new Killed()
        })
        await writer
      }
    })
    await Promise.all(reading)
    for (const { key, query, copy } of copies) {
      await catchUp(copy, key, 100)
      await assertEqual(copy, key, query)
    }
  })

  test('equals the first one when started over without a cursor', async () => {
    for (let made = 0; made < 4; made += 1) await create()
    await write('remove', 1)
    for (const { key, query, copy } of readers()) {
      await catchUp(copy, key, 1)
      const again = newCopy()
      await catchUp(again, key, 100)
      assert.deepEqual(again.listings, copy.listings)
      await assertEqual(copy, key, query)
    }
  })
})

describe('between two pages of a list', () => {
  const listed = async (page: number) => {
    const { body } = await own.ask('GET', `/properties?status=all&sort=updated&per_page=2&page=${page}`)
    return (body.data as unknown as Shown[]).map(({ id }) => id)
  }
  const fromFeed = async (between: () => Promise<unknown>) => {
    const first = pageOf(await own.ask('GET', '/changes?limit=2'))
    await between()
    const { changes } = await own.read(own.writeKey, first.next_cursor, '&limit=2')
    return [...first.data, ...changes].map(({ id }) => id)
  }

  for (const what of ['remove', 'edit'])
    test(`the feed keeps a listing that the list loses by a concurrent ${what}`, async () => {
      for (let made = 0; made < 4; made += 1) await create()
      const newestFirst = ids.toReversed()
      // A removal on the first page moves the third listing to it; an edit moves the edited one there.
      const [changed, lost] =
        what === 'remove' ? [newestFirst[0], newestFirst[2]] : [newestFirst[3], newestFirst[3]]
      const seen = await listed(1)
      await writes[what]?.(changed ?? '')
      seen.push(...(await listed(2)), ...(await listed(3)))
      assert.ok(!seen.includes(lost ?? ''))
      const told = await fromFeed(() => Promise.resolve(writes[what]?.(ids[0] ?? '')))
      assert.deepEqual(
        ids.filter((id) => !told.includes(id)),
        [],
      )
    })
})
