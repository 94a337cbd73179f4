/** `agency limits`: output, changes and errors. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { reportedLimits } from '../../../../src/limits/table.ts'
import { databaseUrl, testDatabase } from '../../../support/database/database.ts'
import { type Svc, svcHere } from '../svc.ts'

let svc: Svc
let close: () => Promise<void>
before(async () => {
  const { connection, drop } = await testDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-'))
  const limits = JSON.stringify({ reads_per_day: 500 })
  svc = svcHere({ DATABASE_URL: databaseUrl(connection), DATA_DIR: dataDir, LIMITS: limits })
  close = async () => {
    await drop()
    await rm(dataDir, { recursive: true })
  }
  await shown('agency create --name Acme --slug acme')
})
after(() => close())

type Shown = Record<string, { max: number; default: number; until: string | null }>

async function shown(line: string): Promise<Shown> {
  const { code, stdout, stderr } = await svc(`${line} --json`)
  assert.deepEqual([code, stderr], [0, ''], line)
  return JSON.parse(stdout) as Shown
}
const unchanged = async () =>
  Object.values(await shown('agency limits acme')).every((limit) => limit.max === limit.default)

test('agency limits shows the limits of keys and agency, with the defaults from the settings', async () => {
  const limits = await shown('agency limits acme')
  assert.deepEqual(Object.keys(limits), [...reportedLimits])
  assert.deepEqual(limits['reads_per_day'], { max: 500, default: 500, until: null })
  assert.deepEqual(limits['new_listings_per_day'], { max: 100, default: 100, until: null })
  const { stdout } = await svc('agency limits acme')
  assert.match(stdout, /^LIMIT +MAX +DEFAULT +UNTIL\nreads_per_minute +60 +60/)
})

test('agency limits sets several until a date and others permanently, and clears one or all', async () => {
  const until = '2099-03-31T00:00:00.000Z'
  const set = await shown(
    'agency limits acme --set new_listings_per_day=5000 --set photos_per_day=0 --until 2099-03-31',
  )
  assert.deepEqual(set['new_listings_per_day'], { max: 5000, default: 100, until })
  assert.deepEqual(set['photos_per_day'], { max: 0, default: 300, until })
  await shown('agency limits acme --set reads_per_day=9')
  const limits = await shown('agency limits acme')
  assert.deepEqual(limits['reads_per_day'], { max: 9, default: 500, until: null })
  assert.deepEqual(limits['photos_per_day'], set['photos_per_day'])
  const cleared = await shown('agency limits acme --clear photos_per_day')
  assert.deepEqual(cleared['photos_per_day'], { max: 300, default: 300, until: null })
  assert.equal(cleared['reads_per_day']?.max, 9)
  assert.deepEqual(await shown('agency limits acme --clear'), await shown('agency limits acme'))
  assert.ok(await unchanged())
  await shown('agency limits --set reads_per_day=9 acme')
  await shown('agency limits --clear reads_per_day acme')
  assert.ok(await unchanged())
})

test('agency limits refuses invalid arguments in one line, and changes nothing', async () => {
  const bound = /reads_per_day must be a whole number from 0 to 1,000,000,000\./
  const calls: readonly (readonly [line: string, message: RegExp])[] = [
    ['acme --set photos=1 --set reads_per_day=1', /no limit "photos"\. .*photos_per_day/],
    ['acme --set state_changes_per_day=1', /no limit "state_changes_per_day"/],
    ['acme --set __proto__=1', /no limit "__proto__"/],
    ['acme --set constructor=1', /no limit "constructor"/],
    ['acme --set reads_per_day=-1', bound],
    ['acme --set reads_per_day=1.5', bound],
    ['acme --set reads_per_day=many', bound],
    ['acme --set reads_per_day=1000000001', bound],
    [`acme --set reads_per_day=${'9'.repeat(400)}`, bound],
    ['acme --set reads_per_day=', /is not NAME=N/],
    ['acme --set reads_per_day', /is not NAME=N/],
    ['acme --set reads_per_day=1 --set reads_per_day=2', /names reads_per_day twice/],
    ['acme --set reads_per_day=1 --until 2020-01-01', /must be in the future/],
    ['acme --set reads_per_day=1 --until tomorrow', /is not a date/],
    ['acme --until 2099-01-01', /needs --set/],
    ['acme --clear --until 2099-01-01', /needs --set/],
    ['acme --set reads_per_day=1 --clear', /cannot be given together/],
    ['acme --set reads_per_day=1 --clear reads_per_day', /cannot be given together/],
    ['acme --clear photos', /no limit "photos"/],
    ['acme --clear=', /--clear has an empty value/],
    ['acme --clear ', /--clear has an empty value/],
    ['--clear  acme', /--clear has an empty value/],
    ['--clear acme', /SLUG is missing\. "acme" was read as the value of --clear/],
    ['acme --test', /"acme" has no test environment yet/],
    ['nobody', /No agency has the slug "nobody"/],
    ['--set reads_per_day=1', /SLUG is missing/],
  ]
  for (const [line, message] of calls) {
    const { code, stdout, stderr } = await svc(`agency limits ${line}`)
    assert.deepEqual([code, stdout], [1, ''], line)
    assert.match(stderr, message, line)
    assert.match(stderr, /^[^\n]+\n$/, line)
  }
  assert.ok(await unchanged())
})

test('agency limits with --test changes the test environment’s own limits', async () => {
  await shown('key create --agency acme --name Try --scope properties:read --test')
  const set = await shown('agency limits acme --test --set photos_per_day=3')
  assert.equal(set['photos_per_day']?.max, 3)
  assert.ok(await unchanged())
  assert.deepEqual(await shown('agency limits acme --test'), set)
  const { code, stderr } = await svc('agency limits acme-test')
  assert.equal(code, 1)
  assert.match(stderr, /is the test environment of "acme"/)
})
