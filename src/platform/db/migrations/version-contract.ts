/** Checks whether this version of the service may run on a database, which records the oldest version that may. */
import { isOlder, version } from '../../program/version.ts'
import { DatabaseStartError } from '../presence/database-start-error.ts'
import { hasTable } from './has-table.ts'
import { type Executor, statement } from '../statements/statement.ts'

const select = statement<{ oldest: string }>('select oldest_version as oldest from version_contract')

/** @throws DatabaseStartError in one line, if this version is too old */
export async function checkVersion(db: Executor): Promise<void> {
  const [row] = (await hasTable(db, 'version_contract')) ? await select(db, []) : []
  if (row === undefined || !isOlder(version, row.oldest)) return
  throw new DatabaseStartError(
    `This is version ${version}, and the database needs version ${row.oldest} or later: a newer version has migrated it. Start that one, or restore a backup from before.`,
  )
}
