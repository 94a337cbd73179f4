/** Whether this version of the service may run on a database: its migrations say which version is the oldest that may. */
import { isOlder, version } from '../version.ts'
import { DatabaseStartError } from './embedded/database-start-error.ts'
import { type Executor, statement } from './statement.ts'

const find = statement<{ exists: boolean }>(`select to_regclass('version_contract') is not null as exists`)
const select = statement<{ oldest: string }>('select oldest_version as oldest from version_contract')

/** @throws DatabaseStartError in one line, if this version is too old */
export async function checkVersion(db: Executor): Promise<void> {
  const [found] = await find(db, [])
  const [row] = found?.exists === true ? await select(db, []) : []
  if (row === undefined || !isOlder(version, row.oldest)) return
  throw new DatabaseStartError(
    `This is version ${version}, and the database needs version ${row.oldest} or later: a newer version has migrated it. Start that one, or restore a backup from before.`,
  )
}
