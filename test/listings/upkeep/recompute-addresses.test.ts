/**
 * Address keys made by older rules are recomputed (api.md 12.4): by the command and by the server, alongside writes, and invisibly to the
 * agency.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { addressRulesVersion } from '../../../src/listings/addresses/normalize.ts'
import { countStaleAddresses, recomputeAddresses } from '../../../src/listings/upkeep/recompute-addresses.ts'
import { startWorker } from '../../../src/operations/worker/worker.ts'
import { freshAddress, type TestApp, testApp } from '../../support/app/app.ts'
import {
  accepted,
  draft,
  historyOf,
  listingOf,
  refused,
  revisionOf,
  type Shown,
} from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())
beforeEach(async () => {
  await recomputeAddresses(t.deps, 100)
})

/** Sets the keys of all listings to those of older, worse rules. */
const age = (rules = addressRulesVersion - 1) =>
  sql`update properties set street_key = 'of old ' || id::text, city_key = 'nowhere', address_rules = ${rules}`.execute(
    t.deps.db,
  )
/** The stored keys of a listing's address. */
async function keysOf(id: string) {
  return t.deps.db
    .selectFrom('properties')
    .select(['street_key', 'city_key', 'address_rules'])
    .where('agency_id', 'in', [t.agency.id, t.other.agency.id])
    .where('public_id', '=', id)
    .executeTakeFirstOrThrow()
}
const create = (address: string, key = t.writeKey) =>
  t.ask('POST', '/properties', { key, body: { title: 'Casa', address, location: { city: 'Lobos' } } })
const made = async (count: number): Promise<Shown[]> => {
  const all: Shown[] = []
  for (let i = 0; i < count; i += 1) all.push(accepted(await create(freshAddress()), 201))
  return all
}

test('address keys of older rules miss a duplicate, and recomputed ones find it, even for a restored listing', async () => {
  const [one, two, three] = (await made(3)) as [Shown, Shown, Shown]
  accepted(await t.ask('DELETE', `/properties/${three.id}`))
  await age()
  accepted(await create(one.address ?? ''), 201)
  assert.ok((await recomputeAddresses(t.deps, 2)) >= 3)
  refused(await create(two.address ?? ''), 'duplicate_property')
  const { city_key, address_rules } = await keysOf(three.id)
  assert.deepEqual({ city_key, address_rules }, { city_key: 'lobos', address_rules: addressRulesVersion })
  assert.equal(await recomputeAddresses(t.deps, 100), 0)
})

test('recomputing addresses covers listings of all agencies, including those without a parseable address', async () => {
  const mine = accepted(await create(freshAddress()), 201)
  const theirs = accepted(await create(freshAddress(), t.other.writeKey), 201)
  const none = await draft(t, { address: undefined })
  await age()
  const stale = await countStaleAddresses(t.deps.db)
  assert.ok(stale >= 3)
  assert.equal(await recomputeAddresses(t.deps, 1), stale)
  assert.equal(await countStaleAddresses(t.deps.db), 0)
  for (const { id } of [mine, theirs]) assert.match((await keysOf(id)).street_key ?? '', / 123$/)
  assert.equal((await keysOf(none.id)).street_key, null)
})

test('recomputing addresses changes nothing that an agency sees: version, timestamps, ETags, history, revision', async () => {
  const [one] = (await made(1)) as [Shown]
  const look = async () => {
    const responses = await Promise.all(
      [`/properties/${one.id}`, '/properties?status=all'].map((path) => t.ask('GET', path)),
    )
    const history = await historyOf(t, one.id)
    return { seen: responses.map(({ text, headers }) => [text, headers.get('etag')]), history }
  }
  const seen = await look()
  const revision = await revisionOf(t)
  await age()
  assert.ok((await recomputeAddresses(t.deps, 100)) > 0)
  assert.deepEqual(await look(), seen)
  assert.equal(await revisionOf(t), revision)
})

test('recomputing addresses leaves keys of newer rules unchanged', async () => {
  const [one] = (await made(1)) as [Shown]
  await age(addressRulesVersion + 1)
  assert.equal(await recomputeAddresses(t.deps, 100), 0)
  assert.equal((await keysOf(one.id)).city_key, 'nowhere')
  await age()
})

test('an address that is edited while it is recomputed keeps the key of the edit', async () => {
  const listings = await made(12)
  for (let round = 0; round < 3; round += 1) {
    await age()
    const addresses = listings.map(() => freshAddress())
    const [responses] = await Promise.all([
      Promise.all(
        listings.map(({ id }, i) => t.ask('PATCH', `/properties/${id}`, { body: { address: addresses[i] } })),
      ),
      recomputeAddresses(t.deps, 2),
    ])
    for (const [i, response] of responses.entries()) {
      assert.equal(accepted(response).address, addresses[i])
      const error = refused(await create(addresses[i] ?? ''), 'duplicate_property')
      assert.equal(error['existing_id'], listingOf(response).id)
    }
  }
})

test('recomputing addresses stops between two transactions on request', async () => {
  await made(3)
  await age()
  const stale = await countStaleAddresses(t.deps.db)
  assert.equal(await recomputeAddresses(t.deps, 1, () => false), 1)
  assert.equal(await countStaleAddresses(t.deps.db), stale - 1)
})

describe('a server', () => {
  test('recomputes address keys without a command, and logs it', async () => {
    await made(2)
    await age()
    let logged = 0
    const log = {
      ...t.deps.log,
      info(details: object, message: string) {
        // Autoanalyze runs in the meantime and must not count. On Citus each node has some.
        if (message !== 'address keys were recomputed for the rules of this version') return
        assert.ok('listings' in details)
        logged += Number(details.listings)
      },
    }
    const stale = await countStaleAddresses(t.deps.db)
    const worker = startWorker({ ...t.deps, log })
    while ((await countStaleAddresses(t.deps.db)) > 0) await new Promise((resolve) => setImmediate(resolve))
    await worker.stop()
    assert.equal(logged, stale)
  })
})
