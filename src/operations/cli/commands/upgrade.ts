/** `database upgrade`: moves the embedded database to the PostgreSQL of this version of the service. */
import { resolve } from 'node:path'
import { upgradeEmbedded } from '../../backup/upgrade.ts'
import { CommandError, type Run } from '../command.ts'
import { shown } from '../output.ts'

export const upgrade: Run = async (input, { settings, note }) => {
  const { databaseUrl, dataDir } = await settings()
  if (databaseUrl !== null)
    throw new CommandError(
      'This upgrades the embedded database. Upgrade the PostgreSQL of DATABASE_URL as its own documentation says.',
    )
  return shown(await upgradeEmbedded(dataDir, resolve(input.text('from')), note))
}
