/**
 * The sync command over randomly changing files, interrupted at random requests by lost, cut and rejected responses: after each file the
 * service matches it, except for listings that people took off the market, and another run finds nothing to do.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ListingsClient, type Property, type PropertyInput } from '../../clients/typescript/src/index.ts'
import type { Outcome } from '../../clients/typescript/src/sync/outcomes.ts'
import { run } from '../../clients/typescript/src/sync/run.ts'
import { dayMs } from '../../src/platform/time/days.ts'
import { type Random, randomFrom } from '../../test/support/random.ts'
import { freshAddress, type TestApp, testApp } from '../../test/support/app/app.ts'
import { type Fault, type FaultProxy, faultProxy } from '../../test/support/network/fault-proxy.ts'
import { storedListings } from '../../test/support/programs/sync-command.ts'

const files = 50
const codes = 10
const faults: readonly Fault[] = ['pass', 'lose response', 'refuse', 'cut response']
const busy: Fault = { status: 503, headers: { 'retry-after': '0' }, body: 'busy' }

type Row = { external_id: string; title: string; address: string; photos: string[]; status: string }

let app: TestApp
let proxy: FaultProxy
let directory: string
let key: string
let decide: () => Fault = () => 'pass'

before(async () => {
  // Low enough to run out on the way.
  app = await testApp({ limits: { new_listings_per_hour: 12, writes_per_minute: 30 } })
  proxy = await faultProxy(app.baseUrl, () => decide())
  directory = mkdtempSync(join(tmpdir(), 'listings-sync-'))
})
after(async () => {
  await proxy.close()
  await app.close()
  rmSync(directory, { recursive: true })
})

/** Some of the listings, with random fields. @param turn the offset of their addresses */
function randomRows(random: Random, addresses: readonly string[], turn: number): Row[] {
  return addresses.flatMap((_, index): Row[] => {
    if (random.oneIn(4)) return []
    const first = random.below(5)
    const photos = Array.from({ length: 3 + random.below(3) }, (__, photo) => (first + photo) % 9)
    return [
      {
        external_id: `F-${index}`,
        title: `Title ${random.below(3)}`,
        address: addresses[(index + turn) % codes] ?? '',
        photos: photos.map((photo) => `https://photos.example/${index}-${photo}.jpg`),
        status: random.oneIn(3) ? 'disabled' : 'published',
      },
    ]
  })
}

const source = (): string => join(directory, 'listings.json')
const common = { operation: 'sale', type: 'Casa', price: { amount: 1, currency: 'USD' } }
const place = { location: { city: 'La Plata', lat: -34.9, lng: -57.9 } }

async function sync(
  words: readonly string[],
  abort = new AbortController().signal,
): Promise<[number, string]> {
  let said = ''
  const out = { write: (text: string) => (said += text) }
  const code = await run({
    words: ['sync', source(), '--url', proxy.url, '--report', join(directory, 'report.json'), ...words],
    environment: { SVC_API_KEY: key },
    out,
    err: out,
    stop: new AbortController().signal,
    abort,
    now: () => Date.now() + app.clock.offsetMs,
    pause: async (ms) => void (app.clock.offsetMs += ms),
  })
  return [code, said]
}

const words = ['--apply', '--delete-missing', '--max-delete-share', '100']

/** Runs the command on the rows, interrupted a few times and then to the end. @returns its exit code and its output */
async function syncWith(rows: readonly Row[], random: Random): Promise<[code: number, said: string]> {
  writeFileSync(source(), JSON.stringify(rows.map((row) => ({ ...common, ...place, ...row }))))
  for (let aborts = random.below(5); aborts > 0; aborts -= 1) {
    const abort = new AbortController()
    let left = 1 + random.below(12)
    decide = () => {
      left -= 1
      if (left > 0) return random.oneIn(8) ? busy : 'pass'
      setTimeout(() => abort.abort(new Error('killed')), random.below(10))
      return random.pick(faults)
    }
    await sync(words, abort.signal)
    decide = () => 'pass'
  }
  return await sync(words)
}

