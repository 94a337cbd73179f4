/**
 * How long backup and restore take: `node bench/backup.ts [--listings 200000] [--pictures 60000]`. Fills an embedded database, backs it up
 * and verifies it, and restores it into another data directory and into another PostgreSQL. Every row and picture must be equal.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { photoKey, photoSizeNames } from '../src/listings/photos/names-and-urls.ts'
import { startEmbedded } from '../src/platform/db/embedded/embedded.ts'
import { migrate } from '../src/platform/db/migrations/migrate.ts'
import { loadData, sizeOf } from './data/load-data.ts'

const { values } = parseArgs({
  options: {
    listings: { type: 'string', default: '200000' },
    pictures: { type: 'string', default: '60000' },
  },
})
const secretKey = 'a secret of the benchmark'
/** Bytes of a picture's files, like the average of real ones. */
const fileBytes = { large: 60_000, medium: 20_000, small: 6_000 }

const root = mkdtempSync(join(tmpdir(), 'backup-bench-'))
const from = join(root, 'from')
const silent = (): void => {}

type Timed = Readonly<{ seconds: number; printed: Record<string, string | number> }>
const lines: string[] = []

/** Runs a command with these settings. */
async function svc(words: readonly string[], settings: Record<string, string>): Promise<Timed> {
  const start = performance.now()
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', 'src', 'cli.ts'), ...words, '--json'],
    {
      env: { PATH: process.env['PATH'], SECRET_KEY: secretKey, GEOCODER: 'none', ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  assert.equal(code, 0)
  return { seconds: (performance.now() - start) / 1_000, printed: JSON.parse(printed) }
}

/** Leaves each listing three pictures: its own until $1 pictures are used, and then those of its agency's first listing. */
const sharePictures = `
  with numbered as (
    select agency_id, id, photos[1:3] as own, row_number() over (order by md5(id::text)) as number,
      first_value(photos[1:3]) over (partition by agency_id order by md5(id::text)) as shared
    from properties
  )
  update properties p set photos = case when number * 3 <= $1 then own else shared end
  from numbered n where n.agency_id = p.agency_id and n.id = p.id`

async function fill(): Promise<void> {
  const database = await startEmbedded({ dataDir: from, log: silent })
  await migrate(database.connection, silent)
  await loadData(database.connection, sizeOf(Number(values.listings)), secretKey, console.error)
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query(sharePictures, [Number(values.pictures)])
  await client.query('vacuum (full, analyze) properties')
  const { rows: pictures } = await client.query<{ agency_id: string; photo: string }>(
    'select distinct agency_id, unnest(photos) as photo from properties',
  )
  await client.end()
  await database.release()
  console.error(`writing ${pictures.length} pictures`)
  const noise = randomBytes(2 * fileBytes.large)
  for (const [index, { agency_id: agencyId, photo }] of pictures.entries())
    for (const size of photoSizeNames) {
      const path = join(from, 'photos', photoKey(agencyId, photo, size))
      mkdirSync(join(path, '..'), { recursive: true })
      const start = index % fileBytes.large
      writeFileSync(path, noise.subarray(start, start + fileBytes[size]))
    }
}

/** A hash of each table's rows, and of the files of all pictures that listings name. */
async function contentOf(connection: pg.ClientConfig, dataDir: string): Promise<Record<string, string>> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    and relname not in ('backups', 'schema_migrations') order by 1`,
  )
  const content: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows: hashes } = await client.query<{ hash: string }>(
      `select md5(coalesce(string_agg(hash, '' order by hash), '')) as hash
      from (select md5(t::text) as hash from ${pg.escapeIdentifier(name)} t) hashed`,
    )
    content[name] = hashes[0]?.hash ?? ''
  }
  const { rows: pictures } = await client.query<{ agency_id: string; photo: string }>(
    'select distinct agency_id, unnest(photos) as photo from properties order by 1, 2',
  )
  await client.end()
  const hash = createHash('sha256')
  for (const { agency_id: agencyId, photo } of pictures)
    for (const size of photoSizeNames)
      hash.update(readFileSync(join(dataDir, 'photos', photoKey(agencyId, photo, size))))
  return { ...content, pictures: hash.digest('hex') }
}

async function embeddedContent(dataDir: string): Promise<Record<string, string>> {
  const database = await startEmbedded({ dataDir, log: silent })
  try {
    return await contentOf(database.connection, dataDir)
  } finally {
    await database.release()
  }
}

function note(step: string, { seconds, printed }: Timed): void {
  const line = `| ${step} | ${seconds.toFixed(0)} | ${printed['listings']} | ${printed['photos']} |`
  console.error(line)
  lines.push(line)
}

try {
  await fill()
  const before = await embeddedContent(from)
  const archives = join(root, 'archives')
  const made = await svc(['backup', '--to', archives], { DATA_DIR: from })
  note('backup', made)
  note('backup with `--verify`', await svc(['backup', '--to', archives, '--verify'], { DATA_DIR: from }))
  const archive = String(made.printed['archive'])

  const embedded = join(root, 'embedded')
  note('restore, embedded', await svc(['restore', archive], { DATA_DIR: embedded }))
  assert.deepEqual(await embeddedContent(embedded), before)

  const other = await startEmbedded({ dataDir: join(root, 'other'), log: silent })
  try {
    const { host = '', port = 5432, user = '', database = '' } = other.connection
    const url = `postgres:///${database}?host=${encodeURIComponent(host)}&port=${port}&user=${user}`
    const external = { DATABASE_URL: url, DATA_DIR: join(root, 'external') }
    note('restore, external', await svc(['restore', archive], external))
    assert.deepEqual(await contentOf(other.connection, external.DATA_DIR), before)
  } finally {
    await other.release()
  }
  console.log(
    ['| step | seconds | listings | pictures |', '| --- | ---: | ---: | ---: |', ...lines].join('\n'),
  )
  console.log(`\nThe archive has ${(Number(made.printed['bytes']) / 1e9).toFixed(1)} GB.`)
  assert.ok(existsSync(archive))
} finally {
  rmSync(root, { recursive: true, force: true })
}
