/** `database adopt`: moves a database that a version before 1.0.0 made to the migrations of 1.0.0. */
import { adopt, NotAdopted } from '../../platform/db/adopt.ts'
import type { Output, Run } from './command.ts'
import { withConnection } from './database.ts'

export const adoptDatabase: Run = async (_input, { settings, note }) =>
  await withConnection(await settings(), note, async (connection): Promise<Output> => {
    try {
      const isAdopted = await adopt(connection, note)
      return {
        json: { adopted: isAdopted, problems: [] },
        text: isAdopted
          ? 'The database has the migrations of 1.0.0.'
          : 'Nothing to adopt: no version before 1.0.0 made this database.',
      }
    } catch (error) {
      if (!(error instanceof NotAdopted)) throw error
      return {
        json: { adopted: false, problems: error.reasons },
        text: `Nothing was changed.\n${error.reasons.map((reason) => `  ${reason}`).join('\n')}`,
        failure: 'The database was not adopted.',
      }
    }
  })
