/** Copies the rows of all tables out of a database and into another one, as PostgreSQL's COPY writes them. */
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { escapeIdentifier } from 'pg'
import { type CopyStreamQuery, from, to } from 'pg-copy-streams'
import type { Connection } from '../../../platform/db/statements/connection.ts'
import { type Executor, oneOff } from '../../../platform/db/statements/statement.ts'
import type { Head } from './archive.ts'

type Table = Head['tables'][number]

/** Uncompressed bytes of a part. Backup and restore hold one part in memory. */
const partBytes = 8 * 1024 * 1024

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** Tables that only migrations write. */
const ofMigrations = ['schema_migrations', 'version_contract']

/** The tables whose rows a backup has, in an order that their foreign keys allow. Generated columns are left out. */
export async function readTables(db: Executor): Promise<Table[]> {
  const rows = await db.run(
    oneOff<Table & { refers_to: string[] }>(
      `
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select r.confrelid::regclass::text from pg_constraint r
        where r.conrelid = c.oid and r.contype = 'f' and r.confrelid <> c.oid) as refers_to
    from pg_class c
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname <> all ($1)
    order by c.relname`,
      [ofMigrations],
    ),
  )
  const ordered: Table[] = []
  const isDone = (name: string): boolean => ordered.some((table) => table.name === name)
  while (ordered.length < rows.length) {
    const next = rows.filter(({ name, refers_to: others }) => !isDone(name) && others.every(isDone))
    if (next.length === 0) throw new Error('the foreign keys of the tables form a circle')
    ordered.push(...next.map(({ name, columns }) => ({ name, columns })))
  }
  return ordered
}

/** Reads a table in parts. @returns the number of rows */
export async function copyOut(
  connection: Connection,
  table: Table,
  add: (name: string, bytes: Buffer) => Promise<void>,
): Promise<number> {
  const stream = connection.copy(to(`copy ${target(table)} to stdout`))
  let pieces: Buffer[] = []
  let held = 0
  let parts = 0
  const flush = async (): Promise<void> => {
    if (held === 0) return
    parts += 1
    const bytes = Buffer.concat(pieces)
    pieces = []
    held = 0
    await add(partName(table.name, parts), await compress(bytes))
  }
  for await (const piece of stream as AsyncIterable<Buffer>) {
    pieces.push(piece)
    held += piece.length
    if (held >= partBytes) await flush()
  }
  await flush()
  return stream.rowCount
}

/** A table and its columns, as COPY takes them. The names may come from an archive. */
function target({ name, columns }: Table): string {
  return `${escapeIdentifier(name)} (${columns.map((column) => escapeIdentifier(column)).join(', ')})`
}

function partName(table: string, part: number): string {
  return `database/${table}/${String(part).padStart(6, '0')}.copy.gz`
}

/** The table of a part; null if the part has no rows. */
export function tableOf(part: string): string | null {
  return /^database\/([^/]+)\/\d+\.copy\.gz$/.exec(part)?.[1] ?? null
}

export type CopyIn = ReturnType<typeof openCopyIn>

/** Fills tables from their parts, which come table by table. */
export function openCopyIn(connection: Connection, tables: readonly Table[]) {
  let open: { table: string; stream: CopyStreamQuery; ended: Promise<void> } | null = null
  const rows: Record<string, number> = {}
  const begin = (table: Table) => {
    const stream = connection.copy(from(`copy ${target(table)} from stdin`))
    const ended = finished(stream)
    // Reported by the next write.
    ended.catch(() => {})
    return { table: table.name, stream, ended }
  }
  const close = async (): Promise<void> => {
    if (open === null) return
    const { table, stream, ended } = open
    open = null
    stream.end()
    await ended
    rows[table] = stream.rowCount
  }
  return {
    async add(name: string, part: Buffer): Promise<void> {
      const table = tables.find((one) => one.name === name)
      if (table === undefined) throw new Error(`the archive has rows of an unknown table, ${name}`)
      if (open?.table !== name) {
        await close()
        open = begin(table)
      }
      const { stream, ended } = open
      if (!stream.write(await expand(part))) await Promise.race([once(stream, 'drain'), ended])
    },
    /** @returns the number of rows by table */
    async finish(): Promise<Record<string, number>> {
      await close()
      return rows
    },
    /** Ends the running COPY without effect. */
    async abort(): Promise<void> {
      open?.stream.destroy()
      await open?.ended.catch(() => {})
    },
  }
}
