/**
 * Writes src/platform/db/types.ts, the row types of Kysely: of the tables that src/ or test/ uses its builder on, as the migrations make them.
 * `npm run db:types` writes it; `npm run db:types -- --check` fails when the committed file differs.
 *
 * Our own and not a library: the rows are as src/platform/db/database.ts delivers them, and generated columns are read-only.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { testDatabase } from '../test/support/database.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const file = join(root, 'src/platform/db/types.ts')

const scalars: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  float4: 'number',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  jsonb: 'Json',
  numeric: 'number',
  text: 'string',
  timestamptz: 'string',
  uuid: 'string',
}

const header = `/**
 * The tables that Kysely's builder is used on, as the migrations make them, where their comments are. Generated: \`npm run db:types\` writes
 * this file.
 */
import type { ColumnType, GeneratedAlways } from 'kysely'

/** Has a default, so an insert may leave it out. */
type Generated<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>

/** Read as parsed JSON. Written as an object or as JSON text; an array must be written as text, or pg makes it a PostgreSQL array. */
type Json = ColumnType<unknown, object | string, object | string>
`

type Column = {
  table_name: string
  name: string
  /** As in pg_type: an array's begins with `_`. */
  type: string
  not_null: boolean
  has_default: boolean
  computed: boolean
}

/** Names after the builder's functions; others than tables, such as aliases, do no harm. */
function namesInBuilder(): string[] {
  const files = globSync(['{src,test}/**/*.ts'], { cwd: root })
  const calls = /\b(?:selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin|from)\(\s*'(\w+)/g
  return files.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(calls)].map(([, name = '']) => name),
  )
}

async function readColumns(client: Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select c.relname as table_name, a.attname as name, t.typname as type, a.attnotnull as not_null,
      a.atthasdef or a.attidentity <> '' as has_default, a.attgenerated <> '' or a.attidentity = 'a' as computed
    from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname = any ($1)
    order by c.relname collate "C", a.attnum`,
    [namesInBuilder()],
  )
  return rows
}

function columnType(column: Column): string {
  const isArray = column.type.startsWith('_')
  const scalar = scalars[isArray ? column.type.slice(1) : column.type]
  if (scalar === undefined) {
    throw new Error(
      `${column.table_name}.${column.name} is of type ${column.type}: add it to the scalars of scripts/db-types.ts.`,
    )
  }
  const type = `${scalar}${isArray ? '[]' : ''}${column.not_null ? '' : ' | null'}`
  if (column.computed) return `GeneratedAlways<${type}>`
  return column.has_default ? `Generated<${type}>` : type
}

function interfaceName(table: string): string {
  return table.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function render(columns: readonly Column[]): string {
  const tables = Map.groupBy(columns, (column) => column.table_name)
  const parts = [header]
  for (const [table, members] of tables) {
    const lines = members.map((column) => `  ${column.name}: ${columnType(column)}\n`)
    parts.push(`export interface ${interfaceName(table)} {\n${lines.join('')}}\n`)
  }
  const names = [...tables.keys()].map((table) => `  ${table}: ${interfaceName(table)}\n`)
  parts.push(`export interface DB {\n${names.join('')}}\n`)
  return parts.join('\n')
}

const database = await testDatabase()
const client = new Client(database.connection)
await client.connect()
const wanted = render(await readColumns(client))
await client.end()
await database.drop()

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== wanted) {
    console.error('src/platform/db/types.ts is not what the migrations make: run npm run db:types.')
    process.exitCode = 1
  }
} else {
  writeFileSync(file, wanted)
}
