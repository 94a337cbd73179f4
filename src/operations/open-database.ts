/** Opens and migrates the configured database, for the server, its processes and the command line. */
import type pg from 'pg'
import type { Config } from '../platform/config/config.ts'
import { needsDataDir, openDataDir } from '../platform/config/data-dir.ts'
import { svcCommand } from '../platform/program/svc-command.ts'
import { ConfigError } from '../platform/config/settings-reader.ts'
import { DatabaseStartError, DatabaseUnreachable } from '../platform/db/presence/database-start-error.ts'
import { refuseHalfRestored } from '../platform/db/engine.ts'
import { withSession } from '../platform/db/statements/session.ts'
import { connectDatabase, coordinatorName } from '../platform/db/connect.ts'
import { type Db, openDatabase } from '../platform/db/database.ts'
import { startEmbedded } from '../platform/db/embedded/embedded.ts'
import { asServiceRole } from '../platform/db/embedded/service-role.ts'
import { migrate, pendingMigrations } from '../platform/db/migrations/migrate.ts'
import { openReplica, type Replica } from '../platform/db/replica.ts'
import { countedLog } from '../platform/log/counted-log.ts'
import type { Log } from '../platform/log/log.ts'

/** The database, migrated. */
export type OpenedDatabase = {
  db: Db
  /** The replica of DATABASE_READ_URL, or null. */
  replica: Replica | null
  /** How the service connects to it. */
  connection: pg.ClientConfig
  close(): Promise<void>
}

/**
 * Starts or joins the embedded database unless DATABASE_URL is set, migrates, and opens the pool.
 * @param print receives lines for the operator
 * @param isServer an embedded database admits one server, and any number of commands
 * @param migrates false: refuses a database that lacks migrations
 * @throws ConfigError when DATABASE_URL cannot be used
 */
export async function openServiceDatabase(
  config: Config,
  log: Log,
  print: (line: string) => void,
  { isServer = false, migrates = true }: { isServer?: boolean; migrates?: boolean } = {},
): Promise<OpenedDatabase> {
  if (needsDataDir(config)) openDataDir(config.dataDir)
  const embedded =
    config.databaseUrl === null
      ? await startEmbedded({ dataDir: config.dataDir, log: print, isServer })
      : null
  const owner = embedded?.connection ?? { connectionString: config.databaseUrl ?? '' }
  try {
    await withSession(owner, refuseHalfRestored)
    if (migrates) await migrate(owner, print)
    else await refusePending(owner)
    const connection = embedded === null ? owner : await asServiceRole(owner)
    const pool = await openPool(config, connection, log)
    return {
      ...pool,
      connection,
      async close() {
        await pool.close()
        await embedded?.release()
      },
    }
  } catch (error) {
    await embedded?.release()
    if (embedded === null && error instanceof DatabaseUnreachable)
      throw new ConfigError(`DATABASE_URL cannot be used. ${error.message}`)
    throw error
  }
}

/** @throws DatabaseStartError */
async function refusePending(connection: pg.ClientConfig): Promise<void> {
  const pending = await pendingMigrations(connection)
  if (pending.length === 0) return
  throw new DatabaseStartError(
    `The database lacks ${pending.length === 1 ? '1 migration' : `${pending.length} migrations`} of this version, and a command that only reads applies none: run \`${svcCommand} migrate\`, or use the command line of the version that is running.`,
  )
}

function describeAway(node: string | undefined): string {
  if (node === undefined) return 'the database is away: requests are refused with 503'
  return node === coordinatorName
    ? 'the coordinator of Citus is away: requests with keys continue, the dashboard and the console are refused with 503'
    : 'a node of Citus is away: requests of its agencies are refused with 503'
}

/** A slower statement over all agencies is logged. */
const slowMs = 2_000

/**
 * Opens the pool of a migrated database, and of its replica if there is one.
 * @throws DatabaseStartError for a replica of a distributed database
 */
export async function openPool(
  config: Config,
  connection: pg.ClientConfig,
  log: Log,
): Promise<{ db: Db; replica: Replica | null; close(): Promise<void> }> {
  // While closing, the database may drop a connection before our termination message reaches it.
  let closing = false
  // An outage breaks all idle connections at once.
  const logBroken = countedLog((broken: { reason: string; node: string | undefined }, connections) =>
    log.warn({ ...broken, connections }, 'an idle connection to the database broke'),
  )
  const pooling = { poolSize: config.databasePoolSize, namedStatements: config.preparedStatements }
  const { databaseReadUrl: readUrl } = config
  const db = await connectDatabase({
    connection,
    ...pooling,
    hasReplica: readUrl !== null,
    onIdleError: (error, node) => {
      if (!closing) logBroken(node ?? '', { reason: error.message, node })
    },
    onPresence: (isAway, node) => {
      if (isAway) log.error({ node }, `${describeAway(node)} until it is back`)
      else log.warn({ node }, 'the database is back')
    },
    slow: {
      ms: slowMs,
      log: (ms, statement) =>
        log.warn(
          { ms, statement },
          `a statement over all nodes took ${(ms / 1_000).toFixed(1)} s: ${statement}`,
        ),
    },
  })
  const onPause = (reason: string): void =>
    log.warn({ reason }, 'the replica is paused: reads go to the primary')
  // Does not wait for the replica: reads go to the primary until it answers.
  const replica =
    readUrl === null
      ? null
      : openReplica(openDatabase({ connection: { connectionString: readUrl }, ...pooling }), onPause)
  return {
    db,
    replica,
    async close() {
      closing = true
      await Promise.all([db.destroy(), replica?.close()])
    },
  }
}