function assertIsAs(row: Row, listing: Property | undefined): void {
  assert.deepEqual([listing?.title, listing?.address], [row.title, row.address])
  assert.equal(listing?.photos.length, new Set(row.photos).size)
  // A listing that was never published stays a draft.
  assert.equal(listing?.status === 'published', row.status === 'published')
}

const stored = (): Promise<Map<string, Property>> => storedListings(app, key)

/** The states of the listings that another run would report. */
async function statesNow(): Promise<Map<string, Outcome['state']>> {
  await sync([])
  const report = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8')) as Outcome[]
  return new Map(report.map(({ external_id, state }) => [external_id, state]))
}

test('after each file the service matches it', async (t) => {
  const seed = Date.now() % 1_000_000
  t.diagnostic(`seed ${seed}`)
  const random = randomFrom(seed)
  const addresses = Array.from({ length: codes }, freshAddress)
  key = app.writeKey
  for (let file = 0; file < files; file += 1) {
    const rows = randomRows(random, addresses, random.below(2) * random.below(codes))
    const [code, said] = await syncWith(rows, random)
    assert.equal(code, 0, said)
    const found = await stored()
    assert.equal(found.size, rows.length)
    for (const row of rows) assertIsAs(row, found.get(row.external_id))
    assert.deepEqual(new Set((await statesNow()).values()), new Set(rows.map(() => 'unchanged')))
    app.clock.offsetMs += 2 * dayMs
  }
})

test('listings that people suspend or delete between two files stay that way while the file calls them available', async (t) => {
  const seed = Date.now() % 1_000_000
  t.diagnostic(`seed ${seed}`)
  const random = randomFrom(seed)
  const addresses = Array.from({ length: codes }, freshAddress)
  key = (await app.newAgency()).writeKey
  const client = new ListingsClient({ baseUrl: app.baseUrl, key })
  const suspended = new Map<string, string | null>()
  const deleted = new Set<string>()
  let leftAlone = 0
  for (let file = 0; file < files; file += 1) {
    const rows = randomRows(random, addresses, 0)
    const [code, said] = await syncWith(rows, random)
    for (const id of suspended.keys())
      // The file agrees, or the command has deleted it.
      if (rows.find(({ external_id }) => external_id === id)?.status !== 'published') suspended.delete(id)
    const found = await stored()
    const states = await statesNow()
    let isAny = false
    for (const row of rows) {
      const { external_id: id } = row
      const isLeftAlone = suspended.has(id) || deleted.has(id)
      isAny ||= isLeftAlone
      assert.equal(states.get(id), isLeftAlone ? 'left alone' : 'unchanged', `${id}\n${said}`)
      if (suspended.has(id)) assert.equal(found.get(id)?.updated_at, suspended.get(id), id)
      else if (deleted.has(id)) assert.equal(found.has(id), false, id)
      else assertIsAs(row, found.get(id))
    }
    assert.equal(code, isAny ? 5 : 0, said)
    leftAlone += isAny ? 1 : 0
    for (const [id, { id: publicCode, status }] of found) {
      if (random.oneIn(10)) {
        await client.delete(publicCode)
        suspended.delete(id)
        deleted.add(id)
      } else if (status === 'published' && random.oneIn(5)) {
        const { data } = await client.disable(publicCode, { reason: 'sold' })
        suspended.set(id, data.updated_at)
      }
    }
    // Otherwise all of them end up deleted.
    for (const id of deleted)
      if (random.oneIn(4)) {
        const row = { ...common, ...place, external_id: id, title: 'By hand', address: freshAddress() }
        const { data } = await client.create(row as PropertyInput)
        assert.equal(data.status, 'draft')
        deleted.delete(id)
      }
    app.clock.offsetMs += 2 * dayMs
  }
  t.diagnostic(`listings were left alone in ${leftAlone} of ${files} files`)
})
