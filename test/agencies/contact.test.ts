/** How visitors reach an agency: numbers and addresses that can be called and opened, and nothing else. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgency } from '../../src/agencies/agencies.ts'
import { setAgencyContact } from '../../src/agencies/contact.ts'
import { findPublicAgency } from '../../src/agencies/public-agency.ts'
import { ApiError } from '../../src/errors.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'

const clock = { offsetMs: 0 }
let database: TestDatabase
before(async () => {
  database = await testDatabase()
  await createAgency(database.db, { name: 'Acme', slug: 'acme' }, clock)
})
after(() => database.drop())

test('what is given is set, null removes, the rest stays', async () => {
  const { db } = database
  const set = (changes: Parameters<typeof setAgencyContact>[2]) =>
    setAgencyContact(db, 'acme', changes, clock)
  const website = 'https://acme.example/inicio?x=1'
  assert.deepEqual(await set({ phone: '+54 (11) 5555-0142', website }), {
    phone: '+54 (11) 5555-0142',
    whatsapp: null,
    website,
  })
  assert.deepEqual(await set({ phone: null, whatsapp: '+5491155550142' }), {
    phone: null,
    whatsapp: '+5491155550142',
    website,
  })
  assert.deepEqual(await set({}), { phone: null, whatsapp: '+5491155550142', website })
})

test('the pages of the agency change with it', async () => {
  const { db } = database
  const before = await findPublicAgency(db, 'acme', clock)
  await setAgencyContact(db, 'acme', { phone: '+54 11 5555-0143' }, { offsetMs: 1000 })
  const now = await findPublicAgency(db, 'acme', clock)
  assert.ok((now?.profile_changed_at ?? '') > (before?.profile_changed_at ?? ''))
  assert.equal(now?.changed_at, now?.profile_changed_at)
})

test('what is no number or no address is refused, naming it', async () => {
  const wrong: Record<string, string[]> = {
    phone: [
      '',
      '5555-0142',
      '+54',
      '+54 11 5555 0142 interno 3',
      'tel:+5411',
      '+1'.padEnd(40, '2'),
      '+54 11\n5555',
    ],
    whatsapp: ['11 5555 0142', '+x', 'https://wa.me/1'],
    website: [
      'acme.example',
      'javascript:alert(1)',
      'ftp://acme.example',
      'https://',
      'https://a b',
      `https://a.example/${'x'.repeat(300)}`,
    ],
  }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      await assert.rejects(
        setAgencyContact(database.db, 'acme', { [name]: value }, clock),
        (error: unknown) =>
          error instanceof ApiError && error.code === 'invalid_parameter' && error.parameter === name,
        `${name} ${value}`,
      )
    }
  }
  await assert.rejects(setAgencyContact(database.db, 'nobody', {}, clock), /No agency has the slug/)
})
