/**
 * `node bench/idle.ts [LISTINGS]`: the pages that the worker's polls touch when nothing is due, with the given number of generated
 * listings, a tenth of which could not be geocoded. For results see docs/scale.md.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { databaseClock } from '../src/platform/time/clock.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { type Db, openDatabase } from '../src/platform/db/database.ts'
import { startEmbedded } from '../src/platform/db/embedded/embedded.ts'
import { migrate } from '../src/platform/db/migrations/migrate.ts'
import { geocoderOf } from '../test/support/app/geocoder.ts'
import { reapPhotos } from '../src/listings/photos/unreferenced.ts'
import { openStorage } from '../src/listings/photos/storage.ts'
import { geocodeUnresolved } from '../src/listings/upkeep/geocode-unresolved.ts'
import { recomputeAddresses } from '../src/listings/upkeep/recompute-addresses.ts'
import { pagesTouched } from '../test/support/database/pages-touched.ts'
import { loadData, sizeOf } from './data/load-data.ts'

const listings = Number(process.argv[2] ?? 1_000_000)
const dataDir = mkdtempSync(join(tmpdir(), 'listings-idle-'))
// When run by root, PostgreSQL runs as another user, who needs access.
chmodSync(dataDir, 0o755)
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', DEMO: 'off' })
const geocoder = geocoderOf(async () => ({ status: 'none' }))
const database = await startEmbedded({ dataDir, log: () => {}, durable: false })
const pool = openDatabase({ connection: database.connection, poolSize: 2 })
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const clock = databaseClock
const silent = { info() {}, warn() {}, error() {} }
const storage = await openStorage(config)
const photosOf = (db: Db) => ({
  db,
  clock,
  storage,
  download: async () => Buffer.alloc(0),
  allow: { hosts: [], origins: [] },
  log: silent,
})

try {
  await migrate(database.connection)
  const agencies = await loadData(
    database.connection,
    sizeOf(listings),
    'a secret of the benchmark',
    () => {},
  )
  await sql`update properties set location_status = 'unresolved', lat = null, lng = null, sought_version = version
    where get_byte(uuid_send(id), 15) < 26`.execute(pool)
  await sql`insert into geocoding_attempts (agency_id, property_id, version, attempts, next_attempt_at)
    select agency_id, id, version, 0, now() + interval '1 week' from properties where location_status = 'unresolved'`.execute(
    pool,
  )
  await sql`vacuum (analyze) properties, geocoding_attempts`.execute(pool)
  const largest = agencies.at(-1)
  const rounds: [string, (db: Db) => Promise<unknown>][] = [
    [
      'geocoding unresolved listings',
      (db) => geocodeUnresolved({ db, clock, limits: config.limits, geocoder }, 50),
    ],
    ['comparing addresses by newer rules', (db) => recomputeAddresses({ db, clock }, 100)],
    ['deleting photos, none due', (db) => reapPhotos(photosOf(db), 100)],
    [
      `deleting a photo of an agency with ${largest?.listings} listings`,
      async (db) => {
        await sql`insert into unreferenced_photos (agency_id, photo, delete_after)
          values (${largest?.id}, 'x', now() - interval '1 minute')`.execute(db)
        await reapPhotos(photosOf(db), 100)
      },
    ],
  ]
  print(`${listings} listings, pages touched`)
  for (const [name, work] of rounds) {
    print(`${name.padEnd(56)} ${(await pagesTouched(pool, work)).toFixed(0).padStart(8)}`)
  }
} finally {
  await pool.destroy()
  await database.release()
  rmSync(dataDir, { recursive: true, force: true })
}
