/** Opens a command's database: DATABASE_URL, or the embedded one, which is started if needed and stopped by its last user. */
import type { ClientConfig } from 'pg'
import { openServiceDatabase } from '../open-database.ts'
import type { Config } from '../../platform/config/config.ts'
import { openDataDir } from '../../platform/config/data-dir.ts'
import type { Db } from '../../platform/db/database.ts'
import { startEmbedded } from '../../platform/db/embedded/embedded.ts'
import type { Log } from '../../deps.ts'
import type { Context } from './command.ts'

/** Runs `work` with a migrated database, and closes it afterwards. */
export async function withDatabase<T>(
  { settings, note }: Context,
  work: (open: { db: Db; config: Config; log: Log }) => Promise<T>,
): Promise<T> {
  const config = await settings()
  const log = commandLog(note)
  const opened = await openServiceDatabase(config, log, note)
  return await closingAfter(
    () => work({ db: opened.db, config, log }),
    () => opened.close(),
  )
}

/** Runs `work` with the connection settings of a running database, migrated or not. */
export async function withConnection<T>(
  config: Config,
  note: Context['note'],
  work: (connection: ClientConfig) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl !== null) return await work({ connectionString: config.databaseUrl })
  openDataDir(config.dataDir)
  const embedded = await startEmbedded({ dataDir: config.dataDir, log: note })
  return await closingAfter(
    () => work(embedded.connection),
    () => embedded.release(),
  )
}

/** Closes on Ctrl-C too. Otherwise an embedded PostgreSQL would keep running. */
async function closingAfter<T>(work: () => Promise<T>, close: () => Promise<void>): Promise<T> {
  const interrupted = (): void => void close().finally(() => process.exit(1))
  process.once('SIGINT', interrupted)
  process.once('SIGTERM', interrupted)
  try {
    return await work()
  } finally {
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', interrupted)
    await close()
  }
}

/** Prints warnings and errors of the domain as notes. */
function commandLog(note: Context['note']): Log {
  const print = (_details: object, message: string): void => note(message)
  return { info: () => {}, warn: print, error: print }
}
