/**
 * Moves a database that the migrations before 1.0.0 made to the files of 1.0.0: migrations/adopt.sql changes its schema, and its record
 * then names the new files. All in one transaction, which commits only if the schema equals the one that the new files make.
 */
import type { ClientConfig } from 'pg'
import { checkServer } from './check-server.ts'
import { localTables } from './citus/distribution.ts'
import { analyseAfter, distributeAdded } from './migrate.ts'
import { isRepeatable, type Migration, readBridge, readMigrations } from './migration-files.ts'
import { untilUnlocked, usualLockWaits } from './migration-locks.ts'
import { createRecord, isBeforeFirstRelease, readRecord, record } from './migration-record.ts'
import { applyStatements, type Run, splitStatements } from './migration-statements.ts'
import { findOtherClients } from './other-clients.ts'
import { findDifferences, readSchema, type Schema } from './schema.ts'
import { lockSchema, withSession } from './session.ts'
import { oneOff, statement } from './statement.ts'

/** The state that the bridge begins with. */
const lastBefore = '0111_rough_addresses_indexes.sql'

/** Nothing was changed. `reasons`: a sentence for each. */
export class NotAdopted extends Error {
  override readonly name = 'NotAdopted'
  readonly reasons: readonly string[]
  constructor(reasons: readonly string[]) {
    super(`The database was not changed: ${reasons.join(' ')}`)
    this.reasons = reasons
  }
}

/**
 * @returns whether there was anything to adopt
 * @throws NotAdopted, DatabaseStartError
 */
export async function adopt(connection: ClientConfig, log: (line: string) => void): Promise<boolean> {
  return withSession(connection, async (session) => {
    const run: Run = {
      connection,
      session,
      log,
      waits: usualLockWaits,
      isDistributed: await checkServer(session),
    }
    const isAdopted = await untilUnlocked(run.waits, () => session.transaction(() => adoptLocked(run)))
    if (isAdopted) await analyseAfter(session, [lastBefore], log)
    return isAdopted
  })
}

async function adoptLocked(run: Run): Promise<boolean> {
  const { session, isDistributed, waits } = run
  await lockSchema(session, [])
  const applied = await readRecord(session)
  if (!isBeforeFirstRelease(applied)) return false
  if (!applied.has(lastBefore))
    throw new NotAdopted([
      `It lacks ${lastBefore}: start it once with the last version before 1.0.0, which applies that.`,
    ])
  const others = await findOtherClients(session)
  if (others.length > 0) throw new NotAdopted(others)

  const migrations = readMigrations()
  // Without this, Citus does not pass the next setting on to its nodes.
  if (isDistributed) await session.run(oneOff(`set local citus.propagate_set_commands = 'local'`))
  await session.run(oneOff(`set local lock_timeout = ${waits.lockMs}`))
  if (isDistributed) await session.run(oneOff(`set local citus.multi_shard_modify_mode = 'sequential'`))
  await applyStatements(run, readBridge())
  for (const migration of migrations)
    await applyStatements(run, isRepeatable(migration) ? migration : onlyComments(migration))
  if (isDistributed) await distributeAdded(run)

  const wanted = await readWanted(run, migrations)
  const differences = findDifferences(wanted, await readSchema(session))
  if (differences.length > 0) throw new NotAdopted(differences)
  await forgetRecord(session, [])
  for (const migration of migrations) await record(session, migration)
  return true
}

/** Its statements `comment on`, each of which is one line. */
function onlyComments({ name, text }: Migration): Pick<Migration, 'name' | 'text'> {
  const comments = splitStatements(text).filter((one) => one.trimStart().startsWith('comment on '))
  return { name, text: comments.join('') }
}

const forgetRecord = statement('delete from schema_migrations')

/** Makes the schema of the files in a schema beside the current one, reads it, and takes it back. */
async function readWanted(run: Run, migrations: readonly Migration[]): Promise<Schema> {
  const { session, isDistributed } = run
  await session.run(oneOff('savepoint wanted'))
  if (isDistributed) await session.run(oneOff('set local citus.enable_ddl_propagation = off'))
  await session.run(oneOff('create schema wanted_by_files'))
  await session.run(oneOff('set local search_path to wanted_by_files'))
  await createRecord(session)
  for (const migration of migrations) await applyStatements(run, migration)
  const schema = await readSchema(session)
  await session.run(oneOff('rollback to savepoint wanted'))
  return isDistributed ? withoutForeignKeysOfLocalTables(schema) : schema
}

/** Citus checks none from a local table to one that is distributed or on every node: distributing drops them. */
function withoutForeignKeysOfLocalTables(schema: Schema): Schema {
  const isLocal = (table: string) => (localTables as readonly string[]).includes(table)
  return new Map(
    [...schema].filter(([object, definition]) => {
      const from = /^constraint (\w+)\./.exec(object)?.[1] ?? ''
      const to = /^FOREIGN KEY .* REFERENCES (\w+)/.exec(definition)?.[1] ?? from
      return !isLocal(from) || isLocal(to)
    }),
  )
}
