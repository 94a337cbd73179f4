/** The state of the database for a support bundle: migrations, servers, sizes of tables, and errors by day. No rows of agencies. */
import type { ClientConfig } from 'pg'
import { getServers, type Server } from '../../../platform/db/citus/servers.ts'
import { withSession } from '../../../platform/db/statements/session.ts'
import { statement } from '../../../platform/db/statements/statement.ts'
import { describeError } from '../command.ts'

/** @returns the result, or `missing` with the reason */
export async function collect<T>(work: () => Promise<T>): Promise<T | { missing: string }> {
  try {
    return await work()
  } catch (error) {
    return { missing: describeError(error) }
  }
}

/** @throws DatabaseUnreachable. With Citus, a node that is down is only `missing`. */
export async function readDatabase(connection: ClientConfig) {
  const servers = await getServers(connection)
  return {
    servers: await Promise.all(servers.map(readServer)),
    migrations: await collect(() => withSession(connection, (session) => selectMigrations(session, []))),
    errors: await collect(() => withSession(connection, (session) => selectErrors(session, []))),
  }
}

async function readServer({ name, connection }: Server) {
  const found = await collect(() =>
    withSession(connection, async (session) => ({
      bytes: (await readSize(session, []))[0]?.bytes,
      settings: await selectSettings(session, [shownSettings]),
      tables: await selectTables(session, []),
    })),
  )
  return { name, ...found }
}

const readSize = statement<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes')

const shownSettings = [
  'archive_mode',
  'autovacuum',
  'effective_cache_size',
  'fsync',
  'full_page_writes',
  'idle_in_transaction_session_timeout',
  'max_connections',
  'max_prepared_transactions',
  'max_slot_wal_keep_size',
  'max_wal_size',
  'server_version',
  'shared_buffers',
  'synchronous_commit',
  'wal_level',
  'work_mem',
]

const selectSettings = statement<{ name: string; setting: string; unit: string | null }>(`
  select name, setting, unit from pg_settings where name = any ($1) order by name`)

/** Numbers of rows are PostgreSQL's estimates. */
const selectTables = statement<{ name: string; bytes: number; live_rows: number; dead_rows: number }>(`
  select relname as name, pg_total_relation_size(relid)::float8 as bytes,
    n_live_tup::float8 as live_rows, n_dead_tup::float8 as dead_rows,
    last_vacuum, last_autovacuum, last_analyze, last_autoanalyze
  from pg_stat_user_tables order by bytes desc`)

const selectMigrations = statement<{ name: string; applied_at: string }>(
  'select name, checksum, applied_at from schema_migrations order by name',
)

/** Requests with an error, over all agencies, by day and code. */
const selectErrors = statement<{ day: string; code: string; requests: number }>(`
  select day, code, sum(requests)::int as requests from request_days
  where code <> '' and day > clock_timestamp() - interval '7 days' group by day, code order by day, requests desc, code`)
