/** Shares the embedded database's fixed number of connections among the processes that serve. */
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statement.ts'

/** Connections kept free for PostgreSQL itself, the first process and commands. */
const reserved = 40
/** Connections per process besides its pool, shared by short statements (platform/db/shared-connections.ts). */
const shared = 2
/** With more, a process would have less than one connection. */
const mostProcesses = 50

/** The number of serving processes: WORKERS, but with the embedded database at most as many as it has connections for. */
export function sizeOfCrew({ workers, databaseUrl }: Config, print: (line: string) => void): number {
  if (databaseUrl !== null || workers <= mostProcesses) return workers
  print(`WORKERS is ${workers}, but with the embedded database at most ${mostProcesses} processes serve.`)
  return mostProcesses
}

const readMost = statement<{ most: number }>(`select current_setting('max_connections')::int as most`)

/** A process's pool size: DATABASE_POOL_SIZE, but at most its share of the embedded database's connections. */
export async function poolSizeOf(config: Config, db: Db, size: number): Promise<number> {
  if (config.databaseUrl !== null) return config.databasePoolSize
  const [row] = await readMost(db, [])
  const share = Math.floor(((row?.most ?? 0) - reserved) / size) - shared
  return Math.max(1, Math.min(config.databasePoolSize, share))
}
