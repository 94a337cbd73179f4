/** Examines a database: its engine, plain PostgreSQL or Citus; whether it is fit for the service; and its other clients. */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { svcCommand } from '../program/svc-command.ts'
import { hasTable } from './migrations/has-table.ts'
import { withSession } from './statements/session.ts'
import { type Executor, statement } from './statements/statement.ts'
import { isHalfDistributed } from './citus/distribute.ts'
import { DatabaseStartError } from './presence/database-start-error.ts'

/** `isDistributed`: the tables of agencies are spread over Citus's nodes. */
type Engine = { isDistributed: boolean; version: string | null }

/*
 * Versions of Citus that never find their cached local plans (github.com/citusdata/citus/pull/8824): they plan a prepared statement anew at
 * each execution, and keep each plan in memory. The fix is of September 2026, later than all of them.
 */
export const forgetful: ReadonlySet<string> = new Set(['13.2.1', '13.2.2', '14.0.0', '14.0.1', '14.1.0'])

const findCitus = statement<{ citus: boolean }>(
  `select exists (select from pg_extension where extname = 'citus') as citus`,
)

const readCitus = statement<Engine>(`
  select exists (select from pg_dist_partition where logicalrelid = to_regclass('agency_revisions')) as "isDistributed",
    substring(citus_version() from 'Citus ([0-9.]+)') as version`)

export async function hasCitus(db: Executor): Promise<boolean> {
  return (await findCitus(db, []))[0]?.citus === true
}

async function readEngine(db: Executor): Promise<Engine> {
  const [engine] = (await hasCitus(db)) ? await readCitus(db, []) : []
  return engine ?? { isDistributed: false, version: null }
}

/** Gets the engine on a connection of its own, before there is a pool. @throws DatabaseUnreachable */
export async function getEngine(connection: pg.ClientConfig): Promise<Engine> {
  return await withSession(connection, readEngine)
}

/**
 * The connection with the settings that the engine needs: on versions of Citus that lose cached plans, PostgreSQL must plan every
 * statement itself. Options in the operator's own connection string take precedence.
 */
export function settingsFor(connection: pg.ClientConfig, { isDistributed, version }: Engine) {
  if (!isDistributed || !forgetful.has(version ?? '')) return connection
  const { connectionString: url, options } = connection
  const isChosen = url === undefined ? options : new URL(url).searchParams.get('options')
  return isChosen ? connection : { ...connection, options: '-c plan_cache_mode=force_custom_plan' }
}

/** The table that marks a database while a backup is being restored into it. */
export const restoreMark = 'restore_in_progress'

/** @throws DatabaseStartError if the database is half restored */
export async function refuseHalfRestored(db: Executor): Promise<void> {
  if (await hasTable(db, restoreMark))
    throw new DatabaseStartError(
      `A restore into this database is running, or was interrupted: run \`${svcCommand} restore\` again, to the end. After an upgrade, run \`database upgrade\` again.`,
    )
}

/** The oldest supported PostgreSQL, as `server_version_num`. */
const oldestServer = 150_000

const readServer = statement<{ number: number; version: string; encoding: string }>(`
  select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
    current_setting('server_encoding') as encoding`)

/**
 * @returns whether the database is distributed.
 * @throws DatabaseStartError if it is unfit, or partly distributed
 */
export async function checkServer(db: Executor): Promise<boolean> {
  const [server] = await readServer(db, [])
  if (server === undefined || server.number < oldestServer) {
    throw new DatabaseStartError(`The database is PostgreSQL ${server?.version}: use 15 or later.`)
  }
  if (server.encoding !== 'UTF8') {
    throw new DatabaseStartError(
      `The database is encoded in ${server.encoding}: create one with encoding UTF8.`,
    )
  }
  const { isDistributed, version } = await readEngine(db)
  if (version !== null && (await isHalfDistributed(db)))
    throw new DatabaseStartError(
      `The database is only partly distributed: run \`${svcCommand} database distribute\` again, to the end.`,
    )
  return isDistributed
}

/** Leaves out PostgreSQL's own processes and those of Citus. Other roles' clients may show nulls; they count. */
const selectClients = statement<{ who: string; count: number }>(`
  select concat_ws(' ', usename, 'from', coalesce(host(client_addr), 'this machine'), '(' || nullif(application_name, '') || ')') as who,
    count(*)::int as count
  from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()
    and coalesce(backend_type, 'client backend') = 'client backend' and coalesce(application_name, '') !~* '^citus'
  group by 1 order by 1`)

/** Forgets the activity that this transaction has seen. */
const refreshActivity = statement('select pg_stat_clear_snapshot()')

/** A sentence for each other client that stays connected. PostgreSQL ends a backend shortly after its client has disconnected. */
export async function findOtherClients(db: Executor): Promise<string[]> {
  let rows = await selectClients(db, [])
  for (let looks = 1; rows.length > 0 && looks < 20; looks += 1) {
    await delay(50)
    await refreshActivity(db, [])
    rows = await selectClients(db, [])
  }
  return rows.map(
    ({ who, count }) =>
      `Another client is connected to this database, ${count} times as ${who}: stop the service's servers and workers, and all other clients.`,
  )
}
