/**
 * Checks without Citus that every statement of the service runs on it, most of them on the node of an agency. This file covers the
 * statements that are declared when the service is loaded; support/database/judged.ts judges the others in every test that runs them. The
 * rules themselves are tested with statements that Citus rejected (rejected-by-citus.sql).
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import {
  declaredTexts,
  type Executor,
  type Statement,
} from '../../../src/platform/db/statements/statement.ts'
import type { Filters } from '../../../src/listings/reading/list/list-filters.ts'
import { findPage, findPageAndTotal } from '../../../src/listings/reading/list/list-sql.ts'
import { type TestDatabase, testDatabase } from '../../support/database/database.ts'
import { type Judge, openJudge } from '../../support/database/distributable.ts'
import { judgeAll } from '../../support/database/judged.ts'

const source = join(import.meta.dirname, '../../../src')
/** Loading these declares their statements. */
const programs = ['cli.ts', 'server.ts', 'worker.ts', 'operations/processes/serving-process.ts']

let database: TestDatabase
let client: Client
let judge: Judge
before(async () => {
  database = await testDatabase()
  client = new Client(database.direct)
  await client.connect()
  // Columns of earlier versions, which a refused statement names.
  await client.query('alter table key_usage add granted_reads int, add granted_writes int')
  judge = await openJudge(client)
})
after(async () => {
  await client.end()
  await database.drop()
})

describe('the judge finds a statement that Citus rejected', () => {
  const sections = readFileSync(join(import.meta.dirname, 'rejected-by-citus.sql'), 'utf8').split(
    /^-- Rejected, (.+)$/m,
  )
  for (let index = 1; index < sections.length; index += 2) {
    const text = (sections[index + 1] ?? '').trim().replace(/;$/, '')
    test(sections[index] ?? '', async () => {
      const refusals = await judge(text)
      assert.ok(
        refusals.some(({ kind }) => kind === 'refused'),
        JSON.stringify(refusals),
      )
    })
  }
})

describe('the rules distinguish', () => {
  const key = 'key_usage where agency_id = $1 and key_id = $2'
  const cases: [string, string, string[]][] = [
    ['a row of an agency', `select minute from ${key}`, []],
    [
      'a row searched in all agencies',
      'select minute from key_usage where key_id = $1',
      ['key_usage without its agency'],
    ],
    [
      'a list of agencies',
      'select 1 from properties where agency_id = any ($1::uuid[])',
      ['properties without its agency'],
    ],
    [
      'a join on the agency',
      'select 1 from properties p join listing_history h on h.agency_id = p.agency_id where p.agency_id = $1',
      [],
    ],
    [
      'a join without the agency',
      'select 1 from properties p join listing_history h on h.property_id = p.id where p.agency_id = $1',
      ['listing_history without its agency'],
    ],
    [
      'a subquery on the agency',
      'select (select revision from agency_revisions r where r.agency_id = p.agency_id) from properties p where agency_id = $1',
      [],
    ],
    ['reference tables', 'select k.id from api_keys k join agencies a on a.id = k.agency_id', []],
    ['local tables', 'update accounts set signed_in_at = clock_timestamp() where id = $1', []],
    [
      'a local table joined with a distributed one',
      'select 1 from accounts a join key_usage u on u.agency_id = $1',
      ['accounts is on the coordinator alone, key_usage is not'],
    ],
    [
      'the clock in an insert',
      'insert into unreferenced_photos (agency_id, photo, delete_after) values ($1, $2, clock_timestamp())',
      [],
    ],
    [
      'the clock in an update',
      'update agencies set updated_at = clock_timestamp() where id = $1',
      ['a volatile function in update or delete'],
    ],
    ['a timestamp in an update', 'update agencies set updated_at = $2 where id = $1', []],
    [
      'a timestamp from a with',
      'with moment as materialized (select clock_timestamp() as now) update agency_revisions set changed_at = now from moment where agency_id = $1',
      [],
    ],
    [
      'a column plus an interval',
      `update agency_revisions set changed_at = changed_at + interval '1 s' where agency_id = $1`,
      ['a stable function of a column in update or delete'],
    ],
    ['a lock of one agency', 'select 1 from agency_revisions where agency_id = $1 for no key update', []],
    [
      'rows from JSON',
      'insert into photo_sources select (json_populate_recordset(null::photo_sources, $1::json)).*',
      ['inserts into photo_sources without the agency'],
    ],
    [
      'rows from JSON, with the agency as a parameter',
      'insert into photo_sources (agency_id, property_id) select $1, property_id from json_populate_recordset(null::photo_sources, $2::json)',
      [],
    ],
    [
      'a parameter in on conflict',
      'insert into agency_usage as u (agency_id, name, ends_at, used) values ($1, $2, $3, $4) on conflict (agency_id, name) do update set used = u.used + $4',
      [],
    ],
    [
      'a parameter in on conflict of an insert from a select',
      'insert into agency_usage as u (agency_id, name, ends_at, used) select $1, n, $3, $4 from unnest($2::text[]) n on conflict (agency_id, name) do update set used = u.used + $4',
      ['a parameter in on conflict or returning, of an insert from a select'],
    ],
  ]
  for (const [name, text, expected] of cases)
    test(name, async () => {
      assert.deepEqual(
        (await judge(text)).map(({ says }) => says),
        expected,
      )
    })
})

test('every declared statement runs on Citus', async () => {
  for (const path of globSync('**/*.ts', { cwd: source }))
    if (!programs.includes(path)) await import(join(source, path))
  const texts = [...declaredTexts].flatMap(([text, runsOn]) => (runsOn === 'both' ? [text] : []))
  assert.ok(texts.length > 50)
  assert.deepEqual(await judgeAll(client, texts), [])
})

test('every list runs on Citus', async () => {
  const texts = new Set<string>()
  const noting: Executor = {
    async run<Row>({ text }: Statement<Row>): Promise<Row[]> {
      texts.add(text)
      return []
    },
  }
  const all: Filters[] = [
    { status: 'published' },
    { status: 'all' },
    {
      status: 'all',
      city: 'a',
      neighborhood: 'b',
      q: 'c d',
      operation: 'rent',
      currency: 'USD',
      min_price: 1,
    },
    { status: 'draft', bedrooms: 1, min_m2: 1, updated_since: '2026-01-01T00:00:00.000Z', external_id: 'A' },
  ]
  for (const filters of all)
    for (const sort of ['recent', 'price_asc', 'price_desc', 'updated'] as const)
      for (const find of [findPage, findPageAndTotal])
        await find(noting, '11111111-1111-1111-1111-111111111111', { filters, sort, limit: 20, offset: 0 })
  assert.ok(texts.size > 20)
  assert.deepEqual(await judgeAll(client, texts), [])
})
