/** Creating listings: by one statement for several agencies, or in a transaction, with the reason for each rejection. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { observeStatements } from '../../../../src/platform/db/statements/connection.ts'
import { inTransaction } from '../../../../src/platform/db/statements/transaction.ts'
import { ApiError } from '../../../../src/platform/errors/errors.ts'
import { checkCreation } from '../../../../src/listings/writing/create/check-creation.ts'
import { createListings } from '../../../../src/listings/writing/create/create.ts'
import { createAtOnce } from '../../../../src/listings/writing/create/create-at-once.ts'
import { createStatement, createTogether } from '../../../../src/listings/writing/create/create-listings.ts'
import { noFetches, openFetches } from '../../../../src/listings/store/fetches.ts'
import type { Listing } from '../../../../src/listings/listing.ts'
import { writeContext } from '../../../../src/listings/store/write-context.ts'
import { writtenColumns } from '../../../../src/listings/store/write-statements.ts'
import { underLock } from '../../../../src/writing/under-lock.ts'
import type { Payload } from '../../../../src/listings/fields/schema.ts'
import { freshAddress, type TestApp, testApp } from '../../../support/app/app.ts'
import { realAgencyId } from '../../../../src/limits/real-agency.ts'
import { accepted, draft, historyOf, revisionOf, rowOf } from '../../../support/app/listings.ts'

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

const actor = { kind: 'key', id: randomUUID(), name: 'Sistema', requestId: randomUUID() } as const

/** Creates by a separate statement. @returns the listing, the code of the error, or why it is left to a transaction */
async function store(
  agencyId: string,
  payload: Payload,
  key: string = randomUUID(),
): Promise<Listing | string> {
  const creation = checkCreation(t.deps, payload)
  const response = { key, hash: Buffer.alloc(32), token: randomUUID(), status: 201, rest: '{"warnings":[]}' }
  try {
    const fetches = openFetches(t.deps, agencyId)
    const created = await createAtOnce(t.deps, agencyId, actor, creation, fetches, () => response)
    return 'rejection' in created ? created.rejection : created.listing
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

/** Creates in one transaction. @returns the versions or the codes of the errors */
function storeAll(agencyId: string, payloads: readonly Payload[], isCharged = true) {
  return underLock(t.deps.db, agencyId, t.deps.clock, async (locked) => {
    const context = writeContext(locked, t.deps, actor)
    const wanted = payloads.map((payload) => ({
      creation: checkCreation(t.deps, payload),
      fetches: noFetches,
    }))
    const outcomes = await createListings(context, wanted, { isCharged })
    return outcomes.map((one) => (one instanceof ApiError ? one.code : one.listing.version))
  })
}

const stored = (outcome: Listing | string | undefined): Listing =>
  typeof outcome === 'object' ? outcome : assert.fail(`it was not stored: ${outcome ?? ''}`)

/** Counts the creation statements that `work` runs. */
async function statementsOf<T>(work: () => Promise<T>): Promise<{ result: T; count: number }> {
  let count = 0
  const stop = observeStatements((text) => {
    if (/create_listings/.test(text)) count += 1
    return () => {}
  })
  const result = await work()
  stop()
  return { result, count }
}

const rowOfAgency = async (agencyId: string) => {
  const { rows } = await sql<Record<string, unknown>>`
    select * from agency_revisions where agency_id = ${agencyId}`.execute(t.deps.db)
  return rows[0] ?? assert.fail('no agency')
}

describe('creations of several agencies', () => {
  test('are stored by one statement, each at the next revision of its agency', async () => {
    const agencies = [t.agency.id, t.other.agency.id]
    // A process looks up once per agency who pays; after that, concurrent writes reach the statement together.
    for (const id of agencies) await realAgencyId(t.deps.db, id)
    const before = await Promise.all(agencies.map((id) => revisionOf(t, id)))
    const { result, count } = await statementsOf(() =>
      Promise.all(agencies.map((id) => store(id, payloadOf()))),
    )
    assert.equal(count, 1)
    for (const [index, agencyId] of agencies.entries()) {
      const listing = stored(result[index])
      assert.equal(listing.version, (before[index] ?? 0) + 1)
      assert.equal(await revisionOf(t, agencyId), listing.version)
      const row = await rowOf(t, listing.public_id, agencyId)
      assert.deepEqual([row.agency_id, row.version, row.title], [agencyId, listing.version, 'Juntas'])
      assert.deepEqual([row.created_at, row.updated_at], [listing.created_at, listing.created_at])
    }
  })

  test('of which one is refused: that one changes nothing, and the others are stored', async () => {
    const { external_id, address } = await draft(t, { external_id: randomUUID(), ...payloadOf() })
    const key = randomUUID()
    stored(await store(t.agency.id, payloadOf(), key))
    const conflicts: [Payload, string, string][] = [
      [payloadOf({ external_id: String(external_id) }), randomUUID(), 'external_id_exists'],
      [payloadOf({ address: String(address) }), randomUUID(), 'duplicate_property'],
      [payloadOf({ external_id: String(external_id) }), key, 'key_in_use'],
    ]
    for (const [payload, used, rejection] of conflicts) {
      const before = await rowOfAgency(t.agency.id)
      const [refused, other] = await Promise.all([
        store(t.agency.id, payload, used),
        store(t.other.agency.id, payloadOf()),
      ])
      assert.equal(refused, rejection)
      stored(other)
      assert.deepEqual(await rowOfAgency(t.agency.id), before)
    }
  })

  test('do not wait for an agency whose lock another write holds', async () => {
    await inTransaction(t.deps.db, async (tx) => {
      await sql`select from agency_revisions where agency_id = ${t.agency.id} for no key update`.execute(tx)
      const [held, free] = await Promise.all([
        store(t.agency.id, payloadOf()),
        store(t.other.agency.id, payloadOf()),
      ])
      assert.equal(held, 'busy')
      stored(free)
    })
    stored(await store(t.agency.id, payloadOf()))
  })

  test('fail alone if a public id is already in use', async () => {
    const { agency } = await t.newAgency()
    const taken = stored(await store(agency.id, payloadOf()))
    const listing = { ...taken, id: randomUUID(), external_id: randomUUID(), address: null }
    const draft = { listing, comparesAddress: false, actor, response: null }
    const { rejection } = await createTogether(t.deps, draft)
    assert.equal(rejection, 'busy')
    assert.equal(await revisionOf(t, agency.id), 1)
  })
})

describe('a creation that is only judged', () => {
  test('stores nothing', async () => {
    const { agency } = await t.newAgency()
    const listing = stored(await store(t.agency.id, payloadOf()))
    const draft = {
      listing: { ...listing, agency_id: agency.id, id: randomUUID() },
      comparesAddress: true,
      actor,
      response: null,
    }
    const [judged] = await t.deps.db.run(createStatement([draft], t.clock, t.deps.limits, false))
    assert.deepEqual([judged?.rejection, await revisionOf(t, agency.id)], [null, 0])
    const { rows } = await sql`select from properties where agency_id = ${agency.id}`.execute(t.deps.db)
    assert.equal(rows.length, 0)
  })
})

describe('creations of one agency', () => {
  test('each have their own revision and timestamp, and are counted', async () => {
    const { agency } = await t.newAgency()
    assert.deepEqual(await storeAll(agency.id, [payloadOf(), payloadOf(), payloadOf()]), [1, 2, 3])
    const { rows } = await sql<{ version: number; updated_at: string }>`
      select version, updated_at from properties where agency_id = ${agency.id} order by version`.execute(
      t.deps.db,
    )
    const moments = rows.map((row) => row.updated_at)
    assert.deepEqual(moments, [...new Set(moments)].sort())
    const row = await rowOfAgency(agency.id)
    assert.deepEqual([row['revision'], row['changed_at'], row['hour_new_listings']], [3, moments[2], 3])
  })

  test('leave no gap where one is refused', async () => {
    const { agency } = await t.newAgency()
    const used = payloadOf()
    assert.deepEqual(await storeAll(agency.id, [used]), [1])
    const wanted = [
      payloadOf({ external_id: String(used.external_id) }),
      payloadOf(),
      payloadOf({ address: String(used.address) }),
      payloadOf(),
    ]
    assert.deepEqual(await storeAll(agency.id, wanted), ['external_id_exists', 2, 'duplicate_property', 3])
    const before = await rowOfAgency(agency.id)
    assert.deepEqual(await storeAll(agency.id, [used]), ['external_id_exists'])
    assert.deepEqual(await rowOfAgency(agency.id), before)
  })

  test('may share an address with a listing on request', async () => {
    const payload = payloadOf()
    stored(await store(t.agency.id, payload))
    const again = { ...payload, external_id: randomUUID() }
    assert.equal(await store(t.agency.id, again), 'duplicate_property')
    stored(await store(t.agency.id, { ...again, force_duplicate: true }))
  })

  test('stop at the limits, unless they are not counted', async () => {
    const { agency } = await t.newAgency()
    const { max } = t.deps.limits.new_listings_per_hour
    stored(await store(agency.id, payloadOf()))
    await sql`update agency_revisions set hour_new_listings = ${max - 2} where agency_id = ${agency.id}`.execute(
      t.deps.db,
    )
    const wanted = () => [payloadOf(), payloadOf(), payloadOf()]
    assert.deepEqual(await storeAll(agency.id, wanted()), [2, 3, 'rate_limited'])
    assert.equal(await store(agency.id, payloadOf()), 'rate_limited')
    assert.deepEqual(await storeAll(agency.id, wanted(), false), [4, 5, 6])
    assert.equal((await rowOfAgency(agency.id))['hour_new_listings'], max)
  })

  test('write every column that an update writes, except those that only a closed or removed listing has', async () => {
    const { rows } = await sql<{
      body: string
    }>`select prosrc as body from pg_proc where proname = 'create_listings' order by oid desc limit 1`.execute(
      t.deps.db,
    )
    const columns =
      [...(rows[0]?.body ?? '').matchAll(/insert into properties \(([^)]*)\)/g)].at(-1)?.[1] ?? ''
    const absent = ['close_reason', 'closed_at', 'close_amount', 'close_currency', 'deleted_at']
    assert.deepEqual(
      columns
        .split(',')
        .map((one) => one.trim())
        .sort(),
      writtenColumns.filter((column) => !absent.includes(column)).sort(),
    )
  })
})

describe('a creation', () => {
  test('has a history entry that shows everything sent', async () => {
    const body = { external_id: randomUUID(), title: 'Con historia', amenities: ['Balcón'] }
    const { id } = accepted(await t.ask('POST', '/properties', { body }), 201)
    const [entry, ...later] = await historyOf(t, id)
    assert.equal(later.length, 0)
    assert.equal(entry?.action, 'created')
    assert.deepEqual(entry.changes['title'], { from: null, to: 'Con historia' })
    assert.deepEqual(entry.changes['amenities'], { from: null, to: ['Balcón'] })
  })
})
