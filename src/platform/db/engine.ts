/** Finds out whether a database is plain PostgreSQL or distributed by Citus. */
import type pg from 'pg'
import { withSession } from './session.ts'
import { type Executor, statement } from './statement.ts'

/** `isDistributed`: the tables of agencies are spread over Citus's nodes. */
type Engine = { isDistributed: boolean; version: string | null }

/*
 * Versions whose memory of local plans never finds what it holds (github.com/citusdata/citus/pull/8824): a prepared statement is planned
 * anew at each execution, and each plan stays in memory. The correction is of September 2026, later than the newest of them.
 */
export const forgetful: ReadonlySet<string> = new Set(['13.2.1', '13.2.2', '14.0.0', '14.0.1', '14.1.0'])

const findCitus = statement<{ citus: boolean }>(
  `select exists (select from pg_extension where extname = 'citus') as citus`,
)

const readCitus = statement<Engine>(`
  select exists (select from pg_dist_partition where logicalrelid = to_regclass('agency_revisions')) as "isDistributed",
    substring(citus_version() from 'Citus ([0-9.]+)') as version`)

/** Whether the extension is there. */
export async function hasCitus(db: Executor): Promise<boolean> {
  return (await findCitus(db, []))[0]?.citus === true
}

export async function readEngine(db: Executor): Promise<Engine> {
  const [engine] = (await hasCitus(db)) ? await readCitus(db, []) : []
  return engine ?? { isDistributed: false, version: null }
}

/** Reads it on a connection of its own, before there is a pool. @throws DatabaseUnreachable */
export async function findEngine(connection: pg.ClientConfig): Promise<Engine> {
  return await withSession(connection, readEngine)
}

/**
 * The connection's settings for that engine. Where Citus does not find its plans again, PostgreSQL must not hand it the same statement
 * twice. Options in the operator's own connection string take precedence.
 */
export function settingsFor(
  connection: pg.ClientConfig,
  { isDistributed, version }: Engine,
): pg.ClientConfig {
  if (!isDistributed || !forgetful.has(version ?? '')) return connection
  const isChosen =
    connection.connectionString === undefined ? connection.options : optionsOf(connection.connectionString)
  return isChosen ? connection : { ...connection, options: '-c plan_cache_mode=force_custom_plan' }
}

function optionsOf(url: string): string | null {
  return new URL(url).searchParams.get('options')
}
