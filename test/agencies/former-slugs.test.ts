/** Slugs that agencies gave up: they redirect to the new ones, and stay reserved for a year. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Agency, createAgency } from '../../src/agencies/agencies.ts'
import { findSuccessor, listFormerSlugs } from '../../src/agencies/former-slugs.ts'
import { createTwin, findTwin } from '../../src/agencies/twins.ts'
import { inTransaction } from '../../src/platform/db/statements/transaction.ts'
import { saveAgencyProfile } from '../support/app/agency-profile.ts'
import { uuidv7 } from '../../src/platform/names/ids.ts'
import { changeAgencyProfile } from '../../src/agencies/profile.ts'
import { untilWaiting } from '../support/database/locks.ts'
import { testDatabase, type TestDatabase } from '../support/database/database.ts'

const clock = { offsetMs: 0 }
const yearMs = 365 * 86_400_000
const taken = { parameter: 'slug', reason: 'slug_taken' }
let database: TestDatabase
before(async () => {
  database = await testDatabase({ poolSize: 10 })
})
after(() => database.drop())

const fresh = () => `agency-${randomUUID().slice(0, 8)}`
const made = (slug = fresh(), at = clock) => createAgency(database.db, { name: 'Acme', slug }, at)
const rename = ({ id }: Agency, slug: string, at = clock) =>
  saveAgencyProfile({ db: database.db, clock: at }, id, { slug })
const leadsTo = (slug: string) => findSuccessor(database.db, slug)
const withTwin = (agency: Agency) =>
  inTransaction(database.db, (tx) => createTwin(tx, agency.id, uuidv7(), clock))

describe('a former slug', () => {
  test('redirects to the agency’s current one, however often that changes', async () => {
    const [first, second, third] = [fresh(), fresh(), fresh()]
    const agency = await made(first)
    assert.equal(await leadsTo(first), null)
    await rename(agency, second)
    assert.equal(await leadsTo(first), second)
    await rename(agency, third)
    assert.deepEqual([await leadsTo(first), await leadsTo(second)], [third, third])
    for (const odd of ['', 'nobody', 'Ñ', "'; drop table agencies", 'a'.repeat(100), '\0'])
      assert.equal(await leadsTo(odd), null)
  })

  test('can be taken back by its agency, and is then current again', async () => {
    const [first, second] = [fresh(), fresh()]
    const agency = await made(first)
    await rename(agency, second)
    await rename(agency, first)
    assert.equal(await leadsTo(second), first)
    const former = await listFormerSlugs(database.db, agency.id, clock)
    assert.deepEqual(
      former.map(({ slug, is_reserved }) => [slug, is_reserved]),
      [[second, true]],
    )
  })

  test('is unavailable to every other agency for a year', async () => {
    const slug = fresh()
    const agency = await made(slug)
    const other = await made()
    await rename(agency, fresh())
    const soon = { offsetMs: yearMs - 60_000 }
    for (const at of [clock, soon]) {
      await assert.rejects(rename(other, slug, at), taken)
      await assert.rejects(made(slug, at), taken)
    }
    const { slug: now } = await database.db
      .selectFrom('agencies')
      .select('slug')
      .where('id', '=', other.id)
      .executeTakeFirstOrThrow()
    assert.equal(now, other.slug, 'nothing was changed')
    const late = { offsetMs: yearMs + 60_000 }
    const [former] = await listFormerSlugs(database.db, agency.id, late)
    assert.deepEqual([former?.slug, former?.is_reserved], [slug, false])
    await rename(other, slug, late)
    assert.deepEqual(await listFormerSlugs(database.db, agency.id, late), [])
    assert.equal(await leadsTo(other.slug), slug)
  })

  test('redirects to the agency that used it last', async () => {
    const slug = fresh()
    const [first, second] = [await made(slug), await made()]
    await rename(first, fresh())
    const late = { offsetMs: yearMs + 60_000 }
    await rename(second, slug, late)
    const last = fresh()
    await rename(second, last, late)
    assert.equal(await leadsTo(slug), last)
    await assert.rejects(rename(first, slug, late), taken)
  })
})

describe('the slug of a test environment', () => {
  test('changes, redirects and stays reserved along with it', async () => {
    const [slug, next] = [fresh(), fresh()]
    const agency = await made(slug)
    await withTwin(agency)
    await rename(agency, next)
    assert.equal(await leadsTo(`${slug}-test`), `${next}-test`)
    assert.equal((await findTwin(database.db, agency.id))?.slug, `${next}-test`)
  })

  test('is unavailable if it collides with a former slug', async () => {
    // From before such slugs were reserved.
    const slug = fresh()
    const older = await made()
    await database.db
      .updateTable('agencies')
      .set({ slug: `${slug}-test` })
      .where('id', '=', older.id)
      .execute()
    await rename(older, fresh())
    const agency = await made(slug)
    await assert.rejects(withTwin(agency), taken)
    const other = await made()
    await withTwin(other)
    await rename(agency, fresh())
    await assert.rejects(rename(other, slug), taken)
  })
})

describe('a slug under concurrency', () => {
  test('goes to only one of many agencies', async () => {
    const wanted = fresh()
    const agencies = await Promise.all(Array.from({ length: 6 }, () => made()))
    const outcomes = await Promise.allSettled(agencies.map((agency) => rename(agency, wanted)))
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.equal(outcome.reason.reason, 'slug_taken')
  })

  test('goes to no agency while it is being given up', async () => {
    const slug = fresh()
    const agency = await made(slug)
    // Together with this transaction and the query for waiting ones, as many connections as the tests' PgBouncer allows.
    const others = await Promise.all(Array.from({ length: 3 }, () => made()))
    let rivals: Promise<PromiseSettledResult<Agency>[]> | undefined
    await inTransaction(database.db, async (tx) => {
      await changeAgencyProfile(tx, agency.id, { slug: fresh() }, clock)
      rivals = Promise.allSettled([made(slug), ...others.map((other) => rename(other, slug))])
      // Blocked by this transaction through the unique index on slugs.
      await untilWaiting(database.db, 4)
    })
    for (const outcome of (await rivals) ?? []) {
      assert.equal(outcome.status, 'rejected')
      assert.equal(outcome.reason.reason, 'slug_taken')
    }
    assert.ok((await leadsTo(slug)) !== null)
  })
})
