/** The parts of the sync command that need no service: comparison, journal, quotas and arguments. */
import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Me, Property } from '../../clients/typescript/src/index.ts'
import { readArguments } from '../../clients/typescript/src/sync/arguments.ts'
import { differences, patchOf } from '../../clients/typescript/src/sync/compare.ts'
import { type Intent, openJournal } from '../../clients/typescript/src/sync/journal.ts'
import { type Wanted } from '../../clients/typescript/src/sync/listing.ts'
import { lock } from '../../clients/typescript/src/sync/lock.ts'
import { newProgress } from '../../clients/typescript/src/sync/progress.ts'
import { nothing, Room } from '../../clients/typescript/src/sync/room.ts'
import { duration } from '../../clients/typescript/src/sync/texts.ts'
import { quickDirectory } from '../support/quick-directory.ts'

const directory = mkdtempSync(join(quickDirectory(), 'listings-sync-'))
after(() => rmSync(directory, { recursive: true }))

describe('comparing rows with listings', () => {
  const property = {
    title: 'Casa',
    operation: 'sale',
    type: 'Casa',
    price: { amount: 100, currency: 'USD', on_request: false },
    expenses: null,
    location: { city: 'La Plata', province: null, lat: 1, lng: 2, neighborhood: null },
    features: { bedrooms: 2, garages: null },
    amenities: [],
    rental: null,
  } as unknown as Property
  const cases: [string, Wanted['content'], Wanted['content']][] = [
    [
      'nothing',
      {
        title: 'Casa',
        price: { amount: 100, currency: 'USD' },
        amenities: [],
        expenses: null,
        rental: { min_stay: null },
      },
      {},
    ],
    ['clears a text', { title: null }, { title: null }],
    [
      'sends an amount with its currency',
      { price: { amount: 90, currency: 'USD' } },
      { price: { amount: 90, currency: 'USD' } },
    ],
    ['sends a price on request', { price: { on_request: true } }, { price: { on_request: true } }],
    [
      'sends only the changed feature',
      { features: { bedrooms: 3, garages: null } },
      { features: { bedrooms: 3 } },
    ],
    [
      'sends the price with a new operation',
      { operation: 'rent' },
      { operation: 'rent', price: { amount: 100, currency: 'USD' } },
    ],
    ['ignores the rooms of a lot', { type: 'Lote', features: { bedrooms: 9 } }, { type: 'Lote' }],
    ['sends a reordered list', { amenities: ['a'] }, { amenities: ['a'] }],
  ]
  for (const [name, content, expected] of cases)
    test(name, () => assert.deepEqual(patchOf(differences(content, property), content, property), expected))
})

describe('the journal of the sync command', () => {
  const path = join(directory, 'journal')
  const intent = (id: string): Intent => ({ id, at: '', key: id, subjects: [], kind: 'batch', items: [] })

  test('survives a kill in the middle of a line, and drops what is finished', () => {
    const journal = openJournal(path, 'agency')
    journal.learn(
      new Map([
        ['A', { content: '1' }],
        ['B', { content: '2' }],
      ]),
    )
    journal.begin(intent('one'))
    journal.begin(intent('two'))
    journal.settle(
      'one',
      new Map([
        ['A', { content: '3' }],
        ['B', { deleted: true }],
      ]),
    )
    appendFileSync(path, '{"done":"tw')
    const again = openJournal(path, 'agency')
    assert.deepEqual(
      [...again.known],
      [
        ['A', { content: '3' }],
        ['B', { deleted: true }],
      ],
    )
    assert.deepEqual(again.open(), [intent('two')])
    again.settle('two', new Map())
    again.close()
    assert.equal(readFileSync(path, 'utf8').split('\n').length, 4)
    truncateSync(path, 20)
    assert.deepEqual([...openJournal(path, 'agency').known], [])
  })

  test('belongs to one agency', () => {
    openJournal(path, 'agency').close()
    assert.throws(() => openJournal(path, 'other'), /of another agency/)
    writeFileSync(path, 'codigo,titulo\n')
    assert.throws(() => openJournal(path, 'agency'), /is not a journal/)
    assert.equal(readFileSync(path, 'utf8'), 'codigo,titulo\n')
  })

  test('is used by one run at a time, and a killed run holds no lock', () => {
    const file = join(directory, 'lock')
    const release = lock(file)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, String(process.ppid)))
    assert.throws(() => lock(file), /uses this journal already/)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/, '4194305'))
    lock(file)()
    release()
  })
})

