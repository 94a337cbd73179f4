/** The limit on active keys of an agency: people create and replace keys within it, the operator's commands are exempt. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createKey, listKeys, revokeKey, rotateKey } from '../../../../../src/access/keys/keys.ts'
import { inTransaction } from '../../../../../src/platform/db/statements/transaction.ts'
import { dayMs } from '../../../../../src/platform/time/days.ts'
import { testApp, type TestApp } from '../../../../support/app/app.ts'
import { newTestKey } from '../../../../support/app/test-key.ts'
import { signedIn, type Visitor } from '../../visitor.ts'

const toCreate = 100
const toReplace = 200

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

type Agency = Readonly<{ id: string; owner: Visitor }>

/** An agency without keys. */
async function newAgency(language: 'en' | 'es' = 'en'): Promise<Agency> {
  const { agency } = await t.newAgency()
  for (const { id } of await active(agency.id)) await revokeKey(t.deps.db, agency.id, id, t.clock)
  return { id: agency.id, owner: await signedIn(t, 'owner', agency.id, language) }
}

const active = async (agencyId: string) =>
  (await listKeys(t.deps.db, agencyId, t.clock)).filter(({ status }) => status === 'active')

/** Creates keys as the operator's command line does. */
async function give(agencyId: string, count: number, expires_at: string | null = null): Promise<void> {
  const deps = { secretBox: t.deps.secretBox, clock: t.clock, serviceName: t.deps.config.serviceName }
  for (let made = 0; made < count; made += 1)
    await createKey(t.deps.db, agencyId, { name: 'given', expires_at }, deps)
}

const create = ({ owner }: Agency, kind = 'live', id: string = randomUUID()) =>
  owner.post('/dashboard/keys/new', { new_id: id, kind, name: 'CRM', scopes: 'properties:read' })
const rotate = ({ owner }: Agency, id: string) =>
  owner.post(`/dashboard/keys/${id}/rotate`, { new_id: randomUUID() })
const oldest = async ({ id }: Agency) => (await active(id))[0]?.id ?? ''

test('people create keys up to the limit, under concurrency too', async () => {
  const agency = await newAgency()
  await give(agency.id, toCreate - 4)
  const pages = await Promise.all(Array.from({ length: 12 }, () => create(agency)))
  assert.equal((await active(agency.id)).length, toCreate)
  const refused = pages.filter(({ status }) => status !== 200)
  assert.equal(refused.length, 8)
  for (const { status, words } of refused) {
    assert.equal(status, 400)
    assert.match(words, /At most 100 keys can be active at a time\. Revoke one/)
  }
  assert.equal((await agency.owner.submit(`/dashboard/keys/${await oldest(agency)}/revoke`)).status, 200)
  assert.equal((await create(agency)).status, 200)
  assert.equal((await create(agency)).status, 400)
})

test('at the limit of keys, each can be replaced once before old ones have to be revoked', async () => {
  const agency = await newAgency('es')
  await give(agency.id, toReplace - 2)
  const id = await oldest(agency)
  const pages = await Promise.all(Array.from({ length: 5 }, () => rotate(agency, id)))
  assert.equal(pages.filter(({ status }) => status === 200).length, 2)
  assert.equal((await active(agency.id)).length, toReplace)
  for (const { words } of pages.filter(({ status }) => status !== 200))
    assert.match(words, /Revocá las claves que ya reemplazaste/)
  await revokeKey(t.deps.db, agency.id, id, t.clock)
  assert.equal((await rotate(agency, await oldest(agency))).status, 200)
  assert.match((await create(agency)).words, /Puede haber hasta 100 claves en uso a la vez\. Revocá una/)
})

test('revoked, expired and test keys do not count, and a form sent again is reported as such', async () => {
  const agency = await newAgency()
  await give(agency.id, 5, new Date(Date.now() + dayMs).toISOString())
  await give(agency.id, toCreate - 6)
  const id = randomUUID()
  assert.equal((await create(agency, 'live', id)).status, 200)
  assert.match((await create(agency, 'live', id)).words, /This form was already sent/)
  const full = await create(agency)
  assert.match(full.words, /At most 100 keys/)
  assert.doesNotMatch(full.text, /id="new-key"/)
  const { twin } = await newTestKey(t, { ...t.agency, id: agency.id, slug: `a-${randomUUID().slice(0, 8)}` })
  assert.equal((await create(agency, 'test')).status, 200)
  await give(twin.id, toCreate - 2)
  assert.match((await create(agency, 'test')).words, /At most 100 keys/)
  t.clock.offsetMs += 2 * dayMs
  const later = { ...agency, owner: await signedIn(t, 'owner', agency.id, 'en') }
  assert.equal((await create(later)).status, 200)
})

test('the operator’s commands create and replace keys without a limit', async () => {
  const { id: agencyId } = await newAgency()
  await give(agencyId, toReplace + 1)
  const [first] = await active(agencyId)
  const deps = { secretBox: t.deps.secretBox, clock: t.clock, serviceName: t.deps.config.serviceName }
  await inTransaction(t.deps.db, (tx) => rotateKey(tx, agencyId, first?.id ?? '', deps))
  assert.equal((await active(agencyId)).length, toReplace + 2)
})
