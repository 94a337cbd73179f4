/** Filling a database with the demonstration: once, completely, and only on request. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import sharp from 'sharp'
import { closeDeps, composeDeps } from '../../src/compose.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { demoAgencies } from '../../src/samples/listings.ts'
import { checkPhotoUrl } from '../../src/listings/photos/check-url.ts'
import { seedDemo } from '../../src/samples/seed.ts'
import { testSamples } from '../../src/samples/test-environment.ts'
import type { Deps } from '../../src/deps.ts'
import { fingerprint } from '../../src/access/keys/key-format.ts'
import { stubPictures } from '../support/app/test-key.ts'
import { testDatabase, type TestDatabase } from '../support/database/database.ts'
import { quickDirectory } from '../support/quick-directory.ts'
import { startServer } from '../support/app/server.ts'

const listings = demoAgencies.flatMap((agency) => agency.listings)

let database: TestDatabase
let dataDir: string
let deps: Deps
let printed: string[]
const print = (line: string) => void printed.push(line)
before(async () => {
  database = await testDatabase({ poolSize: 10 })
  dataDir = mkdtempSync(join(quickDirectory(), 'listings-demo-'))
  const config = readConfig({ DATA_DIR: dataDir, SECRET_KEY: 'a secret of the tests, long enough' })
  deps = await composeDeps(config, database.db, pino({ level: 'silent' }))
  printed = []
})
after(async () => {
  await closeDeps(deps)
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const count = async (what: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.raw(what)}`.execute(
    database.db,
  )
  return rows[0]?.count ?? -1
}

describe('the demonstration', () => {
  test('is not added to a database unless requested', async () => {
    assert.equal(await seedDemo(deps, print, false), null)
    assert.equal((await count('agencies')) + (await count('demonstration')), 0)
    assert.deepEqual(printed, [])
  })

  test('is not added to an external database by a server, unless DEMO=on', async () => {
    const server = await startServer(database.connection, { DEMO: 'auto' })
    try {
      assert.equal(await count('agencies'), 0)
      assert.doesNotMatch(server.said(), /demonstration|Key to read/i)
    } finally {
      await server.end()
    }
  })

  test('resumes after an interruption, in several processes at once, and is then complete', async () => {
    let left = 680
    const { storage } = deps.photos
    const put: typeof storage.put = async (...file) => {
      if ((left -= 1) < 0) throw new Error('the disk is full')
      await storage.put(...file)
    }
    const failing = { ...deps, photos: { ...deps.photos, storage: { ...storage, put } } }
    await assert.rejects(
      seedDemo(failing, print, true, stubPictures),
      /could not be stored|the service|unavailable/i,
    )
    const halfway = await count('properties')
    assert.ok(halfway < listings.length, String(halfway))
    assert.equal(await seedDemo(deps, print, false), null)
    assert.match(printed.at(-1) ?? '', /incomplete/)

    const [one, other] = await Promise.all([1, 2].map(() => seedDemo(deps, print, true, stubPictures)))
    assert.ok(one != null)
    assert.deepEqual(other, one)
    assert.deepEqual(await seedDemo(deps, print, false), one)
    // The last one is the first agency's test environment.
    assert.equal(await count('agencies'), demoAgencies.length + 1)
    const all = [...listings, ...testSamples]
    assert.equal(await count('properties'), all.length)
    const expected = all.reduce((sum, { pictures }) => sum + pictures.length, 0)
    assert.equal(await count('properties cross join unnest(photos)'), expected)
    assert.equal(
      await count('properties where place_blurred'),
      listings.filter(({ isBlurred }) => isBlurred === true).length,
    )
    assert.equal(
      await count("photo_sources cross join jsonb_array_elements(warnings -> 'failed')"),
      listings.flatMap(({ failed_photos: failed = [] }) => failed).length,
    )
    assert.ok((await count("properties where closed_at < clock_timestamp() - interval '30 days'")) > 1)
    assert.ok(
      (await count(`properties where status = 'published' and updated_at < now() - interval '90 days'`)) > 1,
    )
    // Later changes keep the date of publication.
    assert.equal(
      await count(`properties p join agencies a on a.id = p.agency_id
        where a.test_of is null and p.reserved and p.published_at > now() - interval '40 days'`),
      0,
    )
    // Six weeks of visits to published listings, up to yesterday.
    const seen = listings.filter(
      ({ status, payload }) => status === 'published' && payload.external_id !== undefined,
    )
    assert.equal(
      await count("listing_visits where day < clock_timestamp() - interval '1 day' and views > 0"),
      await count('listing_visits'),
    )
    assert.ok((await count('(select distinct public_id from listing_visits) visited')) >= seen.length)
    assert.equal(await count('accounts where password_hash is not null'), 2)
    assert.equal(await count('agency_usage where used > 0'), 0)
    const { rows } = await sql<{
      fingerprint: Buffer
    }>`select fingerprint from api_keys order by created_at`.execute(deps.db)
    assert.deepEqual(
      rows.map((row) => row.fingerprint),
      [one.read, one.write, one.test ?? ''].map(fingerprint),
    )
  })

  test('accepts its own samples in production too, without requesting them', async () => {
    const settings = {
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://db.example/x',
      SECRET_KEY: 'a secret of the tests, long enough',
      HOST: '0.0.0.0',
      // Nothing listens on port 1.
      PUBLIC_BASE_URL: 'https://127.0.0.1:1',
      DATA_DIR: dataDir,
    }
    const photosWith = async (changes: Record<string, string>) =>
      (await composeDeps(readConfig({ ...settings, ...changes }), database.db, deps.log as never)).photos
    const { allow, download } = await photosWith({ DEMO: 'on' })
    for (const url of ['https://127.0.0.1:1/samples/1.jpg', 'http://127.0.0.1:3000/samples/12.jpg']) {
      assert.equal(checkPhotoUrl(url, allow), null)
      assert.equal((await sharp(await download(url, allow)).metadata()).format, 'jpeg')
    }
    await assert.rejects(download('https://127.0.0.1:1/samples/13.jpg', allow), { name: 'PhotoFailure' })
    const without = await photosWith({ DEMO: 'off' })
    assert.notEqual(checkPhotoUrl('https://127.0.0.1:1/samples/1.jpg', without.allow), null)
    await assert.rejects(without.download('https://127.0.0.1:1/samples/1.jpg', without.allow))
  })

  test('does not show its keys under another SECRET_KEY', async () => {
    const { secretBox } = await composeDeps(
      readConfig({ DATA_DIR: dataDir, SECRET_KEY: 'another secret of the tests' }),
      database.db,
      deps.log as never,
    )
    assert.equal(await seedDemo({ ...deps, secretBox }, print), null)
  })
})
