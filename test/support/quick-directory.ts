/**
 * Where files go that live for seconds: in memory where there is plenty of it. A database is three hundred files, a picture three
 * that are flushed to the disk; and some file systems take half a second to make three hundred after others were deleted.
 */
import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** A file system in memory, where Linux has one. */
export const memory = '/dev/shm'
const plentyBytes = { fileSystem: 2 * 2 ** 30, machine: 4 * 2 ** 30 }

/** In memory, or among the temporary files. Who names a TMPDIR means it. */
export function quickDirectory(): string {
  return process.env['TMPDIR'] === undefined && isPlenty() ? memory : tmpdir()
}

function isPlenty(): boolean {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > plentyBytes.fileSystem && process.availableMemory() > plentyBytes.machine
  } catch {
    return false
  }
}
