/** An agency's contact details: phone numbers that can be dialled and addresses that can be opened. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createAgency } from '../../src/agencies/agencies.ts'
import { detailColumns, getAgencyDetails, setAgencyDetails } from '../../src/agencies/details.ts'
import { findPublicAgency } from '../../src/agencies/public-agency.ts'
import { ApiError } from '../../src/platform/errors/errors.ts'
import { testDatabase, type TestDatabase } from '../support/database/database.ts'

const clock = { offsetMs: 0 }
const nothingTold = {
  ...Object.fromEntries(detailColumns.map((name) => [name, null])),
  takes_enquiries: true,
}
let database: TestDatabase
let id: string
before(async () => {
  database = await testDatabase()
  ;({ id } = await createAgency(database.db, { name: 'Acme', slug: 'acme' }, clock))
})
after(() => database.drop())

test('editing an agency’s details sets given values, removes nulls and keeps the rest', async () => {
  const { db } = database
  const set = async (changes: Parameters<typeof setAgencyDetails>[2]) => {
    await setAgencyDetails(db, id, changes, clock)
    return await getAgencyDetails(db, id)
  }
  const website = 'https://acme.example/inicio?x=1'
  assert.deepEqual(await set({ phone: '+54 (11) 5555-0142', website }), {
    ...nothingTold,
    phone: '+54 (11) 5555-0142',
    website,
  })
  const both = { ...nothingTold, whatsapp: '+5491155550142', website }
  assert.deepEqual(await set({ phone: null, whatsapp: '+5491155550142' }), both)
  assert.deepEqual(await set({}), both)
  const broker = { licence_number: '1234', licence_college: 'CUCICBA', broker: 'Ana Pérez' }
  const hours = [[['09:00', '13:00']], [], [], [], [], [], []] as const
  const about = 'Desde 1998.\nEn Palermo.'
  assert.deepEqual(await set({ ...broker, hours, about, accent: '#1f5a4c' }), {
    ...both,
    ...broker,
    hours,
    about,
    accent: '#1f5a4c',
  })
})

test('editing an agency’s details updates its pages as well', async () => {
  const { db } = database
  const before = await findPublicAgency(db, 'acme', clock)
  await setAgencyDetails(db, id, { phone: '+54 11 5555-0143' }, { offsetMs: 1000 })
  const now = await findPublicAgency(db, 'acme', clock)
  assert.ok((now?.profile_changed_at ?? '') > (before?.profile_changed_at ?? ''))
  assert.equal(now?.changed_at, now?.profile_changed_at)
})

test('an agency’s invalid phone number or address is refused by its field', async () => {
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
      'https://known.example@acme.example',
      'https://a b',
      `https://a.example/${'x'.repeat(300)}`,
    ],
    address: ['', ' ', 'Calle 1\nPiso 2', 'x'.repeat(201), 'Calle\u202e1'],
    licence_number: ['', 'x'.repeat(41)],
    licence_college: ['', 'x'.repeat(81)],
    broker: ['\u0000', 'x'.repeat(121)],
    about: ['  ', 'x'.repeat(2_001), 'a\tb', '\ud800'],
    accent: ['', '#fff', 'red', '#GGGGGG', '#1f5a4c;}'],
  }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      await assert.rejects(
        setAgencyDetails(database.db, id, { [name]: value }, clock),
        (error: unknown) =>
          error instanceof ApiError && error.code === 'invalid_parameter' && error.parameter === name,
        `${name} ${value}`,
      )
    }
  }
  await assert.rejects(getAgencyDetails(database.db, randomUUID()), { code: 'not_found' })
})
