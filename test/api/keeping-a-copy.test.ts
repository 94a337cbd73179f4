/**
 * Keeps a copy of an agency's listings from lists alone, by the steps of the reference (“Keeping a copy”): no change is missed,
 * whatever is written between two requests.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../src/errors.ts'
import { apiPrefix } from '../../src/http/routes.ts'
import { restoreRemoved } from '../../src/properties/restore.ts'
import { type Answer, type TestApp, testApp } from '../support/app.ts'
import { draft, published } from '../support/listings.ts'

type Shown = { id: string; title: string; status: string; updated_at: string }
type Listed = { data: Shown[]; links: { next: string | null } }
type Copy = { listings: Map<string, Shown>; since: string | null }

let t: TestApp
/** Of all listings ever created. */
let ids: string[]
let count = 0
before(async () => {
  t = await testApp()
  ids = []
  for (let number = 0; number < 5; number += 1) ids.push((await published(t)).id, (await draft(t)).id)
})
after(() => t.close())

const listed = ({ body }: Answer): Listed => body as unknown as Listed

type Reader = { name: string; key: () => string; query: string }
const readers: readonly Reader[] = [
  { name: 'a key that writes', key: () => t.writeKey, query: '&status=all' },
  { name: 'a key that only reads', key: () => t.readKey, query: '' },
]

/**
 * Reads what changed since, or everything, in small pages.
 * @param between is done between any two requests
 */
async function read(
  { key, query }: Reader,
  since: string | null,
  between: () => Promise<void>,
): Promise<Shown[]> {
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await t.ask('GET', path, { key: key(), headers })
    await between()
    return answer
  }
  for (;;) {
    const start = `/properties?sort=updated&per_page=2${query}${since === null ? '' : `&updated_since=${since}`}`
    const first = await ask(start)
    const found = [...listed(first).data]
    let { next } = listed(first).links
    if (next === null) return found
    while (next !== null) {
      const { pathname, search } = new URL(next)
      const page = listed(await ask(pathname.slice(apiPrefix.length) + search))
      found.push(...page.data)
      next = page.links.next
    }
    const again = await ask(start, { 'if-none-match': first.headers.get('etag') ?? '' })
    if (again.status === 304) return found
  }
}

async function catchUp(reader: Reader, copy: Copy, between: () => Promise<void>): Promise<void> {
  for (const listing of await read(reader, copy.since, between)) {
    copy.listings.set(listing.id, listing)
    if (copy.since === null || listing.updated_at > copy.since) copy.since = listing.updated_at
  }
}

const seenOf = ({ id, title, status, updated_at }: Shown) => [id, title, status, updated_at]

const writes: Record<string, (id: string) => Promise<unknown>> = {
  create: async () => ids.push((await draft(t)).id),
  edit: (id) => t.ask('PATCH', `/properties/${id}`, { body: { title: `Casa ${(count += 1)}` } }),
  disable: (id) => t.ask('POST', `/properties/${id}/disable`, { body: {} }),
  enable: (id) => t.ask('POST', `/properties/${id}/enable`),
  remove: (id) => t.ask('DELETE', `/properties/${id}`),
  restore: (id) =>
    restoreRemoved(
      { db: t.deps.db, clock: t.clock, limits: t.deps.config.limits },
      t.agency.id,
      id,
      undefined,
      { kind: 'operator', id: null, name: 'tests', requestId: null },
    ).catch((error: unknown) => assert.ok(error instanceof ApiError)),
}

describe('consecutive pages', () => {
  it('can skip a listing, if another has left the list', async () => {
    const [first, second, third] = [await draft(t), await draft(t), await draft(t)].toReversed()
    const page = (number: number) =>
      t.ask('GET', `/properties?status=all&sort=updated&per_page=2&page=${number}`)
    assert.deepEqual(
      listed(await page(1)).data.map(({ id }) => id),
      [first?.id, second?.id],
    )
    await writes['remove']?.(first?.id ?? '')
    assert.ok(!listed(await page(2)).data.some(({ id }) => id === third?.id))
  })
})

describe('a copy', () => {
  for (const reader of readers)
    it(`misses nothing: ${reader.name}`, async () => {
      const write = fc.record({
        what: fc.constantFrom(...Object.keys(writes), 'edit', 'remove', 'nothing'),
        whose: fc.nat(1_000),
      })
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(write, { maxLength: 12 }), { minLength: 1, maxLength: 4 }),
          async (rounds) => {
            const copy: Copy = { listings: new Map(), since: null }
            const truth = async () => {
              const all = await read(reader, null, async () => {})
              return new Map(all.map((listing) => [listing.id, listing]))
            }
            for (const round of rounds) {
              const left = round.values()
              await catchUp(reader, copy, async () => {
                const { value } = left.next()
                if (value !== undefined) await writes[value.what]?.(ids[value.whose % ids.length] as string)
              })
              // Writes after the last response are for the next round.
              for (const { what, whose } of left) await writes[what]?.(ids[whose % ids.length] as string)
            }
            await catchUp(reader, copy, async () => {})
            const present = await truth()
            for (const [id, listing] of present)
              assert.deepEqual(
                seenOf(copy.listings.get(id) ?? assert.fail(`${id} is missed`)),
                seenOf(listing),
              )
          },
        ),
        { numRuns: 10, endOnFailure: true },
      )
    })
})
