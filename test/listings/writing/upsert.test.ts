/** Concurrent upserts (api.md 15.9) create one listing and lose no write. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type ApiResponse, publishable, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  atOnce,
  draft,
  filesOf,
  historyOf,
  listingOf,
  revisionOf,
  rowOf,
  tally,
  unreferencedOf,
  usageOf,
} from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const put = (external: string, body: unknown) => t.ask('PUT', `/properties/external/${external}`, { body })
const read = async (external: string) => accepted(await t.ask('GET', `/properties/external/${external}`))
const only = (responses: readonly ApiResponse[], status: number) =>
  responses.filter((response) => response.status === status)

test('fifty equal upserts of a new external id: one creates, the others change nothing', async () => {
  const external = randomUUID()
  const revision = await revisionOf(t)
  const { used } = (await usageOf(t)).new_listings_per_day
  const responses = await atOnce(50, () => put(external, { title: 'Casa', address: 'Calle Cincuenta 50' }))
  assert.deepEqual(tally(responses), { 201: 1, 200: 49 })
  const made = await read(external)
  for (const response of responses) assert.deepEqual(listingOf(response), made)
  assert.equal(await revisionOf(t), revision + 1)
  assert.equal((await historyOf(t, made.id)).length, 1)
  assert.equal((await usageOf(t)).new_listings_per_day.used, used + 1)
})

test('fifty different upserts all appear in the history, in one order', async () => {
  const external = randomUUID()
  const responses = await atOnce(50, (index) => put(external, { title: `Casa ${index}` }))
  assert.deepEqual(tally(responses), { 201: 1, 200: 49 })
  const made = await read(external)
  const history = await historyOf(t, made.id)
  assert.equal(history.length, 50)
  const titles = history.map(({ changes }) => changes['title'])
  titles.forEach((title, index) => assert.equal(title?.from, index === 0 ? null : titles[index - 1]?.to))
  assert.equal(titles.at(-1)?.to, made.title)
  assert.equal(new Set(responses.map((response) => listingOf(response).updated_at)).size, 50)
})

test('concurrent upserts with photos keep only those of the request that creates', async () => {
  const external = randomUUID()
  const before = await filesOf(t)
  const responses = await atOnce(6, () => put(external, publishable({ address: 'Calle Sesenta 60' })))
  assert.deepEqual(tally(responses), { 201: 1, 200: 5 })
  const { photos } = await rowOf(t, (await read(external)).id)
  assert.equal(photos.length, 3)
  assert.deepEqual(await filesOf(t), [...before, ...photos].sort())
  assert.deepEqual(await unreferencedOf(t), [])
})

test('upserts alongside creations with the same id: one request creates', async () => {
  const external = randomUUID()
  const responses = await atOnce(20, (index) =>
    index % 2 === 0 ? put(external, {}) : t.ask('POST', '/properties', { body: { external_id: external } }),
  )
  assert.equal(only(responses, 201).length, 1)
  const byPost = responses.filter((_, index) => index % 2 === 1)
  assert.equal(only(byPost, 201).length + only(byPost, 409).length, 10)
})

test('upserts alongside removals: there is always one listing or none, and no request fails', async () => {
  const external = randomUUID()
  for (let round = 0; round < 6; round += 1) {
    const { id } = accepted(await put(external, { title: 'Casa' }), round === 0 ? 201 : 200)
    const responses = await atOnce(8, (index) =>
      index === 3 ? t.ask('DELETE', `/properties/${id}`) : put(external, { title: `Casa ${round}.${index}` }),
    )
    responses.forEach(({ status, text }, index) =>
      assert.ok(index === 3 ? status === 200 : status === 200 || status === 201, text),
    )
    const created = only(responses, 201)
    assert.ok(created.length <= 1)
    const alive = await t.ask('GET', `/properties/external/${external}`)
    assert.equal(alive.status, created.length === 1 ? 200 : 404)
    if (created[0] !== undefined) assert.equal(listingOf(alive).id, listingOf(created[0]).id)
    else accepted(await put(external, {}), 201)
  }
})

test('an upsert alongside a PATCH that sets its id creates a listing, or updates the edited one', async () => {
  const external = randomUUID()
  const one = await draft(t)
  const [patched, upserted] = await Promise.all([
    t.ask('PATCH', `/properties/${one.id}`, { body: { external_id: external } }),
    put(external, { title: 'Casa' }),
  ])
  // In either order: the edit was rejected, or the upsert found the edited listing.
  if (patched.status === 409) assert.equal(upserted.status, 201)
  else assert.deepEqual([patched.status, upserted.status, listingOf(upserted).id], [200, 200, one.id])
})
