/**
 * A directory for files that live for seconds, in memory if there is plenty. A database is three hundred files, and some disks take
 * half a second to create them.
 */
import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Linux's file system in memory. */
export const memory = '/dev/shm'
const plentyBytes = { fileSystem: 2 * 2 ** 30, machine: 4 * 2 ** 30 }

/** In memory, or the temporary directory. An explicit TMPDIR wins. */
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
