/** The sync command against the application: the result matches the file despite any failure or kill, and nothing happens twice. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Property } from '../../clients/typescript/src/index.ts'
import { run } from '../../clients/typescript/src/sync/run.ts'
import { inTransaction } from '../../src/platform/db/statements/transaction.ts'
import { changeLimits } from '../../src/limits/of-agency.ts'
import { dayMs } from '../../src/platform/time/days.ts'
import { type TestApp, testApp } from '../support/app/app.ts'
import { type Fault, type FaultProxy, faultProxy } from '../support/network/fault-proxy.ts'
import { quickDirectory } from '../support/quick-directory.ts'
import {
  type Listing,
  listings,
  type Ran,
  runSync,
  storedListings,
  writeListings,
} from '../support/programs/sync-command.ts'

const perHour = 25
const narrow = { new_listings_per_hour: perHour, new_listings_per_day: 60, photos_per_day: 200 }

let app: TestApp
let proxy: FaultProxy
let directory: string
let file: string
let key: string
let agencyId: string
/** Called on each wait. */
let onPause: () => Promise<void>
/** Decides the fault of a request; may also cause side effects. */
let decide: (request: { method: string; path: string; number: number }) => Fault | Promise<Fault>

before(async () => {
  app = await testApp({ limits: narrow })
  proxy = await faultProxy(app.baseUrl, (request) => decide(request))
})
after(async () => {
  await proxy.close()
  await app.close()
})

beforeEach(async () => {
  // Keeps away from the end of a window, and gives each test days of its own for the limits.
  const { offsetMs } = app.clock
  const today = Math.floor((Date.now() + offsetMs) / dayMs) * dayMs
  app.clock.offsetMs = today + dayMs + 10.1 * 3_600_000 - Date.now()
  directory = mkdtempSync(join(quickDirectory(), 'listings-sync-'))
  file = join(directory, 'listings.csv')
  const { agency, writeKey } = await app.newAgency()
  agencyId = agency.id
  key = writeKey
  onPause = async () => {}
  decide = () => 'pass'
  proxy.requests.length = 0
})
afterEach(() => rmSync(directory, { recursive: true }))

const write = (rows: readonly Listing[]): void => writeListings(file, rows)

const sync = (words: readonly string[] = [], abort?: AbortSignal): Promise<Ran> =>
  runSync({ app, url: proxy.url, key, file, words, abort, onPause: () => onPause() })

const stored = (): Promise<Map<string, Property>> => storedListings(app, key)

const photosOf = (listing: Property | undefined): string[] => listing?.photos ?? []

async function used(limit: string): Promise<number> {
  const { body } = await app.ask('GET', '/me', { key })
  const usage = body.data['usage'] as unknown as Record<string, { used: number }>
  return usage[limit]?.used ?? 0
}

/** Checks that everything matches the rows, and that another run finds nothing to do. */
async function settled(rows: readonly Listing[]): Promise<void> {
  const found = await stored()
  assert.deepEqual([...found.keys()].toSorted(), rows.map(({ code }) => code).toSorted())
  for (const { code, title, photos, state } of rows) {
    const listing = found.get(code)
    assert.equal(listing?.['title'], title)
    // A listing that was never published stays a draft.
    assert.equal(listing['status'] === 'published', state === 'Publicada')
    assert.equal(photosOf(listing).length, photos.split('|').length)
  }
  proxy.requests.length = 0
  const { code, report } = await sync()
  assert.equal(code, 0)
  assert.ok(report.every(({ state }) => state === 'unchanged'))
  assert.ok(proxy.requests.every(({ method }) => method === 'GET'))
}

test('a sync plans first, and changes nothing', async () => {
  const rows = listings(30)
  write(rows)
  const { code, out } = await sync()
  assert.equal(code, 0)
  assert.match(out, /New +30 +30 to be published, 0 drafts\n/)
  assert.match(out, /takes about \d+ minutes: new_listings_per_hour lets 25 pass at a time/)
  assert.equal((await stored()).size, 0)
})

