/** What `doctor` tells of the replica of DATABASE_READ_URL. */
import { Client, type ClientConfig } from 'pg'
import { pendingMigrations } from '../db/migrate.ts'

type State = { isReplica: boolean; version: string; secondsBehind: number | null }

/** How far it is behind. @throws when it cannot be reached, or has not the tables that are read there */
export async function describeReplica(connection: ClientConfig): Promise<string> {
  const pending = await pendingMigrations(connection)
  if (pending.length > 0) throw new Error(`the replica lacks migrations: ${pending.join(', ')}`)
  const client = new Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<State>(`
      select pg_is_in_recovery() as "isReplica", current_setting('server_version') as version,
        case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
          else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8
        end as "secondsBehind"`)
    const { isReplica = false, version = '', secondsBehind = null } = rows[0] ?? {}
    if (!isReplica)
      return `PostgreSQL ${version}, and no streaming replica: how far it is behind it does not tell`
    const behind = secondsBehind === null ? 'an unknown time' : `${secondsBehind.toFixed(1)} s`
    return `PostgreSQL ${version}, ${behind} behind with what it received`
  } finally {
    await client.end()
  }
}
