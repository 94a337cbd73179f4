/** `migrate`: brings the database up to date without starting the server. */
import { migrate } from '../../platform/db/migrate.ts'
import type { Run } from './command.ts'
import { withConnection } from './database.ts'

export const migrateDatabase: Run = async (_input, { settings, note }) =>
  await withConnection(await settings(), note, async (connection) => {
    const applied = await migrate(connection, note)
    const text =
      applied.length === 0
        ? 'The database is up to date.'
        : `Applied:\n${applied.map((name) => `  ${name}`).join('\n')}`
    return { json: { applied }, text }
  })