test('a sync creates, edits, publishes, suspends, sets photos and deletes, and then has nothing left to do', async () => {
  const rows = listings(8)
  write(rows)
  assert.equal((await sync(['--apply'])).code, 0)
  await settled(rows)
  const before = await stored()
  const [first, second, third, , ...others] = rows as [Listing, Listing, Listing, Listing, ...Listing[]]
  const next = [
    { ...first, title: 'Otro título', state: 'Vendida' },
    {
      ...second,
      photos: ['1-3', '1-1', '1-9', '1-2'].map((name) => `https://photos.example/${name}.jpg`).join(' '),
    },
    { ...third, price: 'Consultar' },
    ...others,
    ...listings(9).slice(8),
  ] as Listing[]
  write(next)
  const { code, out, report } = await sync(['--apply'])
  assert.equal(code, 0, out)
  assert.match(out, /~ CRM-0 .* title: Casa "linda"; la 0 Con jardín → Otro título/)
  assert.match(out, /Not in file +1 +left alone/)
  const after_ = await stored()
  assert.equal(after_.get('CRM-0')?.['status'], 'disabled')
  assert.deepEqual(after_.get('CRM-2')?.['price'], { amount: null, currency: null, on_request: true })
  const [one, two, three] = photosOf(before.get('CRM-1'))
  const now = photosOf(after_.get('CRM-1'))
  assert.deepEqual([now[0], now[1], now[3]], [three, one, two])
  assert.equal(await used('photos_per_day'), 24 + 1 + 3)
  assert.deepEqual(report.find(({ external_id }) => external_id === 'CRM-0')?.done, ['disable', 'update'])
  const deleted = await sync(['--apply', '--delete-missing'])
  assert.equal(deleted.code, 0)
  assert.equal((await stored()).has('CRM-3'), false)
})

test('a sync reports a file without listings, and missing scopes of the key', async () => {
  write([])
  const empty = await sync()
  assert.deepEqual([empty.code, empty.err], [1, `${file} has no listings\n`])
  write(listings(1))
  key = (await app.newKey(agencyId, { scopes: ['properties:read'] })).key
  assert.match((await sync()).err, /lacks properties:write; the command needs one with properties:read and/)
})

test('a sync names the address and the cause of a failed connection, and stops on a signal', async () => {
  write(listings(1))
  for (const words of [[], ['--apply']]) {
    decide = () => 'refuse'
    const stop = new AbortController()
    let err = ''
    const code = await run({
      words: ['sync', file, '--url', proxy.url, ...words],
      environment: { SVC_API_KEY: key },
      out: { write: () => {} },
      err: {
        write: (text: string) => {
          err += text
          stop.abort()
        },
      },
      stop: stop.signal,
      abort: new AbortController().signal,
    })
    assert.equal(code, 3)
    assert.match(
      err,
      /^The connection to http:\/\/127\.0\.0\.1:\d+ failed: it was closed .* \(.*\); trying again in/,
    )
    assert.match(err, /It was interrupted\. Run it again\.\n$/)
  }
})

test('a sync lets the service validate the plan', async () => {
  const [one, two] = listings(2) as [Listing, Listing]
  write([one, { ...two, address: one.address }])
  const { code, out } = await sync(['--dry-run'])
  assert.equal(code, 2)
  assert.match(
    out,
    /judges the plan: 1 write\.\nIt judged 2 steps\. It would refuse those of 1 listing\.\n +! CRM-1 +listings\.csv:4 +duplicate_property: .* by an earlier row\..* use --force-duplicates\./,
  )
  assert.equal((await stored()).size, 0)
})

