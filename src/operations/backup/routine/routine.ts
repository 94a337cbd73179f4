/**
 * Makes the routine backup: writes it to BACKUP_TO, verifies it, and deletes the oldest beyond BACKUP_KEEP. One runs at a time for each
 * database; a second one waits, and then returns what the first has made.
 */
import { databaseClock } from '../../../platform/time/clock.ts'
import { advisoryLock } from '../../../platform/db/statements/advisory-locks.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import { liftTimeouts, withSession } from '../../../platform/db/statements/session.ts'
import { messageOf } from '../../../platform/errors/errors.ts'
import type { BackupSource } from '../backup.ts'
import { makeBackup, type Making } from '../make.ts'
import type { ArchiveStore } from '../archive/archive-store.ts'
import {
  findRoutineSince,
  findSpare,
  type Made,
  readRoutine,
  recordDeletion,
  recordFailure,
} from './records.ts'

const lockRoutine = advisoryLock('routineBackup')

/** @throws Error if none was made (the failure is recorded), or if an old archive cannot be deleted */
export async function makeRoutineBackup(
  source: BackupSource,
  archives: ArchiveStore,
  keep: number,
  making: Pick<Making, 'signal' | 'note'>,
): Promise<Made> {
  const work = async (tx: Tx): Promise<Made> => {
    await liftTimeouts(tx, [])
    const { now } = await readRoutine(tx, databaseClock)
    await lockRoutine(tx, [])
    const other = await findRoutineSince(tx, now)
    if (other !== null) return other
    const made = await makeRecorded(source, archives, making)
    await removeSpare(tx, archives, keep)
    return made
  }
  return await withSession(source.connection, (session) => session.transaction(work))
}

async function makeRecorded(
  source: BackupSource,
  archives: ArchiveStore,
  making: Pick<Making, 'signal' | 'note'>,
): Promise<Made> {
  try {
    return await makeBackup(source, archives, { ...making, isVerified: true, isRoutine: true })
  } catch (error) {
    if (!making.signal.aborted)
      await withSession(source.connection, (session) =>
        recordFailure(session, messageOf(error), databaseClock),
      ).catch(() => making.note('The failure is not recorded: the database does not answer.'))
    throw error
  }
}

/** Deletes the oldest archives. An archive at an earlier BACKUP_TO stays. */
async function removeSpare(tx: Tx, archives: ArchiveStore, keep: number): Promise<void> {
  for (const { id, archive } of await findSpare(tx, keep)) {
    const name = archive.slice(archive.lastIndexOf('/') + 1)
    if (archives.locate(name) !== archive) continue
    await archives.remove(name).catch((cause: unknown) => {
      throw new Error(
        `The backup was made, but the old one ${archive} cannot be deleted: ${messageOf(cause)}`,
        {
          cause,
        },
      )
    })
    await recordDeletion(tx, id, databaseClock)
  }
}
