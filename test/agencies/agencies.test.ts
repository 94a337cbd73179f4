/** Agencies: api.md 2.1. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import {
  agencyUrl,
  createAgency,
  findAgency,
  getAgency,
  listAgencies,
  setAgencyActive,
  toAgency,
} from '../../src/agencies/agencies.ts'
import { databaseClock } from '../../src/platform/time/clock.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { ApiError } from '../../src/platform/errors/errors.ts'
import { isUuid } from '../../src/platform/names/ids.ts'
import { testDatabase } from '../support/database/database.ts'

let db: Db
let drop: () => Promise<void>
before(async () => {
  const database = await testDatabase()
  db = database.db
  drop = () => database.drop()
})
after(() => drop())

async function refuses(parameter: string, run: () => Promise<unknown>): Promise<void> {
  await assert.rejects(run, (error) => {
    assert.ok(error instanceof ApiError, String(error))
    assert.deepEqual([error.code, error.parameter], ['invalid_parameter', parameter])
    return true
  })
}

test('an agency is created active, with its revision, and is found by its slug', async () => {
  const made = await createAgency(
    db,
    { name: ' Inmobiliaria Pérez ', slug: 'perez', email: 'hola@perez.example' },
    databaseClock,
  )
  assert.ok(isUuid(made.id))
  assert.deepEqual(
    { ...made, id: null, created_at: null },
    {
      id: null,
      name: 'Inmobiliaria Pérez',
      slug: 'perez',
      email: 'hola@perez.example',
      active: true,
      created_at: null,
      test_of: null,
    },
  )
  assert.match(made.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(await findAgency(db, 'perez'), made)
  const revision = await db
    .selectFrom('agency_revisions')
    .select(['agency_id', 'revision', 'changed_at'])
    .where('agency_id', '=', made.id)
    .execute()
  assert.deepEqual(revision, [{ agency_id: made.id, revision: 0, changed_at: made.created_at }])
  assert.deepEqual(toAgency(made, 'https://svc.example'), {
    id: made.id,
    name: 'Inmobiliaria Pérez',
    slug: 'perez',
    url: 'https://svc.example/inmobiliarias/perez',
    status: 'active',
  })
})

test('the timestamps of an agency follow the given clock', async () => {
  const ahead = await createAgency(db, { name: 'Later', slug: 'later' }, { offsetMs: 86_400_000 })
  const now = await createAgency(db, { name: 'Now', slug: 'now' }, databaseClock)
  assert.ok(ahead.created_at > now.created_at)
})

test('an unknown slug finds no agency', async () => {
  assert.equal(await findAgency(db, 'nobody'), null)
  for (const run of [
    () => getAgency(db, 'nobody'),
    () => setAgencyActive(db, 'nobody', false, databaseClock),
  ]) {
    await assert.rejects(run, { code: 'not_found', message: 'No agency has the slug "nobody".' })
  }
})

test('malformed names, slugs and emails of an agency are refused by name', async () => {
  const name = 'Acme'
  const slug = 'acme'
  for (const wrong of [
    '',
    'A',
    'acme_1',
    '-acme',
    'acme-',
    'ac--me',
    'ñandú',
    'acme ',
    'a/b',
    'a'.repeat(64),
    'acme\n',
  ]) {
    await refuses('slug', () => createAgency(db, { name, slug: wrong }, databaseClock))
  }
  for (const wrong of ['', '  ', 'a'.repeat(121), 'a\nb', '\u0000', '\udfff']) {
    await refuses('name', () => createAgency(db, { name: wrong, slug }, databaseClock))
  }
  for (const wrong of [
    '',
    'acme',
    'a@b',
    'a@b.',
    'a b@c.example',
    'a@b.example\r\nBcc: c@d.example',
    'A <a@b.example>',
    'a@@b.example',
  ]) {
    await refuses('email', () => createAgency(db, { name, slug, email: wrong }, databaseClock))
  }
  assert.equal(await findAgency(db, slug), null)
})

test('every accepted slug satisfies the database constraint', async () => {
  const slugs = fc.oneof(fc.stringMatching(/^[a-z0-9-]{1,70}$/), fc.string({ maxLength: 10 }))
  await fc.assert(
    fc.asyncProperty(slugs, async (slug) => {
      try {
        await createAgency(db, { name: 'Any', slug }, databaseClock)
      } catch (error) {
        assert.ok(error instanceof ApiError, String(error))
        assert.equal(error.parameter, 'slug')
      }
    }),
    { numRuns: 60 },
  )
})

test('only one of many concurrent requests gets a slug', async () => {
  const attempts = Array.from({ length: 8 }, (_, index) =>
    createAgency(db, { name: `Rival ${index}`, slug: 'wanted' }, databaseClock),
  )
  const outcomes = await Promise.allSettled(attempts)
  const won = outcomes.filter(({ status }) => status === 'fulfilled')
  assert.equal(won.length, 1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') assert.match(outcome.reason.message, /"wanted" is taken/)
  }
  const orphans = await db
    .selectFrom('agency_revisions')
    .select('agency_id')
    .where('agency_id', 'not in', db.selectFrom('agencies').select('id'))
    .execute()
  assert.deepEqual(orphans, [])
})

test('deactivating and reactivating an agency is idempotent', async () => {
  await createAgency(db, { name: 'Switch', slug: 'switch' }, databaseClock)
  const state = () =>
    db
      .selectFrom('agencies')
      .select(['active', 'updated_at'])
      .where('slug', '=', 'switch')
      .executeTakeFirstOrThrow()
  assert.equal((await setAgencyActive(db, 'switch', false, { offsetMs: 1000 })).active, false)
  const off = await state()
  assert.equal((await setAgencyActive(db, 'switch', false, { offsetMs: 99_000 })).active, false)
  assert.deepEqual(await state(), off)
  assert.equal((await setAgencyActive(db, 'switch', true, databaseClock)).active, true)
  assert.equal((await findAgency(db, 'switch'))?.active, true)
})

test('agencies are listed by slug', async () => {
  const slugs = (await listAgencies(db)).map(({ slug }) => slug)
  assert.ok(slugs.includes('perez') && slugs.includes('now'))
  assert.ok(slugs.indexOf('now') < slugs.indexOf('perez'))
})

test('an agency has the URL of its public page', () => {
  assert.equal(agencyUrl('http://127.0.0.1:3000', 'acme'), 'http://127.0.0.1:3000/inmobiliarias/acme')
})