test('a sync creates listings with more photos than a batch accepts, or that someone else creates meanwhile', async () => {
  const [many, other] = listings(2) as [Listing, Listing]
  many.photos = Array.from({ length: 31 }, (_, index) => `https://photos.example/many-${index}.jpg`).join('|')
  write([many, other])
  decide = async ({ method }): Promise<Fault> => {
    if (method === 'GET') return 'pass'
    decide = () => 'pass'
    await app.ask('PUT', '/properties/external/CRM-1', { key, body: { title: 'Before' } })
    return 'pass'
  }
  const { code, out, report } = await sync(['--apply'])
  assert.equal(code, 0, out)
  assert.deepEqual(report.find(({ external_id }) => external_id === 'CRM-1')?.done, [
    'create',
    'photos',
    'enable',
  ])
  await settled([many, other])
})

test('a sync lets listings swap addresses', async () => {
  const rows = listings(3)
  write(rows)
  await sync(['--apply'])
  const [one, two, three] = rows as [Listing, Listing, Listing]
  const moved = [
    { ...one, address: two.address },
    { ...two, address: one.address },
    { ...listings(4)[3], address: three.address } as Listing,
  ]
  write(moved)
  const { code, out } = await sync(['--apply', '--delete-missing', '--max-delete-share', '40'])
  assert.equal(code, 0, out)
  await settled(moved)
})

test('a sync refuses to delete more than a set share', async () => {
  write(listings(10))
  await sync(['--apply'])
  write(listings(7))
  const refused = await sync(['--apply', '--delete-missing'])
  assert.equal(refused.code, 4)
  assert.match(refused.err, /3 of 10 listings \(30 %\)/)
  assert.equal((await stored()).size, 10)
  assert.equal((await sync(['--apply', '--delete-missing', '--max-delete-share', '30'])).code, 0)
  assert.equal((await stored()).size, 7)
})

test('a sync postpones deletions while a row has no readable external id, and does the rest', async () => {
  const [one, two, three, four] = listings(4) as [Listing, Listing, Listing, Listing]
  write([one, two, three])
  await sync(['--apply'])
  const sold = { ...three, state: 'Vendida' }
  write([{ ...one, price: 'U$S 70.000' }, { ...two, code: 'CRM 1' }, sold, four])
  const row = /listings\.csv:4/
  for (const mode of [[], ['--apply']]) {
    const { code, out, err, report } = await sync([...mode, '--delete-missing'])
    assert.equal(code, 2, out + err)
    assert.match(out, /Not in file +1 +not deleted: an external id of the file cannot be read\n/)
    assert.match(
      out,
      /Nothing is deleted until these rows can be read\. .*\n +! \? +listings\.csv:4 +Código: "CRM 1"/,
    )
    const kept = report.find(({ external_id }) => external_id === 'CRM-1')
    assert.deepEqual([kept?.state, kept?.error?.code], ['not in file', 'deletion_put_off'])
    assert.match(kept?.error?.message ?? '', row)
    if (mode.length > 0) assert.match(out, /, 1 not deleted, because an external id cannot be read\.\n$/)
  }
  const found = await stored()
  assert.deepEqual([...found.keys()].toSorted(), ['CRM-0', 'CRM-1', 'CRM-2', 'CRM-3'])
  assert.equal(found.get('CRM-0')?.price.amount, 70_000)
  assert.equal(found.get('CRM-2')?.status, 'disabled')
  write([one, sold, four])
  assert.equal((await sync(['--apply', '--delete-missing', '--max-delete-share', '30'])).code, 0)
  assert.equal((await stored()).has('CRM-1'), false)
})

test('a sync waits for limits, and names them', async () => {
  const rows = listings(30)
  write(rows)
  const { code, err } = await sync(['--apply'])
  assert.equal(code, 0)
  assert.match(err, /waiting for new_listings_per_hour until/)
  await settled(rows)
})

test('a sync continues as soon as the operator raises the limit', async () => {
  const rows = listings(30)
  write(rows)
  const from = app.clock.offsetMs
  const change = { set: { new_listings_per_hour: 30 }, until: null }
  onPause = () =>
    inTransaction(app.deps.db, async (tx) => {
      await changeLimits(tx, agencyId, change, app.deps)
    })
  assert.equal((await sync(['--apply'])).code, 0)
  assert.equal(app.clock.offsetMs - from, 600_000)
  await settled(rows)
})

