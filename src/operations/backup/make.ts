/** Makes a backup, verifies it if wanted, and records it. */
import { addAbortSignal } from 'node:stream'
import { databaseClock } from '../../platform/time/clock.ts'
import { withSession } from '../../platform/db/statements/session.ts'
import { backUp, type BackupSource } from './backup.ts'
import type { ArchiveStore } from './archive/archive-store.ts'
import { type Made, recordBackup } from './routine/records.ts'
import { checkVerifiable, verifyBackup } from './verify.ts'

export type Making = Readonly<{
  isVerified: boolean
  isRoutine: boolean
  /** Interrupts it: nothing is left then. */
  signal: AbortSignal
  /** Receives lines about the progress. */
  note: (line: string) => void
}>

/** @throws BadArchive if the archive is not what was written; the errors of the database and of the store */
export async function makeBackup(
  source: BackupSource,
  archives: ArchiveStore,
  making: Making,
): Promise<Made> {
  const { isVerified, isRoutine, signal, note } = making
  if (isVerified) checkVerifiable()
  const name = `listings-${new Date().toISOString().replaceAll(':', '')}.tar`
  const { bytes, sha256, manifest, at } = await archives.save(name, {
    signal,
    write: (destination) => backUp(source, destination, note),
    async check(open) {
      if (!isVerified) return
      note('Verifying: restoring the archive into a throw-away database.')
      await verifyBackup(addAbortSignal(signal, await open()), archives.scratch)
    },
  })
  const { agencies, listings, photos } = manifest
  const made = { archive: archives.locate(name), bytes, sha256, agencies, listings, photos }
  const isRecorded = await withSession(source.connection, (session) =>
    recordBackup(session, made, { at, isVerified, isRoutine }, databaseClock),
  )
  if (!isRecorded) note('The backup is not recorded: the database lacks migrations of this version.')
  return made
}
