/** Sharing the connections of the embedded database, of which there is a fixed number, among the processes that serve. */
import { sql } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'

/** Of PostgreSQL's own, the first process's, and commands' that run meanwhile. */
const others = 40
/** Beside the pool: those that short statements share. */
const shared = 2
/** More would leave a process less than a connection. */
const mostProcesses = 50

/** How many processes serve: with the embedded database no more than it has connections for. */
export function sizeOfCrew({ workers, databaseUrl }: Config, tell: (line: string) => void): number {
  if (databaseUrl !== null || workers <= mostProcesses) return workers
  tell(`WORKERS is ${workers}: with the embedded database, ${mostProcesses} processes serve.`)
  return mostProcesses
}

/** DATABASE_POOL_SIZE, or what the embedded database has for each of so many processes, if that is less. */
export async function poolSizeOf(config: Config, db: Db, size: number): Promise<number> {
  if (config.databaseUrl !== null) return config.databasePoolSize
  const { rows } = await sql<{
    most: number
  }>`select current_setting('max_connections')::int as most`.execute(db)
  const share = Math.floor(((rows[0]?.most ?? 0) - others) / size) - shared
  return Math.max(1, Math.min(config.databasePoolSize, share))
}
