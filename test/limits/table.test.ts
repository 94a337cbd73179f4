/** The setting LIMITS overrides the defaults of api.md 6. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { readConfig } from '../../src/platform/config/config.ts'
import { defaultLimits, limitsWith } from '../../src/limits/table.ts'

test('an empty LIMITS keeps the defaults', () => {
  assert.deepEqual(limitsWith({}), defaultLimits)
  assert.deepEqual(readConfig({}).limits, defaultLimits)
})

test('a set limit changes its number and nothing else', () => {
  const limits = limitsWith({ reads_per_minute: 600, photos_per_day: 0 })
  assert.deepEqual(limits, {
    ...defaultLimits,
    reads_per_minute: { max: 600, windowSeconds: 60 },
    photos_per_day: { max: 0, windowSeconds: 86_400 },
  })
  assert.equal(defaultLimits.reads_per_minute.max, 60)
})

test('the SQL that counts reads, writes and new listings has the windows of the table', async () => {
  const counting = {
    'migrations/functions/admit_keys.sql': [
      'reads_per_minute',
      'reads_per_day',
      'writes_per_minute',
      'writes_per_day',
    ],
    'src/limits/usage.ts': ['reads_per_minute', 'reads_per_day', 'writes_per_minute', 'writes_per_day'],
    'migrations/functions/create_listings.sql': ['new_listings_per_hour', 'new_listings_per_day'],
  } as const
  const seconds: Record<string, number> = { minute: 60, hour: 3_600, day: 86_400 }
  for (const [file, names] of Object.entries(counting)) {
    const text = await readFile(file, 'utf8')
    const windows = [...text.matchAll(/date_bin\('1 (\w+)'/g)].map(([, unit = '']) => seconds[unit])
    assert.deepEqual(new Set(windows), new Set(names.map((name) => defaultLimits[name].windowSeconds)), file)
  }
})

test('one agency cannot exhaust a limit shared by agencies, nor one IP a limit of an agency', () => {
  const maxOf = (name: keyof typeof defaultLimits) => defaultLimits[name].max
  assert.ok(maxOf('enquiries_per_agency_per_minute') * 5 < maxOf('enquiries_per_minute'))
  assert.ok(maxOf('enquiries_per_address_per_hour') < maxOf('enquiries_per_agency_per_minute'))
  assert.ok(maxOf('enquiries_per_sender_and_agency_per_day') * 4 < maxOf('enquiries_per_sender_per_day'))
  assert.ok(
    maxOf('invitations_per_agency_and_recipient_per_day') * 3 < maxOf('invitations_per_recipient_per_day'),
  )
})

for (const wrong of [
  '',
  'x',
  '5',
  'null',
  '[]',
  '{"reads":5}',
  '{"reads_per_minute":-1}',
  '{"reads_per_minute":1.5}',
  '{"reads_per_minute":"60"}',
  '{"reads_per_minute":null}',
  '{"reads_per_minute":1e12}',
  '{"constructor":5}',
  '{"__proto__":5}',
]) {
  test(`LIMITS=${wrong} ${wrong === '' ? 'counts as unset' : 'stops the start with one line that names it'}`, () => {
    if (wrong === '') assert.deepEqual(readConfig({ LIMITS: wrong }).limits, defaultLimits)
    else
      assert.throws(
        () => readConfig({ LIMITS: wrong }),
        (error: Error) => /^[^\n]*LIMITS[^\n]*$/.test(error.message),
      )
  })
}
