/** The files of migrations/: numbered ones, which run once, and functions, which replace what their earlier text installed. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `name`: the file below migrations/. */
export type Migration = Readonly<{ name: string; text: string; checksum: string }>

const migrationsDirectory = fileURLToPath(new URL('../../../migrations', import.meta.url))

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
