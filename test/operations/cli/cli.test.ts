/** The commands against an existing database. */
// alone: it waits for processes that start
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { ClientConfig } from 'pg'
import type { Db } from '../../../src/platform/db/database.ts'
import { isUuid, uuidv7 } from '../../../src/platform/names/ids.ts'
import { parseApiKey } from '../../../src/access/keys/key-format.ts'
import { dayMs } from '../../../src/platform/time/days.ts'
import { databaseUrl, testDatabase } from '../../support/database/database.ts'
import { type Result, type Svc, svcHere, svcProcess } from './svc.ts'

let db: Db
let connection: ClientConfig
let svc: Svc
let svcOutside: Svc
let dataDir: string
let drop: () => Promise<void>
before(async () => {
  const database = await testDatabase()
  db = database.db
  connection = database.connection
  dataDir = await mkdtemp(join(tmpdir(), 'svc-'))
  const settings = {
    DATABASE_URL: databaseUrl(connection),
    DATA_DIR: dataDir,
    PUBLIC_BASE_URL: 'https://svc.example/',
  }
  svc = svcHere(settings)
  svcOutside = svcProcess(settings)
  drop = () => database.drop()
  await json('agency create --name Acme --slug acme')
})
after(async () => {
  await drop()
  await rm(dataDir, { recursive: true })
})

/** The document printed by a call, which must print nothing else. */
async function json(line: string, ...words: string[]) {
  return documentOf(await svc(line, ...words, '--json'))
}

