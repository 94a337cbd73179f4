/**
 * A directory for short-lived files, in memory if plenty is free. A database has three hundred files, and some disks take half a second to
 * create them.
 */
import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Linux's in-memory file system. */
export const memory = '/dev/shm'
const plentyBytes = { fileSystem: 2 * 2 ** 30, machine: 4 * 2 ** 30 }

/** In memory, or else the temporary directory. An explicit TMPDIR wins. */
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