describe('quotas of a sync', () => {
  let now = Date.parse('2026-11-22T10:30:00Z')
  const limit = (max: number, seconds: number) => ({ max, window_seconds: seconds })
  const use = (remaining: number, at: string) => ({ used: 0, remaining, resets_at: `2026-11-${at}:00Z` })
  const me = {
    limits: {
      writes_per_minute: limit(60, 60),
      writes_per_day: limit(2000, 86_400),
      new_listings_per_hour: limit(20, 3600),
      new_listings_per_day: limit(100, 86_400),
      photos_per_day: limit(300, 86_400),
    },
    usage: {
      writes_per_minute: use(60, '22T10:31'),
      writes_per_day: use(2000, '23T00:00'),
      new_listings_per_hour: use(5, '22T11:00'),
      new_listings_per_day: use(100, '23T00:00'),
      photos_per_day: use(300, '23T00:00'),
    },
  } as unknown as Me
  const room = new Room(me, () => now)

  test('reset with their windows', () => {
    const need = { ...nothing, newListings: 6, writes: 6 }
    assert.deepEqual(room.short(need), ['new_listings_per_hour'])
    assert.equal(room.opensAt(['new_listings_per_hour']), Date.parse('2026-11-22T11:00:00Z'))
    now = Date.parse('2026-11-22T13:20:00Z')
    assert.deepEqual(room.short(need), [])
    room.charge({ ...nothing, newListings: 20 })
    assert.deepEqual(room.short(need), ['new_listings_per_hour'])
    assert.equal(room.opensAt(['new_listings_per_hour']), Date.parse('2026-11-22T14:00:00Z'))
  })

  test('give an estimate based on the limit that takes longest', () => {
    const load = { writes: 2000, newListings: 2000, photos: 20_000 }
    const estimate = room.estimate(load)
    assert.ok(estimate !== null && 'ms' in estimate)
    assert.equal(estimate.limit, 'photos_per_day')
    assert.equal(duration(estimate.ms), '65 days')
    const without = room.estimate({ ...load, photos: 0 })
    assert.equal(
      without !== null && 'ms' in without && `${without.limit} ${duration(without.ms)}`,
      'new_listings_per_day 19 days',
    )
    assert.equal(room.estimate({ ...nothing, writes: 1 }), null)
    assert.deepEqual(room.never({ ...nothing, photos: 301 }), ['photos_per_day'])
  })
})

test('progress is shown as a bar on a terminal, and as lines elsewhere', () => {
  const state = (done: number) => ({ done, total: 40, failed: 1, remainingMs: 120_000 })
  const drawn = (isTTY: boolean) => {
    const pieces: string[] = []
    const progress = newProgress({ isTTY, columns: 100, write: (text) => pieces.push(text) })
    for (let done = 0; done <= 40; done += 1) progress.show(state(done))
    progress.waiting(60_000, ['writes_per_minute'])
    progress.end()
    return pieces
  }
  assert.equal(drawn(true).length, 43)
  assert.match(drawn(true)[20] ?? '', /\[K\[#{15}\.{15}\] 50 % · 20 of 40 · 1 failed · about 2 minutes left$/)
  assert.equal(drawn(false).length, 22)
  assert.match(drawn(false).at(-1) ?? '', /waiting for writes_per_minute until 1970-01-01T00:01:00Z\n$/)
})

describe('arguments of the sync command', () => {
  const environment = { SVC_API_KEY: 'k', SVC_BASE_URL: 'https://l.example' }
  const read = (text: string, env: Record<string, string> = environment) =>
    readArguments(text.split(' '), env)

  test('are parsed', () => {
    const settings = read('sync a.csv --apply --max-delete-share 5% --max-wait 15m')
    assert.deepEqual([settings.apply, settings.maxDeleteShare, settings.maxWaitMs], [true, 0.05, 900_000])
    assert.equal(read('sync a.csv').maxWaitMs, Number.POSITIVE_INFINITY)
  })

  const wrong: [string, string, RegExp, Record<string, string>?][] = [
    ['another command', 'push a.csv', /the command is "sync"/],
    ['no source', 'sync', /one SOURCE/],
    ['a key as an argument', 'sync a.csv --key svc_live_x', /Unknown option '--key'/],
    ['no key', 'sync a.csv', /SVC_API_KEY/, {}],
    ['no base URL', 'sync a.csv', /--url/, { SVC_API_KEY: 'k' }],
    ['both a dry run and --apply', 'sync a.csv --apply --dry-run', /choose one/],
    ['an invalid share', 'sync a.csv --max-delete-share 120', /0 to 100/],
    ['an invalid duration', 'sync a.csv --max-wait soon', /15m/],
  ]
  for (const [name, text, message, env] of wrong)
    test(name, () => assert.throws(() => read(text, env), message))
})
