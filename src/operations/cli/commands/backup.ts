/** `backup`: makes a backup where --to says, or the routine backup of the settings. */
import { loadSecretKeys } from '../../../access/secrets/secret-keys.ts'
import { openStorage } from '../../../listings/photos/storage.ts'
import type { Config } from '../../../platform/config/config.ts'
import { checkServer } from '../../../platform/db/engine.ts'
import { withSession } from '../../../platform/db/statements/session.ts'
import { makeBackup } from '../../backup/make.ts'
import { openArchiveStore } from '../../backup/archive/archive-store.ts'
import { makeRoutineBackup } from '../../backup/routine/routine.ts'
import { CommandError, type Input, type Run } from '../command.ts'
import { withConnection } from '../open.ts'
import { shown } from '../output.ts'

export const backup: Run = async (input, { settings, note }) => {
  const config = await settings()
  const to = readDestination(input, config)
  return await withConnection(config, note, async (connection, signal) => {
    if (await withSession(connection, checkServer))
      throw new CommandError(
        'A distributed database cannot be backed up like this: see docs/operations/citus-backup.md.',
      )
    const archives = await openArchiveStore(to, config)
    const storage = config.s3 === null ? await openStorage(config) : null
    try {
      const source = {
        connection,
        storage,
        bucket: config.s3?.bucket ?? null,
        secretKey: input.isSet('with-secret-key') ? (await loadSecretKeys(config)).current : null,
      }
      const made =
        input.optional('to') === null
          ? await makeRoutineBackup(source, archives, config.backupKeep, { signal, note })
          : await makeBackup(source, archives, {
              signal,
              note,
              isVerified: input.isSet('verify'),
              isRoutine: false,
            })
      return shown(made)
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    } finally {
      storage?.close()
      archives.close()
    }
  })
}

/** --to, or the destination of the routine backup, which takes no other options. */
function readDestination(input: Input, { backupTo }: Config): string {
  const to = input.optional('to')
  if (to !== null) return to
  if (backupTo === null) throw new CommandError('--to is missing, and BACKUP_TO is not set.')
  if (input.isSet('with-secret-key'))
    throw new CommandError('--with-secret-key needs --to: a routine backup has no secret key.')
  return backupTo
}
