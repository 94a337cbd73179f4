/** Every change made on the command line is in the audit log under the system user's name; read-only commands leave no entry. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeLink } from '../../../../src/access/accounts/mails/links.ts'
import { useLink } from '../../../support/app/people.ts'
import { findAccountByEmail } from '../../../../src/access/accounts/accounts.ts'
import { commands } from '../../../../src/operations/cli/commands.ts'
import { databaseClock } from '../../../../src/platform/time/clock.ts'
import type { Db } from '../../../../src/platform/db/database.ts'
import { uuidv7 } from '../../../../src/platform/names/ids.ts'
import { databaseUrl, testDatabase } from '../../../support/database/database.ts'
import { type Svc, svcHere } from '../svc.ts'

let db: Db
let svc: Svc
let close: () => Promise<void>
before(async () => {
  const database = await testDatabase()
  db = database.db
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-'))
  svc = svcHere({ DATABASE_URL: databaseUrl(database.connection), DATA_DIR: dataDir, GEOCODER: 'none' })
  close = async () => {
    await database.drop()
    await rm(dataDir, { recursive: true })
  }
  await call('agency create --name Acme --slug acme')
})
after(() => close())

async function call(line: string) {
  const { code, stdout, stderr } = await svc(`${line} --json`)
  assert.deepEqual([code, stderr], [0, ''], line)
  return JSON.parse(stdout)
}
const log = async () =>
  await db
    .selectFrom('audit_log as l')
    .leftJoin('agencies as g', 'g.id', 'l.agency_id')
    .select(['l.action', 'l.actor_name', 'l.subject', 'l.details', 'g.slug'])
    .orderBy('l.at')
    .orderBy('l.id')
    .execute()
const newKey = async (): Promise<string> =>
  (await call('key create --agency acme --name Web --scope properties:read')).id

/** A removed listing. */
async function removed(): Promise<string> {
  const { id: agency_id } = await db
    .selectFrom('agencies')
    .select('id')
    .where('slug', '=', 'acme')
    .executeTakeFirstOrThrow()
  const at = '2026-01-02T03:04:05.678Z'
  const moments = { created_at: at, updated_at: at, deleted_at: at }
  await db
    .insertInto('properties')
    .values({ agency_id, id: uuidv7(), public_id: 'ABCD2345', version: 1, status: 'draft', ...moments })
    .execute()
  return 'ABCD2345'
}

/** Arguments for each command that changes something, and the entry that it leaves. */
const changes: Record<string, { line: () => Promise<string>; entry: RegExp }> = {
  'agency create': { line: async () => '--name Río --slug rio', entry: /^agency_created rio rio$/ },
  'agency deactivate': { line: async () => 'rio', entry: /^agency_deactivated rio rio$/ },
  'agency activate': { line: async () => 'rio', entry: /^agency_activated rio rio$/ },
  'agency contact': {
    line: async () => 'rio --website https://rio.example',
    entry: /^agency_changed rio rio$/,
  },
  'key create': {
    line: async () => '--agency acme --name Web --scope properties:write',
    entry: /^key_created svc_live_.{4}… acme$/,
  },
  'key rotate': { line: newKey, entry: /^key_rotated svc_live_.{4}… acme$/ },
  'key revoke': { line: newKey, entry: /^key_revoked svc_live_.{4}… acme$/ },
  'agency limits': {
    line: async () => 'rio --set photos_per_day=500 --until 2099-01-01',
    entry: /^agency_limits_changed rio rio$/,
  },
  'agency reset-test': {
    line: async () => {
      await call('key create --agency acme --name Try --scope properties:read --test')
      return 'acme'
    },
    entry: /^test_reset acme-test acme$/,
  },
  'listing restore': {
    line: async () => `--agency acme --id ${await removed()}`,
    entry: /^listing_restored ABCD2345 acme$/,
  },
  'notification retry': { line: async () => '--all --agency acme', entry: /^notification_retried 0 acme$/ },
  'notification preference': {
    line: async () => '--agency acme --mail off',
    entry: /^agency_changed acme acme$/,
  },
  'user create': {
    line: async () => '--agency acme --email boss@acme.example',
    entry: /^person_invited boss@acme\.example acme$/,
  },
  'user link': {
    line: async () => '--email boss@acme.example',
    entry: /^person_link_made boss@acme\.example acme$/,
  },
  'person erase': {
    line: async () => {
      await call('user create --agency acme --role member --email gone@acme.example')
      return 'gone@acme.example'
    },
    entry: /^person_erased [0-9a-f-]{36} acme$/,
  },
  'secrets rotate': { line: async () => '', entry: /^secrets_resealed SECRET_KEY null$/ },
  'address recompute': { line: async () => '', entry: /^addresses_recomputed \d+ null$/ },
}

/** Commands that only read, and those that run where there is no log yet: on an empty or missing database. */
const others: Record<string, string | null> = {
  'agency list': '',
  // test/operations/transfer/ looks at their entries.
  'agency export': null,
  'agency import': null,
  'key list': '--agency acme',
  'key find': null,
  'listing show': '--agency acme --id ABCD2345',
  'listing history': '--agency acme --id ABCD2345',
  'person export': 'boss@acme.example',
  'audit export': '--agency acme',
  'notification list': '',
  'notification show': null,
  'notification status': '',
  backup: null,
  restore: null,
  'database adopt': '',
  'database grant': null,
  'database distribute': null,
  'database upgrade': null,
  demo: null,
  migrate: '',
  doctor: '',
  'support-bundle': null,
}

