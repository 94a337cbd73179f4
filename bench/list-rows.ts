/**
 * `node bench/list-rows.ts`: CPU time of reading and writing a page of 20 listings from the text of their columns, as the service does
 * (src/listings/reading/shown/shown-text.ts), and by JSON.stringify of parsed rows. For results see docs/performance-notes.md.
 */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPage, type PageQuery } from '../src/listings/reading/list/list-sql.ts'
import { rowWriter, shownColumns } from '../src/listings/reading/shown/shown-text.ts'
import { toProperty } from '../src/listings/reading/shown/serialize.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { startEmbedded } from '../src/platform/db/embedded/embedded.ts'
import { migrate } from '../src/platform/db/migrations/migrate.ts'
import { oneOff } from '../src/platform/db/statements/statement.ts'
import { loadData, sizeOf } from './data/load-data.ts'
import { databaseCpuSeconds, parentOf } from './processes/machine.ts'
import { median } from './measurements/measure.ts'

const pages = 2_000
const atOnce = 16
const rounds = 7
const dataDir = mkdtempSync(join(tmpdir(), 'listings-rows-'))
// When run by root, PostgreSQL runs as another user, who needs access.
chmodSync(dataDir, 0o755)
const database = await startEmbedded({ dataDir, log: () => {}, durable: false })
const db = openDatabase({ connection: database.connection, poolSize: 4 })

/** Microseconds of CPU per page, of this process and of PostgreSQL. */
async function cpuPerPage(postmaster: number, page: () => Promise<string>) {
  const [own, theirs] = [process.cpuUsage(), databaseCpuSeconds(postmaster)]
  for (let count = 0; count < pages; count += atOnce) await Promise.all(Array.from({ length: atOnce }, page))
  const { user, system } = process.cpuUsage(own)
  return [(user + system) / pages, ((databaseCpuSeconds(postmaster) - theirs) * 1e6) / pages] as const
}

try {
  await migrate(database.connection)
  const agencies = await loadData(database.connection, sizeOf(4_000), 'a secret of the benchmark', () => {})
  const [{ id } = assert.fail()] = agencies
  const [backend] = await db.run<{ pid: number }>(oneOff('select pg_backend_pid() as pid'))
  const postmaster = parentOf(backend?.pid ?? 0)
  const agency = { id, name: 'Inmobiliaria', slug: 'inmobiliaria' }
  const baseUrl = 'https://listings.example'
  const query: PageQuery = { filters: { status: 'published' }, sort: 'recent', limit: 20, offset: 0 }
  const write = rowWriter(agency, baseUrl, null)
  const forms = {
    async text() {
      const { listings } = await findPage(db, id, query, shownColumns(null))
      return `[${listings.map((row) => write(row)).join()}]`
    },
    async parsed() {
      const { listings } = await findPage(db, id, query)
      return JSON.stringify(listings.map((listing) => toProperty(listing, agency, baseUrl)))
    },
  }
  assert.equal(await forms.text(), await forms.parsed())
  const measured = { text: [] as (readonly [number, number])[], parsed: [] as (readonly [number, number])[] }
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1)
    for (const form of ['text', 'parsed'] as const) {
      const cpu = await cpuPerPage(postmaster, forms[form])
      if (round > 0) measured[form].push(cpu)
    }
  for (const [form, all] of Object.entries(measured)) {
    const [service, server] = [0, 1].map((part) => median(all.map((cpu) => cpu[part] ?? 0)).toFixed(0))
    process.stdout.write(`${form}: service ${service} µs, PostgreSQL ${server} µs\n`)
  }
} finally {
  await db.destroy()
  await database.release()
  rmSync(dataDir, { recursive: true, force: true })
}
