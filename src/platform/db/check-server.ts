/** Whether the server and its database suit the service. */
import { isHalfDistributed } from './citus/distribute.ts'
import { DatabaseStartError } from './embedded/database-start-error.ts'
import { readEngine } from './engine.ts'
import { type Executor, statement } from './statement.ts'

/** The oldest supported PostgreSQL, as `server_version_num`. */
export const oldestServer = 150_000

const readServer = statement<{ number: number; version: string; encoding: string }>(`
  select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
    current_setting('server_encoding') as encoding`)

/** @returns whether the database is distributed. @throws DatabaseStartError if it is unfit, or partly distributed */
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
      'The database is half distributed: run `npm run -s svc -- database distribute` again, to the end.',
    )
  return isDistributed
}
