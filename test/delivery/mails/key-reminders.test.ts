/** Reminders of expiring keys: sent once to each owner 14 and 3 days before, unless the key needs none. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeProfile } from '../../../src/access/accounts/accounts.ts'
import { remindOfKeys } from '../../../src/delivery/mails/key-reminders.ts'
import { mailNotices } from '../../../src/delivery/mails/notice-mails.ts'
import { revokeKey, setRevocation } from '../../../src/access/keys/keys.ts'
import type { Mail } from '../../../src/delivery/mails/mailer.ts'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { dayMs } from '../../../src/platform/time/days.ts'
import { testApp, type TestApp } from '../../support/app/app.ts'
import { person } from '../../pages/dashboard/visitor.ts'

const mails: Mail[] = []
let t: TestApp
before(async () => {
  t = await testApp({ mailer: mails })
})
after(() => t.close())

/** The mails sent that many days from now, as `address: subject`. */
async function sentAfter(days: number): Promise<string[]> {
  mails.length = 0
  t.clock.offsetMs = days * dayMs
  while ((await remindOfKeys(t.deps, 10)) > 0);
  while ((await mailNotices(t.deps, 10)) > 0);
  t.clock.offsetMs = 0
  return mails.map(({ to, subject }) => `${to}: ${subject}`).sort()
}

test('owners are reminded of an expiring key 14 and 3 days before, each in their own language', async () => {
  const own = await t.newAgency()
  const ana = await person(t, 'owner', own.agency.id)
  const ben = await person(t, 'owner', own.agency.id)
  await person(t, 'member', own.agency.id)
  await changeProfile(t.deps.db, ben.id, { language: 'en' })
  const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()
  const { id } = await t.newKey(own.agency.id, { name: 'CRM', expires_at: inDays(40) })
  const revoked = await t.newKey(own.agency.id, { name: 'Gone', expires_at: inDays(40) })
  await revokeKey(t.deps.db, own.agency.id, revoked.id, t.clock)
  const replaced = await t.newKey(own.agency.id, { name: 'Replaced', expires_at: inDays(40) })
  await inTransaction(t.deps.db, (tx) => setRevocation(tx, own.agency.id, replaced.id, inDays(20), t.clock))
  await t.newKey(own.agency.id, { name: 'Short', expires_at: inDays(10) })

  assert.deepEqual(await sentAfter(25.9), [])
  const fourteen = [
    `${ana.email}: La clave «CRM» vence en 14 días`,
    `${ben.email}: The key “CRM” expires in 14 days`,
  ].sort()
  assert.deepEqual(await sentAfter(26.1), fourteen)
  assert.deepEqual(await sentAfter(30), [])
  assert.deepEqual(
    await sentAfter(37.1),
    fourteen.map((line) => line.replace(/14(?= d)/, '3')),
  )
  assert.deepEqual(await sentAfter(38), [])
  assert.deepEqual(await sentAfter(41), [])
  const late = await t.newKey(own.agency.id, { name: 'Late', expires_at: inDays(60) })
  assert.equal((await sentAfter(58)).length, 2)
  assert.match(mails[0]?.text ?? '', new RegExp(`https://listings\\.test/dashboard/keys/${late.id}`))
  assert.notEqual(late.id, id)
  assert.deepEqual(await sentAfter(58.5), [])
})

test('no reminder of an expiring key counts as sent when mail is not configured', async () => {
  assert.equal(await remindOfKeys({ ...t.deps, mailer: null }, 10), 0)
})
