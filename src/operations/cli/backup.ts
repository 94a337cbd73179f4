/** `backup`: to a place of its own, or as the settings say. */
import { loadSecretKeys } from '../../access/secrets/secret-keys.ts'
import { openStorage } from '../../listings/photos/storage.ts'
import type { Config } from '../../platform/config/config.ts'
import { checkServer } from '../../platform/db/engine.ts'
import { withSession } from '../../platform/db/session.ts'
import { makeBackup } from '../backup/make.ts'
import { openPlace } from '../backup/place.ts'
import { makeRoutineBackup } from '../backup/routine.ts'
import { CommandError, type Input, type Run } from './command.ts'
import { withConnection } from './open.ts'
import { shown } from './output.ts'

export const backup: Run = async (input, { settings, note }) => {
  const config = await settings()
  const to = readPlace(input, config)
  return await withConnection(config, note, async (connection, signal) => {
    if (await withSession(connection, checkServer))
      throw new CommandError(
        'A distributed database cannot be backed up like this: see docs/operations/citus-backup.md.',
      )
    const place = await openPlace(to, config)
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
          ? await makeRoutineBackup(source, place, config.backupKeep, { signal, note })
          : await makeBackup(source, place, {
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
      place.close()
    }
  })
}

/** --to, or the place of the routine backup, which takes no other options. */
function readPlace(input: Input, { backupTo }: Config): string {
  const to = input.optional('to')
  if (to !== null) return to
  if (backupTo === null) throw new CommandError('--to is missing, and BACKUP_TO is not set.')
  if (input.isSet('with-secret-key'))
    throw new CommandError('--with-secret-key needs --to: a routine backup has no secret key.')
  return backupTo
}
