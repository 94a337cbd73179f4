/**
 * `node bench/size.ts [AGENCIES] [LISTINGS]`: the disk space of a listing, in its table and in each index, of generated data. docs/scale.md
 * uses the results.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbedded } from '../src/platform/db/embedded/embedded.ts'
import { migrate } from '../src/platform/db/migrations/migrate.ts'
import { loadData } from './data/load-data.ts'

const size = { agencies: Number(process.argv[2] ?? 50), listings: Number(process.argv[3] ?? 1_000), large: 1 }
const dataDir = mkdtempSync(join(tmpdir(), 'listings-size-'))
// When run by root, PostgreSQL runs as another user, who needs access.
chmodSync(dataDir, 0o755)
const database = await startEmbedded({ dataDir, log: () => {}, durable: false })
try {
  await migrate(database.connection)
  await loadData(database.connection, size, 'a secret of the benchmark, long enough', () => {})
  const client = new Client(database.connection)
  await client.connect()
  const { rows: counted } = await client.query<{ n: number }>('select count(*)::int as n from properties')
  const n = counted[0]?.n ?? 1
  const { rows } = await client.query<{ relation: string; kind: string; bytes: number }>(`
    select c.relname as relation, c.relkind as kind,
      (case when c.relkind = 'r' then pg_table_size(c.oid) else pg_relation_size(c.oid) end)::float8 as bytes
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i')
      and (c.oid = 'properties'::regclass or c.oid in (select indexrelid from pg_index where indrelid = 'properties'::regclass))
    order by bytes desc`)
  const lines = rows.map(({ relation, kind, bytes }) => {
    return `${(kind === 'r' ? `${relation} (table)` : relation).padEnd(40)} ${(bytes / n).toFixed(0).padStart(6)} bytes a listing`
  })
  const sum = rows.reduce((total, { bytes }) => total + bytes, 0)
  process.stdout.write(
    `${n} listings\n${lines.join('\n')}\n${'together'.padEnd(40)} ${(sum / n).toFixed(0).padStart(6)}\n`,
  )
  await client.end()
} finally {
  await database.release()
  rmSync(dataDir, { recursive: true, force: true })
}
