/** Checks whether a table exists: commands also read databases that are empty, or older than this version. */
import { type Executor, statement } from '../statements/statement.ts'

const find = statement<{ exists: boolean }>('select to_regclass($1) is not null as exists')

export async function hasTable(db: Executor, name: string): Promise<boolean> {
  return (await find(db, [name]))[0]?.exists === true
}