test('a sync ends early if the wait would be too long, and continues with the next run', async () => {
  const rows = listings(30)
  write(rows)
  const early = await sync(['--apply', '--max-wait', '1s'])
  assert.equal(early.code, 3)
  assert.match(early.out, /new_listings_per_hour opens again at/)
  assert.equal((await stored()).size, perHour)
  app.clock.offsetMs += 3_600_000
  assert.equal((await sync(['--apply', '--max-wait', '1s'])).code, 0)
  await settled(rows)
})

test('a sync reports failures, and does the rest', async () => {
  const rows = listings(5)
  const [one, two, three, four, five] = rows as [Listing, Listing, Listing, Listing, Listing]
  write([
    one,
    { ...two, address: one.address },
    { ...three, photos: `${three.photos} https://photos.example/missing.jpg` },
    { ...four, price: 'mucho' },
    five,
    { ...five, title: 'otra vez' },
  ])
  const { code, report, out } = await sync(['--apply'])
  assert.equal(code, 2, out)
  const of = (externalId: string) => report.filter(({ external_id }) => external_id === externalId)
  assert.deepEqual(of('CRM-0')[0]?.state, 'done')
  assert.deepEqual(of('CRM-1')[0]?.error?.code, 'duplicate_property')
  assert.equal(of('CRM-2')[0]?.failed_photos[0]?.url, 'https://photos.example/missing.jpg')
  assert.match(of('CRM-3')[0]?.error?.message ?? '', /Precio: "mucho" is not a number/)
  assert.deepEqual(
    of('CRM-4').map(({ state }) => state),
    ['invalid', 'invalid'],
  )
  const again = await sync()
  assert.match(again.out, /▣ CRM-2 .* 4 photos, 1 to download/)
})

test('a sync reaches the same state when aborted at each of its requests in turn', async () => {
  const rows = listings(12)
  write(rows)
  for (let stop = 1; ; stop += 1) {
    const abort = new AbortController()
    const from = proxy.requests.length
    decide = ({ number }) => {
      if (number - from < stop) return 'pass'
      setImmediate(() => abort.abort(new Error('killed')))
      return stop % 2 === 0 ? 'lose response' : 'refuse'
    }
    const { code } = await sync(['--apply'], abort.signal)
    decide = () => 'pass'
    if (code === 0) break
    assert.ok(stop < 40, 'it ends')
    // Edits in between require other kinds of requests.
    const row = rows[stop % rows.length] as Listing
    if (stop % 3 === 0) row.state = row.state === 'Publicada' ? 'Suspendida' : 'Publicada'
    row.title = `Título ${stop}`
    row.photos = row.photos.split(' | ').toReversed().join(' | ')
    write(rows)
  }
  await settled(rows)
  assert.equal(await used('photos_per_day'), 36)
})

test('a sync reaches the same state after being killed three times', async () => {
  const rows = listings(20)
  write(rows)
  const start = () =>
    spawn(
      process.execPath,
      [
        join(import.meta.dirname, '../../clients/typescript/src/cli.ts'),
        'sync',
        file,
        '--apply',
        '--url',
        proxy.url,
      ],
      {
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
          SVC_API_KEY: key,
        },
        stdio: 'ignore',
      },
    )
  // Before the service sees the request, after it has acted, and once it has responded.
  for (const fault of ['refuse', 'lose response', 'pass'] as const) {
    const child = start()
    const over = once(child, 'exit')
    decide = ({ method }) => {
      if (method === 'GET') return 'pass'
      child.kill('SIGKILL')
      return fault
    }
    await over
    assert.equal(child.signalCode, 'SIGKILL')
  }
  decide = () => 'pass'
  const [code] = (await once(start(), 'exit')) as [number]
  assert.equal(code, 0)
  await settled(rows)
  assert.equal(await used('photos_per_day'), 60)
  assert.equal(await used('new_listings_per_day'), 20)
})
