/**
 * The sync command alongside people: listings that people close, suspend, delete or reserve stay that way, and the command may republish
 * what it took off the market itself.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { actOnListing } from '../../src/listings/writing/write-by-person.ts'
import { deleteListing, disableListing, reserveListing } from '../../src/listings/writing/states/states.ts'
import type { WriteContext } from '../../src/listings/store/write-context.ts'
import type { Listing as Row } from '../../src/listings/listing.ts'
import { type TestApp, testApp } from '../support/app/app.ts'
import { type Fault, type FaultProxy, faultProxy } from '../support/network/fault-proxy.ts'
import { rowOf } from '../support/app/listings.ts'
import { quickDirectory } from '../support/quick-directory.ts'
import {
  type Listing,
  listings,
  type Ran,
  runSync,
  storedListings,
  writeListings,
} from '../support/programs/sync-command.ts'
import { until } from '../support/until.ts'

let app: TestApp
let proxy: FaultProxy
let directory: string
let file: string
let key: string
let agencyId: string
let decide: (method: string) => Fault

before(async () => {
  app = await testApp()
  proxy = await faultProxy(app.baseUrl, ({ method }) => decide(method))
})
after(async () => {
  await proxy.close()
  await app.close()
})
beforeEach(async () => {
  directory = mkdtempSync(join(quickDirectory(), 'listings-sync-'))
  file = join(directory, 'listings.csv')
  const { agency, writeKey } = await app.newAgency()
  agencyId = agency.id
  key = writeKey
  decide = () => 'pass'
})
afterEach(() => rmSync(directory, { recursive: true }))

const sync = (...words: string[]): Promise<Ran> => runSync({ app, url: proxy.url, key, file, words })
const apply = (...words: string[]): Promise<Ran> => sync('--apply', ...words)

/** The command, killed at its next write: before the service sees it, or after it has acted. */
async function applyKilled(fault: Fault, ...words: string[]): Promise<void> {
  const abort = new AbortController()
  decide = (method) => {
    if (method === 'GET') return 'pass'
    setImmediate(() => abort.abort(new Error('killed')))
    return fault
  }
  const all = ['--apply', ...words]
  const { code } = await runSync({ app, url: proxy.url, key, file, words: all, abort: abort.signal })
  // The service may still act on the request of the killed command.
  await until(() => proxy.running() === 0)
  decide = () => 'pass'
  assert.equal(code, 3)
}

const present = () => storedListings(app, key)
const statusOf = async (code: string) => (await present()).get(code)?.status
const ana = {
  kind: 'person',
  id: '019ab0c4-7f10-7d42-8a01-5c9e1b2d3f40',
  name: 'Ana',
  requestId: 'r-1',
} as const

/** An action by a person in the dashboard. */
async function person(
  code: string,
  act: (context: WriteContext, before: Row) => Promise<Row>,
): Promise<void> {
  await actOnListing(app.deps, agencyId, (await present()).get(code)?.id ?? '', null, ana, act)
}
const sells = (code: string) =>
  person(code, (context, before) => disableListing(context, before, { reason: 'sold', close_price: 90_000 }))
const suspends = (code: string) => person(code, (context, before) => disableListing(context, before, {}))
const deletes = (code: string) => person(code, deleteListing)

const [first, second] = listings(2) as [Listing, Listing]
const rows = (changes: Partial<Listing>): Listing[] => [{ ...first, ...changes }, second]
const available = (): void => writeListings(file, rows({}))
const withdrawn = (): void => writeListings(file, rows({ state: 'Suspendida' }))

/** Checks that the listing is named with its reason, in the plan and by --apply, and that it does not change. */
async function staysLeftAlone(
  code: string,
  why: 'suspended' | 'deleted',
  ...options: string[]
): Promise<void> {
  const elsewhere = why === 'suspended' ? 'suspended or closed elsewhere' : 'deleted elsewhere'
  const history = (await present()).get(code)?.updated_at
  for (const words of [[], ['--apply']]) {
    const { code: exit, out, report } = await sync(...words, ...options)
    assert.equal(exit, 5, out)
    assert.match(out, new RegExp(`Publish +0\\n`))
    assert.match(out, /Left alone +1 +suspended, closed or deleted elsewhere; --republish/)
    assert.match(out, new RegExp(`= ${code}  listings\\.csv:\\d+  .*: ${elsewhere}\\n`))
    const told = report.find(({ external_id }) => external_id === code)
    assert.deepEqual([told?.state, told?.error?.code], ['left alone', `${why}_elsewhere`])
    if (words.length > 0) assert.match(out, / done, 0 failed, 1 left alone\.\n$/)
  }
  assert.equal((await present()).get(code)?.updated_at, history)
}