test('the audit log of the command line covers every command', () => {
  assert.deepEqual(
    [...Object.keys(changes), ...Object.keys(others)].sort(),
    commands.map(({ name }) => name).sort(),
  )
})

describe('an audit entry is written by', () => {
  for (const [name, { line, entry }] of Object.entries(changes)) {
    test(name, async () => {
      const words = await line()
      const earlier = (await log()).length
      await call(`${name} ${words}`.trim())
      const [made, ...more] = (await log()).slice(earlier)
      assert.deepEqual(more, [])
      assert.match(`${made?.action} ${made?.subject} ${made?.slug}`, entry)
      assert.equal(made?.actor_name, `command line (${userInfo().username})`)
      assert.doesNotMatch(JSON.stringify(made), /svc_live_\w{5}|welcome/)
    })
  }
})

describe('no audit entry is written by', () => {
  for (const [name, words] of Object.entries(others)) {
    if (words === null) continue
    test(name, async () => {
      const earlier = (await log()).length
      await call(`${name} ${words}`.trim())
      assert.equal((await log()).length, earlier)
    })
  }
})

test('a refused command writes no audit entry', async () => {
  const earlier = (await log()).length
  for (const line of [
    'agency create --name X --slug acme',
    'agency activate nobody',
    `key revoke ${uuidv7()}`,
  ])
    assert.equal((await svc(`${line} --json`)).code, 1)
  assert.equal((await log()).length, earlier)
})

test('owners are notified of a new write key', async () => {
  await call('user create --agency acme --email owner@acme.example')
  const owner = await findAccountByEmail(db, 'owner@acme.example')
  const link = await makeLink(db, owner?.id ?? '', 'invitation', databaseClock)
  await useLink(db, link, 'una clave bien larga', null, databaseClock)
  const { id } = await call('key create --agency acme --name CRM --scope properties:write')
  await newKey()
  const told = await db.selectFrom('account_notices').select(['account_id', 'kind', 'details']).execute()
  assert.deepEqual(
    told.map(({ account_id, kind, details }) => [account_id, kind, (details as { key_id: string }).key_id]),
    [[owner?.id, 'writing_key', id]],
  )
})

test('changes to test keys are logged for their agency, without notifying the owners', async () => {
  const earlier = (await log()).length
  const told = await db.selectFrom('account_notices').select('id').execute()
  const { id, prefix } = await call('key create --agency acme --name Try --scope properties:write --test')
  assert.match(prefix, /^svc_test_.{4}$/)
  const rotated = await call(`key rotate ${id}`)
  assert.match(rotated.prefix, /^svc_test_/)
  await call(`key revoke ${id}`)
  const keys: { id: string; test: boolean; status: string }[] = await call('key list --agency acme')
  assert.deepEqual(
    [id, rotated.id].map((one) => keys.find((key) => key.id === one)).map((key) => [key?.test, key?.status]),
    [
      [true, 'revoked'],
      [true, 'active'],
    ],
  )
  const entries = (await log()).slice(earlier).map(({ action, slug }) => `${action} ${slug}`)
  assert.deepEqual(entries, ['key_created acme', 'key_rotated acme', 'key_revoked acme'])
  assert.deepEqual(await db.selectFrom('account_notices').select('id').execute(), told)
})

test('a restored listing of a test environment has no photos, and the command says so', async () => {
  const { public_id: id } = await db
    .selectFrom('properties as p')
    .innerJoin('agencies as a', 'a.id', 'p.agency_id')
    .select('p.public_id')
    .where('a.slug', '=', 'acme-test')
    .where('p.external_id', '=', 'SAMPLE-01')
    .where('p.deleted_at', 'is not', null)
    .executeTakeFirstOrThrow()
  const { stdout } = await svc(`listing restore --agency acme-test --id ${id} --external-id none`)
  assert.match(stdout, /status +disabled[^]*It has no photos: those it had were deleted/)
})

test('a test environment cannot be changed by itself', async () => {
  for (const line of [
    'agency deactivate acme-test',
    'agency contact acme-test --website none',
    'agency reset-test acme-test',
    'key create --agency acme-test --name X --scope properties:read',
    'key list --agency acme-test',
    'user create --agency acme-test --email x@acme.example',
    'notification preference --agency acme-test --mail off',
  ]) {
    const { code, stderr } = await svc(`${line} --json`)
    const use = line.includes('--agency') ? 'Use --agency acme.' : 'Use "acme".'
    assert.deepEqual(
      [code, stderr.includes(`"acme-test" is the test environment of "acme" and follows it. ${use}`)],
      [1, true],
      `${line}: ${stderr}`,
    )
  }
  assert.match((await svc('agency create --name X --slug x-test')).stderr, /reserved for test environments/)
  assert.match((await svc('agency reset-test rio')).stderr, /no test environment yet/)
  const slugs = (await call('agency list')).map(({ slug }: { slug: string }) => slug)
  assert.deepEqual(slugs, ['acme', 'rio'])
})
