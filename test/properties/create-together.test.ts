/** Creations that arrive together (docs/adr/0020): one statement stores them, and none waits for another agency's lock. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { observeStatements } from '../../src/db/connection.ts'
import type { Db } from '../../src/db/database.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { newListing } from '../../src/properties/create.ts'
import { createTogether } from '../../src/properties/create-together.ts'
import { checkCreation } from '../../src/properties/create.ts'
import { writtenColumns } from '../../src/properties/write-statements.ts'
import type { Payload } from '../../src/properties/schema.ts'
import { freshAddress, type TestApp, testApp } from '../support/app.ts'
import { payerOf } from '../../src/limits/payer.ts'
import { asCluster } from '../support/as-cluster.ts'
import { accepted, draft, historyOf, revisionOf, rowOf } from '../support/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const payloadOf = (changes: Partial<Payload> = {}): Payload => ({
  external_id: randomUUID(),
  title: 'Juntas',
  address: freshAddress(),
  location: { city: 'La Plata', lat: -34.9, lng: -57.9 },
  ...changes,
})

/** With the statement of plain PostgreSQL, or with the function that a node of Citus runs. */
let db: Db

function store(agencyId: string, payload: Payload, key: string = randomUUID()) {
  const creation = checkCreation(t.deps, payload)
  const { draft: unsaved } = newListing(agencyId, creation, { located: null, verdicts: [] }, null)
  const author = { kind: 'key', id: randomUUID(), name: 'Sistema', requestId: randomUUID() } as const
  const kept = { key, hash: Buffer.alloc(32), token: randomUUID(), status: 201, rest: '{"warnings":[]}' }
  return createTogether({ ...t.deps, db }, { draft: unsaved, force: creation.force, author, kept })
}

/** Statements that run meanwhile. */
async function statementsOf<T>(work: () => Promise<T>): Promise<{ result: T; count: number }> {
  let count = 0
  const stop = observeStatements((text) => {
    if (/json_to_recordset|create_listings/.test(text)) count += 1
    return () => {}
  })
  const result = await work()
  stop()
  return { result, count }
}

for (const form of ['one statement', 'the function of a node'])
  describe(`creations of several agencies, by ${form}`, () => {
    before(() => {
      db = form === 'one statement' ? t.deps.db : asCluster(t.deps.db)
    })

    it('are stored by one statement, each at the next revision of its agency', async () => {
      const agencies = [t.agency.id, t.other.agency.id]
      // A process asks once per agency who pays; after that, writes that arrive together reach the statement together.
      for (const id of agencies) await payerOf(db, id)
      const before = await Promise.all(agencies.map((id) => revisionOf(t, id)))
      const { result, count } = await statementsOf(() =>
        Promise.all(agencies.map((id) => store(id, payloadOf()))),
      )
      assert.equal(count, 1)
      for (const [index, agencyId] of agencies.entries()) {
        const listing = result[index] ?? assert.fail('it was not stored')
        assert.equal(listing.version, (before[index] ?? 0) + 1)
        assert.equal(await revisionOf(t, agencyId), listing.version)
        const { agency_id, version, created_at, updated_at, title } = await rowOf(
          t,
          listing.public_id,
          agencyId,
        )
        assert.deepEqual([agency_id, version, title], [agencyId, listing.version, 'Juntas'])
        assert.deepEqual([created_at, updated_at], [listing.created_at, listing.created_at])
      }
    })

    it('of which one conflicts: that one stores nothing, the others are stored', async () => {
      const { external_id, address } = await draft(t, { external_id: randomUUID(), ...payloadOf() })
      const key = randomUUID()
      assert.notEqual(await store(t.agency.id, payloadOf(), key), null)
      const conflicts: [Payload, string][] = [
        [payloadOf({ external_id: String(external_id) }), randomUUID()],
        [payloadOf({ address: String(address) }), randomUUID()],
        [payloadOf(), key],
      ]
      for (const [payload, used] of conflicts) {
        const before = await revisionOf(t)
        const [refused, stored] = await Promise.all([
          store(t.agency.id, payload, used),
          store(t.other.agency.id, payloadOf()),
        ])
        assert.equal(refused, null)
        assert.notEqual(stored, null)
        assert.equal(await revisionOf(t), before)
      }
    })

    it('do not wait for an agency whose lock another write holds', async () => {
      await inTransaction(t.deps.db, async (tx) => {
        await sql`select from agency_revisions where agency_id = ${t.agency.id} for no key update`.execute(tx)
        const [held, free] = await Promise.all([
          store(t.agency.id, payloadOf()),
          store(t.other.agency.id, payloadOf()),
        ])
        assert.equal(held, null)
        assert.notEqual(free, null)
      })
      assert.notEqual(await store(t.agency.id, payloadOf()), null)
    })
  })