describe('a listing that the file still calls available', () => {
  test('stays sold if a person sold it, even when its row changes, until --republish', async () => {
    available()
    assert.equal((await apply()).code, 0)
    await sells('CRM-0')
    writeListings(file, rows({ price: 'U$S 80.000', photos: first.photos.replace('0-1', '0-9') }))
    await staysLeftAlone('CRM-0', 'suspended')
    const { id = '' } = (await present()).get('CRM-0') ?? {}
    const row = await rowOf(app, id, agencyId)
    assert.deepEqual([row.status, row.close_reason, row.close_amount], ['disabled', 'sold', 90_000])
    assert.ok(row.closed_at !== null)
    const { code, out } = await apply('--republish')
    assert.equal(code, 0, out)
    const found = (await present()).get('CRM-0')
    assert.deepEqual([found?.status, found?.price.amount], ['published', 80_000])
    assert.equal((await apply()).code, 0)
  })

  test('stays suspended if a person suspended it', async () => {
    available()
    await apply()
    await suspends('CRM-0')
    await staysLeftAlone('CRM-0', 'suspended')
  })

  test('stays deleted if a person deleted it, until --republish creates it again', async () => {
    available()
    await apply()
    await deletes('CRM-0')
    await staysLeftAlone('CRM-0', 'deleted')
    assert.equal((await apply('--republish')).code, 0)
    assert.equal(await statusOf('CRM-0'), 'published')
  })

  test('is also left alone by a first run, or one whose journal is lost', async () => {
    available()
    await apply()
    await suspends('CRM-0')
    await staysLeftAlone('CRM-0', 'suspended', '--journal', join(directory, 'first.journal'))
    await deletes('CRM-0')
    await staysLeftAlone('CRM-0', 'deleted', '--journal', join(directory, 'second.journal'))
  })

  test('stays reserved if a person reserved it', async () => {
    available()
    await apply()
    await person('CRM-0', reserveListing)
    writeListings(file, rows({ title: 'Otro' }))
    assert.equal((await apply()).code, 0)
    withdrawn()
    await apply()
    available()
    assert.equal((await apply()).code, 0)
    const found = (await present()).get('CRM-0')
    assert.deepEqual([found?.status, found?.reserved], ['published', true])
  })
})

describe('a listing that the command took off the market', () => {
  test('is published again once the file calls it available again, edited in between or not', async () => {
    available()
    await apply()
    for (const title of [first.title, 'Otro título']) {
      writeListings(file, rows({ state: 'Vendida', title }))
      assert.equal((await apply()).code, 0)
      assert.equal(await statusOf('CRM-0'), 'disabled')
      available()
      const { code, out } = await apply()
      assert.equal(code, 0, out)
      assert.equal(await statusOf('CRM-0'), 'published')
    }
  })

  test('is left alone if a person has recorded a sale since', async () => {
    available()
    await apply()
    withdrawn()
    await apply()
    await sells('CRM-0')
    available()
    await staysLeftAlone('CRM-0', 'suspended')
  })

  test('may be republished once the file has agreed with the person', async () => {
    available()
    await apply()
    await sells('CRM-0')
    writeListings(file, rows({ state: 'Vendida' }))
    assert.equal((await apply()).code, 0)
    available()
    assert.equal((await apply()).code, 0)
    assert.equal(await statusOf('CRM-0'), 'published')
  })

  for (const fault of ['refuse', 'lose response'] as const) {
    test(`is published again after a run that was killed while suspending it: ${fault}`, async () => {
      available()
      await apply()
      withdrawn()
      await applyKilled(fault)
      available()
      assert.equal((await apply()).code, 0)
      assert.equal(await statusOf('CRM-0'), 'published')
    })

    test(`is published again after a run that was killed while editing it: ${fault}`, async () => {
      available()
      await apply()
      withdrawn()
      await apply()
      writeListings(file, rows({ state: 'Suspendida', title: 'Otro' }))
      await applyKilled(fault)
      available()
      assert.equal((await apply()).code, 0)
      assert.equal(await statusOf('CRM-0'), 'published')
    })

    test(`is not published by a killed run's request if a person has sold it in the meantime: ${fault}`, async () => {
      available()
      await apply()
      withdrawn()
      await apply()
      available()
      await applyKilled(fault)
      await sells('CRM-0')
      await staysLeftAlone('CRM-0', 'suspended')
    })

    test(`is created again after a run that was killed while deleting it: ${fault}`, async () => {
      available()
      await apply()
      writeListings(file, [second])
      const words = ['--delete-missing', '--max-delete-share', '100']
      await applyKilled(fault, ...words)
      available()
      assert.equal((await apply(...words)).code, 0)
      assert.equal(await statusOf('CRM-0'), 'published')
    })
  }

  test('is created again when its row comes back after a deletion', async () => {
    available()
    await apply()
    writeListings(file, [second])
    assert.equal((await apply('--delete-missing', '--max-delete-share', '100')).code, 0)
    assert.equal(await statusOf('CRM-0'), undefined)
    available()
    assert.equal((await apply()).code, 0)
    assert.equal(await statusOf('CRM-0'), 'published')
    await deletes('CRM-0')
    await staysLeftAlone('CRM-0', 'deleted')
  })
})
