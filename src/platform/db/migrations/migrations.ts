/**
 * Reads the files of migrations/, and the table `schema_migrations`, which records the files that a database has, each with its checksum.
 * Numbered files run once. Functions replace what their earlier text installed.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { svcCommand } from '../../program/svc-command.ts'
import { DatabaseStartError } from '../presence/database-start-error.ts'
import { hasTable } from './has-table.ts'
import { type Executor, oneOff, statement } from '../statements/statement.ts'
import { checkVersion } from './version-contract.ts'

export async function hasRecord(db: Executor): Promise<boolean> {
  return await hasTable(db, 'schema_migrations')
}

export async function createRecord(db: Executor): Promise<void> {
  await db.run(
    oneOff(
      'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null)',
    ),
  )
}

/** Records a migration, or that a function was installed again. */
const upsertApplied = statement(`
  insert into schema_migrations (name, checksum, applied_at) values ($1, $2, clock_timestamp())
  on conflict (name) do update set checksum = excluded.checksum, applied_at = excluded.applied_at`)

export async function record(db: Executor, { name, checksum }: Migration): Promise<void> {
  await upsertApplied(db, [name, checksum])
}

const selectApplied = statement<{ name: string; checksum: string }>(
  'select name, checksum from schema_migrations',
)

/** @returns name → checksum */
export async function readRecord(db: Executor): Promise<Map<string, string>> {
  return new Map((await selectApplied(db, [])).map((row) => [row.name, row.checksum]))
}

/** Whether the files before 1.0.0 made the database: later versions have no file of this name. */
export function isBeforeFirstRelease(applied: ReadonlyMap<string, string>): boolean {
  return applied.has('0002_api_keys.sql')
}

/**
 * The migrations that the database lacks, in order.
 * @throws DatabaseStartError if its record contradicts the files, or needs a newer version of the service
 */
export async function findPending(db: Executor, migrations: readonly Migration[]): Promise<Migration[]> {
  const applied = await readRecord(db)
  if (isBeforeFirstRelease(applied))
    throw new DatabaseStartError(
      `The migrations before 1.0.0 made this database: stop the service, make a backup and run \`${svcCommand} database adopt\` once, as docs/operations/upgrades.md says.`,
    )
  await checkVersion(db)
  for (const migration of migrations) {
    const { name, checksum } = migration
    const recorded = applied.get(name)
    if (recorded !== undefined && recorded !== checksum && !isRepeatable(migration)) {
      throw new DatabaseStartError(
        `migrations/${name} was changed after it was applied to this database: restore it, and put the change into a new file.`,
      )
    }
  }
  return migrations.filter((migration) =>
    isRepeatable(migration)
      ? applied.get(migration.name) !== migration.checksum
      : !applied.has(migration.name),
  )
}

/** The migrations that a newer version has applied. */
export async function findNewer(db: Executor, migrations: readonly Migration[]): Promise<string[]> {
  const known = new Set(migrations.map(({ name }) => name))
  return [...(await readRecord(db)).keys()].filter((name) => !known.has(name)).sort()
}

/** `name`: the file below migrations/. */
export type Migration = Readonly<{ name: string; text: string; checksum: string }>

const migrationsDirectory = fileURLToPath(new URL('../../../../migrations', import.meta.url))

const functionsFolder = 'functions/'

/** Brings databases of the migrations before 1.0.0 to the numbered files (adopt.ts). */
export const readBridge = (): Migration => readMigration(migrationsDirectory, 'adopt.sql')

/** The migrations of this version, in order: numbered files, then functions. */
export function readMigrations(directory: string = migrationsDirectory): Migration[] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /^(\d{4}_|functions\/)[^/]*\.sql$/.test(name))
    .sort()
    .map((name) => readMigration(directory, name))
}

function readMigration(directory: string, name: string): Migration {
  const text = readFileSync(join(directory, name), 'utf8')
  return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
}

/** Whether the file replaces what its earlier text installed. */
export function isRepeatable({ name }: Migration): boolean {
  return name.startsWith(functionsFolder)
}
