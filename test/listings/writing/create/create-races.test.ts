/**
 * Fifty concurrent requests for one address (api.md 12.3) or one external id, through one instance and through two. PostgreSQL
 * decides, so the number of instances does not matter.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import {
  type ApiResponse,
  freshAddress,
  photoUrls,
  publishable,
  type TestApp,
  testApp,
} from '../../../support/app/app.ts'
import {
  accepted,
  atOnce,
  draft,
  filesOf,
  listingOf,
  refused,
  revisionOf,
  rowOf,
  tally,
} from '../../../support/app/listings.ts'
import { type SecondApp, secondApp } from '../../../support/app/second-app.ts'

const many = 50

let t: TestApp
let second: SecondApp
before(async () => {
  t = await testApp()
  second = await secondApp(t)
})
after(async () => {
  await second.close()
  await t.close()
})

const located = (address: string, changes: Record<string, unknown> = {}) => ({
  address,
  location: { city: 'La Plata', province: 'Buenos Aires' },
  ...changes,
})

for (const [through, asker] of [
  ['one instance', () => t],
  ['two instances', (index: number) => (index % 2 === 0 ? t : second)],
] as [string, (index: number) => Pick<TestApp, 'ask'>][]) {
  describe(`through ${through}`, () => {
    const post = (index: number, body: unknown) => asker(index).ask('POST', '/properties', { body })

    /** Asserts that the losers get this code, and that the revision has risen by one write. @returns the created listing */
    async function oneOf(
      responses: readonly ApiResponse[],
      code: Parameters<typeof refused>[1],
      before: number,
    ) {
      assert.deepEqual(tally(responses), { 201: 1, 409: responses.length - 1 })
      const winner = responses.find(({ status }) => status === 201)
      assert.ok(winner)
      const listing = listingOf(winner)
      for (const response of responses) {
        if (response === winner) continue
        const error = refused(response, code)
        if (code === 'duplicate_property') assert.equal(error['existing_id'], listing.id)
      }
      assert.equal(await revisionOf(t), before + 1)
      return listing
    }

    test('creations of one address, however it is written: one succeeds', async () => {
      const address = freshAddress()
      const spellings = [address, address.toUpperCase(), `  ${address}`, address.replace(' 123', ' Nº 123')]
      const before = await revisionOf(t)
      const responses = await atOnce(many, (index) =>
        post(index, located(spellings[index % spellings.length] ?? address)),
      )
      await oneOf(responses, 'duplicate_property', before)
    })

    test('creations of one address with photos: the refused ones leave no file', async () => {
      const address = freshAddress()
      const before = { revision: await revisionOf(t), files: await filesOf(t) }
      const responses = await atOnce(8, (index) =>
        post(index, publishable({ address, photos: photoUrls(3) })),
      )
      const { id } = await oneOf(responses, 'duplicate_property', before.revision)
      const { photos } = await rowOf(t, id)
      assert.deepEqual(await filesOf(t), [...before.files, ...photos].sort())
    })

    test('creations, upserts and edits for one address: one gets it', async () => {
      const address = freshAddress()
      const drafts = await Promise.all(Array.from({ length: 6 }, () => draft(t)))
      const responses = await atOnce(18, (index) => {
        const { ask } = asker(index)
        const body = located(address)
        if (index % 3 === 0) return ask('POST', '/properties', { body })
        if (index % 3 === 1) return ask('PUT', `/properties/external/${randomUUID()}`, { body })
        return ask('PATCH', `/properties/${drafts[Math.floor(index / 3)]?.id}`, { body })
      })
      const winners = responses.filter(({ status }) => status < 300)
      assert.equal(winners.length, 1, JSON.stringify(tally(responses)))
      const { id } = listingOf(winners[0] ?? assert.fail())
      for (const response of responses)
        if (response !== winners[0]) assert.equal(refused(response, 'duplicate_property')['existing_id'], id)
    })

    test('creations with one external id: one succeeds, the others get an error', async () => {
      const external_id = randomUUID()
      const before = await revisionOf(t)
      const responses = await atOnce(many, (index) => post(index, { external_id, title: `Casa ${index}` }))
      const { id } = await oneOf(responses, 'external_id_exists', before)
      assert.equal(accepted(await t.ask('GET', `/properties/external/${external_id}`)).id, id)
    })

    test('upserts of one external id: one creates it, the others update it', async () => {
      const path = `/properties/external/${randomUUID()}`
      const responses = await atOnce(many, (index) =>
        asker(index).ask('PUT', path, { body: { title: `Casa ${index}` } }),
      )
      assert.deepEqual(tally(responses), { 201: 1, 200: many - 1 })
      assert.equal(new Set(responses.map((response) => listingOf(response).id)).size, 1)
    })

    test('batches with conflicting items: all end, and each item’s result is correct', async () => {
      const ids = Array.from({ length: 20 }, () => randomUUID())
      const responses = await atOnce(8, (index) => {
        const order = index % 2 === 0 ? ids : ids.toReversed()
        const items = order.map((external_id, place) => ({ external_id, title: `${index}.${place}` }))
        return asker(index).ask('POST', '/properties/batch', { body: { items } })
      })
      const statuses = responses.flatMap((response) => {
        assert.equal(response.status, 200, response.text)
        return (response.body as unknown as { results: { status: number }[] }).results.map(
          ({ status }) => status,
        )
      })
      assert.equal(statuses.filter((status) => status === 201).length, ids.length)
      assert.equal(statuses.filter((status) => status === 200).length, 7 * ids.length)
      // Whole batches ran one at a time, so the result is that of one batch.
      const shown = await Promise.all(
        ids.map(async (id) => accepted(await t.ask('GET', `/properties/external/${id}`)).title ?? ''),
      )
      assert.equal(new Set(shown.map((title) => title.split('.')[0])).size, 1, shown.join())
    })
  })
}
