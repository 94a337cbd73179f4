/** The database of a run: an embedded one with the service's settings, or an existing one. */
import pg from 'pg'
import { startEmbedded } from '../../src/platform/db/embedded/embedded.ts'

type BenchDatabase = {
  connection: pg.ClientConfig
  /** The directory of its files; null for an existing one. */
  home: string | null
  release(): Promise<void>
}

type OpenOptions = {
  /** The URL of a running database. */
  url: string | undefined
  dataDir: string
  log: (line: string) => void
  /** Whether the embedded one records the cost of each statement (pg_stat_statements). A running database must be configured beforehand. */
  withStatements: boolean
}

export async function openBenchDatabase({
  url,
  dataDir,
  log,
  withStatements,
}: OpenOptions): Promise<BenchDatabase> {
  if (url !== undefined) return { connection: { connectionString: url }, home: null, release: async () => {} }
  const database = await startEmbedded({ dataDir, log })
  if (!withStatements) return database
  // PostgreSQL reads these settings only at startup.
  await run(database.connection, countStatements)
  await database.release()
  const again = await startEmbedded({ dataDir, log })
  return {
    ...again,
    async release() {
      // Otherwise the next run on the same data would keep these settings.
      await run(again.connection, ['alter system reset all'])
      await again.release()
    },
  }
}

const countStatements = [
  "alter system set shared_preload_libraries = 'pg_stat_statements'",
  'alter system set pg_stat_statements.track_planning = on',
  "alter system set pg_stat_statements.track = 'all'",
]

async function run(connection: pg.ClientConfig, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
