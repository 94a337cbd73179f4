/** Shares the embedded database's fixed number of connections among the processes that serve. */
import { sql } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'

/** For PostgreSQL itself, the first process, and commands. */
const others = 40
/** Per process beside its pool: those that short statements share. */
const shared = 2
/** With more, a process would have less than one connection. */
const mostProcesses = 50

/** How many processes serve: with the embedded database, at most as many as it has connections for. */
export function sizeOfCrew({ workers, databaseUrl }: Config, tell: (line: string) => void): number {
  if (databaseUrl !== null || workers <= mostProcesses) return workers
  tell(`WORKERS is ${workers}, but with the embedded database at most ${mostProcesses} processes serve.`)
  return mostProcesses
}

/** DATABASE_POOL_SIZE, or each process's share of the embedded database's connections, if that is less. */
export async function poolSizeOf(config: Config, db: Db, size: number): Promise<number> {
  if (config.databaseUrl !== null) return config.databasePoolSize
  const { rows } = await sql<{
    most: number
  }>`select current_setting('max_connections')::int as most`.execute(db)
  const share = Math.floor(((rows[0]?.most ?? 0) - others) / size) - shared
  return Math.max(1, Math.min(config.databasePoolSize, share))
}