describe('the function of a node', () => {
  before(() => {
    db = asCluster(t.deps.db)
  })

  it('stores several of an agency, each at a revision and a moment of its own', async () => {
    const before = await revisionOf(t)
    const { result, count } = await statementsOf(() =>
      Promise.all([1, 2, 3].map(() => store(t.agency.id, payloadOf()))),
    )
    assert.equal(count, 1)
    assert.deepEqual(
      result.map((listing) => listing?.version),
      [1, 2, 3].map((place) => before + place),
    )
    assert.equal(await revisionOf(t), before + 3)
    const moments = await Promise.all(
      result.map(async (listing) => (await rowOf(t, listing?.public_id ?? '')).updated_at),
    )
    assert.deepEqual(moments, [...new Set(moments)].sort())
    const { rows } = await sql<{ changed_at: string; hour: number }>`
      select changed_at, hour_new_listings as hour from agency_revisions where agency_id = ${t.agency.id}`.execute(
      t.deps.db,
    )
    assert.equal(rows[0]?.changed_at, moments[2])
    const { rows: counted } = await sql<{ count: number }>`
      select count(*)::int as count from properties where agency_id = ${t.agency.id}`.execute(t.deps.db)
    assert.equal(rows[0]?.hour, counted[0]?.count)
  })

  it('gives back the revision of each that it does not store', async () => {
    const { agency } = await t.newAgency()
    const [key, used] = [randomUUID(), payloadOf()]
    assert.notEqual(await store(agency.id, used, key), null)
    const twice = payloadOf()
    // By key, address and code; of two that are equal, the second.
    const asked: [Payload, string][] = [
      [payloadOf(), key],
      [payloadOf(), randomUUID()],
      [payloadOf({ address: String(used.address) }), randomUUID()],
      [payloadOf({ external_id: String(used.external_id) }), randomUUID()],
    ]
    const all = await Promise.all(asked.map(([payload, one]) => store(agency.id, payload, one)))
    assert.deepEqual(
      all.map((listing) => listing?.version ?? null),
      [null, 2, null, null],
    )
    const pair = await Promise.all([
      store(agency.id, twice),
      store(agency.id, twice),
      store(agency.id, payloadOf()),
    ])
    assert.deepEqual(
      pair.map((listing) => listing?.version ?? null),
      [3, null, 4],
    )
    const { rows: before } = await sql`select * from agency_revisions where agency_id = ${agency.id}`.execute(
      t.deps.db,
    )
    assert.deepEqual(await Promise.all([store(agency.id, used), store(agency.id, payloadOf(), key)]), [
      null,
      null,
    ])
    const { rows: after } = await sql`select * from agency_revisions where agency_id = ${agency.id}`.execute(
      t.deps.db,
    )
    assert.deepEqual(after, before)
    assert.equal(await revisionOf(t, agency.id), 4)
  })

  it('stores a forced one at an address that is listed', async () => {
    const payload = payloadOf()
    assert.notEqual(await store(t.agency.id, payload), null)
    const again = { ...payload, external_id: randomUUID() }
    assert.equal(await store(t.agency.id, again), null)
    assert.notEqual(await store(t.agency.id, { ...again, force_duplicate: true }), null)
  })

  it('stores no more of an agency than its limits leave', async () => {
    const { agency } = await t.newAgency()
    const { max } = t.deps.config.limits.new_listings_per_hour
    assert.notEqual(await store(agency.id, payloadOf()), null)
    await sql`update agency_revisions set hour_new_listings = ${max - 2} where agency_id = ${agency.id}`.execute(
      t.deps.db,
    )
    const all = await Promise.all([1, 2, 3].map(() => store(agency.id, payloadOf())))
    assert.deepEqual(
      all.map((listing) => listing?.version ?? null),
      [2, 3, null],
    )
  })

  it('stores every column that a creation writes', async () => {
    const { rows } = await sql<{
      body: string
    }>`select prosrc as body from pg_proc where proname = 'create_listings'`.execute(t.deps.db)
    const [, columns = '', values = ''] =
      /insert into properties \(([^)]*)\) values \(([^)]*)\)/.exec(rows[0]?.body ?? '') ?? []
    const listOf = (text: string) => text.split(',').map((one) => one.trim())
    assert.deepEqual(listOf(columns), [...writtenColumns])
    const own: Record<string, string> = {
      version: 'raised',
      created_at: 'moment',
      updated_at: 'moment',
    }
    assert.deepEqual(
      listOf(values),
      writtenColumns.map((column) => own[column] ?? `asked.${column}`),
    )
  })
})

describe('a creation', () => {
  it('has an entry that shows all that was sent', async () => {
    const body = { external_id: randomUUID(), title: 'Con historia', amenities: ['Balcón'] }
    const { id } = accepted(await t.ask('POST', '/properties', { body }), 201)
    const [entry, ...later] = await historyOf(t, id)
    assert.equal(later.length, 0)
    assert.equal(entry?.action, 'created')
    assert.deepEqual(entry.changes['title'], { from: null, to: 'Con historia' })
    assert.deepEqual(entry.changes['amenities'], { from: null, to: ['Balcón'] })
  })
})
