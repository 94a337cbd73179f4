/** Finds out whether a database is plain PostgreSQL or distributed by Citus. */
import pg from 'pg'

/** `isDistributed`: the tables of agencies are spread over Citus's nodes. */
export type Engine = { isDistributed: boolean; version: string | null }

/*
 * Versions whose memory of local plans never finds what it holds (github.com/citusdata/citus/pull/8824): a prepared statement is planned
 * anew at each execution, and each plan stays in memory. The correction is of September 2026, later than the newest of them.
 */
export const forgetful: ReadonlySet<string> = new Set(['13.2.1', '13.2.2', '14.0.0', '14.0.1', '14.1.0'])

/** Asks on a connection of its own. @throws the driver's error where the database cannot be reached */
export async function findEngine(connection: pg.ClientConfig): Promise<Engine> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ citus: boolean }>(
      `select exists (select from pg_extension where extname = 'citus') as citus`,
    )
    if (rows[0]?.citus !== true) return { isDistributed: false, version: null }
    const found = await client.query<{ distributed: boolean; version: string }>(`
      select exists (select from pg_dist_partition where logicalrelid = to_regclass('agency_revisions')) as distributed,
        substring(citus_version() from 'Citus ([0-9.]+)') as version`)
    const { distributed = false, version = '' } = found.rows[0] ?? {}
    return { isDistributed: distributed, version }
  } finally {
    await client.end()
  }
}

/**
 * The connection's settings for that engine. Where Citus does not find its plans again, PostgreSQL must not hand it the same statement
 * twice. Settings that the operator's own address has go before.
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

function optionsOf(address: string): string | null {
  return new URL(address).searchParams.get('options')
}
