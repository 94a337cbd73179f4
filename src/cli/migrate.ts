/**
 * `migrate`: brings the database up to date without starting the server.
 */
import { migrate } from '../db/migrate.ts'
import type { Command } from './command.ts'
import { withConnection } from './database.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Applies the migrations that the database lacks. The server and the other commands do so too.',
  run: async (_input, { settings, note }) =>
    await withConnection(settings(), note, async (connection) => {
      const applied = await migrate(connection, note)
      const text =
        applied.length === 0
          ? 'The database is up to date.'
          : `Applied:\n${applied.map((name) => `  ${name}`).join('\n')}`
      return { json: { applied }, text }
    }),
}