function documentOf({ code, stdout, stderr }: Result) {
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** One line on standard error, nothing on standard output. */
function assertFails(result: Result, message: RegExp): void {
  assert.match(result.stderr, message)
  assert.match(result.stderr, /^[^\n]+\n$/)
  assert.deepEqual([result.code, result.stdout], [1, ''])
}

test('the commands of agencies create, list, deactivate and activate them', async () => {
  const made = await json('agency create --slug perez --email a@b.example --name', 'Inmobiliaria Pérez')
  assert.ok(isUuid(made.id))
  const expected = {
    id: made.id,
    name: 'Inmobiliaria Pérez',
    slug: 'perez',
    url: 'https://svc.example/inmobiliarias/perez',
    status: 'active',
  }
  assert.deepEqual(made, expected)
  const listed = (await json('agency list')) as { slug: string }[]
  assert.deepEqual(
    listed.find(({ slug }) => slug === 'perez'),
    expected,
  )
  assert.deepEqual(await json('agency deactivate perez'), { ...expected, status: 'inactive' })
  assert.deepEqual(await json('agency deactivate perez'), { ...expected, status: 'inactive' })
  assert.deepEqual(await json('agency activate perez'), expected)
  assertFails(await svc('agency activate nobody'), /No agency has the slug "nobody"/)
})

test('the commands of agencies change contact details', async () => {
  await json('agency create --name Contacto --slug contacto')
  assert.deepEqual(await json('agency contact contacto'), { phone: null, whatsapp: null, website: null })
  const set = await json(
    'agency contact contacto --website https://contacto.example --phone',
    '+54 11 5555-0142',
  )
  assert.deepEqual(set, { phone: '+54 11 5555-0142', whatsapp: null, website: 'https://contacto.example' })
  assert.deepEqual(await json('agency contact contacto --phone none'), { ...set, phone: null })
  assertFails(await svc('agency contact contacto --whatsapp 123'), /"123" is not a phone number/)
  assertFails(await svc('agency contact nobody'), /No agency has the slug "nobody"/)
})

test('only one of two processes gets the same slug', async () => {
  const results = await Promise.all(
    ['One', 'Two'].map((name) => svcOutside(`agency create --name ${name} --slug contested --json`)),
  )
  const won = results.filter(({ code }) => code === 0)
  const lost = results.filter(({ code }) => code !== 0)
  assert.deepEqual(
    won.map((result) => documentOf(result).slug),
    ['contested'],
  )
  assert.equal(lost.length, 1)
  for (const result of lost) assertFails(result, /^The slug "contested" is taken/)
})

test('the commands of keys create, list, rotate and revoke them', async () => {
  const soon = new Date(Date.now() + 20 * dayMs).toISOString()
  const origins = '--origin https://a.example --origin https://b.example'
  const made = await json(
    `key create --agency acme --name Widget --scope properties:read --scope leads:read --expires ${soon} ${origins} --signature-required`,
  )
  assert.deepEqual(Object.keys(made), ['id', 'key', 'prefix', 'scopes', 'expires_at', 'signing_secret'])
  assert.notEqual(parseApiKey(made.key), null)
  assert.match(made.signing_secret, /^svc_sign_/)
  assert.deepEqual([made.scopes, made.expires_at], [['properties:read', 'leads:read'], soon])

  const rotated = await json(`key rotate ${made.id}`)
  assert.equal(rotated.replaces, made.id)
  assert.notEqual(rotated.key, made.key)
  assert.match((await svc(`key rotate ${made.id}`)).stdout, /The old key still works/)

  const revoked = await json(`key revoke ${made.id.toUpperCase()}`)
  assert.deepEqual(await json(`key revoke ${made.id}`), revoked)
  assertFails(await svc(`key rotate ${made.id}`), /revoked/)

  const listed = (await json('key list --agency acme')) as Record<string, unknown>[]
  const [first, second] = [made.id, rotated.id].map((id) => listed.find((key) => key['id'] === id))
  assert.deepEqual([first?.['status'], second?.['status']], ['revoked', 'active'])
  assert.deepEqual(second?.['allowed_origins'], ['https://a.example', 'https://b.example'])
  assert.ok(!JSON.stringify(listed).includes(rotated.key.slice(13)))
})

test('a write key also reads, and lasts a year', async () => {
  const made = await json('key create --agency acme --name CRM --scope properties:write')
  assert.deepEqual(Object.keys(made), ['id', 'key', 'prefix', 'scopes', 'expires_at'])
  assert.deepEqual(made.scopes, ['properties:read', 'properties:write'])
  assert.equal(Math.round((Date.parse(made.expires_at) - Date.now()) / dayMs), 365)
})

test('keys that break a rule and unknown keys are refused on the command line', async () => {
  const create = 'key create --agency acme --name x --scope'
  const late = new Date(Date.now() + 91 * dayMs).toISOString()
  assertFails(
    await svc(`${create} leads:read --expires ${late}`),
    /90 days at most\. Choose an earlier --expires\./,
  )
  assertFails(await svc(`${create} properties:write --origin https://a.example`), /cannot have origins/)
  assertFails(await svc(`${create} everything`), /no scope "everything"/)
  assertFails(await svc(`key revoke ${uuidv7()}`), /^No key has the id/)
  assertFails(await svc('key rotate nonsense'), /^No key has the id "nonsense"/)
  assertFails(await svc('key list --agency nobody'), /No agency has the slug "nobody"/)
})

test('commands print a readable table without --json', async () => {
  await json('agency create --name Tabled --slug tabled')
  assert.equal((await svc('key list --agency tabled')).stdout, 'The agency has no keys yet.\n')
  const made = await svc('key create --agency tabled --name Web --scope properties:read')
  assert.match(made.stdout, /^ {2}key {6}svc_live_[0-9A-Za-z]{40}$/m)
  const keys = (await svc('key list --agency tabled')).stdout
  assert.match(keys, /^ID +KEY +NAME +STATUS .*\n[0-9a-f-]{36} +svc_live_.{4}… +Web +active/)
  const agencies = (await svc('agency list')).stdout
  assert.match(agencies, /^tabled +Tabled +active +https:\/\/svc\.example\/inmobiliarias\/tabled/m)
})

test('a listing of the agency is shown by code and uuid', async () => {
  const agency_id = (await json('agency create --name Lister --slug lister')).id
  const uuid = uuidv7()
  const at = '2026-01-02T03:04:05.678Z'
  const moments = { created_at: at, updated_at: at, deleted_at: at }
  await db
    .insertInto('properties')
    .values({
      agency_id,
      id: uuid,
      public_id: 'ABCD2345',
      external_id: 'X-1',
      version: 1,
      status: 'draft',
      ...moments,
    })
    .execute()
  const changes = { deleted: { from: false, to: true } }
  const entry = { at, action: 'deleted', request_id: 'r-1', changes }
  await sql`
    insert into listing_history (agency_id, property_id, revision, actor_kind, actor_name, at, action, request_id, changes)
    values (${agency_id}, ${uuid}, 1, 'key', 'CRM', ${at}, 'deleted', 'r-1', ${changes})`.execute(db)
  const expected = { id: 'ABCD2345', uuid, external_id: 'X-1', status: 'draft', deleted_at: at }
  assert.deepEqual(await json('listing show --agency lister --id abcd2345'), expected)
  assert.deepEqual(await json(`listing show --agency lister --id ${uuid}`), expected)
  assert.deepEqual(await json('listing history --agency lister --id ABCD2345'), [
    // A change of state whose event is gone.
    { ...entry, actor: { kind: 'key', id: null, name: 'CRM' }, notification: null },
  ])
  const table = (await svc(`listing history --agency lister --id ${uuid}`)).stdout
  assert.match(table, /deleted +CRM \(key\) +deleted +r-1/)
  assertFails(await svc(`listing show --agency acme --id ${uuid}`), /"acme" has no listing/)
})

test('address recompute updates keys made by older rules, and doctor counts them', async () => {
  await json('address recompute')
  const agency = await db
    .selectFrom('agencies')
    .select('id')
    .where('slug', '=', 'acme')
    .executeTakeFirstOrThrow()
  const id = uuidv7()
  const at = new Date(0).toISOString()
  await db
    .insertInto('properties')
    .values({
      agency_id: agency.id,
      id,
      public_id: 'READDRES',
      version: 1,
      status: 'draft',
      address: 'Bv. Oroño 55 bis',
      city: 'rosario',
      created_at: at,
      updated_at: at,
    })
    .execute()
  const stale = async () => {
    const { checks } = await json('doctor')
    return checks.find(({ name }: { name: string }) => name === 'address keys')
  }
  assert.match((await stale()).detail, /^1 made by older rules/)
  assert.match((await svc('address recompute')).stdout, /^1 listing updated\.$/m)
  const { street_key, city_key } = await db
    .selectFrom('properties')
    .select(['street_key', 'city_key'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.deepEqual({ street_key, city_key }, { street_key: 'boulevardorono 55bis', city_key: 'rosario' })
  assert.deepEqual(await stale(), { name: 'address keys', ok: true, detail: 'up to date' })
})

test('migrate has nothing to do, and doctor reports no problem', async () => {
  assert.deepEqual(await json('migrate'), { applied: [] })
  const { ok, checks } = await json('doctor')
  assert.equal(ok, true, JSON.stringify(checks))
  const names = (checks as { name: string }[]).map(({ name }) => name)
  for (const name of ['settings', 'database', 'migrations', 'secrets', 'photo storage']) {
    assert.ok(names.includes(name), name)
  }
})

test('doctor reports secrets encrypted with another SECRET_KEY', async () => {
  await json('key create --agency acme --name Signed --scope properties:read --signature-required')
  const other = svcHere({
    DATABASE_URL: databaseUrl(connection),
    DATA_DIR: dataDir,
    SECRET_KEY: 'a key of sixteen characters',
  })
  const { code, stdout, stderr } = await other('doctor --json')
  assert.deepEqual([code, stderr], [1, 'Not working: secrets.\n'])
  const { checks } = JSON.parse(stdout)
  const check = (checks as { name: string; detail: string }[]).find(({ name }) => name === 'secrets')
  assert.match(check?.detail ?? '', /^SECRET_KEY decrypts none of the \d+ stored secrets/)
})

test('demo refuses a database that already has data', async () => {
  assertFails(await svc('demo --json'), /^The database is not empty/)
})

test('the commands of users create an owner, a member and an operator, each with a link to set a password', async () => {
  const link = /^https:\/\/svc\.example\/dashboard\/welcome\/[\w-]{43}$/
  const owner = await json('user create --agency acme --email Boss@Acme.example')
  assert.deepEqual(Object.keys(owner), ['email', 'password_setup_url'])
  assert.equal(owner.email, 'boss@acme.example')
  assert.match(owner.password_setup_url, link)
  await json('user create --agency acme --role member --email m@acme.example --name', 'María')
  const operator = await json('user create --operator --email op@svc.example')
  const { rows } = await sql<{ email: string; role: string; name: string }>`
    select email, role, name from accounts order by created_at`.execute(db)
  assert.deepEqual(rows, [
    { email: 'boss@acme.example', role: 'owner', name: 'boss' },
    { email: 'm@acme.example', role: 'member', name: 'María' },
    { email: 'op@svc.example', role: 'operator', name: 'op' },
  ])
  const again = await json('user link --email OP@svc.example')
  assert.notEqual(again.password_setup_url, operator.password_setup_url)

  assertFails(await svc('user create --operator --email op@svc.example'), /already exists/)
  assertFails(await svc('user create --email x@svc.example'), /--agency SLUG or --operator/)
  assertFails(await svc('user create --operator --agency acme --email x@svc.example'), /either/)
  assertFails(await svc('user create --agency nobody --email x@svc.example'), /^No agency/)
  assertFails(await svc('user create --agency acme --role boss --email x@svc.example'), /owner or member/)
  assertFails(await svc('user create --agency acme --email nobody'), /not an email/)
  assertFails(await svc('user link --email nobody@svc.example'), /^No account/)
})
