/** The operator restores a removed listing (api.md 11.4). */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { restoreRemoved } from '../../../../src/listings/writing/states/restore.ts'
import { type TestApp, testApp } from '../../../support/app/app.ts'
import {
  accepted,
  draft,
  historyOf,
  published,
  refused,
  revisionOf,
  rowOf,
  tracesOf,
} from '../../../support/app/listings.ts'
import { assertHistoryTells } from '../../history/history-replay.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const operator = { kind: 'operator', id: null, name: 'command line', requestId: null } as const
const restore = (id: string, externalId?: string | null, agencyId = t.agency.id) =>
  restoreRemoved(t.deps, agencyId, id, externalId, operator)
async function remove({ id }: { id: string }): Promise<void> {
  const response = await t.ask('DELETE', `/properties/${id}`)
  assert.equal(response.status, 200, response.text)
}
const read = async (id: string) => accepted(await t.ask('GET', `/properties/${id}`))

describe('a restored listing', () => {
  test('is a draft again if it was one', async () => {
    const before = await draft(t, { external_id: randomUUID(), features: { rooms: 2 } })
    await remove(before)
    await restore(before.id)
    const after = await read(before.id)
    assert.deepEqual(after, { ...before, updated_at: after.updated_at })
    assert.ok(after.updated_at > before.updated_at)
    assert.deepEqual(accepted(await t.ask('GET', `/properties/external/${before.external_id}`)), after)
  })

  test('is suspended if it was published or suspended, and can be published again', async () => {
    const [one, two] = [await published(t), await published(t)]
    accepted(await t.ask('POST', `/properties/${two.id}/disable`))
    for (const before of [one, two]) {
      await remove(before)
      await restore(before.id)
      const after = await read(before.id)
      assert.deepEqual(
        [after.status, after.photos, after.published_at],
        ['disabled', before.photos, before.published_at],
      )
      refused(await t.ask('GET', `/properties/${before.id}`, { key: t.readKey }), 'not_found')
      accepted(await t.ask('POST', `/properties/${before.id}/enable`))
    }
  })

  test('has a history entry by the operator, at a new revision', async () => {
    const { id } = await published(t)
    await remove({ id })
    const revision = await revisionOf(t)
    const row = await restore((await rowOf(t, id)).id)
    assert.equal(await revisionOf(t), revision + 1)
    assert.equal(row.version, revision + 1)
    const entry = (await historyOf(t, id)).at(-1)
    assert.deepEqual(entry, {
      at: row.updated_at,
      action: 'restored',
      actor: { kind: 'operator', id: null, name: 'command line' },
      changes: { status: { from: 'published', to: 'disabled' }, deleted: { from: true, to: false } },
      request_id: null,
    })
    await assertHistoryTells(t.deps.db, row)
  })
})

describe('the external id of a restored listing', () => {
  test('must be changed or dropped if it is in use by now', async () => {
    const external_id = randomUUID()
    const [one, two] = [await draft(t, { external_id }), await draft(t)]
    await remove(one)
    await draft(t, { external_id })
    const before = await tracesOf(t)
    await assert.rejects(restore(one.id), { code: 'external_id_exists' })
    await assert.rejects(restore(one.id, external_id), { code: 'external_id_exists' })
    assert.deepEqual(await tracesOf(t), before)
    const other = randomUUID()
    await restore(one.id, other)
    assert.equal((await read(one.id)).external_id, other)
    await remove(two)
    await assert.rejects(restore(two.id, external_id), { code: 'external_id_exists' })
    await restore(two.id, null)
    assert.equal((await read(two.id)).external_id, null)
  })

  test('may be changed even if it is free, and can then be used again', async () => {
    const one = await draft(t, { external_id: randomUUID() })
    await remove(one)
    await restore(one.id, null)
    accepted(await t.ask('PUT', `/properties/external/${one.external_id}`, { body: {} }), 201)
  })

  test('goes to only one of several concurrent requests', async () => {
    const external_id = randomUUID()
    const one = await draft(t, { external_id })
    await remove(one)
    const [restored, upserted] = await Promise.allSettled([
      restore(one.id),
      t.ask('PUT', `/properties/external/${external_id}`, { body: {} }),
    ])
    assert.ok(upserted.status === 'fulfilled')
    assert.equal(upserted.value.status, restored.status === 'fulfilled' ? 200 : 201)
  })
})

test('restoring refuses a listing that is not removed, belongs to another agency or does not exist', async () => {
  const [alive, gone] = [await draft(t), await draft(t)]
  await remove(gone)
  for (const restoring of [
    () => restore(alive.id),
    () => restore('ZZZZ9999'),
    () => restore('no code'),
    () => restore(gone.id, undefined, t.other.agency.id),
  ]) {
    await assert.rejects(restoring(), { code: 'not_found' })
  }
  await restore(gone.id)
  await assert.rejects(restore(gone.id), { code: 'not_found' })
})

test('restoring does not count as a change of state, and resets no counter', async () => {
  const { id } = await published(t)
  accepted(await t.ask('POST', `/properties/${id}/disable`))
  t.deps.limits = { ...t.deps.limits, disables_per_day: { max: 1, windowSeconds: 86_400 } }
  await remove({ id })
  await restore(id)
  accepted(await t.ask('POST', `/properties/${id}/enable`))
  refused(await t.ask('POST', `/properties/${id}/disable`), 'rate_limited')
})
