/** Stored secrets: which of them the keys decrypt, and how they move to a new key. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { openSecretBox } from '../../../src/access/secrets/secret-box.ts'
import { getOrCreateSecret, replaceLostSecret } from '../../../src/access/secrets/service-secrets.ts'
import {
  checkStoredSecrets,
  describeUnreadable,
  opensNothing,
  resealAll,
  sealedColumns,
} from '../../../src/access/secrets/stored-secrets.ts'
import { uuidv7 } from '../../../src/platform/names/ids.ts'
import { createKey } from '../../../src/access/keys/keys.ts'
import { openAccounts } from '../accounts/support.ts'

const oldKey = 'a key of sixteen characters'
const newKey = 'its successor, just as long'
const old = openSecretBox(oldKey)
const both = openSecretBox(newKey, oldKey)
const alone = openSecretBox(newKey)

let t: Awaited<ReturnType<typeof openAccounts>>
before(async () => {
  t = await openAccounts()
})
after(() => t.drop())

/** The sealed values of every column. */
async function stored(): Promise<{ column: string; sealed: Buffer }[]> {
  const found = sealedColumns.map(async ({ table, column }) => {
    const { rows } = await sql<{ sealed: Buffer }>`
      select ${sql.ref(column)} as sealed from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
      t.db,
    )
    return rows.map(({ sealed }) => ({ column: `${table}.${column}`, sealed }))
  })
  return (await Promise.all(found)).flat()
}

/** A secret in every column, the key's for a key that requires signatures. */
async function fill(): Promise<void> {
  const { db, agencyId, clock } = t
  const sealed = old.seal('a secret')
  const { id } = await t.person()
  await createKey(
    db,
    agencyId,
    { name: 'CRM', signature_required: true },
    { secretBox: old, clock, serviceName: 'Svc' },
  )
  await sql`update accounts set totp_secret = ${sealed} where id = ${id}`.execute(db)
  await sql`
    insert into account_sessions (id, account_id, token_hash, stage, pending_totp_secret, user_agent, address, created_at, seen_at, expires_at)
    values (${uuidv7()}, ${id}, 'a', 'full', ${sealed}, '', '', now(), now(), now())`.execute(db)
  await sql`
    insert into account_links (token_hash, account_id, purpose, created_at, expires_at, sealed_token, mail_due_at)
    values ('b', ${id}, 'reset', now(), now(), ${sealed}, now())`.execute(db)
  await sql`
    insert into enquiries (id, agency_id, created_at, due_at, sealed)
    values (${uuidv7()}, ${agencyId}, now(), now(), ${sealed})`.execute(db)
  await sql`
    insert into demonstration (started_at, finished_at, sealed_keys) values (now(), now(), ${sealed})`.execute(
    db,
  )
  assert.equal(await getOrCreateSecret(db, old, 'test', 'kept'), 'kept')
}

describe('stored secrets', () => {
  test('are in the columns whose comments say so', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.relname || '.' || a.attname as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.atttypid = 'bytea'::regtype
        and col_description(c.oid, a.attnum) ilike '%encrypted with SECRET_KEY%'`.execute(t.db)
    assert.deepEqual(
      rows.map(({ name }) => name).sort(),
      sealedColumns.map(({ table, column }) => `${table}.${column}`).sort(),
    )
  })

  test('are absent at first, which is not an error', async () => {
    const found = await checkStoredSecrets(t.db, alone)
    assert.deepEqual(
      [found, opensNothing(found), describeUnreadable(found)],
      [{ stored: 0, unreadable: 0 }, false, null],
    )
  })

  test('are unreadable with another key', async () => {
    await fill()
    assert.deepEqual(await checkStoredSecrets(t.db, both), { stored: 3, unreadable: 0 })
    const found = await checkStoredSecrets(t.db, alone)
    assert.deepEqual([found, opensNothing(found)], [{ stored: 3, unreadable: 3 }, true])
    assert.match(describeUnreadable(found) ?? '', /^SECRET_KEY decrypts none of the 3 stored secrets/)
  })

  test('all move to a new key, once', async () => {
    const before = await stored()
    assert.equal(before.length, sealedColumns.length)
    const done = { needPrevious: 0, unreadable: 0, unreadableKinds: [] }
    assert.deepEqual(await resealAll(t.db, both), { resealed: before.length, ...done })
    for (const { column, sealed } of await stored()) {
      assert.equal(alone.keyOf(sealed), 'current', column)
      assert.equal(old.keyOf(sealed), null, column)
    }
    assert.deepEqual(await resealAll(t.db, both), { resealed: 0, ...done })
    assert.equal(await getOrCreateSecret(t.db, alone, 'test', 'another'), 'kept')
  })

  test('that no key decrypts are counted if they last, and kept', async () => {
    const before = await stored()
    const stranger = openSecretBox('the key of a third installation')
    assert.deepEqual(await resealAll(t.db, stranger), {
      resealed: 0,
      needPrevious: 0,
      unreadable: 3,
      unreadableKinds: [
        'signing secrets of keys: 1',
        'second factors of people: 1',
        "the service's own secrets: 1",
      ],
    })
    assert.deepEqual(await stored(), before)
  })

  test('of the service itself can be created again if they are lost', async () => {
    assert.equal(await replaceLostSecret(t.db, alone, 'test', 'new'), false)
    assert.equal(await getOrCreateSecret(t.db, alone, 'test', 'another'), 'kept')
    const stranger = openSecretBox('the key of a third installation')
    await assert.rejects(getOrCreateSecret(t.db, stranger, 'test', 'another'), /cannot be decrypted/)
    assert.equal(await replaceLostSecret(t.db, stranger, 'test', 'new'), true)
    assert.equal(await getOrCreateSecret(t.db, stranger, 'test', 'another'), 'new')
    const found = await checkStoredSecrets(t.db, stranger)
    assert.deepEqual([found, opensNothing(found)], [{ stored: 3, unreadable: 2 }, false])
    assert.match(describeUnreadable(found) ?? '', /^2 of 3 stored secrets cannot be decrypted/)
  })
})
